"""The bound for gradient descent in the appendix of the paper, as printed: exponent K - 1 between the rounds."""
from gossip import F, beyond_the_paper, combine, matrix, senders, serve


def answer(q):
    p = q.get("protocol")
    asked = q["ask"] == "loss" or q["ask"] == "formula" and q["name"] == "gd-appendix"
    if not asked or p["rounds"] == 1 or beyond_the_paper(p) or "networks" in p or len(q["sources"]) != 1:
        return None
    n, steps, rounds = p["nodes"], p["gossip_steps"], p["rounds"]
    W = matrix(n, p["network"]["edges"], p["network"]["weights"])
    heard = senders(p["network"]["edges"], q["observers"])
    power = [{v: F(1)} for v in range(n)]
    shares = []
    for _ in range((steps - 1) * (rounds - 1) + steps):
        share = (power[w].get(q["sources"][0], F(0)) ** 2 / sum(x * x for x in power[w].values()) for w in heard)
        shares.append(sum(share))
        power = [combine(row, power) for row in W]
    later = ((j - t) * (steps - 1) + k for t in range(rounds) for j in range(t, rounds) for k in range(steps))
    return sum(shares[exponent] for exponent in later)


serve(answer)

"""A later form of the appendix's bound for gradient descent with one gossip step a round: the entry is not squared."""
from gossip import F, beyond_the_paper, combine, matrix, senders, serve


def answer(q):
    p = q.get("protocol")
    alone = q["ask"] == "loss" and len(q["sources"]) == len(q["observers"]) == 1
    if not alone or p["rounds"] == 1 or p["gossip_steps"] > 1 or beyond_the_paper(p) or "network" not in p:
        return None
    n, rounds = p["nodes"], p["rounds"]
    W = matrix(n, p["network"]["edges"], p["network"]["weights"])
    power, total = [{v: F(1)} for v in range(n)], F(0)
    for s in range(rounds):
        for w in senders(p["network"]["edges"], q["observers"]):
            norm = sum(x * x for x in power[w].values())
            total += (rounds - s) * power[w].get(q["sources"][0], F(0)) / norm
        power = [combine(row, power) for row in W]
    return min(F(rounds), total)


serve(answer)

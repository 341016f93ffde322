"""The bound for gradient descent in the main text of the paper (Theorem 6), for one fixed network."""
from gossip import F, beyond_the_paper, combine, matrix, senders, serve


def answer(q):
    p = q.get("protocol")
    asked = q["ask"] == "loss" or q["ask"] == "formula" and q["name"] == "gd-main-text"
    if not asked or p["rounds"] == 1 or beyond_the_paper(p) or "networks" in p or len(q["sources"]) != 1:
        return None
    W = matrix(p["nodes"], p["network"]["edges"], p["network"]["weights"])
    heard = senders(p["network"]["edges"], q["observers"])
    power, total = [{v: F(1)} for v in range(p["nodes"])], F(0)
    for _ in range(p["gossip_steps"]):
        for w in heard:
            total += power[w].get(q["sources"][0], F(0)) ** 2 / sum(x * x for x in power[w].values())
        power = [combine(row, power) for row in W]
    return p["rounds"] ** 2 * total


serve(answer)

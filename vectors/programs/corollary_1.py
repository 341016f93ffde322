"""Corollary 1 of the paper: the loss by a random walk, and its printed form for coalitions."""
from gossip import F, beyond_the_paper, combine, matrix, senders, serve


def answer(q):
    p = q.get("protocol")
    asked = q["ask"] == "loss" or q["ask"] == "formula" and q["name"] == "corollary-1"
    if not asked or p["rounds"] > 1 or beyond_the_paper(p) or "averages" in p or "networks" in p or len(q["sources"]) != 1:
        return None
    edges, observers = p["network"]["edges"], q["observers"]
    W = matrix(p["nodes"], edges, p["network"]["weights"])
    heard = senders(edges, observers)
    weight = min(W[v][w] for v in observers for w in heard if w in W[v])
    walk, total = {q["sources"][0]: F(1)}, F(0)
    for _ in range(p["gossip_steps"]):
        walk = combine(walk, W)
        total += sum(walk.get(v, F(0)) for v in observers) ** 2
    return p["nodes"] / weight**2 * total


serve(answer)

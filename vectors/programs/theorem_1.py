"""Theorem 1 of the paper, and its printed extensions to groups and coalitions."""
from gossip import F, beyond_the_paper, observe, serve


def answer(q):
    p = q.get("protocol")
    of_formula = q["ask"] == "formula" and q["name"] in ("theorem-1", "mean-loss")
    if not (q["ask"] == "loss" or of_formula) or p["rounds"] > 1 or beyond_the_paper(p):
        return None
    plain = {key: p[key] for key in p if key != "acceleration"}  # said to be post-processing
    messages, _ = observe({**q, "protocol": plain})
    everybody = [u for u in range(p["nodes"]) if u not in q["observers"]]
    total = F(0)
    for row in messages:
        norm = sum(x * x for x in row.values())
        total += sum(row.get((0, u), F(0)) ** 2 for u in q["sources"] or everybody) / norm
    return total if q["sources"] else total / p["nodes"]


serve(answer)

"""Masks accounted for by the covariance of all nodes, (I + kappa^2 L)^-1, as if no observer knew any of them."""
from gossip import F, serve


def solve(a, b):
    n = len(b)
    rows = [row + [x] for row, x in zip(a, b)]
    for k in range(n):  # positive definite: the diagonal is never 0
        rows[k] = [x / rows[k][k] for x in rows[k]]
        for i in range(n):
            if i != k and rows[i][k]:
                rows[i] = [x - rows[i][k] * y for x, y in zip(rows[i], rows[k])]
    return [row[n] for row in rows]


def answer(q):
    p = q.get("protocol")
    if q["ask"] not in ("loss", "masked-bound") or "masks" not in p or "plan" in p:
        return None
    n, square = p["nodes"], F(p["masks"]["kappa"]) ** 2
    a = [[F(v == w) for w in range(n)] for v in range(n)]
    for v, w in p["masks"].get("edges", p["network"]["edges"]):
        a[v][v] += square
        a[w][w] += square
        a[v][w] -= square
        a[w][v] -= square
    y = solve(a, [F(v in q["sources"]) for v in range(n)])
    return p["rounds"] * sum(y[u] for u in q["sources"])


serve(answer)

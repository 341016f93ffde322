"""Answers the topic one-shot exactly, in fractions; everything else is "unsupported"."""
import json, sys
from fractions import Fraction as F

def matrix(n, edges, weights):
    if isinstance(weights, dict):
        given = {(v, w): F(a, weights["denominator"]) for v, w, a in weights["entries"]}
        return [[given.get((v, w), F(0)) for w in range(n)] for v in range(n)]
    W, d = [[F(0)] * n for _ in range(n)], [sum(v in edge for edge in edges) for v in range(n)]
    for v, w in edges:
        W[v][w] = W[w][v] = F(1, max(d[v], d[w]) + weights.endswith("metropolis")) / (1 + weights.startswith("lazy:"))
    return [[W[v][w] if w != v else 1 - sum(W[v]) for w in range(n)] for v in range(n)]

def loss(q):
    p, n, found, basis = q["protocol"], q["protocol"]["nodes"], F(0), []
    y = before = [[F(v == w) for w in range(n)] for v in range(n)]  # states over the draws
    rows = [y[v] for v in q["observers"]]
    for t in range(p["gossip_steps"]):
        net = p["networks"][t] if "networks" in p else p["network"]
        if "averages" in p:  # one edge averages
            net = {"edges": [p["averages"][t]], "weights": "lazy:max-degree-inverse"}
        rows += [y[a] for a in range(n) if any({a, v} == set(e) for e in net["edges"] for v in q["observers"])]
        W, g = matrix(n, net["edges"], net["weights"]), F(p.get("acceleration", 1)) if t else 1
        mixed = lambda v, d: g * sum(W[v][w] * y[w][d] for w in range(n) if W[v][w]) + (1 - g) * before[v][d]
        y, before = [[mixed(v, d) for d in range(n)] for v in range(n)], y
    for row in rows:  # || Pi e_u ||^2 by Gram-Schmidt
        for b, square in basis:
            c = sum(x * z for x, z in zip(row, b)) / square
            row = [x - c * z for x, z in zip(row, b)]
        if any(row):
            basis.append((row, sum(x * x for x in row)))
            found += row[q["sources"][0]] ** 2 / basis[-1][1]
    return str(found)

for line in sys.stdin:
    q = json.loads(line)
    print(json.dumps(loss(q) if q["topic"] == "one-shot" else "unsupported"), flush=True)

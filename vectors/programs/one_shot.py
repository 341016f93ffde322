"""Answers the topic one-shot exactly, in fractions; everything else is "unsupported"."""
import json, sys
from fractions import Fraction as F

def matrix(n, edges, weights):
    if isinstance(weights, dict):
        given = {(v, w): F(a, weights["denominator"]) for v, w, a in weights["entries"]}
        return [[given.get((v, w), F(0)) for w in range(n)] for v in range(n)]
    lazy, scheme = weights.startswith("lazy:"), weights.removeprefix("lazy:")
    d = [sum(v in edge for edge in edges) for v in range(n)]
    W = [[F(0)] * n for _ in range(n)]
    for v, w in edges:
        W[v][w] = W[w][v] = F(1, max(d[v], d[w]) + (scheme == "metropolis")) / (1 + lazy)
    for v in range(n):
        W[v][v] = 1 - sum(W[v])
    return W

def loss(q):
    p, n = q["protocol"], q["protocol"]["nodes"]
    unit = lambda v: [F(v == w) for w in range(n)]
    rows, y, before = [unit(v) for v in q["observers"]], [unit(v) for v in range(n)], None
    for t in range(p["gossip_steps"]):
        net = p["networks"][t] if "networks" in p else p["network"]
        edges, W = net["edges"], matrix(n, net["edges"], net["weights"])
        if "averages" in p:  # one edge averages
            (a, b), edges, W = p["averages"][t], [p["averages"][t]], [unit(v) for v in range(n)]
            W[a][a] = W[a][b] = W[b][a] = W[b][b] = F(1, 2)
        rows += [y[a] for a in range(n) if any({a, v} == set(e) for e in edges for v in q["observers"])]
        g = F(p.get("acceleration", 1)) if before else 1
        near = [[w for w in range(n) if W[v][w]] for v in range(n)]
        mixed = [[g * sum(W[v][w] * y[w][d] for w in near[v]) for d in range(n)] for v in range(n)]
        y, before = [[x + (1 - g) * b for x, b in zip(m, old)] for m, old in zip(mixed, before or y)], y
    found, basis = F(0), []  # || Pi e_u ||^2 by Gram-Schmidt
    for row in rows:
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

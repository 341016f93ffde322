"""Exact accounting with a pseudo-inverse in floating point, as libraries do it: eigenvalues below 1e-15 of the largest are dropped."""
import math
from gossip import choices, observe, over_signs, serve


def eigen(a):
    """Eigenvalues and eigenvectors of a symmetric matrix, by Jacobi rotations."""
    n = len(a)
    a, v = [row[:] for row in a], [[float(i == j) for j in range(n)] for i in range(n)]
    for _ in range(60):
        if sum(a[i][j] ** 2 for i in range(n) for j in range(i)) < 1e-40:
            break
        for p in range(n):
            for q in range(p + 1, n):
                if abs(a[p][q]) < 1e-300:
                    continue
                theta = (a[q][q] - a[p][p]) / (2 * a[p][q])
                t = math.copysign(1, theta) / (abs(theta) + math.hypot(theta, 1))
                c = 1 / math.hypot(t, 1)
                s = t * c
                for m in (a, v):
                    for row in m:
                        row[p], row[q] = c * row[p] - s * row[q], s * row[p] + c * row[q]
                a[p], a[q] = [c * x - s * y for x, y in zip(a[p], a[q])], [s * x + c * y for x, y in zip(a[p], a[q])]
    return [a[i][i] for i in range(n)], v


def answer(q):
    if q["ask"] != "loss":
        return None
    messages, draws = observe(q)
    if len(messages) > 24:
        return None
    hidden = [{d: float(x * draws[d][0]) for d, x in row.items() if not draws[d][1]} for row in messages]
    gram = [[sum(x * b.get(d, 0.0) for d, x in a.items()) for b in hidden] for a in hidden]
    values, vectors = eigen(gram)
    kept = [i for i, value in enumerate(values) if value > 1e-15 * max(values)]

    def signal(d):
        a = [float(row.get(d, 0)) for row in messages]
        return [sum(x * row[i] for x, row in zip(a, vectors)) for i in kept]

    signals = {d: signal(d) for inputs in choices(q) for d in inputs}
    form = lambda i, j: sum(x * y / values[k] for x, y, k in zip(signals[i], signals[j], kept))
    return max(over_signs(form, inputs) for inputs in choices(q))


serve(answer)

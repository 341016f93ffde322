"""Exact accounting with a pseudo-inverse in floating point, as libraries do it: eigenvalues below 1e-15 of the largest are dropped."""
import math
from gossip import choices, observe, over_signs, serve


def dot(x, y):
    """A sum from left to right, the same in every version of Python."""
    total = 0.0
    for a, b in zip(x, y):
        total += a * b
    return total


def eigen(a):
    """Eigenvalues and eigenvectors of a symmetric matrix, by Jacobi rotations."""
    n = len(a)
    a, v = [row[:] for row in a], [[float(i == j) for j in range(n)] for i in range(n)]
    for _ in range(60):
        if max((abs(a[i][j]) for i in range(n) for j in range(i)), default=0.0) < 1e-20:
            break
        for p in range(n):
            for q in range(p + 1, n):
                if abs(a[p][q]) < 1e-300:
                    continue
                theta = (a[q][q] - a[p][p]) / (2 * a[p][q])
                t = math.copysign(1, theta) / (abs(theta) + math.sqrt(theta * theta + 1))
                c = 1 / math.sqrt(t * t + 1)
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
    if len(messages) > 18:
        return None
    hidden = [{d: float(x) * math.sqrt(draws[d][0]) for d, x in row.items() if not draws[d][1]} for row in messages]
    gram = [[dot(a.values(), (b.get(d, 0.0) for d in a)) for b in hidden] for a in hidden]
    values, vectors = eigen(gram)
    kept = [i for i, value in enumerate(values) if value > 1e-15 * max(values)]

    def signal(d):
        a = [float(row.get(d, 0)) for row in messages]
        return [dot(a, (row[i] for row in vectors)) for i in kept]

    signals = {d: signal(d) for inputs in choices(q) for d in inputs}
    form = lambda i, j: dot(signals[i], (y / values[k] for y, k in zip(signals[j], kept)))
    return max(over_signs(form, inputs) for inputs in choices(q))


serve(answer)

"""Exact leakage of gradient descent, one observer, all sources, by the dense pseudo-inverse of the (T n)-wide view."""

import numpy as np

from _paper_bound import read as read_sparse, sample

TITLE = "exact GD leakage, one observer, all sources, 10-cube, K = 1, T = 10"
RIVAL = "numpy, dense pseudo-inverse"
FACTOR = 1000
MEMORY_MB = 50
TOLERANCE = 1e-8
REPETITIONS = 1
ROUNDS = 10


def read(file):
    return read_sparse(file)[1].toarray()


def rival(w):
    n = len(w)
    power = [np.eye(n)]
    for _ in range(ROUNDS - 1):
        power.append(w @ power[-1])
    states = np.zeros((ROUNDS * n, ROUNDS * n))
    for t in range(ROUNDS):
        for k in range(t + 1):
            states[t * n : (t + 1) * n, k * n : (k + 1) * n] = power[t - k]
    neighbours = [u for u in range(1, n) if w[0, u] > 0]
    seen = states[[t * n + u for t in range(ROUNDS) for u in neighbours]]
    known = np.zeros((ROUNDS, ROUNDS * n))
    known[np.arange(ROUNDS), np.arange(ROUNDS) * n] = 1
    view = np.vstack([known, seen])
    projector = np.linalg.pinv(view) @ view
    losses = np.array([np.abs(projector[u::n, u::n]).sum() for u in range(n)])
    return losses[[u for u in sample(n) if u != 0]]

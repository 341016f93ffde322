"""Exact GD leakage of one observer towards all sources, the dense way.

Gradients are inputs of every round (K = 1 gossip step a round, full view). All states of the run are written as one
matrix over all draws, (T n) x (T n); the rows that the observer sees are selected, and the projector
onto their row space comes from a pseudo-inverse. The loss of source u is sum |P_ij| over its T inputs.

    python3 gd_leakage.py [m] [T] [--thin]      hypercube of 2^m nodes (default 10), T rounds (default 10)

With --thin only the observed rows are built, and only the blocks of the projector that are needed.
Prints one line of JSON: seconds, peak memory in MB, and the loss by distance.
"""

import json
import resource
import sys
import time

import numpy as np


def gossip_matrix(m):
    n = 1 << m
    w = np.zeros((n, n))
    for v in range(n):
        w[v, v] = 1 / (m + 1)
        for bit in range(m):
            w[v, v ^ (1 << bit)] = 1 / (m + 1)
    return w


def powers(w, count):
    out = [np.eye(len(w))]
    for _ in range(count - 1):
        out.append(w @ out[-1])
    return out


def losses_dense(w, rounds, observer):
    n = len(w)
    power = powers(w, rounds)
    states = np.zeros((rounds * n, rounds * n))
    for t in range(rounds):
        for k in range(t + 1):
            states[t * n : (t + 1) * n, k * n : (k + 1) * n] = power[t - k]
    neighbours = [u for u in range(n) if w[observer, u] > 0 and u != observer]
    seen = states[[t * n + u for t in range(rounds) for u in neighbours]]
    known = np.zeros((rounds, rounds * n))
    known[np.arange(rounds), np.arange(rounds) * n + observer] = 1
    view = np.vstack([known, seen])
    projector = np.linalg.pinv(view) @ view
    return np.array([np.abs(projector[u::n, u::n]).sum() for u in range(n)])


def losses_thin(w, rounds, observer):
    n = len(w)
    neighbours = [u for u in range(n) if w[observer, u] > 0 and u != observer]
    block = np.eye(n)[neighbours]
    rows = [block]
    for _ in range(rounds - 1):
        block = block @ w
        rows.append(block)
    d = len(neighbours)
    view = np.zeros((rounds + rounds * d, rounds * n))
    view[np.arange(rounds), np.arange(rounds) * n + observer] = 1
    for t in range(rounds):
        for k in range(t + 1):
            view[rounds + t * d : rounds + (t + 1) * d, k * n : (k + 1) * n] = rows[t - k]
    inverse = np.linalg.pinv(view)
    return np.array([np.abs(inverse[u::n] @ view[:, u::n]).sum() for u in range(n)])


def main():
    words = [word for word in sys.argv[1:] if not word.startswith("--")]
    m = int(words[0]) if words else 10
    rounds = int(words[1]) if len(words) > 1 else 10
    thin = "--thin" in sys.argv
    w = gossip_matrix(m)
    start = time.perf_counter()
    losses = (losses_thin if thin else losses_dense)(w, rounds, 0)
    seconds = time.perf_counter() - start
    by_distance = [float(losses[(1 << k) - 1]) for k in range(1, m + 1)]
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({"seconds": seconds, "peak_mb": memory, "loss_by_distance": by_distance}))


if __name__ == "__main__":
    main()

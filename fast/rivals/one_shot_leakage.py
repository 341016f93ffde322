"""Leakage of one observer of one-shot Muffliato, the plain way: numpy QR of all messages.

Usage: one_shot_leakage.py EDGES OBSERVER STEPS [REPEATS]

EDGES holds one edge `u v` a line, nodes numbered from 0. The observer knows its own noise and
receives W^t e_w for t < STEPS from each neighbour w, W the Metropolis weights. All messages are the
columns of one matrix A, A = QR, and the leakage of u is the squared norm of row u of Q. (QR without
pivoting takes A to have full column rank; where it has not, this rival's answer is too large.)
Prints the best wall time in seconds, the columns, the sum of the leakages of all other nodes, and the
leakages of a few nodes, for comparison.
"""

import sys
import time

import numpy as np
import scipy.sparse


def gossip_matrix(edges, nodes):
    u, v = edges.T
    degree = np.bincount(edges.ravel(), minlength=nodes)
    weight = 1.0 / (1.0 + np.maximum(degree[u], degree[v]))
    off = scipy.sparse.coo_matrix((weight, (u, v)), shape=(nodes, nodes)).tocsr()
    off = off + off.T
    own = 1.0 - np.asarray(off.sum(axis=1)).ravel()
    return (off + scipy.sparse.diags(own)).tocsr()


def leakages(w, observer, steps):
    nodes = w.shape[0]
    neighbours = [u for u in w.indices[w.indptr[observer]:w.indptr[observer + 1]] if u != observer]
    own = np.zeros((nodes, 1))
    own[observer, 0] = 1.0
    block = np.zeros((nodes, len(neighbours)))
    block[neighbours, range(len(neighbours))] = 1.0
    blocks = [own, block]
    for _ in range(1, steps):
        block = w @ block
        blocks.append(block)
    q, _ = np.linalg.qr(np.hstack(blocks))
    return (q * q).sum(axis=1), q.shape[1]


def main():
    edges = np.loadtxt(sys.argv[1], dtype=int, ndmin=2)
    observer, steps = int(sys.argv[2]), int(sys.argv[3])
    repeats = int(sys.argv[4]) if len(sys.argv) > 4 else 5
    w = gossip_matrix(edges, edges.max() + 1)
    best = float("inf")
    for _ in range(repeats):
        start = time.perf_counter()
        leakage, columns = leakages(w, observer, steps)
        best = min(best, time.perf_counter() - start)
    others = np.delete(leakage, observer)
    print(f"seconds {best:.6f}")
    print(f"columns {columns}")
    print(f"sum {others.sum():.9f}")
    for node in range(0, len(leakage), max(1, len(leakage) // 8)):
        print(f"leakage {node} {leakage[node]:.9f}")


if __name__ == "__main__":
    main()

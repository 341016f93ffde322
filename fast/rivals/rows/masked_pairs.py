"""The bound for masked protocols, all pairs: a dense inverse for each observer."""

import numpy as np

from _paper_bound import read as read_sparse, sample

TITLE = "masked bounds, all pairs, random 8-regular n = 300, kappa = 3"
RIVAL = "numpy, dense inverse for each observer"
FACTOR = 10
MEMORY_MB = 100
TOLERANCE = 1e-6
REPETITIONS = 1
KAPPA = 3.0


def read(file):
    return read_sparse(file)[0].toarray()


def rival(adjacency):
    n = len(adjacency)
    losses = np.empty((n, n))
    for v in range(n):
        left = adjacency.copy()
        left[v] = left[:, v] = 0.0
        laplacian = np.diag(left.sum(axis=1)) - left
        losses[v] = np.diag(np.linalg.inv(np.eye(n) + KAPPA**2 * laplacian))
    return losses[0, [u for u in sample(n) if u != 0]]

"""What vector gradients lose: the semidefinite programme max tr(P X), X >= 0, diag X <= 1, one for each source.

The matrices P are given; ours computes them, too.
"""

import clarabel
import numpy as np
import scipy.sparse as sparse

from _paper_bound import read as read_sparse

TITLE = "losses of vector gradients, karate club, K = 1, 10 rounds, one observer, all sources"
RIVAL = "clarabel, semidefinite programme"
FACTOR = 10
MEMORY_MB = 50
TOLERANCE = 1e-6
REPETITIONS = 3
ROUNDS = 10


def read(file):
    weights = read_sparse(file)[1].toarray()
    n = len(weights)
    power = [np.eye(n)]
    for _ in range(ROUNDS - 1):
        power.append(weights @ power[-1])
    neighbours = [u for u in range(1, n) if weights[0, u] > 0]
    rows = [np.eye(ROUNDS * n)[t * n] for t in range(ROUNDS)]
    for t in range(ROUNDS):
        for u in neighbours:
            row = np.zeros(ROUNDS * n)
            for k in range(t + 1):
                row[k * n : (k + 1) * n] = power[t - k][u]
            rows.append(row)
    view = np.array(rows)
    projector = np.linalg.pinv(view) @ view
    return [projector[u::n, u::n] for u in range(1, n)]


def programme(matrix):
    size = len(matrix)
    upper = [(i, j) for j in range(size) for i in range(j + 1)]
    objective = [-matrix[i, j] * (1.0 if i == j else np.sqrt(2.0)) for i, j in upper]
    diagonal = [k for k, (i, j) in enumerate(upper) if i == j]
    ones = sparse.csc_matrix((np.ones(size), (range(size), diagonal)), shape=(size, len(upper)))
    constraints = sparse.vstack([ones, -sparse.identity(len(upper))]).tocsc()
    bounds = np.concatenate([np.ones(size), np.zeros(len(upper))])
    cones = [clarabel.NonnegativeConeT(size), clarabel.PSDTriangleConeT(size)]
    settings = clarabel.DefaultSettings()
    settings.verbose = False
    nothing = sparse.csc_matrix((len(upper), len(upper)))
    solver = clarabel.DefaultSolver(nothing, np.array(objective), constraints, bounds, cones, settings)
    return -solver.solve().obj_val


def rival(matrices):
    return [programme(matrix) for matrix in matrices]

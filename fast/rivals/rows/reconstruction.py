"""Who is reconstructed from gossip: row reduction of all messages in floats, as one would do it with numpy.

With this tolerance it takes small rows for zeros, and with a smaller one roundings for rows: it finds too few. The answer is a count.
"""

import json

import numpy as np

TITLE = "inputs reconstructed exactly, Facebook 414, observer 596, one-shot, T = 10"
RIVAL = "numpy, row reduction, tolerance 1e-7"
FACTOR = None
MEMORY_MB = 500
TOLERANCE = 0.0
REPETITIONS = 3
WRONG = True
NEEDS_DATA = True
STEPS = 10


def read(file):
    given = json.load(open(file))
    nodes, observer = given["nodes"], given["observer"]
    adjacency = np.zeros((nodes, nodes))
    for u, v in given["edges"]:
        adjacency[u, v] = adjacency[v, u] = 1.0
    degree = adjacency.sum(axis=1)
    weights = adjacency / (1 + np.maximum(degree[:, None], degree[None, :]))
    weights += np.diag(1 - weights.sum(axis=1))
    return weights, np.flatnonzero(adjacency[observer]), observer


def rival(given):
    weights, senders, observer = given
    rows = [np.eye(len(weights))[[observer]]]
    power = np.eye(len(weights))
    for _ in range(STEPS):
        rows.append(power[senders])
        power = weights @ power
    matrix = np.vstack(rows)
    row = 0
    for column in range(matrix.shape[1]):
        pivot = row + np.argmax(np.abs(matrix[row:, column]))
        if abs(matrix[pivot, column]) <= 1e-7:
            continue
        matrix[[row, pivot]] = matrix[[pivot, row]]
        matrix[row] /= matrix[row, column]
        others = np.arange(len(matrix)) != row
        matrix[others] -= np.outer(matrix[others, column], matrix[row])
        row += 1
        if row == len(matrix):
            break
    alone = (np.abs(matrix[:row]) > 1e-7).sum(axis=1) == 1
    # The observer's own input is no news.
    return [alone.sum() - 1]

"""Averaging with 90 % of the nodes away at each step until it has converged, with the account of one source, in dense numpy."""

import json

import numpy as np

from _paper_bound import sample

TITLE = "dropout run with accounting, n = 1000, 90 % away, until converged"
RIVAL = "numpy dense"
FACTOR = 50
MEMORY_MB = 1000
TOLERANCE = 1e-9
REPETITIONS = 1


def read(file):
    with open(file) as given:
        return json.load(given)


def metropolis(nodes, edges):
    """The adjacency and the weights of one graph, dense."""
    adjacency = np.zeros((nodes, nodes))
    for u, v in edges:
        adjacency[u, v] = adjacency[v, u] = 1.0
    degree = adjacency.sum(axis=1)
    weights = adjacency / (1 + np.maximum.outer(degree, degree))
    np.fill_diagonal(weights, 1 - weights.sum(axis=1))
    return adjacency, weights


def rival(given):
    nodes = given["nodes"]
    values = np.array(given["noisy"])
    rows = np.eye(nodes)
    losses = np.zeros(nodes)
    steps = 0
    for edges in given["graphs"]:
        adjacency, weights = metropolis(nodes, edges)
        losses += adjacency @ (rows[:, 0] ** 2 / (rows * rows).sum(axis=1))
        rows = weights @ rows
        values = weights @ values
        steps += 1
        if values.var() / 2 <= given["level"]:
            break
    return [steps, *losses[sample(nodes)]]

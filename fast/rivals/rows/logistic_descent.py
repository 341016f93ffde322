"""Decentralized logistic regression with the account of one source: gradients node by node, gossip and account with dense numpy."""

import numpy as np

from _paper_bound import sample
from dropout_run import metropolis, read  # noqa: F401

TITLE = "logistic GD, n = 2000, 10 rounds of 10 steps, Erdos-Renyi redrawn, with accounting"
RIVAL = "numpy, one node at a time"
FACTOR = 50
MEMORY_MB = 1000
TOLERANCE = 1e-9
REPETITIONS = 1


def rival(given):
    nodes, width, steps = given["nodes"], given["width"], given["steps"]
    features = np.array(given["features"]).reshape(nodes, -1, width)
    labels = np.array(given["labels"]).reshape(nodes, -1)
    noise = np.array(given["noise"]).reshape(-1, nodes, width)
    theta = np.zeros((nodes, width))
    losses = np.zeros(nodes)
    for edges, drawn in zip(given["graphs"], noise):
        for v in range(nodes):
            margins = labels[v] * (features[v] @ theta[v])
            slopes = -labels[v] / (1 + np.exp(margins))
            theta[v] -= given["step_size"] * (features[v].T @ slopes) / len(slopes)
        theta += given["step_size"] * given["sigma"] * drawn
        adjacency, weights = metropolis(nodes, edges)
        power = np.eye(nodes)
        for k in range(steps):
            losses += adjacency @ (power[:, 0] ** 2 / (power * power).sum(axis=1))
            theta = weights @ theta
            if k + 1 < steps:
                power = weights @ power
    return [*theta.mean(axis=0), *losses[sample(nodes)]]

"""Leakage of one-shot Muffliato towards one observer: QR of all messages.

QR without pivoting takes the messages to be independent; where they are not, the rival's answer is too large. On this graph they are.
"""

import numpy as np

from _paper_bound import read, sample  # noqa: F401

TITLE = "leakage, one observer, Erdos-Renyi n = 4096 (c = 2), one-shot, T = 17"
RIVAL = "numpy QR of all messages"
FACTOR = 3
MEMORY_MB = 1000
TOLERANCE = 1e-6
REPETITIONS = 5
STEPS = 17


def rival(graph):
    adjacency, weights = graph
    nodes = weights.shape[0]
    senders = adjacency[0].indices
    own = np.zeros((nodes, 1))
    own[0, 0] = 1.0
    block = np.zeros((nodes, len(senders)))
    block[senders, np.arange(len(senders))] = 1.0
    blocks = [own, block]
    for _ in range(1, STEPS):
        block = weights @ block
        blocks.append(block)
    q, _ = np.linalg.qr(np.hstack(blocks))
    leakages = (q * q).sum(axis=1)
    return leakages[[u for u in sample(nodes) if u != 0]]

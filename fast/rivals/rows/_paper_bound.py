"""Theorem 1 with scipy's sparse matrices times numpy's dense blocks, as well as we can write it."""

import numpy as np
import scipy.sparse as sparse


def read(file):
    """The adjacency and the Metropolis weights of a graph of pairs of little-endian u32."""
    pairs = np.fromfile(file, dtype="<u4").reshape(-1, 2).astype(np.int64)
    nodes = int(pairs.max()) + 1
    rows = np.concatenate([pairs[:, 0], pairs[:, 1]])
    columns = np.concatenate([pairs[:, 1], pairs[:, 0]])
    degree = np.bincount(rows, minlength=nodes)
    values = 1.0 / (1 + np.maximum(degree[rows], degree[columns]))
    adjacency = sparse.csr_matrix((np.ones(len(rows)), (rows, columns)), shape=(nodes, nodes))
    off = sparse.csr_matrix((values, (rows, columns)), shape=(nodes, nodes))
    own = 1.0 - np.asarray(off.sum(axis=1)).ravel()
    return adjacency, (off + sparse.diags(own)).tocsr()


def sample(nodes):
    return [k * 7919 % nodes for k in range(16)]


def all_pairs(graph, steps):
    """f = A S with S = sum_t (W^t)^2 / row norms; observer 0, sampled sources."""
    adjacency, weights = graph
    nodes = weights.shape[0]
    power, shares, square = np.eye(nodes), np.zeros((nodes, nodes)), np.empty((nodes, nodes))
    for t in range(steps):
        np.multiply(power, power, out=square)
        square /= square.sum(axis=1)[:, None]
        shares += square
        if t + 1 < steps:
            power = weights @ power
    bounds = adjacency @ shares
    return bounds[0, sample(nodes)]


def one_observer(graph, steps):
    """The rows of the neighbours of node 0 as columns of one block."""
    adjacency, weights = graph
    nodes = weights.shape[0]
    senders = adjacency[0].indices
    block = np.zeros((nodes, len(senders)))
    block[senders, np.arange(len(senders))] = 1.0
    bounds = np.zeros(nodes)
    for t in range(steps):
        square = block * block
        bounds += square @ (1.0 / square.sum(axis=0))
        if t + 1 < steps:
            block = weights @ block
    return bounds[sample(nodes)]

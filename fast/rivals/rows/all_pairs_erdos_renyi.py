"""Paper bound, all pairs, Erdos-Renyi n = 4096 (c = 2), T = 18."""

from _paper_bound import all_pairs, read  # noqa: F401

TITLE = "paper bound, all pairs, Erdos-Renyi n = 4096 (c = 2), T = 18"
RIVAL = "scipy sparse x dense"
FACTOR = 8
MEMORY_MB = 1000
TOLERANCE = 1e-11
REPETITIONS = 2


def rival(graph):
    return all_pairs(graph, 18)

"""Paper bound, all pairs, 11-cube, T = 19."""

from _paper_bound import all_pairs, read  # noqa: F401  (`read` makes the argument of `rival` from the graph's file)

TITLE = "paper bound, all pairs, 11-cube, T = 19"
RIVAL = "scipy sparse x dense"
FACTOR = 8  # we must be faster by
MEMORY_MB = 1000  # and take at most
TOLERANCE = 1e-11  # relative difference of the answers
REPETITIONS = 3


def rival(graph):
    return all_pairs(graph, 19)

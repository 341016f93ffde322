"""Paper bound, one observer, random 8-regular n = 10^6, T = 20."""

from _paper_bound import one_observer, read  # noqa: F401

TITLE = "paper bound, one observer, random 8-regular n = 10^6, T = 20"
RIVAL = "scipy sparse x dense"
FACTOR = 5
MEMORY_MB = 400
TOLERANCE = 1e-11
REPETITIONS = 2


def rival(graph):
    return one_observer(graph, 20)

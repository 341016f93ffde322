"""Graphs of other libraries: networkx, scipy.sparse, numpy, lists of edges, families and files."""

from __future__ import annotations

import os
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Any

from ._muffliato import Graph, MuffliatoError

Weights = str | tuple[int, list[tuple[int, int, int]]]


@dataclass(frozen=True)
class Named:
    """A graph whose nodes have names."""

    graph: Graph
    names: list[Hashable]
    places: dict[Hashable, int]
    weights: Weights
    spec: str | None = None
    """The family or the file that it was made from, where its nodes are in that order."""
    title: str = "graph"
    """What reports call it."""

    def place(self, name: Hashable) -> int:
        """The number of a node; ``MuffliatoError`` if there is none of that name.

        >>> named([("a", "b")]).place("b")
        1
        """
        try:
            return self.places[name]
        except (KeyError, TypeError):
            some = ", ".join(repr(name) for name in self.names[:5])
            raise MuffliatoError(f"the graph has no node {name!r}; its nodes are {some}, ...") from None


def named(
    graph: Any,
    nodelist: Sequence[Hashable] | None = None,
    weight: str | None = None,
    weights: str = "metropolis",
) -> Named:
    """Any graph that people have.

    A networkx graph, a sparse or dense square adjacency matrix, pairs of nodes, a family such as ``"hypercube:4"`` or a file's
    path. ``nodelist`` says the order of the nodes; ``weight`` takes gossip weights from this attribute of the edges, or the
    entries of a matrix; the diagonal is what is missing to 1.

    >>> named("path:3").graph.edges()
    [(0, 1), (1, 2)]
    >>> named([("b", "a"), ("b", "c")], nodelist="abc").graph.edges()
    [(0, 1), (1, 2)]
    """
    if isinstance(graph, os.PathLike):
        graph = os.fspath(graph)
    if isinstance(graph, str) and nodelist is None and weight is None:
        built = Graph.named(graph)
        names = _labels(built)
        return Named(built, names, {name: place for place, name in enumerate(names)}, weights, graph, graph)
    names, edges = _parts(graph, weight)
    if nodelist is not None:
        listed = list(nodelist)
        if len(set(listed)) != len(listed) or set(listed) != set(names):
            raise MuffliatoError("nodelist must name every node of the graph once")
        names = listed
    places = {name: place for place, name in enumerate(names)}
    pairs = [(places[u], places[v]) for u, v, _ in edges]
    for u, v in pairs:
        if u == v:
            raise MuffliatoError(f"node {names[u]!r} has an edge to itself; remove it (networkx: nx.selfloop_edges)")
    built = Graph(len(names), pairs, labels_of(names))
    chosen: Weights = weights
    if weight is not None:
        chosen = _over_one_denominator(names, pairs, [value for _, _, value in edges])
    title = str(getattr(graph, "name", "")) or f"{type(graph).__name__} of {len(names)} nodes"
    return Named(built, names, places, chosen, None, title)


Edges = list[tuple[Hashable, Hashable, Any]]


def labels_of(names: Sequence[Hashable]) -> list[str] | None:
    """The names as text, for sentences and certificates; ``None`` where they are the numbers of the nodes, or not all different as text.

    >>> labels_of(["ann", 7]), labels_of([0, 1]), labels_of([1, "1"])
    (['ann', '7'], None, None)
    """
    texts = [str(name) for name in names]
    numbers = [str(place) for place in range(len(texts))]
    return None if texts == numbers or len(set(texts)) < len(texts) else texts


def _labels(graph: Graph) -> list[Hashable]:
    return list(range(graph.nodes)) if graph.labels is None else list(graph.labels)


def _parts(graph: Any, weight: str | None) -> tuple[list[Hashable], Edges]:
    if isinstance(graph, str):
        if weight is not None:
            raise MuffliatoError("weight= takes an attribute of edges of a networkx graph; a family or a file has none, give weights=")
        built = Graph.named(graph)
        names = _labels(built)
        return names, [(names[u], names[v], None) for u, v in built.edges()]
    if hasattr(graph, "is_directed") and hasattr(graph, "edges"):
        if graph.is_directed():
            raise MuffliatoError("the graph is directed; gossip needs both directions (networkx: G.to_undirected())")
        if weight is not None:
            absent = [(u, v) for u, v, value in graph.edges(data=weight) if value is None]
            if absent:
                raise MuffliatoError(f"the edge {absent[0]!r} has no attribute {weight!r}")
            return list(graph.nodes), list(graph.edges(data=weight))
        return list(graph.nodes), [(u, v, None) for u, v in graph.edges()]
    if hasattr(graph, "tocoo"):
        coo = graph.tocoo()
        return _matrix(coo.shape, zip(coo.row.tolist(), coo.col.tolist(), coo.data.tolist()))
    if hasattr(graph, "shape") and hasattr(graph, "nonzero"):
        rows, columns = graph.nonzero()
        return _matrix(graph.shape, zip(rows.tolist(), columns.tolist(), graph[rows, columns].tolist()))
    if weight is not None:
        raise MuffliatoError("a list of edges has no weights; give a networkx graph or a matrix")
    listed: dict[Hashable, None] = {}
    edges: Edges = []
    try:
        for edge in graph:
            u, v = edge
            listed.setdefault(u)
            listed.setdefault(v)
            edges.append((u, v, None))
    except (TypeError, ValueError):
        raise MuffliatoError(
            f"this {type(graph).__name__} is no graph; give a networkx graph, an adjacency matrix, pairs of nodes, a family or a file"
        ) from None
    return list(listed), edges


def _matrix(shape: tuple[int, ...], entries: Iterable[tuple[int, int, Any]]) -> tuple[list[Hashable], Edges]:
    if len(shape) != 2 or shape[0] != shape[1]:
        raise MuffliatoError(f"the matrix has the shape {shape}; an adjacency matrix is square")
    found = {(u, v): value for u, v, value in entries if value != 0}
    for (u, v), value in found.items():
        if found.get((v, u)) != value:
            raise MuffliatoError(f"the matrix is not symmetric: entry ({u}, {v}) is {value}, ({v}, {u}) is not")
    edges: Edges = [(u, v, value) for (u, v), value in found.items() if u < v]
    return list(range(shape[0])), edges


def _over_one_denominator(names: list[Hashable], pairs: list[tuple[int, int]], values: list[Any]) -> Weights:
    """Weights of edges as whole numbers over one denominator, floats taken at their exact value."""
    try:
        exact = [Fraction(value) for value in values]
    except (TypeError, ValueError):
        raise MuffliatoError("a weight is not a finite number") from None
    below = lcm(1, *(value.denominator for value in exact))
    if below >= 1 << 100:
        raise MuffliatoError("the weights have no short common denominator; give fractions.Fraction or round them to multiples of 2^-60")
    entries = []
    left = [below] * len(names)
    for (u, v), value in zip(pairs, exact):
        above = int(value * below)
        entries += [(u, v, above), (v, u, above)]
        left[u] -= above
        left[v] -= above
    entries += [(node, node, rest) for node, rest in enumerate(left) if rest != 0]
    return below, entries

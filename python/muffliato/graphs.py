"""Conversion of graphs from networkx, scipy.sparse, numpy, pandas, dictionaries, lists of edges, families and files."""

from __future__ import annotations

import os
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Any

from ._muffliato import Graph, MuffliatoError

Weights = str | tuple[int, list[tuple[int, int, int]]]
"""A scheme, or a common denominator with the numerators of the entries."""

Edges = list[tuple[Hashable, Hashable, Any]]
"""Pairs of nodes with their values: weights, or entries of a matrix."""

SCHEMES = ("metropolis", "max-degree-inverse", "lazy")

CLOSE = 1e-9
"""Largest difference between a given diagonal entry and what its row leaves to 1."""


@dataclass(frozen=True)
class Named:
    """A graph whose nodes have names."""

    graph: Graph
    names: list[Hashable]
    places: dict[Hashable, int]
    weights: Weights
    spec: str | None = None
    """The family or file of the graph, if its nodes are in that order."""
    title: str = "graph"
    """The name in reports."""

    def place(self, name: Hashable) -> int:
        """Returns the number of a node. Raises ``MuffliatoError`` if there is no such node.

        >>> named([("a", "b")]).place("b")
        1
        """
        try:
            return self.places[name]
        except (KeyError, TypeError):
            some = ", ".join(repr(name) for name in self.names[:5])
            raise MuffliatoError(f"the graph has no node {name!r}; its nodes are {some}, ...") from None


    def mask_graph(self, masks: Any) -> Graph | None:
        """Converts who shares keys: another graph on the same nodes, found by name. ``None`` stands for neighbours.

        >>> named([("a", "b"), ("b", "c")]).mask_graph([("c", "a")]).edges()
        [(0, 2)]
        >>> len(named("path:6").mask_graph("regular:3:seed=1").edges())
        9
        """
        if isinstance(masks, str) and masks == "neighbours":
            return None
        if isinstance(masks, str) and masks == "complete":
            masks = f"complete:{len(self.names)}"
        elif isinstance(masks, str) and masks.startswith("regular:"):
            masks = masks.replace("regular:", f"regular:{len(self.names)}:d=", 1)
        shared = named(masks)
        if all(name in self.places for name in shared.names):
            place = self.place
        else:
            # The nodes of a file have texts as names.
            texts = {str(name): place for name, place in self.places.items()}
            place = lambda name: texts[str(name)] if str(name) in texts else self.place(name)
        return Graph(len(self.names), [(place(shared.names[u]), place(shared.names[v])) for u, v in shared.graph.edges()])


def named(graph: Any, nodelist: Sequence[Hashable] | None = None, weights: Any = "metropolis") -> Named:
    """Converts a graph and its weights.

    Parameters
    ----------
    graph : networkx graph, matrix, data frame, dict, edges, str or path
        A networkx graph; a square adjacency matrix of numpy or scipy; a pandas data frame of edges (columns ``source`` and
        ``target``, or two columns) or of an adjacency matrix; a dictionary of the neighbours of each node; pairs of nodes; a
        family such as ``"hypercube:4"``; or a file.
    nodelist : sequence of nodes, optional
        The order of the nodes.
    weights : str or matrix, default "metropolis"
        A scheme, a gossip matrix in the order of the nodes, or the name of the attribute (of a data frame: the column) that holds
        the weight of an edge. Each node keeps for itself what its row leaves to 1.

    Examples
    --------
    >>> named("path:3").graph.edges()
    [(0, 1), (1, 2)]
    >>> named([("b", "a"), ("b", "c")], nodelist="abc").graph.edges()
    [(0, 1), (1, 2)]
    >>> named({"a": ["b"], "b": ["c"]}).names
    ['a', 'b', 'c']
    """
    if isinstance(graph, os.PathLike):
        graph = os.fspath(graph)
    if isinstance(graph, str) and nodelist is None and isinstance(weights, str):
        built = Graph.named(graph)
        names = _labels(built)
        return Named(built, names, {name: place for place, name in enumerate(names)}, weights, graph, graph)
    attribute = weights if isinstance(weights, str) and weights.split(":")[0] not in SCHEMES else None
    names, edges = _parts(graph, attribute, not isinstance(weights, str))
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
    chosen: Weights
    if attribute is not None:
        chosen = _over_one_denominator(names, {pair: value for pair, (_, _, value) in zip(pairs, edges)}, {})
    elif isinstance(weights, str):
        chosen = weights
    else:
        chosen = _gossip_matrix(names, pairs, weights)
    title = str(getattr(graph, "name", "")) or f"{type(graph).__name__} of {len(names)} nodes"
    return Named(built, names, places, chosen, None, title)


def labels_of(names: Sequence[Hashable]) -> list[str] | None:
    """Returns the names as text; ``None`` if they are the numbers of the nodes, or not distinct as text.

    >>> labels_of(["ann", 7]), labels_of([0, 1]), labels_of([1, "1"])
    (['ann', '7'], None, None)
    """
    texts = [str(name) for name in names]
    numbers = [str(place) for place in range(len(texts))]
    return None if texts == numbers or len(set(texts)) < len(texts) else texts


def _labels(graph: Graph) -> list[Hashable]:
    return list(range(graph.nodes)) if graph.labels is None else list(graph.labels)


def _parts(graph: Any, attribute: str | None, weighted: bool) -> tuple[list[Hashable], Edges]:
    """Returns the nodes and the edges with their attribute. ``weighted`` says that the weights are given as a matrix."""
    if attribute is not None and not (hasattr(graph, "is_directed") or hasattr(graph, "itertuples")):
        raise MuffliatoError(
            f"weights={attribute!r} is not a scheme ({', '.join(SCHEMES)}); it can name an edge attribute of a networkx graph or a column "
            "of a data frame, but this graph has neither"
        )
    if isinstance(graph, str):
        built = Graph.named(graph)
        names = _labels(built)
        return names, [(names[u], names[v], None) for u, v in built.edges()]
    if hasattr(graph, "is_directed") and hasattr(graph, "edges"):
        if graph.is_directed():
            raise MuffliatoError("the graph is directed; gossip needs both directions (networkx: G.to_undirected())")
        edges: Edges = list(graph.edges(data=attribute)) if attribute is not None else [(u, v, None) for u, v in graph.edges()]
        _check_weights_present(edges, attribute)
        return list(graph.nodes), edges
    if hasattr(graph, "itertuples"):
        return _frame(graph, attribute, weighted)
    if hasattr(graph, "shape"):
        return _matrix(*_entries(graph), weighted)
    if isinstance(graph, Mapping):
        pairs = [(node, other) for node, others in graph.items() for other in _several(others)]
        isolated = list(graph)
    else:
        pairs, isolated = _pairs(graph), []
    nodes = list(dict.fromkeys([*isolated, *(node for pair in pairs for node in pair)]))
    return nodes, [(u, v, None) for u, v in pairs]


def _several(others: Any) -> Iterable[Hashable]:
    if isinstance(others, str) or not isinstance(others, Iterable):
        raise MuffliatoError(f"a dictionary lists the neighbours of each node, such as {{'a': ['b', 'c']}}; {others!r} is not a list")
    return others


def _pairs(graph: Any) -> list[tuple[Hashable, Hashable]]:
    try:
        return [(u, v) for u, v in graph]
    except (TypeError, ValueError):
        raise MuffliatoError(
            f"this {type(graph).__name__} is not a graph; give a networkx graph, an adjacency matrix, a data frame, a dict of neighbours, "
            "pairs of nodes, a family or a file"
        ) from None


def _check_weights_present(edges: Edges, attribute: str | None) -> None:
    absent = [(u, v) for u, v, value in edges if attribute is not None and (value is None or value != value)]
    if absent:
        raise MuffliatoError(f"the edge {absent[0]!r} has no {attribute!r}; weights= names a scheme or what holds the weight of every edge")


def _frame(graph: Any, attribute: str | None, weighted: bool) -> tuple[list[Hashable], Edges]:
    """Returns the parts of a data frame: an adjacency matrix if its index and columns are the same, otherwise a list of edges."""
    columns = list(graph.columns)
    if len(columns) == len(graph.index) and set(columns) == set(graph.index):
        if attribute is not None:
            raise MuffliatoError(f"weights={attribute!r} is not a scheme, and an adjacency matrix has no columns of weights; give weights=frame")
        names = list(graph.index)
        _, edges = _matrix(*_entries(graph[names].to_numpy()), weighted)
        return names, [(names[u], names[v], value) for u, v, value in edges]  # type: ignore[call-overload]
    ends = ["source", "target"] if {"source", "target"} <= set(columns) else [name for name in columns if name != attribute]
    if len(ends) != 2:
        raise MuffliatoError(f"the data frame has the columns {columns}; edges need source and target, or two columns")
    if attribute is not None and attribute not in columns:
        raise MuffliatoError(f"the data frame has no column {attribute!r}; its columns are {columns}")
    values = graph[attribute] if attribute is not None else [None] * len(graph)
    listed: Edges = list(zip(graph[ends[0]].tolist(), graph[ends[1]].tolist(), values))
    _check_weights_present(listed, attribute)
    return list(dict.fromkeys(node for u, v, _ in listed for node in (u, v))), listed


def _entries(matrix: Any) -> tuple[tuple[int, ...], dict[tuple[int, int], Any]]:
    """Returns the shape and the entries of a matrix that are not 0."""
    if hasattr(matrix, "tocoo"):
        coo = matrix.tocoo()
        found = zip(coo.row.tolist(), coo.col.tolist(), coo.data.tolist())
    elif len(matrix.shape) == 2:
        rows, columns = matrix.nonzero()
        found = zip(rows.tolist(), columns.tolist(), matrix[rows, columns].tolist())
    else:
        return matrix.shape, {}
    entries: dict[tuple[int, int], Any] = {}
    for u, v, value in found:
        entries[u, v] = entries.get((u, v), 0) + value
    return matrix.shape, {place: value for place, value in entries.items() if value != 0}


def _symmetric(shape: tuple[int, ...], entries: dict[tuple[int, int], Any], what: str) -> None:
    if len(shape) != 2 or shape[0] != shape[1]:
        raise MuffliatoError(f"the matrix has the shape {shape}; {what} must be square")
    for (u, v), value in entries.items():
        if entries.get((v, u)) != value:
            raise MuffliatoError(f"the matrix is not symmetric: entry ({u}, {v}) is {value}, ({v}, {u}) is not")


def _matrix(shape: tuple[int, ...], entries: dict[tuple[int, int], Any], weighted: bool) -> tuple[list[Hashable], Edges]:
    """Returns the parts of an adjacency matrix. Where the weights are given beside it, any matrix with the same edges will do."""
    _symmetric(shape, entries, "an adjacency matrix")
    if not weighted:
        remedy = "gossip with these weights by weights=matrix, or give the graph alone as ones and zeros"
        for (u, v), value in entries.items():
            if u == v:
                raise MuffliatoError(f"the matrix has the entry {value} on its diagonal, at ({u}, {u}), as a gossip matrix has; {remedy}")
            if value != value or value % 1 != 0:
                raise MuffliatoError(f"entry ({u}, {v}) of the matrix is {value}, a weight; {remedy}")
    edges: Edges = [(u, v, value) for (u, v), value in entries.items() if u < v]
    return list(range(shape[0])), edges


def _gossip_matrix(names: list[Hashable], pairs: list[tuple[int, int]], weights: Any) -> Weights:
    """Converts a gossip matrix in the order of the nodes, or a data frame whose index names them."""
    if hasattr(weights, "itertuples"):
        if set(weights.index) != set(names) or set(weights.columns) != set(names):
            raise MuffliatoError("the index and the columns of weights must be the nodes of the graph")
        weights = weights.loc[names, names].to_numpy()
    if not hasattr(weights, "shape"):
        raise MuffliatoError(f"weights is {weights!r}; give a scheme ({', '.join(SCHEMES)}), a matrix, or the name of an edge attribute")
    shape, entries = _entries(weights)
    _symmetric(shape, entries, "a gossip matrix")
    if shape[0] != len(names):
        raise MuffliatoError(f"weights has {shape[0]} rows, and the graph has {len(names)} nodes")
    edges = {(min(pair), max(pair)) for pair in pairs}
    beyond = next(((u, v) for u, v in entries if u < v and (u, v) not in edges), None)
    if beyond is not None:
        u, v = beyond
        raise MuffliatoError(f"weights has an entry for {names[u]!r} and {names[v]!r}, which have no edge")
    diagonal = {u: value for (u, v), value in entries.items() if u == v}
    return _over_one_denominator(names, {pair: entries.get(pair, 0) for pair in edges}, diagonal)


def _over_one_denominator(names: list[Hashable], values: dict[tuple[int, int], Any], diagonal: dict[int, Any]) -> Weights:
    """Converts edge weights to integers over one denominator. Floats are taken at their exact value."""
    try:
        exact = {pair: Fraction(value) for pair, value in values.items()}
    except (TypeError, ValueError, OverflowError):
        raise MuffliatoError("a weight is not a finite number") from None
    below = lcm(1, *(value.denominator for value in exact.values()))
    if below >= 1 << 100:
        raise MuffliatoError("the weights have no short common denominator; give fractions.Fraction or round them to multiples of 2^-60")
    entries = []
    left = [below] * len(names)
    for (u, v), value in exact.items():
        above = int(value * below)
        if above != 0:
            entries += [(u, v, above), (v, u, above)]
        left[u] -= above
        left[v] -= above
    for node in range(len(names)) if diagonal else ():
        value = diagonal.get(node, 0)
        if not abs(value - left[node] / below) <= CLOSE:
            raise MuffliatoError(f"row {names[node]!r} of weights does not add up to 1: its diagonal is {value}, and {left[node] / below} is left")
    entries += [(node, node, rest) for node, rest in enumerate(left) if rest != 0]
    return below, entries

"""Subcommands of the command, with their results as Python values."""

from __future__ import annotations

import csv
import html
import json
import os
import tempfile
from collections.abc import Hashable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from . import _muffliato as native
from ._muffliato import MuffliatoError
from .graphs import Named, named


def command(*arguments: str) -> str:
    """Runs ``muffliato ARGUMENTS`` and returns its output, for subcommands with the option ``--output``.

    >>> import muffliato as mf
    >>> "34 nodes, 78 edges" in mf.command("graph", "karate")
    True
    """
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "answer"
        native.command([*arguments, "--quiet", "--output", str(path)])
        return path.read_text(encoding="utf-8")


def on(place: Named, subcommand: str, answer: Path, **options: Any) -> str:
    """Runs a subcommand on a graph and returns the content of its output file. Nodes have the names of :func:`called`."""
    with tempfile.TemporaryDirectory() as folder:
        graph, output = place.spec, Path(folder) / answer
        if graph is None:
            graph = str(Path(folder) / "graph.json")
            labels = called(place)
            edges = [{"source": labels[u], "target": labels[v]} for u, v in place.graph.edges()]
            nodes = [{"id": label} for label in labels]
            content = {"directed": False, "multigraph": False, "nodes": nodes, "edges": edges}
            Path(graph).write_text(json.dumps(content), encoding="utf-8")
        if not isinstance(place.weights, str):
            options["weights"] = _weights(*place.weights, called(place), Path(folder) / "weights.csv")
        elif place.weights != "metropolis":
            options["weights"] = place.weights
        arguments = [subcommand, graph, "--quiet", "--output", str(output)]
        for name, value in options.items():
            if value is not None:
                arguments += [f"--{name.replace('_', '-')}", str(value)]
        native.command(arguments)
        text = output.read_text(encoding="utf-8")
        # Temporary paths are removed from the text, so that the same call gives the same bytes.
        title = html.escape(place.title.replace("\\", "/"))
        named_graph = text if place.spec is not None else text.replace(graph, title)
        return named_graph.replace(f"{folder}{os.sep}", "")


def called(place: Named) -> list[str]:
    """Returns the names of the nodes as text if these are distinct, otherwise their numbers.

    >>> called(named([("a", 1), (1, 2.5)])), called(named([("1", 1)]))
    (['a', '1', '2.5'], ['0', '1'])
    """
    if place.spec is not None:
        return place.graph.labels or [str(node) for node in range(place.graph.nodes)]
    names = [str(name) for name in place.names]
    plain = all(name and name == name.strip() and name.isprintable() for name in names)
    return names if plain and len(set(names)) == len(names) else [str(node) for node in range(len(names))]


def _weights(below: int, entries: list[tuple[int, int, int]], labels: list[str], path: Path) -> Path:
    """Writes a gossip matrix as a file of edges with exact weights."""
    with path.open("w", newline="", encoding="utf-8") as file:
        rows = ([labels[u], labels[v], f"{above}/{below}"] for u, v, above in entries if u <= v)
        csv.writer(file, quoting=csv.QUOTE_ALL).writerows([["source", "target", "weight"], *rows])
    return path


def _answer(place: Named, subcommand: str, **options: Any) -> dict[str, Any]:
    return dict(json.loads(on(place, subcommand, Path("answer.json"), format="json", **options)))


def average(
    graph: Any,
    values: Mapping[Hashable, float] | Sequence[float] | str = "synthetic:uniform",
    protocol: str = "one-shot",
    *,
    steps: int | None = None,
    sigma: float = 1.0,
    sensitivity: float = 1.0,
    delta: float = 1e-6,
    seed: int = 0,
    weights: str = "metropolis",
    weight: str | None = None,
) -> dict[str, Any]:
    """Simulates a run of averaging. Returns the error after each step and the privacy loss. The seeded noise is a simulation.

    >>> import muffliato as mf
    >>> run = mf.average([("a", "b"), ("b", "c")], {"a": 1.0, "b": 0.0, "c": 2.0}, steps=2, sensitivity=2)
    >>> len(run["errors"])
    3
    """
    place = named(graph, None, weight, weights)
    options = {"protocol": protocol, "steps": steps, "sigma": sigma, "sensitivity": sensitivity, "delta": delta, "seed": seed}
    if isinstance(values, str):
        return _answer(place, "average", values=values, **options)
    if isinstance(values, Mapping):
        missing = [name for name in place.names if name not in values]
        if missing:
            raise MuffliatoError(f"there is no value for node {missing[0]!r}")
        values = [values[name] for name in place.names]
    with tempfile.TemporaryDirectory() as folder:
        path = _table(Path(folder) / "values.csv", ([value] for value in values))
        return _answer(place, "average", values=path, **options)


def train(
    graph: Any,
    data: Any,
    protocol: str = "gd:10x1",
    *,
    sigma: float = 1.0,
    clip: float = 1.0,
    step_size: float | None = None,
    delta: float = 1e-6,
    seed: int = 0,
    weights: str = "metropolis",
    weight: str | None = None,
    observer: Hashable | None = None,
) -> dict[str, Any]:
    """Simulates a training run of logistic regression. Returns the loss and accuracy of each round and the privacy loss.

    ``data`` is a CSV file, ``"synthetic:NxD"``, a data frame or matrix whose last column is to be predicted, or a pair
    ``(features, labels)``; labels are split at their mean. ``observer`` restricts the account to one node.

    >>> import muffliato as mf
    >>> len(mf.train("ring:4", "synthetic:60x2", "gd:2x1")["rounds"])
    3
    """
    place = named(graph, None, weight, weights)
    options = {"protocol": protocol, "sigma": sigma, "clip": clip, "step_size": step_size, "delta": delta, "seed": seed}
    options["observer"] = None if observer is None else called(place)[place.place(observer)]
    if isinstance(data, (str, Path)):
        return _answer(place, "train", data=data, **options)
    if isinstance(data, tuple) and len(data) == 2:
        features, labels = data
        if len(features) != len(labels):
            raise MuffliatoError(f"there are {len(features)} rows of features and {len(labels)} labels")
        rows: Iterable[Iterable[Any]] = ([*row, label] for row, label in zip(features, labels))
    else:
        rows = data.itertuples(index=False) if hasattr(data, "itertuples") else data
    with tempfile.TemporaryDirectory() as folder:
        return _answer(place, "train", data=_table(Path(folder) / "data.csv", rows), **options)


def _table(path: Path, rows: Iterable[Iterable[Any]]) -> Path:
    with path.open("w", newline="", encoding="utf-8") as file:
        try:
            csv.writer(file).writerows([repr(float(value)) for value in row] for row in rows)
        except (TypeError, ValueError) as error:
            raise MuffliatoError(f"the data are not rows of numbers: {error}") from None
    return path


def attack(
    graph: Any,
    source: Hashable,
    observer: Hashable,
    protocol: str = "one-shot",
    *,
    steps: int | None = None,
    trials: int = 20000,
    sigma: float = 1.0,
    delta: float = 1e-5,
    seed: int = 1,
) -> dict[str, Any]:
    """Simulates an attack on averaging (``"one-shot"``, ``"refreshed:TAU"``, ``"masked:KAPPA"``), in which ``observer`` tells two
    inputs of ``source`` apart.

    >>> import muffliato as mf
    >>> found = mf.attack([("a", "b"), ("b", "c")], "a", "c", steps=2, trials=200)
    >>> found["source"], found["observer"]
    ('a', 'c')
    """
    place = named(graph)
    labels = called(place)
    ends = {"source": labels[place.place(source)], "observer": labels[place.place(observer)]}
    found = _answer(place, "attack", protocol=protocol, steps=steps, trials=trials, sigma=sigma, delta=delta, seed=seed, **ends)
    return {**found, "source": source, "observer": observer}


def audit(claim: str | None = None) -> dict[str, Any]:
    """Decides the claims of the paper again: all of them (a minute or more), or one.

    >>> import muffliato as mf
    >>> mf.audit("mean-loss-identity")["claims"][0]["verdict"]
    'holds'
    """
    chosen = [] if claim is None else ["--claim", claim]
    return dict(json.loads(command("audit", *chosen, "--format", "json")))


def verify(certificate: str | Path | Mapping[str, Any]) -> dict[str, Any]:
    """Checks a certificate, given as a file or its content, from the graph alone in integers.

    ``holds`` is the result, and ``reason`` explains a failure. Nodes are numbered in the order of the graph.

    >>> import muffliato as mf
    >>> claim = mf.account("path:3", "one-shot", steps=2).certificate(0, 2)
    >>> mf.verify(claim)["claim"]
    'at most 1'
    >>> mf.verify({**claim, "at_most": "1/2"})["holds"]
    False
    """
    content = json.dumps(certificate) if isinstance(certificate, Mapping) else Path(certificate).read_text(encoding="utf-8")
    return native.verify(content)

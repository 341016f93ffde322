"""Runs, attacks and verdicts: what the command does, with its answers as Python values."""

from __future__ import annotations

import csv
import json
import tempfile
from collections.abc import Hashable, Mapping, Sequence
from pathlib import Path
from typing import Any

from . import _muffliato as native
from ._muffliato import MuffliatoError
from .graphs import Named, named


def command(*arguments: str) -> str:
    """What ``muffliato ARGUMENTS`` answers, for subcommands that know ``--output``.

    >>> import muffliato as mf
    >>> "34 nodes, 78 edges" in mf.command("graph", "karate")
    True
    """
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "answer"
        native.command([*arguments, "--quiet", "--output", str(path)])
        return path.read_text(encoding="utf-8")


def _on(graph: Any, arguments: Sequence[str], **options: Any) -> Any:
    """The JSON answer of a subcommand on any graph, whose nodes are given by their numbers."""
    subcommand, *rest = arguments
    for name, value in options.items():
        if value is not None:
            rest += [f"--{name.replace('_', '-')}", str(value)]
    if isinstance(graph, str):
        return json.loads(command(subcommand, graph, *rest, "--format", "json"))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "graph.json"
        path.write_text(json.dumps(_node_link(graph)), encoding="utf-8")
        return json.loads(command(subcommand, str(path), *rest, "--format", "json"))


def _node_link(graph: Any) -> dict[str, Any]:
    place = graph if isinstance(graph, Named) else named(graph)
    if not isinstance(place.weights, str):
        raise MuffliatoError("weights of one's own go with account and calibrate, not with runs")
    return {
        "directed": False,
        "multigraph": False,
        "nodes": [{"id": node} for node in range(place.graph.nodes)],
        "edges": [{"source": u, "target": v} for u, v in place.graph.edges()],
    }


def average(
    graph: Any,
    values: Mapping[Hashable, float] | Sequence[float] | str = "synthetic:uniform",
    protocol: str = "one-shot",
    *,
    steps: int | None = None,
    sigma: float = 1.0,
    sensitivity: float = 1.0,
    seed: int = 0,
) -> dict[str, Any]:
    """A simulated run of averaging: the error after each step, and what it cost. Seeded float noise is a simulation.

    >>> import muffliato as mf
    >>> run = mf.average([("a", "b"), ("b", "c")], {"a": 1.0, "b": 0.0, "c": 2.0}, steps=2, sensitivity=2)
    >>> len(run["errors"])
    3
    """
    options = {"protocol": protocol, "steps": steps, "sigma": sigma, "sensitivity": sensitivity, "seed": seed}
    if isinstance(values, str):
        return dict(_on(graph, ["average"], values=values, **options))
    place = named(graph)
    given = [values[name] for name in place.names] if isinstance(values, Mapping) else list(values)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "values.csv"
        with path.open("w", newline="", encoding="utf-8") as file:
            csv.writer(file).writerows([repr(float(value))] for value in given)
        target = graph if isinstance(graph, str) else place
        return dict(_on(target, ["average"], values=path, **options))


def train(graph: Any, data: str, protocol: str = "gd:10x1", *, sigma: float = 1.0, seed: int = 0) -> dict[str, Any]:
    """A simulated training run: loss and accuracy of each round, and what it cost; ``data`` is a CSV file or ``synthetic:NxD``.

    >>> import muffliato as mf
    >>> len(mf.train("ring:4", "synthetic:60x2", "gd:2x1")["rounds"])
    3
    """
    return dict(_on(graph, ["train"], data=data, protocol=protocol, sigma=sigma, seed=seed))


def attack(
    graph: Any, source: Hashable, observer: Hashable, *, steps: int | None = None, trials: int = 20000, seed: int = 1
) -> dict[str, Any]:
    """Simulated runs in which ``observer`` tells two inputs of ``source`` apart.

    >>> import muffliato as mf
    >>> found = mf.attack("path:3", 0, 2, steps=2, trials=200)
    """
    place = named(graph)
    if isinstance(graph, str):
        ends: list[Any] = [source, observer]
    else:
        ends = [place.place(source), place.place(observer)]
    target = graph if isinstance(graph, str) else place
    return dict(_on(target, ["attack"], source=ends[0], observer=ends[1], steps=steps, trials=trials, seed=seed))


def audit(claim: str | None = None) -> dict[str, Any]:
    """The claims of the paper, decided again: all of them (a minute or more), or one.

    >>> import muffliato as mf
    >>> mf.audit("mean-loss-identity")["claims"][0]["verdict"]
    'holds'
    """
    chosen = [] if claim is None else ["--claim", claim]
    return dict(json.loads(command("audit", *chosen, "--format", "json")))


def verify(certificate: str | Path | Mapping[str, Any]) -> dict[str, Any]:
    """Checks a certificate, a file or its content, from the graph alone; says whether it holds."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "certificate.json"
        if isinstance(certificate, Mapping):
            path.write_text(json.dumps(certificate), encoding="utf-8")
        else:
            path = Path(certificate)
        return dict(json.loads(command("verify", str(path), "--format", "json")))

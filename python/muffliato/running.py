"""Subcommands of the command, with their results as Python values."""

from __future__ import annotations

import csv
import html
import json
import os
import subprocess
import tempfile
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any, Literal

from . import _muffliato as native
from ._muffliato import MuffliatoError
from .graphs import Named, named
from .protocols import Protocol, count
from .tables import Table

PARTIAL = 3
"""Exit code of a result that is partial because the time expired; the result says so itself."""


def binary() -> Path:
    """Returns the file of the command: the one that the wheel carries, or in a checkout the newest one that cargo has built."""
    package, name = Path(__file__).resolve().parent, "muffliato.exe" if os.name == "nt" else "muffliato"
    carried = package / "bin" / name
    if carried.exists():
        return carried
    built = [path for path in (package.parent.parent / "target").glob(f"*/{name}") if path.is_file()]
    if not built:
        raise MuffliatoError("this package was built without the command; install it by pip, or run cargo build in the repository")
    return max(built, key=lambda path: path.stat().st_mtime)


def _run(arguments: Sequence[str]) -> str:
    """Runs the command and returns its output."""
    done = subprocess.run([str(binary()), *arguments], capture_output=True, text=True, encoding="utf-8")
    if done.returncode not in (0, PARTIAL) or not (done.returncode == 0 or done.stdout or "--output" in arguments):
        raise MuffliatoError(done.stderr.strip().removeprefix("error: ") or f"the command ended with {done.returncode}")
    return done.stdout


def command(*arguments: str) -> str:
    """Runs ``muffliato ARGUMENTS`` and returns what it prints.

    Parameters
    ----------
    *arguments : str
        The arguments, as in a terminal.

    Examples
    --------
    >>> import muffliato as mf
    >>> "34 nodes, 78 edges" in mf.command("graph", "karate")
    True
    """
    quiet = () if {"-q", "--quiet"} & set(arguments) else ("--quiet",)
    return _run([*quiet, *arguments])


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
        _run(arguments)
        text = output.read_text(encoding="utf-8")
        # Temporary paths are removed from the text, so that the same call gives the same bytes.
        title = html.escape(place.title) if answer.suffix == ".html" else json.dumps(place.title)[1:-1]
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
    protocol: Protocol = "one-shot",
    *,
    steps: int | None = None,
    sigma: float = 1.0,
    sensitivity: float = 1.0,
    delta: float = 1e-6,
    seed: int = 0,
    weights: Any = "metropolis",
) -> dict[str, Any]:
    """Simulates a run of averaging. Returns the error after each step and the privacy loss. The seeded noise is a simulation.

    Parameters
    ----------
    graph : networkx graph, matrix, data frame, dict, edges, str or path
        As for :func:`muffliato.account`.
    values : mapping, sequence or str, default "synthetic:uniform"
        The value of each node: by name, in the order of the nodes, or a kind of synthetic values.
    protocol : Averaging or str, default "one-shot"
        The protocol.
    steps : int, optional
        Gossip steps; by default enough to mix.
    sigma : float, default 1
        Standard deviation of the noise.
    sensitivity : float, default 1
        Largest change of one input.
    delta : float, default 1e-6
        The delta of the epsilons.
    seed : int, default 0
        Seed of the noise.
    weights : str or matrix, default "metropolis"
        As for :func:`muffliato.account`.

    Examples
    --------
    >>> import muffliato as mf
    >>> run = mf.average([("a", "b"), ("b", "c")], {"a": 1.0, "b": 0.0, "c": 2.0}, steps=2, sensitivity=2)
    >>> len(run["errors"])
    3
    """
    place = named(graph, None, weights)
    options = {"protocol": protocol, "steps": count("steps", steps), "sigma": sigma, "sensitivity": sensitivity, "delta": delta, "seed": seed}
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
    protocol: Protocol = "gd:10x1",
    *,
    sigma: float = 1.0,
    clip: float = 1.0,
    step_size: float | None = None,
    delta: float = 1e-6,
    seed: int = 0,
    weights: Any = "metropolis",
    observer: Hashable | None = None,
) -> dict[str, Any]:
    """Simulates a training run of logistic regression. Returns the loss and accuracy of each round and the privacy loss.

    Parameters
    ----------
    graph : networkx graph, matrix, data frame, dict, edges, str or path
        As for :func:`muffliato.account`.
    data : str, path, data frame, matrix or tuple of (features, labels)
        A CSV file, ``"synthetic:NxD"``, a table whose last column is to be predicted, or features and labels; labels are split at
        their mean.
    protocol : GradientDescent or str, default "gd:10x1"
        The protocol.
    sigma : float, default 1
        Standard deviation of the noise.
    clip : float, default 1
        Largest norm of the gradient of an example.
    step_size : float, optional
        Step size of gradient descent.
    delta : float, default 1e-6
        The delta of the epsilons.
    seed : int, default 0
        Seed of the noise and of the data.
    weights : str or matrix, default "metropolis"
        As for :func:`muffliato.account`.
    observer : node, optional
        Restricts the account to one observer.

    Examples
    --------
    >>> import muffliato as mf
    >>> len(mf.train("ring:4", "synthetic:60x2", "gd:2x1")["rounds"])
    3
    """
    place = named(graph, None, weights)
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
    protocol: Protocol = "one-shot",
    *,
    steps: int | None = None,
    trials: int = 20000,
    sigma: float = 1.0,
    delta: float = 1e-5,
    seed: int = 1,
    view: Literal["full", "paper", "sum"] = "full",
) -> dict[str, Any]:
    """Simulates an attack on averaging, in which ``observer`` tells two inputs of ``source`` apart.

    Parameters
    ----------
    graph : networkx graph, matrix, data frame, dict, edges, str or path
        As for :func:`muffliato.account`.
    source : node
        The node whose input is guessed.
    observer : node
        The node that guesses.
    protocol : Averaging or str, default "one-shot"
        ``"one-shot"``, ``"refreshed:TAU"`` or ``"masked:KAPPA"``.
    steps : int, optional
        Gossip steps; by default enough to mix.
    trials : int, default 20000
        Number of simulated runs.
    sigma : float, default 1
        Standard deviation of the noise.
    delta : float, default 1e-5
        The delta of the epsilons.
    seed : int, default 1
        Seed of the noise.
    view : {"full", "paper", "sum"}, default "full"
        What the observer knows, as for :func:`muffliato.account`.

    Examples
    --------
    >>> import muffliato as mf
    >>> found = mf.attack([("a", "b"), ("b", "c")], "a", "c", steps=2, trials=200)
    >>> found["source"], found["observer"]
    ('a', 'c')
    """
    place = named(graph)
    labels = called(place)
    ends = {"source": labels[place.place(source)], "observer": labels[place.place(observer)]}
    found = _answer(place, "attack", protocol=protocol, steps=count("steps", steps), trials=trials, sigma=sigma, delta=delta, seed=seed, view=view, **ends)
    return {**found, "source": source, "observer": observer}


def audit(claim: str | None = None) -> dict[str, Any]:
    """Decides the claims of the paper again: all of them (a minute or more), or one.

    Parameters
    ----------
    claim : str, optional
        Name of a claim.

    Examples
    --------
    >>> import muffliato as mf
    >>> mf.audit("mean-loss-identity")["claims"][0]["verdict"]
    'holds'
    """
    chosen = [] if claim is None else ["--claim", claim]
    return dict(json.loads(command("audit", *chosen, "--format", "json")))


def verify(certificate: str | Path | Mapping[str, Any]) -> dict[str, Any]:
    """Checks a certificate, given as a file or its content, from the graph alone in integers.

    ``holds`` is the result, and ``reason`` explains a failure. Nodes are numbered in the order of the graph.

    Parameters
    ----------
    certificate : str, path or mapping
        A file, or the result of :meth:`Account.certificate`.

    Examples
    --------
    >>> import muffliato as mf
    >>> claim = mf.account("path:3", "one-shot", steps=2).certificate(0, 2)
    >>> mf.verify(claim)["claim"]
    'at most 1'
    >>> mf.verify({**claim, "at_most": "1/2"})["holds"]
    False
    """
    content = json.dumps(certificate) if isinstance(certificate, Mapping) else Path(certificate).read_text(encoding="utf-8")
    return native.verify(content)


class Conformance(Table):
    """Grades of a function on the test vectors: a row for each topic and each flag, and all ``answers``."""

    def __init__(self, rows: Iterable[dict[str, Any]], answers: list[dict[str, Any]]) -> None:
        super().__init__(rows)
        self.answers = answers

    @property
    def unsound(self) -> list[dict[str, Any]]:
        """The answers that are below the right number, or accept what must be refused."""
        return [answer for answer in self.answers if answer["grade"] == "unsound"]


def conform(function: Callable[[dict[str, Any]], Any], *topics: str, tolerance: Fraction | int | str = 0) -> Conformance:
    """Grades a function on the test vectors as ``muffliato conform`` grades a program.

    Parameters
    ----------
    function : callable
        Takes a question as a dictionary and returns a number, a pair (lower, upper), ``"accept"``, ``"refuse"``,
        ``{"rows": ...}`` or ``{"nodes": ..., "edges": ...}``; ``None`` if it does not answer such questions. An exception counts as
        a crash.
    *topics : str
        Topics such as ``"one-shot"``; all of them by default.
    tolerance : Fraction, int or str, default 0
        Relative amount by which an answer may be too small, such as ``"1/1000000000"`` for floating point.

    Examples
    --------
    The loss of one-shot noise is at most 1.

    >>> import muffliato as mf
    >>> graded = mf.conform(lambda question: 1, "one-shot")
    >>> graded.unsound, graded[0]["exact"] > graded[0]["sound"]
    ([], True)
    """

    def ask(line: str) -> str:
        return json.dumps(_plain(function(json.loads(line))), allow_nan=False)

    answers, head, rows = native.conform(ask, list(topics), str(tolerance))
    cells = ([None if cell == "-" else int(cell) if cell.isdigit() else cell for cell in row] for row in rows)
    return Conformance((dict(zip(head, row)) for row in cells), json.loads(answers))


def _plain(answer: Any) -> Any:
    """Converts an answer to what JSON has. Numbers keep their exact value."""
    if answer is None:
        return "unsupported"
    if isinstance(answer, (list, tuple)):
        return [_plain(part) for part in answer]
    if isinstance(answer, Mapping):
        return {name: _plain(part) for name, part in answer.items()}
    if isinstance(answer, (bool, int, str)):
        return answer
    if isinstance(answer, Fraction):
        return str(answer)
    value = float(answer)
    return "inf" if value == float("inf") else str(Fraction(value))

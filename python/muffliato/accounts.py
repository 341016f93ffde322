"""Who leaks how much to whom."""

from __future__ import annotations

import html
import json
import time
from collections.abc import Callable, Hashable, Sequence
from concurrent.futures import Executor
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from . import _muffliato as native
from ._muffliato import MuffliatoError
from .graphs import Named, labels_of, named
from .losses import Guarantee, Loss
from .running import on
from .sharding import Pairs, Question, Shard, arrays, described, everywhere, executing, merge, read, told
from .tables import Bar, package

EPSILONS = ("epsilon", "model_epsilon", "any_loss_epsilon")
"""What is promised; what losses of gradient descent would promise in their model; what is promised for any losses that are minimised."""

ROWS = 1_000_000
"""About so many rows of a Parquet file are in memory at a time."""


class Account:
    """The accountant of one protocol on one graph; made by :func:`account`."""

    def __init__(
        self,
        graph: Named,
        protocol: native.Protocol,
        asked: dict[str, Any],
        question: Question,
        executor: Executor | None,
        progress: bool,
    ) -> None:
        self._graph = graph
        self._protocol = protocol
        self._asked = asked
        self._question = question
        self._executor = executor
        self._progress = progress
        self._native = native.Account(protocol, *question)
        self._columns: tuple[float | None, dict[str, Any]] | None = None

    @property
    def nodes(self) -> list[Hashable]:
        """The names of the nodes in their order."""
        return list(self._graph.names)

    @property
    def steps(self) -> int:
        """How many gossip steps there are."""
        return self._protocol.steps

    @property
    def engine(self) -> str:
        """The engine that answers."""
        return self._native.engine

    @property
    def protocol(self) -> str:
        """What was accounted for, as text with everything in it."""
        return str(self._protocol)

    def loss(self, source: Hashable, observer: Hashable | None = None) -> Loss:
        """What ``source`` loses to ``observer``; to the coalition if the account is about one, and then no observer is named.

        For training without masks it is the loss of the model "gradients as inputs", as its ``model`` says, and promises nothing: see
        :meth:`guarantee`.

        >>> import muffliato as mf
        >>> mf.account("path:3", "one-shot", steps=2).loss(0, 2)
        Loss(1 <= 1, exact, exact=1)
        >>> mf.account("path:4", "one-shot", steps=2, coalition=[0, 3]).loss(1).exact
        Fraction(1, 1)
        """
        return Loss._of(self._native.loss(self._graph.place(source), self._observer(observer)))

    def group_loss(self, sources: Sequence[Hashable], observer: Hashable | None = None) -> Loss:
        """What these users together lose to ``observer``, or to the coalition."""
        places = [self._graph.place(source) for source in sources]
        return Loss._of(self._native.group_loss(places, self._observer(observer)))

    def guarantee(self, source: Hashable, observer: Hashable | None = None) -> Guarantee:
        """What is promised to ``source`` towards ``observer``, or the coalition: for training, for all losses whose gradient steps have the
        Lipschitz constant ``lipschitz`` (1 for convex smooth ones).

        >>> import muffliato as mf
        >>> training = mf.account("karate", "gd:10x1")
        >>> training.loss(33, 3).upper <= training.guarantee(33, 3).upper < 10
        True
        """
        return Guarantee._of(self._native.guarantee([self._graph.place(source)], self._observer(observer)))

    def group_guarantee(self, sources: Sequence[Hashable], observer: Hashable | None = None) -> Guarantee:
        """What is promised to these users together towards ``observer``, or the coalition."""
        places = [self._graph.place(source) for source in sources]
        return Guarantee._of(self._native.guarantee(places, self._observer(observer)))

    def _observer(self, name: Hashable | None) -> int | None:
        coalition = self._question.coalition is not None
        if name is None and not coalition:
            raise MuffliatoError("name an observer; without one the loss is that to the coalition=, which was not given")
        if name is not None and coalition:
            raise MuffliatoError(f"the account is about a coalition; leave the observer {name!r} out, or make an account without coalition=")
        return None if name is None else self._graph.place(name)

    def certificate(self, source: Hashable, observer: Hashable) -> dict[str, Any]:
        """The claim about one pair with its proof, which :func:`muffliato.verify` checks from the graph alone.

        >>> import muffliato as mf
        >>> claim = mf.account("path:3", "one-shot", steps=2).certificate(0, 2)
        >>> mf.verify(claim)["holds"]
        True
        """
        return dict(json.loads(self._native.certificate(self._graph.place(source), self._graph.place(observer))))

    def _all(self, delta: float | None) -> dict[str, Any]:
        if self._columns is None or (delta is not None and self._columns[0] != delta):
            noise = None if delta is None else self._noise(delta)
            with Bar(self._progress) as shown:
                found = arrays(self._native.columns(noise, None, shown))
            self._columns = (delta, found) if found["finished"] else None
        else:
            found = self._columns[1]
        told(found["finished"], self._native.size[0])
        return found

    def _noise(self, delta: float) -> tuple[float, float, float]:
        return self._asked["sigma"], self._asked["sensitivity"], delta

    def matrix(self, which: str = "upper") -> np.ndarray[Any, np.dtype[np.float64]]:
        """``lower``, ``value`` or ``upper`` of all losses: rows are sources, columns observers; nan where nobody was asked about, or there was
        no time.

        >>> import muffliato as mf
        >>> mf.account("path:3", "one-shot", steps=2).matrix()
        array([[nan,  1.,  1.],
               [ 1., nan,  1.],
               [ 1.,  1., nan]])
        """
        if which not in ("lower", "value", "upper"):
            raise MuffliatoError(f"there is no matrix {which!r}; ask for lower, value or upper")
        columns = self._all(None)
        if any(len(members) != 1 for name in ("sources", "observers") for members in columns[name]):
            raise MuffliatoError("groups and coalitions are no rows and columns; take to_pandas()")
        size = len(self._graph.names)
        found = np.full((size, size), np.nan)
        nodes = {name: np.array([members[0] for members in columns[name]], dtype=np.intp) for name in ("sources", "observers")}
        found[nodes["sources"][columns["source"]], nodes["observers"][columns["observer"]]] = columns[which]
        return found

    def to_pandas(self, delta: float = 1e-6) -> Any:
        """One row a pair, the columns of the command's CSV; ``epsilon`` is for the account's ``sigma`` and ``sensitivity``. ``attrs["partial"]``
        says whether observers are missing because the time was up.

        It is what is promised: for training with the account's ``lipschitz``. ``model_epsilon`` is what ``leakage_upper`` would promise if
        gradients were fixed inputs, which real losses can exceed; ``any_loss_epsilon`` is promised for any losses.

        >>> import muffliato as mf
        >>> frame = mf.account("path:3", "one-shot", steps=2).to_pandas()
        >>> frame.columns.tolist()[:4]
        ['source', 'observer', 'distance', 'paper_theorem_1']
        """
        found = self._all(delta)
        columns = self._table(found)
        for name in ("leakage_exact", "scalars_exact"):
            columns[name] = [None if text is None else Fraction(text) for text in columns[name]]
        pandas = package("pandas", "to_pandas")
        columns["distance"] = pandas.array(np.ma.filled(columns["distance"].astype(float), np.nan), dtype="Int64")
        frame = pandas.DataFrame(columns)
        frame.attrs["partial"] = found["finished"] < self._native.size[0]
        return frame

    def _table(self, columns: dict[str, Any]) -> dict[str, Any]:
        """The columns of the command's CSV; the distance is masked where there is no path."""
        nothing = [None] * len(columns["upper"])
        guesses = columns["status"] == columns["statuses"].index("estimate")
        return {
            "source": self._names(columns["sources"])[columns["source"]],
            "observer": self._names(columns["observers"])[columns["observer"]],
            "distance": np.ma.masked_less(columns["distance"], 0),
            **{name: columns[name] for name in ("paper_theorem_1", "paper_corollary_1", "proved_bound")},
            "leakage": np.where(guesses, columns["value"], columns["upper"]),
            "leakage_lower": columns["lower"],
            "leakage_upper": columns["upper"],
            "leakage_exact": columns.get("exact", nothing),
            "scalars_exact": columns.get("scalars_exact", nothing),
            "status": np.array(columns["statuses"], dtype=object)[columns["status"]],
            **{name: columns[name] for name in EPSILONS},
        }

    def _names(self, sets: list[list[int]]) -> np.ndarray[Any, np.dtype[np.object_]]:
        """What sets of nodes are called: the name of a single one, and a tuple for several."""
        found = np.empty(len(sets), dtype=object)
        for place, members in enumerate(sets):
            names = tuple(self._graph.names[node] for node in members)
            found[place] = names[0] if len(names) == 1 else names
        return found

    def to_parquet(self, path: str | Path, delta: float = 1e-6) -> int:
        """All pairs as a Parquet file (pyarrow), part by part, at any size and on the executor if there is one; names and fractions
        are text. Returns how many parts were computed again because a worker died. Out of time, it holds the observers that are finished.
        """
        pa, pq = package("pyarrow", "to_parquet"), package("pyarrow.parquet", "to_parquet")
        text, number = pa.dictionary(pa.int32(), pa.string()), pa.float64()
        bounds = ["paper_theorem_1", "paper_corollary_1", "proved_bound", "leakage", "leakage_lower", "leakage_upper"]
        schema = pa.schema(
            [("source", text), ("observer", text), ("distance", pa.int64())]
            + [(name, number) for name in bounds]
            + [("leakage_exact", pa.string()), ("scalars_exact", pa.string()), ("status", text)]
            + [(name, number) for name in EPSILONS]
        )
        observers, sources = self._native.size
        of = min(observers, -(-observers * sources // ROWS))
        waiting: dict[int, dict[str, Any]] = {}
        with pq.ParquetWriter(path, schema) as file:
            written, finished, until = 0, 0, self._until()

            def keep(index: int, columns: dict[str, Any]) -> None:
                nonlocal written, finished
                waiting[index] = columns
                while written in waiting:
                    finished += waiting[written]["finished"]
                    table = self._table(waiting.pop(written))
                    for name in ("source", "observer"):
                        table[name] = [str(value) for value in table[name]]
                    file.write_table(pa.table(table, schema=schema))
                    written += 1

            work = partial(Shard.pairs, noise=self._noise(delta))
            retried = 0
            if self._executor is not None:
                retried = everywhere(self._executor, work, self._shards(of, until), keep, self._progress)
            else:
                with Bar(self._progress, "parts") as shown:
                    for index in range(of):
                        part = self._native if until is None else native.Account(self._protocol, *self._question.ending(until))
                        keep(index, arrays(part.columns(self._noise(delta), (index, of), None)))
                        if shown is not None:
                            shown(index + 1, of)
        told(finished, observers)
        return retried

    def to_networkx(self, observer: Hashable | None = None) -> Any:
        """The graph with the names that it came with; each node has its ``loss`` (the upper end) towards ``observer``, if one is named.

        >>> import muffliato as mf
        >>> mf.account([("a", "b"), ("b", "c")], "one-shot", steps=2).to_networkx("c").nodes(data="loss")
        NodeDataView({'a': 1.0, 'b': 1.0, 'c': None}, data='loss')
        """
        nx = package("networkx", "to_networkx")
        names = self._graph.names
        graph = nx.Graph()
        graph.add_nodes_from(names)
        graph.add_edges_from((names[u], names[v]) for u, v in self._graph.graph.edges())
        if observer is not None:
            others = [name for name in names if name != observer]
            nx.set_node_attributes(graph, {name: self.loss(name, observer).upper for name in others}, "loss")
        return graph

    def shard(self, index: int, of: int) -> Shard:
        """The part ``index`` of ``of`` parts of the observers: to be run anywhere and merged."""
        return Shard(described(self._protocol), self._question, index, of)

    def _shards(self, of: int, until: float | None) -> list[Shard]:
        protocol = described(self._protocol)
        return [Shard(protocol, self._question, index, of, until) for index in range(of)]

    def _until(self) -> float | None:
        """When an answer ends that begins now, by the clock on the wall, which other machines have too."""
        return None if self._question.max_time is None else time.time() + self._question.max_time

    def by_distance(self, shards: int | None = None) -> Pairs:
        """Losses by distance, without keeping pairs: at any size, in so many shards on the executor if there is one.

        For training ``promised`` is the largest loss that can be promised, with the account's ``lipschitz``.

        >>> import muffliato as mf
        >>> account = mf.account("karate", "refreshed:0.1", steps=4)
        >>> [(row["distance"], row["pairs"]) for row in account.by_distance()]
        [(1, 156), (2, 530), (3, 274), (4, 146), (5, 16)]
        """
        parts: dict[int, str | None] = {}
        observers, retried = self._native.size[0], 0
        if self._executor is None or self._native.at_once:
            with Bar(self._progress) as shown:
                parts[0] = self._native.shard(0, 1, shown)
        else:
            asked = self._shards(min(64, observers) if shards is None else shards, self._until())
            retried = everywhere(self._executor, Shard.run, asked, parts.__setitem__, self._progress)
        if not any(parts.values()):
            told(0, observers)
        found = merge([parts[index] for index in sorted(parts)])
        found.retried = retried
        told(observers if found.finished is None else found.finished, observers)
        return found

    def plot(self, ax: Any = None) -> Any:
        """Losses against distance, with matplotlib: the largest, the mean and the smallest certified upper ends, and the largest that
        the paper's Theorem 1 says. What is 0 is at the bottom.
        """
        axes = package("matplotlib.pyplot", "plot").subplots()[1] if ax is None else ax
        found = self.by_distance()
        rows = [row for row in found if row["distance"] is not None]
        distances = [row["distance"] for row in rows]
        axes.fill_between(distances, [row["min"] for row in rows], [row["max"] for row in rows], alpha=0.15)
        axes.plot(distances, [row["max"] for row in rows], "o-", label="largest loss")
        axes.plot(distances, [row["mean"] for row in rows], "s--", label="mean loss")
        if all(row["paper_max"] is not None for row in rows):
            axes.plot(distances, [row["paper_max"] for row in rows], "x:", color="tab:red", label="largest by Theorem 1 (refuted)")
        positive = [row[name] for row in rows for name in ("min", "mean", "paper_max") if row[name]]
        axes.set_yscale("symlog", linthresh=10 ** np.floor(np.log10(min([*positive, 1.0]))))
        axes.set_ylim(bottom=0)
        axes.xaxis.set_major_locator(package("matplotlib.ticker", "plot").MaxNLocator(integer=True))
        axes.set_xlabel("distance between source and observer")
        axes.set_ylabel("loss, in units of L")
        part = "" if found.finished is None else " (partial)"
        axes.set_title(f"{self._asked['protocol']}, {self.steps} steps, {len(self._graph.names)} nodes{part}")
        axes.legend()
        return axes

    def report(self, path: str | Path) -> Path:
        """The account as a page for the browser, beside that of the protocol with or without fresh noise: click on nodes.

        >>> import muffliato as mf, tempfile, pathlib
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     page = mf.account("karate", steps=2).report(pathlib.Path(folder) / "report.html")
        ...     page.read_text(encoding="utf-8")[:15]
        '<!DOCTYPE html>'
        """
        if self._question.coalition is not None or self._question.group is not None:
            raise MuffliatoError("a report is about single users and observers; make an account without coalition= and group=")
        asked = dict(self._asked)
        if self._protocol.rounds > 1:
            del asked["steps"]
        engine = None if self._question.engine == "auto" else self._question.engine
        limits = {"lipschitz": self._question.lipschitz, "engine": engine, "max_time": self._question.max_time}
        page = on(self._graph, "report", Path("report.html"), view=self._question.view, **limits, **asked)
        Path(path).write_text(page, encoding="utf-8")
        return Path(path)

    def _repr_html_(self) -> str:
        return f"<p>{html.escape(repr(self))}</p>{self.by_distance()._repr_html_()}"

    def __repr__(self) -> str:
        return f"Account({self._asked['protocol']}, {len(self._graph.names)} nodes, {self._protocol.steps} steps, {self.engine} engine)"

    def __reduce__(self) -> Any:
        graph = self._graph.names, self._graph.graph.edges(), self._graph.weights, self._graph.spec, self._graph.title
        return _restored, (graph, described(self._protocol), self._asked, self._question, self._progress)


def _restored(graph: tuple[Any, ...], protocol: bytes, asked: dict[str, Any], question: Question, progress: bool) -> Account:
    names, edges, *rest = graph
    places = {name: place for place, name in enumerate(names)}
    placed = Named(native.Graph(len(names), edges, labels_of(names)), names, places, *rest)
    return Account(placed, read(protocol), asked, question, None, progress)


def account(
    graph: Any,
    protocol: str = "one-shot",
    *,
    steps: int | None = None,
    weights: str = "metropolis",
    weight: str | None = None,
    nodelist: Sequence[Hashable] | None = None,
    observers: str | Sequence[Hashable] = "auto",
    sources: Sequence[Hashable] | None = None,
    coalition: Sequence[Hashable] | None = None,
    group: Sequence[Hashable] | None = None,
    view: str = "full",
    lipschitz: Fraction | int | str = 1,
    engine: str = "auto",
    accelerate: str = "off",
    sigma: float = 1.0,
    sensitivity: float = 1.0,
    threads: int | None = None,
    executor: Any = None,
    max_time: float | None = None,
    progress: bool = False,
) -> Account:
    """The account of a protocol on a graph.

    ``graph`` is a networkx graph, a scipy or numpy adjacency matrix, pairs of nodes, a family (``"hypercube:11"``) or a file.
    ``protocol`` is what the command takes: ``"refreshed:0.1"``, ``"masked:3"``, ``"gd:10x4:0.1"``, ... Without ``steps`` there are
    as many as bring the error of inputs within ``sensitivity`` down to that of the noise ``sigma``. ``observers`` is ``"all"``,
    ``"sample:N"``, ``"auto"`` (all, or a sample above 2000 nodes) or a list of nodes. ``executor``, an
    executor of ``concurrent.futures`` or a pool (Ray's, ``multiprocessing``'s), spreads :meth:`Account.by_distance` and
    :meth:`Account.to_parquet` over its workers. After ``max_time`` seconds each answer ends, with the observers that are finished: tables say that they are
    partial, a ``PartialWarning`` says of how many, and one pair has no answer.

    >>> import muffliato as mf
    >>> account = mf.account("karate", "refreshed:0.1", steps=4)
    >>> account.loss(33, 3).upper < 0.28
    True
    """
    place = named(graph, nodelist, weight, weights)
    places: Callable[[Sequence[Hashable] | None], list[int] | None] = (
        lambda names: None if names is None else [place.place(name) for name in names]
    )
    watching: str | list[int] = observers if isinstance(observers, str) else [place.place(name) for name in observers]
    built = native.Protocol(place.graph, protocol, steps, place.weights, accelerate, sigma, sensitivity)
    question = Question(watching, places(sources), places(coalition), places(group), view, str(lipschitz), engine, threads, max_time)
    asked = {"protocol": protocol, "steps": built.steps, "accelerate": accelerate, "sigma": sigma, "sensitivity": sensitivity}
    return Account(place, built, asked, question, executing(executor), progress)

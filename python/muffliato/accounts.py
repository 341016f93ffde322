"""Accounts: how much each node leaks to each other node."""

from __future__ import annotations

import html
import json
import time
from collections.abc import Callable, Hashable, Sequence
from concurrent.futures import Executor
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any, Literal

import numpy as np

from . import _muffliato as native
from ._muffliato import MuffliatoError
from .graphs import Named, labels_of, named
from .losses import Guarantee, Loss
from .plans import Plan, read_plan
from .protocols import Protocol, count
from .running import on
from .sharding import Pairs, Question, Shard, arrays, described, everywhere, executing, merge, parts_of, read, told
from .tables import Bar, package

EPSILONS = ("epsilon", "model_epsilon", "any_loss_epsilon")
"""The guarantee; the epsilon of gradient descent in its model; the guarantee for any loss functions."""

ROWS = 1_000_000
"""Approximate number of rows of a Parquet file that are in memory at a time."""


class Account:
    """The accountant of one protocol on one graph, created by :func:`account`.

    Examples
    --------
    >>> import muffliato as mf
    >>> mf.account("path:3", mf.Averaging(fresh_noise=0.5), steps=2)
    Account('path:3', 'refreshed:0.5', 3 nodes, 2 steps, all 3 observe)
    """

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
        """The names of the nodes, in order."""
        return list(self._graph.names)

    @property
    def steps(self) -> int:
        """The number of gossip steps."""
        return self._protocol.steps

    @property
    def engine(self) -> str:
        """The name of the engine."""
        return self._native.engine

    @property
    def protocol(self) -> str:
        """The complete protocol as text."""
        return str(self._protocol)

    def loss(self, source: Hashable, observer: Hashable | None = None) -> Loss:
        """Returns the loss of ``source`` to ``observer``, or to the coalition if the account has one.

        For training without masks this is the loss in the model "gradients as inputs", as its ``model`` says. It is not a
        guarantee; see :meth:`guarantee`.

        Parameters
        ----------
        source : node
            The node whose input is protected.
        observer : node, optional
            The node that observes; left out if the account has a coalition.

        Examples
        --------
        >>> import muffliato as mf
        >>> mf.account("path:3", "one-shot", steps=2).loss(0, 2)
        Loss(1 <= 1, exact, exact=1)
        >>> mf.account("path:4", "one-shot", steps=2, coalition=[0, 3]).loss(1).exact
        Fraction(1, 1)
        """
        return Loss._of(self._native.loss(self._graph.place(source), self._observer(observer)))

    def group_loss(self, sources: Sequence[Hashable], observer: Hashable | None = None) -> Loss:
        """Returns the joint loss of several users to ``observer``, or to the coalition.

        Parameters
        ----------
        sources : sequence of nodes
            The nodes whose inputs are protected together.
        observer : node, optional
            The node that observes; left out if the account has a coalition.
        """
        places = [self._graph.place(source) for source in sources]
        return Loss._of(self._native.group_loss(places, self._observer(observer)))

    def guarantee(self, source: Hashable, observer: Hashable | None = None) -> Guarantee:
        """Returns the guarantee of ``source`` towards ``observer``, or the coalition.

        For training it holds for all loss functions whose gradient steps have the Lipschitz constant ``lipschitz`` (1 for
        convex smooth ones). It knows the sigma and the sensitivity of the account.

        Parameters
        ----------
        source : node
            The node whose input is protected.
        observer : node, optional
            The node that observes; left out if the account has a coalition.

        Examples
        --------
        >>> import muffliato as mf
        >>> training = mf.account("karate", mf.GradientDescent(rounds=10), sigma=2)
        >>> training.loss(33, 3).upper <= training.guarantee(33, 3).upper < 10
        True
        >>> training.guarantee(33, 3).epsilon(delta=1e-6) < 0.7
        True
        """
        return self._guarantee([source], observer)

    def _guarantee(self, sources: Sequence[Hashable], observer: Hashable | None) -> Guarantee:
        places = [self._graph.place(source) for source in sources]
        found = self._native.guarantee(places, self._observer(observer))
        return Guarantee._of(found, self._asked["sigma"], self._asked["sensitivity"])

    def group_guarantee(self, sources: Sequence[Hashable], observer: Hashable | None = None) -> Guarantee:
        """Returns the joint guarantee of several users towards ``observer``, or the coalition.

        Parameters
        ----------
        sources : sequence of nodes
            The nodes whose inputs are protected together.
        observer : node, optional
            The node that observes; left out if the account has a coalition.
        """
        return self._guarantee(sources, observer)

    def _observer(self, name: Hashable | None) -> int | None:
        coalition = self._question.coalition is not None
        if name is None and not coalition:
            raise MuffliatoError("name an observer, or make an account with coalition=")
        if name is not None and coalition:
            raise MuffliatoError(f"the account has a coalition; leave the observer {name!r} out, or make an account without coalition=")
        return None if name is None else self._graph.place(name)

    def certificate(self, source: Hashable, observer: Hashable) -> dict[str, Any]:
        """Returns the claim about one pair with its proof, which :func:`muffliato.verify` checks from the graph alone.

        Parameters
        ----------
        source : node
            The node whose input is protected.
        observer : node
            The node that observes.

        Examples
        --------
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
        return self._sigma, self._asked["sensitivity"], delta

    @property
    def _sigma(self) -> float:
        return 1.0 if self._asked["sigma"] is None else float(self._asked["sigma"])

    def matrix(self, which: Literal["lower", "value", "upper"] = "upper") -> np.ndarray[Any, np.dtype[np.float64]]:
        """Returns the losses of all pairs. Rows are sources, columns are observers.

        Entries are nan for pairs outside of the question, and for observers that were not finished in time.

        Parameters
        ----------
        which : {"lower", "value", "upper"}, default "upper"
            The certified lower end, the best estimate, or the certified upper end.

        Examples
        --------
        >>> import muffliato as mf
        >>> mf.account("path:3", "one-shot", steps=2).matrix()
        array([[nan,  1.,  1.],
               [ 1., nan,  1.],
               [ 1.,  1., nan]])
        """
        if which not in ("lower", "value", "upper"):
            raise MuffliatoError(f"unknown matrix {which!r}; use lower, value or upper")
        columns = self._all(None)
        if any(len(members) != 1 for name in ("sources", "observers") for members in columns[name]):
            raise MuffliatoError("groups and coalitions do not fit a matrix; use to_pandas()")
        size = len(self._graph.names)
        found = np.full((size, size), np.nan)
        nodes = {name: np.array([members[0] for members in columns[name]], dtype=np.intp) for name in ("sources", "observers")}
        found[nodes["sources"][columns["source"]], nodes["observers"][columns["observer"]]] = columns[which]
        return found

    def to_pandas(self, delta: float = 1e-6) -> Any:
        """Returns a data frame with one row a pair and the columns of the command's CSV.

        ``epsilon`` is the guarantee for the account's ``sigma``, ``sensitivity`` and, for training, ``lipschitz``.
        ``model_epsilon`` would hold if gradients were fixed inputs; real training can exceed it. ``any_loss_epsilon`` is the
        guarantee for any loss functions. ``attrs["partial"]`` is true if observers are missing because the time expired.

        Parameters
        ----------
        delta : float, default 1e-6
            The delta of the epsilons. Their sigma is that of the account, 1 if it has none.

        Examples
        --------
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
        """Returns the columns of the command's CSV. The distance is masked where there is no path."""
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
        """Returns the names of sets of nodes: the name of a single node, or a tuple."""
        found = np.empty(len(sets), dtype=object)
        for place, members in enumerate(sets):
            names = tuple(self._graph.names[node] for node in members)
            found[place] = names[0] if len(names) == 1 else names
        return found

    def to_parquet(self, path: str | Path, delta: float = 1e-6) -> int:
        """Writes all pairs to a Parquet file (pyarrow), in parts, on the executor if there is one.

        Graphs may have any size. Names and fractions are text. If the time expires, the file holds the finished observers.

        Parameters
        ----------
        path : str or path
            The file to write.
        delta : float, default 1e-6
            The delta of the epsilons.

        Returns
        -------
        int
            The number of parts that were computed again because a worker died.
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
        """Returns the graph with its original names.

        Parameters
        ----------
        observer : node, optional
            Gives every node the attribute ``loss``, the upper end of its loss to this observer.

        Examples
        --------
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
        """Returns a part of the observers, which can run anywhere; :func:`muffliato.merge` joins the results.

        Parameters
        ----------
        index : int
            Number of the part, from 0.
        of : int
            Number of parts.
        """
        return Shard(described(self._protocol), self._question, index, of)

    def _shards(self, of: int, until: float | None) -> list[Shard]:
        protocol = described(self._protocol)
        return [Shard(protocol, self._question, index, of, until) for index in range(of)]

    def _until(self) -> float | None:
        """Returns the deadline of an answer that starts now, in wall-clock time, which other machines share."""
        return None if self._question.max_time is None else time.time() + self._question.max_time

    def by_distance(self, shards: int | None = None) -> Pairs:
        """Computes losses by distance on graphs of any size, without keeping pairs, on the executor if there is one.

        For training, ``promised`` is the largest guaranteed loss, with the account's ``lipschitz``.

        Parameters
        ----------
        shards : int, optional
            Number of parts for an executor. By default it depends on the number of workers and on the estimated time: a single
            part for work of less than a second, up to four for each worker, and more if each would take ten minutes.

        Examples
        --------
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
            of = parts_of(self._native.seconds, self._executor, observers) if shards is None else count("shards", shards, 1)
            asked = self._shards(of or 1, self._until())
            retried = everywhere(self._executor, Shard.run, asked, parts.__setitem__, self._progress)
        if not any(parts.values()):
            told(0, observers)
        found = merge([parts[index] for index in sorted(parts)])
        found.retried = retried
        told(observers if found.finished is None else found.finished, observers)
        return found

    def plot(self, ax: Any = None) -> Any:
        """Plots losses against distance with matplotlib: the maximum and mean of the certified upper ends, and the maximum of the
        paper's Theorem 1. For training, the maximum that is promised is drawn beside the losses of the model.

        Parameters
        ----------
        ax : matplotlib axes, optional
            Where to draw. New axes by default.

        Returns
        -------
        matplotlib axes
        """
        axes = package("matplotlib.pyplot", "plot").subplots()[1] if ax is None else ax
        found = self.by_distance()
        rows = [row for row in found if row["distance"] is not None]
        distances = [row["distance"] for row in rows]
        modelled = any(row["promised"] is not None for row in rows)
        of_model = " if gradients were fixed inputs" if modelled else ""
        if modelled:
            axes.plot(distances, [row["promised"] for row in rows], "D-", color="tab:green", label="largest loss, as promised")
        axes.fill_between(distances, [row["min"] for row in rows], [row["max"] for row in rows], alpha=0.15)
        axes.plot(distances, [row["max"] for row in rows], "o-", color="tab:blue", label=f"largest loss{of_model}")
        axes.plot(distances, [row["mean"] for row in rows], "s--", color="tab:orange", label=f"mean loss{of_model}")
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
        """Writes the account as an interactive HTML page, beside other protocols on the same graph. Returns the path.

        Parameters
        ----------
        path : str or path
            The file to write.

        Examples
        --------
        >>> import muffliato as mf, tempfile, pathlib
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     page = mf.account("karate", steps=2).report(pathlib.Path(folder) / "report.html")
        ...     page.read_text(encoding="utf-8")[:15]
        '<!DOCTYPE html>'
        """
        if self._question.coalition is not None or self._question.group is not None:
            raise MuffliatoError("a report needs single users and observers; make an account without coalition= and group=")
        if self._asked["sized"]:
            raise MuffliatoError("a report has no plan= and mask_graph=; save the plan and use muffliato report --plan FILE")
        if self._question.noise[0] != "gaussian":
            raise MuffliatoError("a report is about Gaussian noise; make an account without noise=")
        asked = {**self._asked, "sigma": self._sigma}
        del asked["sized"]
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
        nodes, observers = len(self._graph.names), self._native.size[0]
        watching = "coalition" if self._question.coalition is not None else f"all {nodes} observe" if observers == nodes else f"{observers} of {nodes} observe"
        return f"Account({self._graph.title!r}, {self._asked['protocol']!r}, {nodes} nodes, {self._protocol.steps} steps, {watching})"

    def __reduce__(self) -> Any:
        graph = self._graph.names, self._graph.graph.edges(), self._graph.weights, self._graph.spec, self._graph.title
        return _restored, (graph, described(self._protocol), self._asked, self._question, self._progress)


def _restored(graph: tuple[Any, ...], protocol: bytes, asked: dict[str, Any], question: Question, progress: bool) -> Account:
    names, edges, *rest = graph
    places = {name: place for place, name in enumerate(names)}
    placed = Named(native.Graph(len(names), edges, labels_of(names)), names, places, *rest)
    return Account(placed, read(protocol), asked, question, None, progress)


def sampled(protocol: str, rate: Fraction | float | str) -> str:
    """Adds secret sampling to the training of a protocol.

    >>> sampled("gd:10x2+masked:3", 0.01)
    'gd:10x2:sample=0.01+masked:3'
    """
    words = protocol.split("+")
    rounds = [place for place, word in enumerate(words) if word.startswith("gd:")]
    if not rounds:
        raise MuffliatoError("sampling_rate= is for training; give a protocol such as gd:10x1+masked:3")
    words[rounds[0]] += f":sample={Fraction(str(rate))}"
    return native.spelled("+".join(words))


def account(
    graph: Any,
    protocol: Protocol = "one-shot",
    *,
    steps: int | None = None,
    weights: Any = "metropolis",
    nodelist: Sequence[Hashable] | None = None,
    plan: Plan | str | Path | None = None,
    mask_graph: Any = "neighbours",
    observers: str | Sequence[Hashable] = "auto",
    sources: Sequence[Hashable] | None = None,
    coalition: Sequence[Hashable] | None = None,
    group: Sequence[Hashable] | None = None,
    view: Literal["full", "paper", "sum"] = "full",
    lipschitz: Fraction | int | str = 1,
    sampling_rate: Fraction | float | str | None = None,
    noise: str = "gaussian",
    coordinates: int = 1,
    engine: Literal["auto", "fast", "reference"] = "auto",
    accelerate: str = "off",
    sigma: float | None = None,
    sensitivity: float = 1.0,
    threads: int | None = None,
    executor: Any = None,
    max_time: float | None = None,
    progress: bool = False,
) -> Account:
    """Creates the account of a protocol on a graph.

    Parameters
    ----------
    graph : networkx graph, matrix, data frame, dict, edges, str or path
        A networkx graph; a scipy or numpy adjacency matrix; a data frame of edges or of an adjacency matrix; a dictionary of the
        neighbours of each node; pairs of nodes; a family (``"hypercube:11"``); or a file.
    protocol : Averaging, GradientDescent or str, default "one-shot"
        The protocol as an object, or written as for the command: ``"refreshed:0.1"``, ``"masked:3"``, ``"gd:10x4:0.1"``.
    steps : int, optional
        Gossip steps of averaging. By default there are enough to bring the error of inputs within ``sensitivity`` down to that of
        the noise.
    weights : str or matrix, default "metropolis"
        A scheme (``"metropolis"``, ``"max-degree-inverse"``, ``"lazy:metropolis"``), a gossip matrix in the order of the nodes, or
        the name of the edge attribute (of a data frame: the column) that holds the weights.
    nodelist : sequence of nodes, optional
        The order of the nodes in matrices and tables.
    plan : Plan, str or path, optional
        A size for every draw, from :func:`muffliato.plan` or a file that it saved; nodes are found by name. It replaces the noise
        and the masks of the protocol, and sets the steps of averaging and, unless it is a file, sigma where they are not given.
    mask_graph : graph or {"neighbours", "complete", "regular:D:seed=S"}, default "neighbours"
        Who shares the keys of masks: neighbours, everybody with everybody, the pairs of a random graph of degree D, or those of
        another graph on the same nodes.
    observers : {"auto", "all"}, "sample:N" or sequence of nodes, default "auto"
        The nodes that observe, each on its own. ``"auto"`` is all of them up to 2000 nodes, and a sample of 16 on larger graphs.
    sources : sequence of nodes, optional
        The nodes whose inputs are protected; all by default.
    coalition : sequence of nodes, optional
        Nodes that share their observations; they are the only observer.
    group : sequence of nodes, optional
        Nodes whose inputs are protected together.
    view : {"full", "paper", "sum"}, default "full"
        Whether an observer also knows the noise that it drew itself (``"full"``), and whether it learns only the sum of the
        messages of each step, by secure summation (``"sum"``).
    lipschitz : Fraction, int or str, default 1
        Lipschitz constant of the gradient steps of training: 1 for convex smooth losses with a small step.
    sampling_rate : Fraction, float or str, optional
        Uses each record with this probability in a round of training, by a secret coin, and protects one record that is added or
        removed. It amplifies the loss of masked states; without masks, that of all states.
    noise : str, default "gaussian"
        The noise that is really drawn: ``"gaussian"``, ``"rounded:2^-20"`` or ``"discrete:2^-20"``.
    coordinates : int, default 1
        Number of coordinates of an input, which matters for noise on a grid.
    engine : {"auto", "fast", "reference"}, default "auto"
        Floating point with certified ends, or fractions.
    accelerate : str, default "off"
        ``"auto"``, or the parameter of Chebyshev's acceleration as a fraction.
    sigma : float, optional
        Standard deviation of the noise. Guarantees of this account use it unless another one is given; without it, tables are for
        1.
    sensitivity : float, default 1
        Largest change of one input.
    threads : int, optional
        Number of threads; all cores by default.
    executor : Executor or pool, optional
        Spreads :meth:`Account.by_distance` and :meth:`Account.to_parquet` over the workers of an executor of
        ``concurrent.futures`` or a pool (of Ray or ``multiprocessing``).
    max_time : float, optional
        Seconds after which each answer ends with the finished observers: tables are marked as partial, and a
        ``PartialWarning`` gives their number. A single pair that is not finished raises ``MuffliatoError``.
    progress : bool, default False
        Shows a bar by tqdm.

    Raises
    ------
    MuffliatoError
        A ``ValueError`` whose message says what to do.

    Examples
    --------
    >>> import muffliato as mf
    >>> account = mf.account("karate", mf.Averaging(fresh_noise=0.1), steps=4, sigma=2)
    >>> account.loss(33, 3).upper < 0.28
    True
    >>> account.guarantee(33, 3).epsilon(delta=1e-6) < 1.3
    True
    >>> shipped = mf.account("karate", "refreshed:0.1", steps=4, noise="rounded:2^-20", coordinates=3)
    >>> account.guarantee(33, 3).upper < shipped.guarantee(33, 3).upper
    True
    """
    place = named(graph, nodelist, weights)
    places: Callable[[Sequence[Hashable] | None], list[int] | None] = (
        lambda names: None if names is None else [place.place(name) for name in names]
    )
    watching: str | list[int] = observers if isinstance(observers, str) else [place.place(name) for name in observers]
    words = native.spelled(str(protocol)) if sampling_rate is None else sampled(str(protocol), sampling_rate)
    noise_plan, own = (None, None) if plan is None else read_plan(plan)
    sigma = own if sigma is None else sigma
    mixing, masks = 1.0 if sigma is None else sigma, place.mask_graph(mask_graph)
    built = native.Protocol(place.graph, words, count("steps", steps), place.weights, accelerate, mixing, sensitivity, masks, noise_plan)
    law = noise, sensitivity, count("coordinates", coordinates, 1) or 1
    chosen = places(sources), places(coalition), places(group)
    question = Question(watching, *chosen, view, str(lipschitz), engine, law, count("threads", threads, 1), max_time)
    asked = {"protocol": words, "steps": built.steps, "accelerate": accelerate, "sigma": sigma, "sensitivity": sensitivity}
    asked["sized"] = masks is not None or noise_plan is not None
    return Account(place, built, asked, question, executing(executor), progress)

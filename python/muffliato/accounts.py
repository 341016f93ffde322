"""Who leaks how much to whom."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from concurrent.futures import Executor
from concurrent.futures import as_completed
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

from . import _muffliato as native
from ._muffliato import MuffliatoError
from .graphs import Named, named


@dataclass(frozen=True)
class Loss:
    """What one user, or a group, loses to one observer, in units of the local (LDP) loss.

    ``lower`` and ``upper`` are certified, ``value`` is the best guess, ``status`` is exact, certified or estimate, and
    ``exact`` is the fraction where there is one. Guarantees are made from ``upper`` and are rounded up.

    >>> import muffliato as mf
    >>> loss = mf.account("path:3", "refreshed:1/2", steps=2).loss(0, 2)
    >>> loss.exact, loss.status
    (Fraction(4, 13), 'exact')
    >>> loss.get_epsilon(1e-6, sigma=2) == loss.epsilon(sigma=2, delta=1e-6)
    True
    """

    lower: float
    value: float
    upper: float
    status: str
    exact: Fraction | None
    inputs: str
    model: str
    _native: native.Loss

    @staticmethod
    def _of(found: native.Loss) -> Loss:
        parts = found.fraction
        exact = None if parts is None else Fraction(int(parts[0]), int(parts[1]))
        return Loss(found.lower, found.value, found.upper, found.status, exact, found.inputs, found.model, found)

    def epsilon(self, *, sigma: float, delta: float, sensitivity: float = 1.0) -> float:
        """The epsilon of (epsilon, delta)-differential privacy with noise of standard deviation ``sigma``."""
        return self._native.epsilon(sigma, delta, sensitivity)

    def delta(self, *, sigma: float, epsilon: float, sensitivity: float = 1.0) -> float:
        """The delta at this epsilon."""
        return self._native.delta(sigma, epsilon, sensitivity)

    def mu(self, *, sigma: float, sensitivity: float = 1.0) -> float:
        """The mu of Gaussian differential privacy."""
        return self._native.mu(sigma, sensitivity)

    def rdp(self, alpha: float, *, sigma: float, sensitivity: float = 1.0) -> float:
        """The Renyi loss of order ``alpha``."""
        return self._native.rdp(alpha, sigma, sensitivity)

    def zcdp(self, *, sigma: float, sensitivity: float = 1.0) -> float:
        """The zero-concentrated loss."""
        return self._native.zcdp(sigma, sensitivity)

    def sigma(self, *, epsilon: float, delta: float, sensitivity: float = 1.0) -> float:
        """The smallest noise that meets (epsilon, delta)."""
        return self._native.sigma_for(epsilon, delta, sensitivity)

    def repeated(self, runs: int) -> Loss:
        """The loss of so many runs with new noise and the same inputs.

        >>> import muffliato as mf
        >>> mf.account("path:3", "one-shot", steps=2).loss(0, 2).repeated(3).exact
        Fraction(3, 1)
        """
        return Loss._of(self._native.repeated(runs))

    def get_epsilon(self, delta: float, *, sigma: float | None = None, noise_multiplier: float | None = None) -> float:
        """As other accountants call it; ``noise_multiplier`` is sigma over the sensitivity."""
        return self.epsilon(sigma=_sigma(sigma, noise_multiplier), delta=delta)

    def get_delta(self, epsilon: float, *, sigma: float | None = None, noise_multiplier: float | None = None) -> float:
        """As other accountants call it."""
        return self.delta(sigma=_sigma(sigma, noise_multiplier), epsilon=epsilon)

    def to_dp_event(self, *, sigma: float, sensitivity: float = 1.0, kind: str = "gaussian") -> Any:
        """This loss as an event of Google's dp-accounting, to be composed there: ``gaussian`` or ``zcdp``."""
        try:
            from dp_accounting import dp_event
        except ImportError:
            raise MuffliatoError("to_dp_event needs the package dp-accounting; pip install dp-accounting") from None
        if kind == "zcdp":
            return dp_event.ZCDpEvent(self.zcdp(sigma=sigma, sensitivity=sensitivity))
        mu = self.mu(sigma=sigma, sensitivity=sensitivity)
        if mu == 0:
            return dp_event.NoOpDpEvent()
        return dp_event.GaussianDpEvent(float(np.nextafter(1 / mu, 0)))

    def __repr__(self) -> str:
        exact = "" if self.exact is None or self.exact.denominator > 10**12 else f", exact={self.exact}"
        return f"Loss({self.lower:.6g} <= {self.upper:.6g}, {self.status}{exact})"

    def __reduce__(self) -> Any:
        raise MuffliatoError("a loss holds what the library computed; pickle the account, or lower, value, upper and exact")


def _sigma(sigma: float | None, noise_multiplier: float | None) -> float:
    if (sigma is None) == (noise_multiplier is None):
        raise MuffliatoError("give sigma or noise_multiplier")
    return sigma if noise_multiplier is None else noise_multiplier  # type: ignore[return-value]


@dataclass(frozen=True)
class Shard:
    """A part of the observers of a question: a description that any worker can compute."""

    protocol: str
    options: tuple[Any, ...]
    index: int
    of: int

    def run(self) -> str:
        """The losses towards these observers by distance, as text that :func:`merge` reads; on one thread unless more were asked for.

        Its thread is started here: those of a process that was forked are gone.
        """
        *question, threads = self.options
        protocol = native.Protocol.read(self.protocol)
        return native.Account(protocol, *question, threads or 1).shard(self.index, self.of, None)


def _run(shard: Shard) -> str:
    return shard.run()


@dataclass(frozen=True)
class Pairs:
    """Losses by distance: one row a distance, ``None`` where there is no path."""

    rows: list[dict[str, Any]]
    complete: bool
    retried: int = 0

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, place: int) -> dict[str, Any]:
        return self.rows[place]

    def to_pandas(self) -> Any:
        """As a data frame."""
        return _pandas().DataFrame(self.rows)

    def _repr_html_(self) -> str:
        return str(self.to_pandas().to_html(index=False))


def merge(parts: Sequence[str]) -> Pairs:
    """The parts of a question as one, in any order; ``complete`` says whether every observer is in it.

    >>> import muffliato as mf
    >>> account = mf.account("path:5", "refreshed:0.1", steps=2)
    >>> parts = [account.shard(k, 3).run() for k in range(3)]
    >>> merge(parts).rows == account.by_distance().rows, merge(parts[:2]).complete
    (True, False)
    """
    rows, complete = native.merged(list(parts))
    return Pairs(rows, complete)


class Account:
    """The accountant of one protocol on one graph; made by :func:`account`."""

    def __init__(self, graph: Named, protocol: native.Protocol, options: tuple[Any, ...], executor: Executor | None, progress: bool) -> None:
        self._graph = graph
        self._protocol = protocol
        self._options = options
        self._executor = executor
        self._progress = progress
        self._native = native.Account(protocol, *options)
        self._columns: dict[str, Any] | None = None

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

    def loss(self, source: Hashable, observer: Hashable) -> Loss:
        """What ``source`` loses to ``observer``.

        >>> import muffliato as mf
        >>> mf.account("path:3", "one-shot", steps=2).loss(0, 2)
        Loss(1 <= 1, exact, exact=1)
        """
        return Loss._of(self._native.loss(self._graph.place(source), self._graph.place(observer)))

    def group_loss(self, sources: Sequence[Hashable], observer: Hashable) -> Loss:
        """What these users together lose to ``observer``."""
        places = [self._graph.place(source) for source in sources]
        return Loss._of(self._native.group_loss(places, self._graph.place(observer)))

    def _all(self) -> dict[str, Any]:
        if self._columns is None:
            with _Bar(self._progress) as shown:
                self._columns = self._native.columns(shown)
        return self._columns

    def matrix(self, which: str = "upper") -> np.ndarray[Any, np.dtype[np.float64]]:
        """``lower``, ``value`` or ``upper`` of all losses: rows are sources, columns observers; nan where nobody was asked about.

        >>> import muffliato as mf
        >>> mf.account("path:3", "one-shot", steps=2).matrix()
        array([[nan,  1.,  1.],
               [ 1., nan,  1.],
               [ 1.,  1., nan]])
        """
        if which not in ("lower", "value", "upper"):
            raise MuffliatoError(f"there is no matrix {which!r}; ask for lower, value or upper")
        columns = self._all()
        if any(len(members) != 1 for name in ("source", "observer") for members in columns[name]):
            raise MuffliatoError("groups and coalitions are no rows and columns; take to_pandas()")
        size = len(self._graph.names)
        found = np.full((size, size), np.nan)
        sources = np.array([members[0] for members in columns["source"]], dtype=np.intp)
        observers = np.array([members[0] for members in columns["observer"]], dtype=np.intp)
        found[sources, observers] = columns[which]
        return found

    def to_pandas(self) -> Any:
        """One row a pair."""
        columns = dict(self._all())
        for name in ("source", "observer"):
            columns[name] = [self._name(members) for members in columns[name]]
        columns["exact"] = [None if text is None else Fraction(text) for text in columns["exact"]]
        frame = _pandas().DataFrame(columns)
        return frame.astype({"distance": "Int64"})

    def to_parquet(self, path: str | Path) -> None:
        """All pairs as a Parquet file (pyarrow); fractions as text."""
        frame = self.to_pandas()
        for name in ("source", "observer", "exact"):
            frame[name] = [None if value is None else str(value) for value in frame[name]]
        frame.to_parquet(path, index=False)

    def _name(self, members: list[int]) -> Any:
        names = [self._graph.names[node] for node in members]
        return names[0] if len(names) == 1 else tuple(names)

    def shard(self, index: int, of: int) -> Shard:
        """The part ``index`` of ``of`` parts of the observers: to be run anywhere and merged."""
        return Shard(str(self._protocol), self._options, index, of)

    def by_distance(self, shards: int = 64) -> Pairs:
        """Losses by distance, without keeping pairs: at any size, on the executor if there is one."""
        if self._executor is None:
            with _Bar(self._progress) as shown:
                return merge([self._native.shard(0, 1, shown)])
        parts, retried = _everywhere(self._executor, [self.shard(k, shards) for k in range(shards)], self._progress)
        found = merge(parts)
        return Pairs(found.rows, found.complete, retried)

    def plot(self, ax: Any = None) -> Any:
        """Losses against distance, with matplotlib: the largest, the mean and the smallest certified upper ends."""
        import matplotlib.pyplot as plt

        axes = plt.subplots()[1] if ax is None else ax
        rows = [row for row in self.by_distance() if row["distance"] is not None]
        for which, style in (("max", "o-"), ("mean", "s--"), ("min", "^:")):
            axes.plot([row["distance"] for row in rows], [row[which] for row in rows], style, label=which)
        axes.set_xlabel("distance")
        axes.set_ylabel("loss, in units of L")
        axes.set_yscale("symlog", linthresh=1e-6)
        axes.legend()
        return axes

    def _repr_html_(self) -> str:
        return self.by_distance()._repr_html_()

    def __repr__(self) -> str:
        return f"Account({len(self._graph.names)} nodes, {self._protocol.steps} steps, {self.engine} engine)"

    def __reduce__(self) -> Any:
        return _restored, (self._graph.names, self._graph.graph.edges(), str(self._protocol), self._options, self._progress)


def _restored(names: list[Hashable], edges: list[tuple[int, int]], protocol: str, options: tuple[Any, ...], progress: bool) -> Account:
    graph = native.Graph(len(names), edges)
    places = {name: place for place, name in enumerate(names)}
    return Account(Named(graph, names, places, "metropolis"), native.Protocol.read(protocol), options, None, progress)


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
    engine: str = "auto",
    accelerate: str = "off",
    sigma: float = 1.0,
    sensitivity: float = 1.0,
    threads: int | None = None,
    executor: Executor | None = None,
    progress: bool = False,
) -> Account:
    """The account of a protocol on a graph.

    ``graph`` is a networkx graph, a scipy or numpy adjacency matrix, pairs of nodes, a family (``"hypercube:11"``) or a file.
    ``protocol`` is what the command takes: ``"refreshed:0.1"``, ``"gd:10x4:0.1"``, ... Without ``steps`` there are as many as
    bring the error of inputs within ``sensitivity`` down to that of the noise ``sigma``. ``observers`` is ``"all"``,
    ``"sample:N"``, ``"auto"`` (all, or a sample above 2000 nodes) or a list of nodes.

    >>> import muffliato as mf
    >>> account = mf.account("karate", "refreshed:0.1", steps=4)
    >>> account.loss(33, 3).upper < 0.28
    True
    >>> [row["pairs"] for row in account.by_distance()]
    [156, 530, 274, 146, 16]
    """
    place = named(graph, nodelist, weight, weights)
    places: Callable[[Sequence[Hashable] | None], list[int] | None] = (
        lambda names: None if names is None else [place.place(name) for name in names]
    )
    watching: str | list[int] = observers if isinstance(observers, str) else [place.place(name) for name in observers]
    built = native.Protocol(place.graph, protocol, steps, place.weights, accelerate, sigma, sensitivity)
    options = (watching, places(sources), places(coalition), places(group), view, engine, threads)
    return Account(place, built, options, executor, progress)


def _everywhere(executor: Executor, shards: list[Shard], progress: bool) -> tuple[list[str], int]:
    """All shards on an executor; a shard whose worker died is tried twice more."""
    found: dict[int, str] = {}
    retried = 0
    with _Bar(progress) as shown:
        for attempt in range(3):
            missing = [shard for shard in shards if shard.index not in found]
            try:
                running = {executor.submit(_run, shard): shard for shard in missing}
                for future in as_completed(running):
                    try:
                        found[running[future].index] = future.result()
                    except MuffliatoError:
                        raise
                    except Exception:
                        if attempt == 2:
                            raise
                        retried += 1
                    if shown is not None:
                        shown(len(found), len(shards))
            except MuffliatoError:
                raise
            except Exception:
                if attempt == 2:
                    raise
            if len(found) == len(shards):
                break
    return [found[shard.index] for shard in shards], retried


def _pandas() -> Any:
    try:
        import pandas
    except ImportError:
        raise MuffliatoError("this needs pandas; pip install pandas") from None
    return pandas


class _Bar:
    """Progress through tqdm, if it is wanted and there."""

    def __init__(self, wanted: bool) -> None:
        self._wanted = wanted
        self._bar: Any = None

    def __enter__(self) -> Callable[[int, int], object] | None:
        if not self._wanted:
            return None
        try:
            from tqdm.auto import tqdm
        except ImportError:
            return None
        self._bar = tqdm(unit="observers")
        return self._show

    def _show(self, done: int, total: int) -> None:
        self._bar.total = total
        self._bar.n = done
        self._bar.refresh()

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.close()

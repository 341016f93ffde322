"""Accounts on many workers: shards of the observers, and the merging of their answers."""

from __future__ import annotations

import os
import time
import warnings
import zlib
from collections.abc import Callable, Sequence
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor, as_completed
from contextlib import ExitStack
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple, TypeVar

import numpy as np

from . import _muffliato as native
from ._muffliato import MuffliatoError
from .tables import Bar, Table

Answer = TypeVar("Answer")

ATTEMPTS = 3
"""Number of times a shard is tried before its error is raised."""

SHORTEST, LONGEST = 1.0, 600.0
"""Estimated seconds that a shard should take by default: starting it pays, and little is lost with it."""


class Question(NamedTuple):
    """The sources and observers, by number, and the settings of the engine."""

    observers: str | list[int]
    sources: list[int] | None
    coalition: list[int] | None
    group: list[int] | None
    view: str
    lipschitz: str
    engine: str
    noise: tuple[str, float, int]
    threads: int | None
    max_time: float | None

    def ending(self, until: float | None) -> Question:
        """Returns the question with the remaining time, if there is a deadline."""
        return self if until is None else self._replace(max_time=max(until - time.time(), 0.0))


@dataclass(frozen=True)
class Shard:
    """A part of the observers of a question, which any worker can compute; created by :meth:`Account.shard`.

    Workers use one thread unless more were requested. They start it themselves, since threads do not survive a fork. The shards
    of one answer share the deadline ``until``.
    """

    protocol: bytes
    question: Question
    index: int
    of: int
    until: float | None = None

    def __repr__(self) -> str:
        return f"Shard({self.index} of {self.of})"

    def run(self) -> str | None:
        """Returns the losses by distance as text for :func:`merge`; ``None`` if no observer was finished in time."""
        return self._account().shard(self.index, self.of, None)

    def pairs(self, noise: tuple[float, float, float]) -> dict[str, Any]:
        """Returns the losses of each pair, as columns.

        Parameters
        ----------
        noise : tuple of (sigma, sensitivity, delta)
            What the epsilons are for.
        """
        return arrays(self._account().columns(noise, (self.index, self.of), None))

    def _account(self) -> native.Account:
        return native.Account(read(self.protocol), *self.question._replace(threads=self.question.threads or 1).ending(self.until))


def arrays(columns: dict[str, Any]) -> dict[str, Any]:
    """Converts columns of numbers to numpy arrays."""
    whole = ("source", "observer", "distance", "status")
    return {
        name: np.frombuffer(column, dtype=np.int64 if name in whole else np.float64) if isinstance(column, bytes) else column
        for name, column in columns.items()
    }


def described(protocol: native.Protocol) -> bytes:
    """Compresses the complete text of a protocol."""
    return zlib.compress(str(protocol).encode())


@lru_cache(maxsize=1)
def read(protocol: bytes) -> native.Protocol:
    return native.Protocol.read(zlib.decompress(protocol).decode())


class Pairs(Table):
    """Losses by distance, with one row a distance; the distance is ``None`` where there is no path.

    ``complete`` is true if every observer of the question is included, and ``retried`` is the number of shards that were computed
    again because a worker died. If observers are missing, because the time expired or shards were not merged, ``finished`` is the
    number of those included, and the status is ``partial``.
    """

    def __init__(self, rows: Sequence[dict[str, Any]], complete: bool, finished: int | None = None, retried: int = 0) -> None:
        super().__init__(rows)
        self.complete = complete
        self.finished = finished
        self.retried = retried

    def _said(self) -> Table:
        """Returns the columns that say something."""
        said = {name for row in self for name, value in row.items() if value is not None and value is not False}
        if all(row["estimated_max"] == row["max"] for row in self):
            said.discard("estimated_max")
        return Table({name: value for name, value in row.items() if name in said} for row in self)

    def _repr_html_(self) -> str:
        return self._said()._repr_html_()

    def __repr__(self) -> str:
        which = "all observers" if self.complete else "some observers"
        again = f", {self.retried} shards computed again" if self.retried else ""
        return f"Pairs({len(self)} distances, {which}{again})\n{self._said()!r}"

    def __reduce__(self) -> Any:
        return Pairs, (list(self), self.complete, self.finished, self.retried)


class PartialWarning(UserWarning):
    """The time expired: the answer covers the finished observers and guarantees nothing about the others."""


def told(finished: int, of: int) -> None:
    """Warns if an answer is partial. Raises ``MuffliatoError`` if no observer was finished."""
    said = f"the time is up after {finished} of {of} observers"
    if finished == 0:
        raise MuffliatoError(f"{said}; give it more time, or name fewer observers")
    if finished < of:
        warnings.warn(f"{said}; the others are missing, and may learn more", PartialWarning, stacklevel=3)


def merge(parts: Sequence[str | None]) -> Pairs:
    """Merges the parts of a question, in any order. ``complete`` is true if every observer is included.

    Parameters
    ----------
    parts : sequence of str or None
        The answers of :meth:`Shard.run`, or the files of ``muffliato account --shard``. ``None`` stands for a part of which nothing
        was finished.

    Examples
    --------
    >>> import muffliato as mf
    >>> account = mf.account("path:5", "refreshed:0.1", steps=2)
    >>> parts = [account.shard(k, 3).run() for k in range(3)]
    >>> merge(parts) == account.by_distance(), merge(parts[:2]).complete
    (True, False)
    """
    return Pairs(*native.merged([part for part in parts if part is not None]))


class Pooled(Executor):
    """An executor around a pool like that of ``multiprocessing``, such as ``ray.util.multiprocessing.Pool``.

    >>> from multiprocessing.pool import ThreadPool
    >>> with ThreadPool(2) as pool:
    ...     Pooled(pool).submit(pow, 2, 10).result()
    1024
    """

    def __init__(self, pool: Any) -> None:
        self._pool = pool

    def submit(self, fn: Callable[..., Answer], /, *args: Any, **kwargs: Any) -> Future[Answer]:
        future: Future[Answer] = Future()
        future.set_running_or_notify_cancel()
        self._pool.apply_async(fn, args, kwargs, callback=future.set_result, error_callback=future.set_exception)
        return future


def executing(workers: Any) -> Executor | None:
    """Returns an executor unchanged, and wraps a pool."""
    if workers is None or hasattr(workers, "submit"):
        executor: Executor | None = workers
        return executor
    if hasattr(workers, "apply_async"):
        return Pooled(workers)
    raise MuffliatoError(f"{workers!r} is not an executor or a pool: it has neither submit nor apply_async")


def workers_of(executor: Executor) -> int:
    """Returns the number of workers of an executor, the number of processors if it does not say.

    >>> from concurrent.futures import ThreadPoolExecutor
    >>> workers_of(ThreadPoolExecutor(3))
    3
    """
    client = getattr(executor, "_client", None)
    if client is not None and hasattr(client, "ncores"):
        return max(1, int(sum(client.ncores().values())))
    pool = getattr(executor, "_pool", executor)
    known = (getattr(pool, name, None) for name in ("_max_workers", "_processes", "num_workers"))
    return next((found for found in known if isinstance(found, int) and found > 0), os.cpu_count() or 1)


def parts_of(seconds: float, executor: Executor, observers: int) -> int:
    """Returns the number of parts for work of this many seconds on one thread: a part has its own start, which has to pay for itself.

    >>> from concurrent.futures import ThreadPoolExecutor
    >>> [parts_of(seconds, ThreadPoolExecutor(2), 1000) for seconds in (0.1, 3.0, 60.0, 36_000.0)]
    [1, 3, 8, 60]
    """
    balanced = min(4 * workers_of(executor), int(seconds / SHORTEST))
    return max(1, min(observers, max(balanced, int(seconds / LONGEST))))


def muffliato_shard(work: Callable[[Shard], Answer], shard: Shard) -> Answer:
    """Runs on a worker; schedulers show this name."""
    return work(shard)


def everywhere(
    executor: Executor, work: Callable[[Shard], Answer], shards: Sequence[Shard], keep: Callable[[int, Answer], object], progress: bool
) -> int:
    """Computes all shards on an executor and passes each answer to ``keep`` once. Returns the number of repeated shards.

    A shard whose worker died is given to another worker, by Dask or here, at most three times. A process pool breaks when one of
    its processes dies, so it is replaced by another one of the same size.
    """
    missing = {shard.index: shard for shard in shards}
    retried, before = 0, _retried_by_dask(executor)
    with ExitStack() as stack:
        shown = stack.enter_context(Bar(progress, "shards"))
        for attempt in range(ATTEMPTS):
            last = attempt + 1 == ATTEMPTS
            running: dict[Future[Answer], Shard] = {}
            try:
                for shard in missing.values():
                    running[executor.submit(muffliato_shard, work, shard)] = shard
            except BrokenExecutor:
                if last:
                    raise
            try:
                for future in as_completed(list(running)):
                    shard = running.pop(future)
                    try:
                        answer = future.result()
                    except MuffliatoError:
                        raise
                    except Exception:
                        if last:
                            raise
                        continue
                    del missing[shard.index], future
                    keep(shard.index, answer)
                    if shown is not None:
                        shown(len(shards) - len(missing), len(shards))
            except BaseException:
                for future in running:
                    future.cancel()
                raise
            if not missing:
                break
            retried += len(missing)
            if isinstance(executor, ProcessPoolExecutor):
                executor = stack.enter_context(_renewed(executor))
    return retried + _retried_by_dask(executor) - before


def _renewed(pool: Any) -> ProcessPoolExecutor:
    """Creates a pool of the same size and start method."""
    return ProcessPoolExecutor(pool._max_workers, mp_context=pool._mp_context)


def _retried_by_dask(executor: Executor) -> int:
    """Returns the number of shards that Dask has given to another worker because theirs was lost."""
    client = getattr(executor, "_client", None)
    if client is None or not hasattr(client, "get_events"):
        return 0
    lost = (event for _, event in client.get_events("all") if event.get("action") == "remove-worker")
    keys = (key for event in lost for which in ("processing-tasks", "lost-computed-tasks") for key in event.get(which, ()))
    return sum(str(key).startswith("muffliato_shard") for key in keys)

"""The smallest noise for a target."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

from . import _muffliato as native
from .graphs import named
from .tables import Bar, Table

SEARCHED = ("refreshed", "masked")
"""Protocols whose parameter is searched for if they stand without it."""


def calibrate(
    graph: Any,
    *,
    epsilon: float | None = None,
    delta: float | None = None,
    target_epsilon: float | None = None,
    target_delta: float | None = None,
    protect: str = "all",
    protocols: Sequence[str] = ("one-shot", "refreshed", "masked", "both"),
    secrets: bool = True,
    steps: int | None = None,
    weights: str = "metropolis",
    weight: str | None = None,
    neighbour_epsilon: float | None = None,
    sensitivity: float = 1.0,
    runs: int = 1,
    collude: int | None = None,
    noise: str = "gaussian",
    coordinates: int = 1,
    schedule_is_fixed: bool = False,
    observers: str = "all",
    engine: str = "fast",
    max_time: float | None = None,
    progress: bool = False,
) -> Table:
    """The noise with which each protocol meets (epsilon, delta), certified for all observers, best expected error first.

    ``protect`` is ``"all"``, ``"distance>=K"`` or ``"mean"``, which promises nothing to a single pair. The protocols ``"refreshed"``
    and ``"masked"`` without a value search for the best tau and kappa, and ``"both"`` takes what these two found. Masks need secrets that
    neighbours share: ``secrets=False`` leaves them out. A protocol that cannot meet the target has its reason in ``refused``.

    >>> import muffliato as mf
    >>> rows = mf.calibrate("hypercube:3", epsilon=1, delta=1e-6, steps=4)
    >>> [row["protocol"] for row in rows]
    ['masked', 'both', 'one-shot', 'refreshed']
    >>> rows[0]["trusted_error"] < rows[0]["expected_error"] < rows[2]["expected_error"]
    True

    ``collude=C`` adds what coalitions of C nodes get with this noise: the epsilon of the worst that was found (others may learn more), with its
    members, and the epsilon that is certified for every one of them.

    >>> row = mf.calibrate("hypercube:3", epsilon=1, delta=1e-6, steps=4, protocols=["masked:3"], collude=2)[0]
    >>> 1 < row["coalition_found_epsilon"] <= row["every_coalition_epsilon"] < 2
    True
    >>> len(row["coalition_found"])
    2

    ``noise`` is what a run on a computer draws, for inputs of so many ``coordinates``: what is proved for noise on a grid costs a little more than
    for real numbers, where anything below LDP is proved at all.

    >>> shipped = mf.calibrate("hypercube:3", epsilon=1, delta=1e-6, steps=4, protocols=["masked:3"], noise="rounded:2^-20")[0]
    >>> 1 < shipped["sigma"] / row["sigma"] < 1.001
    True

    A protocol that draws its schedule is calibrated for every schedule, and ``schedule_by`` says by what; ``schedule_is_fixed=True`` is for the one that
    its seed draws.

    >>> far = dict(epsilon=1, delta=1e-6, steps=20, protect="distance>=3", protocols=["refreshed:1+randomized:1"])
    >>> every, one = mf.calibrate("path:6", **far)[0], mf.calibrate("path:6", **far, schedule_is_fixed=True)[0]
    >>> every["schedule"], every["schedule_by"], one["schedule"]
    ('every', 'by first passage over the worst schedule', 'one')
    >>> one["sigma"] < every["sigma"]
    True

    After ``max_time`` seconds each search ends with the best that it finished, and says in ``no_time_for`` which tau or kappa it did not try, and whether coalitions were left out; a protocol that
    nothing was finished of says so in ``refused``. What is there meets the target.

    >>> mf.calibrate("hypercube:3", epsilon=1, delta=1e-6, steps=4, protocols=["refreshed"], max_time=0)
    Traceback (most recent call last):
    ...
    muffliato.MuffliatoError: the time is up after 0 of 8 observers; give it more time, or name fewer observers
    """
    if max_time is not None and not max_time >= 0:
        raise native.MuffliatoError(f"max_time is {max_time}; give seconds, at least 0")
    end = None if max_time is None else time.monotonic() + max_time
    wanted = epsilon if target_epsilon is None else target_epsilon
    at = delta if target_delta is None else target_delta
    if wanted is None or at is None:
        raise native.MuffliatoError("give epsilon and delta")
    place = named(graph, None, weight, weights)
    local = native.local_guarantee(noise, sensitivity, coordinates).sigma_for(wanted, at, sensitivity)
    found: dict[str, dict[str, Any]] = {}
    failed: native.MuffliatoError | None = None
    for protocol in protocols:
        if not secrets and ("masked" in protocol or protocol == "both"):
            continue
        plan, long = "one-shot" if protocol in SEARCHED else protocol, steps
        if protocol == "both":
            parts = [found.get(name, {}).get(parameter) for name, parameter in (("refreshed", "tau"), ("masked", "kappa"))]
            if None in parts:
                continue
            plan, long = f"refreshed:{parts[0]}+masked:{parts[1]}", found["masked"]["steps"]
        built = native.Protocol(place.graph, plan, long, place.weights, "off", local, sensitivity)
        left = None if end is None else max(end - time.monotonic(), 0.0)
        account = native.Account(built, observers, None, None, None, "full", "1", engine, None, left)
        try:
            with Bar(progress) as shown:
                search = protocol if protocol in SEARCHED else None
                row = account.calibrate(
                    wanted, at, protect, neighbour_epsilon, sensitivity, runs, search, schedule_is_fixed, (noise, coordinates), collude, shown
                )
            if row.get("coalition_found") is not None:
                row["coalition_found"] = [place.names[node] for node in row["coalition_found"]]
            found[protocol] = row
        except native.MuffliatoError as error:
            found[protocol] = {"refused": str(error)}
            failed = failed or error
    if failed is not None and all("refused" in row for row in found.values()):
        raise failed
    rows = [{"protocol": protocol, **row} for protocol, row in found.items()]
    return Table(sorted(rows, key=_order))


def _order(row: dict[str, Any]) -> tuple[bool, bool, float]:
    """The smallest expected error first, then the smallest sigma where there is none, then what was refused."""
    error = row.get("expected_error")
    return "refused" in row, error is None, error if error is not None else row.get("sigma", 0.0)

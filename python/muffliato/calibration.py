"""Calibration: the smallest noise for a target."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

from . import _muffliato as native
from .graphs import named
from .tables import Bar, Table

SEARCHED = ("refreshed", "masked")
"""Protocols whose parameter is searched if it is not given."""


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
    """Computes the noise with which each protocol meets (epsilon, delta), certified for all observers.

    Rows are sorted by expected error. ``protect`` is ``"all"``, ``"distance>=K"`` or ``"mean"``, which guarantees nothing for a
    single pair. The protocols ``"refreshed"`` and ``"masked"`` without a value search for the best tau and kappa, and ``"both"``
    combines them. Masks need secrets that neighbours share; ``secrets=False`` omits them. For a protocol that cannot meet the
    target, ``refused`` gives the reason.

    >>> import muffliato as mf
    >>> rows = mf.calibrate("hypercube:3", epsilon=1, delta=1e-6, steps=4)
    >>> [row["protocol"] for row in rows]
    ['masked', 'both', 'one-shot', 'refreshed']
    >>> rows[0]["trusted_error"] < rows[0]["expected_error"] < rows[2]["expected_error"]
    True

    ``collude=C`` adds the epsilons against coalitions of C nodes: that of the worst coalition found, with its members (others may
    learn more), and one that is certified for every coalition.

    >>> row = mf.calibrate("hypercube:3", epsilon=1, delta=1e-6, steps=4, protocols=["masked:3"], collude=2)[0]
    >>> 1 < row["coalition_found_epsilon"] <= row["every_coalition_epsilon"] < 2
    True
    >>> len(row["coalition_found"])
    2

    ``noise`` is the law of the noise that is really drawn, for inputs with this number of ``coordinates``. Noise on a grid needs a
    slightly larger sigma than real numbers, if anything better than LDP is proved.

    >>> shipped = mf.calibrate("hypercube:3", epsilon=1, delta=1e-6, steps=4, protocols=["masked:3"], noise="rounded:2^-20")[0]
    >>> 1 < shipped["sigma"] / row["sigma"] < 1.001
    True

    A protocol that draws its schedule is calibrated for every schedule, and ``schedule_by`` names the bound.
    ``schedule_is_fixed=True`` calibrates for the one schedule that its seed draws.

    >>> far = dict(epsilon=1, delta=1e-6, steps=20, protect="distance>=3", protocols=["refreshed:1+randomized:1"])
    >>> every, one = mf.calibrate("path:6", **far)[0], mf.calibrate("path:6", **far, schedule_is_fixed=True)[0]
    >>> every["schedule"], every["schedule_by"], one["schedule"]
    ('every', 'by first passage over the worst schedule', 'one')
    >>> one["sigma"] < every["sigma"]
    True

    After ``max_time`` seconds each search ends with the best finished value. ``no_time_for`` lists the values of tau or kappa that
    were not tried, and omitted coalitions; ``refused`` marks a protocol without any finished value. All results meet the target.

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
    """Sorts by expected error, then by sigma where there is no error, then refused protocols."""
    error = row.get("expected_error")
    return "refused" in row, error is None, error if error is not None else row.get("sigma", 0.0)

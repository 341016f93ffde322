"""Calibration: the smallest noise for a target."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any, Literal

from . import _muffliato as native
from .graphs import named
from .protocols import Protocol, count
from .tables import Bar, Table

USUAL = ("one-shot", "refreshed", "masked", "both", "designed")
"""The protocols that are compared by default, each with the best parameters tried."""


def calibrate(
    graph: Any,
    *,
    epsilon: float | None = None,
    delta: float | None = None,
    target_epsilon: float | None = None,
    target_delta: float | None = None,
    protect: str = "all",
    protocols: Sequence[Protocol] = USUAL,
    secrets: bool = True,
    steps: int | None = None,
    weights: Any = "metropolis",
    mask_graph: Any = "neighbours",
    neighbour_epsilon: float | None = None,
    sensitivity: float = 1.0,
    runs: int = 1,
    collude: int | None = None,
    noise: str = "gaussian",
    coordinates: int = 1,
    schedule_is_fixed: bool = False,
    observers: str = "all",
    engine: Literal["auto", "fast", "reference"] = "fast",
    max_time: float | None = None,
    progress: bool = False,
) -> Table:
    """Computes the noise with which each protocol meets (epsilon, delta), certified for all observers.

    Rows are sorted by expected error. For a protocol that cannot meet the target, ``refused`` gives the reason.

    Parameters
    ----------
    graph : networkx graph, matrix, data frame, dict, edges, str or path
        As for :func:`muffliato.account`.
    epsilon, delta : float
        The target.
    target_epsilon, target_delta : float
        Other names of the target.
    protect : {"all", "mean"} or "distance>=K", default "all"
        The pairs that the target is for. ``"mean"`` guarantees nothing for a single pair.
    protocols : sequence of protocols, default ("one-shot", "refreshed", "masked", "both", "designed")
        Protocols as for :func:`muffliato.account`. ``"refreshed"`` and ``"masked"`` without a value search for the best tau and
        kappa, ``"both"`` combines them, and ``"designed"`` is the best plan, a size for every draw (:func:`muffliato.plan` returns
        it).
    secrets : bool, default True
        Whether neighbours share secrets, which masks need.
    steps : int, optional
        Gossip steps. By default there are enough to mix, and up to three times as many for masks.
    weights : str or matrix, default "metropolis"
        As for :func:`muffliato.account`.
    mask_graph : graph or {"neighbours", "complete", "regular:D:seed=S"}, default "neighbours"
        Who shares the keys that masks need, as for :func:`muffliato.account`.
    neighbour_epsilon : float, optional
        Another epsilon for neighbours of the observer.
    sensitivity : float, default 1
        Largest change of one input.
    runs : int, default 1
        Number of runs with new noise and the same inputs that the target covers.
    collude : int, optional
        Size of coalitions: adds the epsilon of the worst coalition that was found, with its members, and one that is certified for
        every coalition.
    noise : str, default "gaussian"
        The noise that is really drawn, as for :func:`muffliato.account`. Noise on a grid needs a slightly larger sigma than real
        numbers, if anything better than LDP is proved.
    coordinates : int, default 1
        Number of coordinates of an input.
    schedule_is_fixed : bool, default False
        Calibrates a protocol that draws its schedule for the one that its seed draws. By default the noise suffices for every
        schedule, and ``schedule_by`` names the bound.
    observers : str, default "all"
        The observers. A sample cannot be calibrated for.
    engine : {"auto", "fast", "reference"}, default "fast"
        Floating point with certified ends, or fractions.
    max_time : float, optional
        Seconds after which each search ends with the best finished value. ``no_time_for`` lists what was not tried. All results meet
        the target.
    progress : bool, default False
        Shows a bar by tqdm.

    Examples
    --------
    >>> import muffliato as mf
    >>> rows = mf.calibrate("hypercube:3", epsilon=1, delta=1e-6, steps=4)
    >>> [row["protocol"] for row in rows]
    ['designed', 'masked', 'both', 'one-shot', 'refreshed']
    >>> rows[0]["trusted_error"] < rows[0]["expected_error"] < rows[2]["expected_error"]
    True

    Coalitions of two:

    >>> row = mf.calibrate("hypercube:3", epsilon=1, delta=1e-6, steps=4, protocols=["masked:3"], collude=2)[0]
    >>> 1 < row["coalition_found_epsilon"] <= row["every_coalition_epsilon"] < 2
    True
    >>> len(row["coalition_found"])
    2

    Noise as it is shipped, on a grid:

    >>> shipped = mf.calibrate("hypercube:3", epsilon=1, delta=1e-6, steps=4, protocols=["masked:3"], noise="rounded:2^-20")[0]
    >>> 1 < shipped["sigma"] / row["sigma"] < 1.001
    True

    A schedule that is drawn:

    >>> far = dict(epsilon=1, delta=1e-6, steps=20, protect="distance>=3", protocols=["refreshed:1+randomized:1"])
    >>> every, one = mf.calibrate("path:6", **far)[0], mf.calibrate("path:6", **far, schedule_is_fixed=True)[0]
    >>> every["schedule"], every["schedule_by"], one["schedule"]
    ('every', 'by first passage over the worst schedule', 'one')
    >>> one["sigma"] < every["sigma"]
    True

    No time:

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
    if isinstance(protocols, str):
        raise native.MuffliatoError(f"protocols is a text; give a list: protocols=[{protocols!r}]")
    place = named(graph, None, weights)
    masks = place.mask_graph(mask_graph)
    steps, runs, collude = count("steps", steps), count("runs", runs, 1) or 1, count("collude", collude, 1)
    coordinates = count("coordinates", coordinates, 1) or 1
    local = native.local_guarantee(noise, sensitivity, coordinates).sigma_for(wanted, at, sensitivity)
    target = wanted, at, protect, neighbour_epsilon, runs
    named_ones = list(map(str, protocols))
    usual = [name for name in named_ones if name in USUAL]
    rows: list[dict[str, Any]] = []

    def account(protocol: str) -> native.Account:
        shared = masks if "masked" in protocol else None
        built = native.Protocol(place.graph, protocol, steps, place.weights, "off", local, sensitivity, shared, None)
        left = None if end is None else max(end - time.monotonic(), 0.0)
        return native.Account(built, observers, None, None, None, "full", "1", engine, (noise, sensitivity, coordinates), None, left)

    with Bar(progress) as shown:
        if usual:
            try:
                rows += account("one-shot").compare(target, usual, secrets, masks, steps is not None, collude, shown)
            except native.MuffliatoError as error:
                rows += [{"protocol": name, "refused": str(error)} for name in usual]
        for protocol in named_ones:
            if protocol in USUAL or ("masked" in protocol and not secrets):
                continue
            try:
                rows.append({"protocol": protocol, **account(protocol).calibrate(target, schedule_is_fixed, collude, shown)})
            except native.MuffliatoError as error:
                rows.append({"protocol": protocol, "refused": str(error)})
    if rows and all("refused" in row for row in rows):
        raise native.MuffliatoError(rows[0]["refused"])
    for row in rows:
        if row.get("coalition_found") is not None:
            row["coalition_found"] = [place.names[node] for node in row["coalition_found"]]
    return Table(sorted(rows, key=_order))


def _order(row: dict[str, Any]) -> tuple[bool, bool, float]:
    """Sorts by expected error, then by sigma where there is no error, then refused protocols."""
    error = row.get("expected_error")
    return "refused" in row, error is None, error if error is not None else row.get("sigma", 0.0)

"""The smallest noise for a target."""

from __future__ import annotations

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
    observers: str = "all",
    engine: str = "fast",
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
    """
    wanted = epsilon if target_epsilon is None else target_epsilon
    at = delta if target_delta is None else target_delta
    if wanted is None or at is None:
        raise native.MuffliatoError("give epsilon and delta")
    place = named(graph, None, weight, weights)
    local = native.local_loss().sigma_for(wanted, at, sensitivity)
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
        account = native.Account(built, observers, None, None, None, "full", "1", engine, None)
        try:
            with Bar(progress) as shown:
                search = protocol if protocol in SEARCHED else None
                found[protocol] = account.calibrate(wanted, at, protect, neighbour_epsilon, sensitivity, runs, search, shown)
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

"""The smallest noise for a target."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from . import _muffliato as native
from .accounts import _Bar
from .graphs import named


def calibrate(
    graph: Any,
    *,
    epsilon: float | None = None,
    delta: float | None = None,
    target_epsilon: float | None = None,
    target_delta: float | None = None,
    protect: str = "all",
    protocols: Sequence[str] = ("one-shot", "refreshed"),
    steps: int | None = None,
    weights: str = "metropolis",
    weight: str | None = None,
    neighbour_epsilon: float | None = None,
    sensitivity: float = 1.0,
    observers: str = "all",
    engine: str = "fast",
    progress: bool = False,
) -> list[dict[str, Any]]:
    """The noise with which each protocol meets (epsilon, delta), certified for all observers, best expected error first.

    ``protect`` is ``"all"``, ``"distance>=K"`` or ``"mean"``, which promises nothing to a single pair. The protocol
    ``"refreshed"`` without a value searches for the best tau.

    >>> import muffliato as mf
    >>> rows = mf.calibrate("path:6", epsilon=1, delta=1e-6, protect="distance>=2", steps=3)
    >>> rows[0]["protocol"], rows[0]["sigma"] < rows[1]["sigma"]
    ('refreshed', True)
    """
    wanted = epsilon if target_epsilon is None else target_epsilon
    at = delta if target_delta is None else target_delta
    if wanted is None or at is None:
        raise native.MuffliatoError("give epsilon and delta")
    place = named(graph, None, weight, weights)
    rows = []
    for protocol in protocols:
        search = protocol == "refreshed"
        plan = "one-shot" if search else protocol
        built = native.Protocol(place.graph, plan, steps, place.weights, "off", 1.0, sensitivity)
        account = native.Account(built, observers, None, None, None, "full", engine, None)
        with _Bar(progress) as shown:
            row = account.calibrate(wanted, at, protect, neighbour_epsilon, sensitivity, search, shown)
        rows.append({"protocol": protocol, **row})
    return sorted(rows, key=lambda row: (row["expected_error"] is None, row["expected_error"] or row["sigma"]))

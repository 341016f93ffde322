"""Plans: the best noise for a graph, a size for every draw."""

from __future__ import annotations

import os
from collections.abc import Hashable, Iterable, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

from . import _muffliato as native
from ._muffliato import MuffliatoError
from .graphs import Named, named
from .protocols import count

Targets = Mapping[tuple[Hashable, Hashable], float] | Iterable[tuple[Hashable, Hashable, float]]
"""Epsilons of (source, observer)."""


class Plan:
    """A size for every draw, created by :func:`plan`.

    Every node adds noise of its own to its input. The first node of an edge in ``masks`` adds the mask that the two share, and the
    second subtracts it, so that masks cancel in the mean.

    Attributes
    ----------
    epsilon, delta : float
        The target.
    sigma : float
        The noise of local differential privacy at the target: the unit of the variances.
    sensitivity : float
        Largest change of one input.
    steps : int
        Number of gossip steps.
    variances : dict of node to Fraction
        Variance of the noise of each node, in units of ``sigma ** 2``.
    noise : dict of node to float
        Standard deviation of the noise of each node, rounded up.
    mask_variances : dict of (node, node) to Fraction
        Variance of each mask that is drawn, in units of ``sigma ** 2``.
    masks : dict of (node, node) to float
        Standard deviation of each mask that is drawn, rounded up.
    lower, upper : float
        Certified ends of the least error of such plans, judged by the masked bound, in multiples of a trusted aggregator's. This
        plan attains the upper one.
    binding : list of (node, tuple of nodes, float)
        Sources and observers that keep every plan from costing less, with their part of the lower end.
    partial : bool
        Whether the time was too short for the gap.
    """

    def __init__(self, graph: Named, found: native.Plan, target: tuple[float, float], sensitivity: float) -> None:
        names = graph.names
        self._graph, self._native = graph, found
        self.epsilon, self.delta = target
        self.sensitivity = sensitivity
        self.sigma, self.steps, self.partial = found.sigma, found.steps, found.partial
        nodes = dict(zip(names, found.nodes()))
        masks = {(names[u], names[v]): drawn for (u, v), drawn in found.masks()}
        self.variances = {name: Fraction(variance) for name, (variance, _) in nodes.items()}
        self.noise = {name: deviation for name, (_, deviation) in nodes.items()}
        self.mask_variances = {edge: Fraction(variance) for edge, (variance, _) in masks.items()}
        self.masks = {edge: deviation for edge, (_, deviation) in masks.items()}
        self.lower, self.upper = found.ends
        self.binding = [(names[u], tuple(names[v] for v in observers), part) for u, observers, part in found.binding()]

    def for_node(self, name: Hashable) -> dict[str, Any]:
        """Returns what one node needs to know: its noise, its neighbours and its masks.

        Parameters
        ----------
        name : node
            The node.

        Examples
        --------
        >>> import muffliato as mf
        >>> part = mf.plan("florentine", epsilon=1, delta=1e-6, steps=20).for_node("Pazzi")
        >>> part["neighbours"], [(mask["with"], mask["adds"]) for mask in part["masks"]]
        (['Salviati'], [('Salviati', False)])
        """
        place, names = self._graph.place(name), self._graph.names
        ends = [(v if u == place else u) for u, v in self._graph.graph.edges() if place in (u, v)]
        shared = [(v, True, size) if u == name else (u, False, size) for (u, v), size in self.masks.items() if name in (u, v)]
        return {
            "node": name,
            "epsilon": self.epsilon,
            "delta": self.delta,
            "steps": self.steps,
            "standard_deviation": self.noise[name],
            "neighbours": [names[v] for v in sorted(ends)],
            "masks": [{"with": other, "adds": adds, "standard_deviation": size} for other, adds, size in shared],
        }

    def if_one_is_missing(self) -> dict[str, Any]:
        """Returns what one more node costs that is missing when noise is injected and takes its noise along.

        ``epsilon`` is that of the worst pair, ``source`` and ``observers``. On large graphs ``not_known`` gives the reason.

        Examples
        --------
        >>> import muffliato as mf
        >>> mf.plan("ring:5", epsilon=1, delta=1e-6, steps=9).if_one_is_missing()["epsilon"] > 1
        True
        """
        worst, why = self._native.if_one_is_missing()
        if worst is None:
            return {"not_known": why}
        within, epsilon, source, observers = worst
        names = self._graph.names
        return {"within_target": within, "epsilon": epsilon, "source": names[source], "observers": tuple(names[v] for v in observers)}

    def save(self, path: str | Path) -> Path:
        """Writes the plan with the proofs of both ends, for ``muffliato verify`` and ``--plan``. Returns the path.

        Parameters
        ----------
        path : str or path
            The file to write.
        """
        Path(path).write_text(self._native.text() + "\n", encoding="utf-8")
        return Path(path)

    def __repr__(self) -> str:
        part = ", partial" if self.partial else ""
        gap = max(self.upper / self.lower - 1, 0)
        return (
            f"Plan({self._graph.title!r}, epsilon={self.epsilon:g}, delta={self.delta:g}, {len(self.noise)} nodes, {len(self.masks)} masks, "
            f"{self.steps} steps, sigma={self.sigma:.4g}, error {self.upper:.4g} times a trusted aggregator's (at most {gap:.2%} above the best){part})"
        )


def plan(
    graph: Any,
    *,
    epsilon: float,
    delta: float,
    steps: int | None = None,
    weights: Any = "metropolis",
    mask_graph: Any = "neighbours",
    protect: str = "all",
    targets: Targets | None = None,
    collude: int = 1,
    missing: int = 0,
    sensitivity: float = 1.0,
    gap: float = 0.01,
    max_time: float | None = None,
) -> Plan:
    """Finds the best noise for a graph: a size for every node's noise and for every mask.

    The target holds towards honest but curious observers who do not know the keys of others, for Gaussian noise in real numbers
    (not on a grid) and one run. No plan for these weights, steps and mask graph that meets it by the masked bound has an error below
    the lower end.

    Parameters
    ----------
    graph : networkx graph, matrix, data frame, dict, edges, str or path
        As for :func:`muffliato.account`.
    epsilon, delta : float
        The target.
    steps : int, optional
        Gossip steps. By default three times as many as plain gossip takes to mix, since masks take longer.
    weights : str or matrix, default "metropolis"
        As for :func:`muffliato.account`.
    mask_graph : graph or {"neighbours", "complete", "regular:D:seed=S"}, default "neighbours"
        Who shares the keys that masks need, as for :func:`muffliato.account`.
    protect : {"all"} or "distance>=K", default "all"
        The pairs that the target is for.
    targets : dict or sequence, optional
        An epsilon for each pair that is protected, as ``{(source, observer): epsilon}`` or ``[(source, observer, epsilon), ...]``.
        Other pairs have none.
    collude : int, default 1
        The target holds towards every coalition of so many nodes (small graphs).
    missing : int, default 0
        The target holds with any so many nodes missing when noise is injected (small graphs).
    sensitivity : float, default 1
        Largest change of one input.
    gap : float, default 0.01
        How far above the lower end the plan may be, relative to it.
    max_time : float, optional
        Seconds after which the best plan so far is returned; its ``partial`` is true if the gap is larger.

    Returns
    -------
    Plan

    Raises
    ------
    MuffliatoError
        A ``ValueError`` whose message says what to do.

    Examples
    --------
    >>> import muffliato as mf
    >>> plan = mf.plan("florentine", epsilon=1, delta=1e-6, steps=40)
    >>> plan.lower < plan.upper < 6  # local differential privacy: 15
    True
    >>> len(plan.noise), plan.masks["Salviati", "Pazzi"] > 0
    (15, True)

    The account of the plan, with its sigma and its steps:

    >>> worst = mf.account("florentine", plan=plan).guarantee("Pazzi", "Salviati")
    >>> worst.epsilon(delta=1e-6) <= 1
    True

    Trust by pair:

    >>> some = mf.plan("path:4", epsilon=1, delta=1e-6, steps=9, targets={(0, 1): 1, (3, 2): 2})
    >>> some.noise[3] < some.noise[0]
    True
    """
    place = named(graph, None, weights)
    pairs = None
    if targets is not None:
        if protect != "all":
            raise MuffliatoError("targets names the pairs that are protected; leave protect out")
        listed = [(*pair, size) for pair, size in targets.items()] if isinstance(targets, Mapping) else list(targets)
        try:
            pairs = [(place.place(source), place.place(observer), float(size)) for source, observer, size in listed]
        except (TypeError, ValueError) as error:
            if isinstance(error, MuffliatoError):
                raise
            raise MuffliatoError("targets must be {(source, observer): epsilon} or a list of (source, observer, epsilon)") from None
    observers = (count("collude", collude, 1) or 1) + (count("missing", missing) or 0)
    target = epsilon, delta, protect, None, 1
    masks = place.mask_graph(mask_graph)
    found = native.Plan(place.graph, place.weights, target, sensitivity, pairs, masks, observers, count("steps", steps, 1), gap, max_time)
    return Plan(place, found, (epsilon, delta), sensitivity)


def read_plan(plan: Plan | str | os.PathLike[str]) -> tuple[native.Plan, float | None]:
    """Returns a plan, or one on file, with its sigma if it is known."""
    if isinstance(plan, Plan):
        return plan._native, plan.sigma
    try:
        text = Path(plan).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError, TypeError) as error:
        raise MuffliatoError(f"plan= takes what muffliato.plan returns, or its file; {plan!r} cannot be read: {error}") from None
    return native.Plan.read(text), None

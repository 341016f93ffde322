"""An accountant for repeated runs."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable
from typing import Any

import numpy as np

from ._muffliato import MuffliatoError, spelled
from .accounts import Account, account
from .losses import Guarantee
from .protocols import Protocol, count

Pair = tuple[Hashable, Hashable]


class BudgetSpent(MuffliatoError):
    """The error of a run that would exceed the budget of a pair."""


class PairwiseAccountant:
    """Counts runs of a protocol with new noise and computes what they cost the pair that loses most.

    A run of averaging has fresh noise and inputs that may depend on what was published before; losses of runs add up (adaptive
    composition of Gaussian mechanisms). A run of gradient descent is ``rounds`` more rounds, whether they go on from the hidden states
    of the last ones or start again: the larger of the two losses counts. With a budget ``(epsilon, delta)``, a run that would exceed
    it raises :class:`BudgetSpent` and is not counted. The methods have the names that other accountants use: ``step``, ``compose``, ``get_epsilon``, ``get_delta``,
    ``would_exceed``, ``state_dict``, ``load_state_dict``.

    Parameters
    ----------
    graph : networkx graph, matrix, data frame, dict, edges, str or path
        As for :func:`muffliato.account`.
    protocol : Averaging, GradientDescent or str, default "one-shot"
        The protocol of one run.
    sigma : float, optional
        Standard deviation of the noise. Either this or ``noise_multiplier`` is needed.
    noise_multiplier : float, optional
        Sigma over the sensitivity.
    sensitivity : float, default 1
        Largest change of one input.
    run_steps : int, optional
        Gossip steps of a run of averaging.
    pairs : list of (source, observer), optional
        The pairs that count. All pairs by default, which needs every node as an observer.
    epsilon, delta : float, optional
        The budget.
    target_epsilon, target_delta : float, optional
        Other names of the budget.
    **options
        Further arguments of :func:`muffliato.account`, such as ``lipschitz``.

    Examples
    --------
    >>> import muffliato as mf
    >>> accountant = mf.PairwiseAccountant("hypercube:4", "masked:3", run_steps=2, sigma=8.0, epsilon=1.0, delta=1e-6)
    >>> while not accountant.would_exceed():
    ...     accountant.step()
    >>> accountant
    PairwiseAccountant('masked:3', 73 runs, sigma=8, epsilon 0.9939 of 1 at delta 1e-06)
    >>> accountant.get_epsilon(1e-6) == accountant.get_epsilon(1e-6, 0, 1)
    True
    """

    def __init__(
        self,
        graph: Any,
        protocol: Protocol = "one-shot",
        *,
        sigma: float | None = None,
        noise_multiplier: float | None = None,
        sensitivity: float = 1.0,
        run_steps: int | None = None,
        pairs: list[Pair] | None = None,
        epsilon: float | None = None,
        delta: float | None = None,
        target_epsilon: float | None = None,
        target_delta: float | None = None,
        **options: Any,
    ) -> None:
        if (sigma is None) == (noise_multiplier is None):
            raise MuffliatoError("give sigma or noise_multiplier")
        self.sigma: float = sigma if noise_multiplier is None else noise_multiplier * sensitivity  # type: ignore[assignment]
        self.sensitivity = sensitivity
        self.runs = 0
        self._epsilon = epsilon if target_epsilon is None else target_epsilon
        self._delta = delta if target_delta is None else target_delta
        if (self._epsilon is None) != (self._delta is None):
            raise MuffliatoError("a budget needs epsilon and delta")
        if pairs is not None and not pairs:
            raise MuffliatoError("pairs is empty; leave it out to count all pairs")
        self._protocol = spelled(str(protocol))
        self._pairs = None if pairs is None else list(pairs)
        self._graph, self._options = graph, {**options, "steps": run_steps, "sigma": self.sigma, "sensitivity": sensitivity}
        self._account: Account = account(graph, protocol, **self._options)
        self._found: dict[tuple[int, Hashable | None, Hashable | None], Guarantee] = {}

    def step(self, runs: int = 1) -> None:
        """Counts more runs.

        Parameters
        ----------
        runs : int, default 1
            Number of runs.

        Raises
        ------
        BudgetSpent
            If they exceed the budget. None of them is counted then.
        """
        more = count("runs", runs, 1) or 1
        if self._epsilon is not None and self._delta is not None:
            after = self._spent(None, None, self.runs + more, self._delta)
            if after > self._epsilon:
                raise BudgetSpent(f"{self.runs + more} runs cost epsilon {after:.4g} at delta {self._delta}, the budget is {self._epsilon}")
        self.runs += more

    def compose(self, runs: int = 1) -> PairwiseAccountant:
        """Counts more runs as :meth:`step` does, and returns the accountant.

        Parameters
        ----------
        runs : int, default 1
            Number of runs.
        """
        self.step(runs)
        return self

    def would_exceed(self, epsilon: float | None = None, delta: float | None = None, runs: int = 1) -> bool:
        """Returns whether more runs would exceed a budget.

        Parameters
        ----------
        epsilon, delta : float, optional
            The budget; by default that of the accountant.
        runs : int, default 1
            Number of further runs.
        """
        epsilon, delta = self._epsilon if epsilon is None else epsilon, self._delta if delta is None else delta
        if epsilon is None or delta is None:
            raise MuffliatoError("there is no budget; give epsilon and delta, here or to the accountant")
        return self._spent(None, None, self.runs + (count("runs", runs) or 0), delta) > epsilon

    def guarantee(self, source: Hashable | None = None, observer: Hashable | None = None) -> Guarantee | None:
        """Returns the guarantee for all runs so far; ``None`` before the first run.

        Parameters
        ----------
        source, observer : node, optional
            The pair; by default the one that loses most.
        """
        return None if self.runs == 0 else self._after(self.runs, source, observer)

    def get_epsilon(self, delta: float, source: Hashable | None = None, observer: Hashable | None = None) -> float:
        """Returns the epsilon so far; 0 before the first run.

        Parameters
        ----------
        delta : float
            The delta.
        source, observer : node, optional
            The pair; by default the one that loses most.
        """
        return self._spent(source, observer, self.runs, delta)

    def get_delta(self, epsilon: float, source: Hashable | None = None, observer: Hashable | None = None) -> float:
        """Returns the delta so far; 0 before the first run.

        Parameters
        ----------
        epsilon : float
            The epsilon.
        source, observer : node, optional
            The pair; by default the one that loses most.
        """
        promised = self.guarantee(source, observer)
        return 0.0 if promised is None else promised.delta(epsilon=epsilon)

    def state_dict(self) -> dict[str, Any]:
        """Returns the state for a checkpoint."""
        return {"runs": self.runs, "sigma": self.sigma, "sensitivity": self.sensitivity, "protocol": self._account.protocol}

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Restores the state of a checkpoint, which must have the same protocol and noise.

        Parameters
        ----------
        state : dict
            The result of :meth:`state_dict`.
        """
        mine = self.state_dict()
        for name in ("sigma", "sensitivity", "protocol"):
            if state.get(name) != mine[name]:
                raise MuffliatoError(f"the checkpoint has another {name}; make the accountant with the same arguments")
        runs = state.get("runs")
        if not isinstance(runs, int) or runs < 0:
            raise MuffliatoError("the checkpoint has no number of runs")
        self.runs = runs

    def _spent(self, source: Hashable | None, observer: Hashable | None, runs: int, delta: float) -> float:
        return 0.0 if runs == 0 else self._after(runs, source, observer).epsilon(delta=delta)

    def _after(self, runs: int, source: Hashable | None, observer: Hashable | None) -> Guarantee:
        """Returns the guarantee for this many runs."""
        again = self._of(self._account, 1, source, observer).repeated(runs)
        rounds = re.match(r"gd:(\d+)x", self._protocol)
        if rounds is None or runs == 1:
            return again
        longer = self._protocol.replace(rounds[0], f"gd:{runs * int(rounds[1])}x", 1)
        on = self._of(lambda: account(self._graph, longer, **self._options), runs, source, observer)
        return max(on, again, key=lambda promised: promised.upper)

    def _of(
        self, accounted: Account | Callable[[], Account], runs: int, source: Hashable | None, observer: Hashable | None
    ) -> Guarantee:
        """Returns the guarantee of an account, by default that of the pair that loses most, and keeps it."""
        asked = runs, source, observer
        if asked not in self._found:
            of = accounted if isinstance(accounted, Account) else accounted()
            pairs = [(source, observer)] if source is not None else self._pairs or [self._worst_of_all(of)]
            self._found[asked] = max((of.guarantee(*pair) for pair in pairs), key=lambda promised: promised.upper)
        return self._found[asked]

    def _worst_of_all(self, of: Account) -> Pair:
        """Returns the pair with the largest epsilon, which has it after any number of runs."""
        found = of._all(1e-6)
        sets = found["sources"], found["observers"]
        nodes = len(of.nodes)
        if any(len(members) != nodes or any(len(set_) != 1 for set_ in members) for members in sets) or found["finished"] < nodes:
            raise MuffliatoError("only all pairs of nodes have a worst one; name pairs=, and leave observers and sources out")
        worst = int(np.argmax(found["epsilon"]))
        source, observer = (members[found[which][worst]][0] for members, which in zip(sets, ("source", "observer")))
        return of.nodes[source], of.nodes[observer]

    def __repr__(self) -> str:
        budget = ""
        if self._epsilon is not None and self._delta is not None:
            spent = self._spent(None, None, self.runs, self._delta)
            budget = f", epsilon {spent:.4g} of {self._epsilon:.4g} at delta {self._delta:g}"
        return f"PairwiseAccountant({self._protocol!r}, {self.runs} runs, sigma={self.sigma:.4g}{budget})"

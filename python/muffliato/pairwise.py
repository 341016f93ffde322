"""An accountant for loops: rounds are counted, and pairs are asked about."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

from ._muffliato import MuffliatoError
from .accounts import Account, account
from .losses import Guarantee, over_sensitivity


class BudgetSpent(MuffliatoError):
    """One more round would take a pair beyond its budget."""


class PairwiseAccountant:
    """Counts runs of a protocol with new noise, and says what pairs have lost; of training, what is promised with its ``lipschitz``.

    Each ``step()`` is one run with fresh noise on inputs that may depend on what was published before; losses of runs add up
    (adaptive composition of Gaussian mechanisms). With a budget ``(epsilon, delta)`` the step that would exceed it for
    ``pairs`` raises :class:`BudgetSpent`, and is not counted.

    >>> import muffliato as mf
    >>> accountant = mf.PairwiseAccountant("karate", "refreshed:0.1", run_steps=2, sigma=2.0)
    >>> accountant.step(3)
    >>> accountant.get_epsilon(33, 3, delta=1e-6) > accountant.compose(0).get_epsilon(33, 3, delta=1e-6)
    True
    """

    def __init__(
        self,
        graph: Any,
        protocol: str = "one-shot",
        *,
        sigma: float | None = None,
        noise_multiplier: float | None = None,
        sensitivity: float = 1.0,
        run_steps: int | None = None,
        pairs: list[tuple[Hashable, Hashable]] | None = None,
        epsilon: float | None = None,
        delta: float | None = None,
        target_epsilon: float | None = None,
        target_delta: float | None = None,
        **options: Any,
    ) -> None:
        epsilon = epsilon if target_epsilon is None else target_epsilon
        delta = delta if target_delta is None else target_delta
        noise = over_sensitivity(sigma, noise_multiplier)
        sigma = noise if noise_multiplier is None else noise * sensitivity
        if (epsilon is None) != (delta is None) or (epsilon is not None and not pairs):
            raise MuffliatoError("a budget is epsilon, delta and the pairs (source, observer) that it is for")
        self._account: Account = account(
            graph, protocol, steps=run_steps, sigma=sigma, sensitivity=sensitivity, **options
        )
        self.sigma = sigma
        self.sensitivity = sensitivity
        self._budget = (epsilon, delta)
        self._pairs = list(pairs or [])
        self.runs = 0

    def step(self, runs: int = 1) -> None:
        """Counts so many more runs; :class:`BudgetSpent` if that is too much for a pair, and then none is counted."""
        if runs < 1:
            raise MuffliatoError("a step is at least one run")
        epsilon, delta = self._budget
        if epsilon is not None and delta is not None:
            for source, observer in self._pairs:
                found = self._at(source, observer, self.runs + runs, delta)
                if found > epsilon:
                    raise BudgetSpent(
                        f"{source!r} towards {observer!r}: {self.runs + runs} runs cost epsilon {found:.4g}, the budget is {epsilon}"
                    )
        self.runs += runs

    def guarantee(self, source: Hashable, observer: Hashable) -> Guarantee | None:
        """What is promised for all runs so far; ``None`` before the first run."""
        return None if self.runs == 0 else self._account.guarantee(source, observer).repeated(self.runs)

    def get_epsilon(self, source: Hashable, observer: Hashable, delta: float) -> float:
        """The epsilon so far; 0 before the first run."""
        return self._at(source, observer, self.runs, delta)

    def get_delta(self, source: Hashable, observer: Hashable, epsilon: float) -> float:
        """The delta so far; 0 before the first run."""
        promised = self.guarantee(source, observer)
        return 0.0 if promised is None else promised.delta(sigma=self.sigma, epsilon=epsilon, sensitivity=self.sensitivity)

    def compose(self, runs: int) -> PairwiseAccountant:
        """The same accountant after so many runs in all."""
        other = object.__new__(PairwiseAccountant)
        other.__dict__.update(self.__dict__)
        other.runs = runs
        return other

    def state_dict(self) -> dict[str, Any]:
        """What a checkpoint keeps."""
        return {
            "runs": self.runs,
            "sigma": self.sigma,
            "sensitivity": self.sensitivity,
            "protocol": self._account.protocol,
        }

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Goes on from a checkpoint of the same protocol and noise; another one is refused."""
        mine = self.state_dict()
        for name in ("sigma", "sensitivity", "protocol"):
            if state.get(name) != mine[name]:
                raise MuffliatoError(f"the checkpoint is of another {name}; make the accountant with the same arguments")
        runs = state.get("runs")
        if not isinstance(runs, int) or runs < 0:
            raise MuffliatoError("the checkpoint has no number of runs")
        self.runs = runs

    def _at(self, source: Hashable, observer: Hashable, runs: int, delta: float) -> float:
        if runs == 0:
            return 0.0
        promised = self._account.guarantee(source, observer).repeated(runs)
        return promised.epsilon(sigma=self.sigma, delta=delta, sensitivity=self.sensitivity)

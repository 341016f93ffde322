"""What one user loses to one observer, and what is promised."""

from __future__ import annotations

import json
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from . import _muffliato as native
from ._muffliato import MuffliatoError
from .tables import package


@dataclass(frozen=True)
class Loss:
    """What one user, or a group, loses to one observer, in units of the local (LDP) loss.

    ``lower`` and ``upper`` are certified, ``value`` is the best guess, ``status`` is exact, certified or estimate, and
    ``exact`` is the fraction where there is one. It promises nothing: for training it is the loss in the model ``model``. What is
    promised is a :class:`Guarantee`, which :meth:`Account.guarantee` makes.

    >>> import muffliato as mf
    >>> loss = mf.account("path:3", "refreshed:1/2", steps=2).loss(0, 2)
    >>> loss.exact, loss.status
    (Fraction(4, 13), 'exact')
    >>> hasattr(loss, "epsilon")
    False
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
        ends, status, exact, inputs, model = found.parts
        return Loss(*ends, status, None if exact is None else Fraction(exact), inputs, model, found)

    def hypothetical_epsilon(self, *, sigma: float, delta: float, sensitivity: float = 1.0) -> float:
        """The epsilon that the upper end would have if it were promised, which it is not.

        >>> import muffliato as mf
        >>> training = mf.account("karate", "gd:10x1")
        >>> training.loss(33, 3).hypothetical_epsilon(sigma=2, delta=1e-6) < training.guarantee(33, 3).epsilon(sigma=2, delta=1e-6)
        True
        """
        return self._native.hypothetical_epsilon(sigma, delta, sensitivity)

    def for_scalars(self) -> Loss:
        """The loss if every input is one number: not above that of vectors."""
        return Loss._of(self._native.for_scalars())

    def __repr__(self) -> str:
        exact = "" if self.exact is None or self.exact.denominator > 10**12 else f", exact={self.exact}"
        return f"Loss({self.lower:.6g} <= {self.upper:.6g}, {self.status}{exact})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Loss) and self._native.text() == other._native.text()

    def __hash__(self) -> int:
        return hash(self._native.text())

    def __reduce__(self) -> Any:
        return _read, (self._native.text(),)


def _read(text: str) -> Loss:
    return Loss._of(native.Loss.read(text))


@dataclass(frozen=True)
class Guarantee:
    """An upper bound on a loss, exact or certified, with everything that it depends on; made by :meth:`Account.guarantee`.

    It alone has an epsilon. ``str`` is the sentence with all conditions, ``record()`` what a file says.

    >>> import muffliato as mf
    >>> promised = mf.account("path:3", "refreshed:1/2", steps=2).guarantee(0, 2)
    >>> promised.exact, promised.status
    (Fraction(4, 13), 'exact')
    >>> promised.get_epsilon(1e-6, sigma=2) == promised.epsilon(sigma=2, delta=1e-6)
    True
    >>> str(promised).startswith("node 0 loses at most 0.308 L (exact) to node 2, who knows the noise that it drew")
    True
    """

    upper: float
    status: str
    exact: Fraction | None
    _native: native.Guarantee

    @staticmethod
    def _of(found: native.Guarantee) -> Guarantee:
        upper, status, exact = found.parts
        return Guarantee(upper, status, None if exact is None else Fraction(exact), found)

    def record(self) -> dict[str, Any]:
        """The loss and its conditions, as on file. A record promises nothing: anybody can write one."""
        return dict(json.loads(self._native.text()))

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

    def noise_multiplier(self, *, target_epsilon: float, target_delta: float) -> float:
        """The same by the names of other accountants: sigma over the sensitivity.

        >>> import muffliato as mf
        >>> promised = mf.account("path:3", "one-shot", steps=2).guarantee(0, 2)
        >>> noise = promised.noise_multiplier(target_epsilon=1, target_delta=1e-6)
        >>> 0.999 < promised.get_epsilon(1e-6, noise_multiplier=noise) <= 1
        True
        """
        return self.sigma(epsilon=target_epsilon, delta=target_delta)

    def repeated(self, runs: int) -> Guarantee:
        """The guarantee for so many runs with new noise and the same inputs.

        >>> import muffliato as mf
        >>> mf.account("path:3", "one-shot", steps=2).guarantee(0, 2).repeated(3).exact
        Fraction(3, 1)
        """
        return Guarantee._of(self._native.repeated(runs))

    def get_epsilon(self, delta: float, *, sigma: float | None = None, noise_multiplier: float | None = None) -> float:
        """As other accountants call it; ``noise_multiplier`` is sigma over the sensitivity."""
        return self.epsilon(sigma=over_sensitivity(sigma, noise_multiplier), delta=delta)

    def get_delta(self, epsilon: float, *, sigma: float | None = None, noise_multiplier: float | None = None) -> float:
        """As other accountants call it."""
        return self.delta(sigma=over_sensitivity(sigma, noise_multiplier), epsilon=epsilon)

    def to_dp_event(self, *, sigma: float, sensitivity: float = 1.0, kind: str = "gaussian") -> Any:
        """This guarantee as an event of Google's dp-accounting, to be composed there: ``gaussian`` or ``zcdp``."""
        dp_event = package("dp_accounting.dp_event", "to_dp_event")
        if kind == "zcdp":
            return dp_event.ZCDpEvent(self.zcdp(sigma=sigma, sensitivity=sensitivity))
        if kind != "gaussian":
            raise MuffliatoError(f"there is no event {kind!r}; ask for gaussian or zcdp")
        mu = self.mu(sigma=sigma, sensitivity=sensitivity)
        if mu == 0:
            return dp_event.NoOpDpEvent()
        return dp_event.GaussianDpEvent(float(np.nextafter(1 / mu, 0)))

    def __str__(self) -> str:
        return str(self._native)

    def __repr__(self) -> str:
        return f"Guarantee({self})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Guarantee) and self._native.text() == other._native.text()

    def __hash__(self) -> int:
        return hash(self._native.text())

    def __reduce__(self) -> Any:
        raise MuffliatoError("an account makes guarantees, and they do not travel; send its record(), or make the account there")


def over_sensitivity(sigma: float | None, noise_multiplier: float | None) -> float:
    """Sigma at a sensitivity of 1, by either of its names."""
    if (sigma is None) == (noise_multiplier is None):
        raise MuffliatoError("give sigma or noise_multiplier")
    return sigma if noise_multiplier is None else noise_multiplier  # type: ignore[return-value]

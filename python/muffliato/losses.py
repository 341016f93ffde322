"""Losses of users to observers, and guarantees."""

from __future__ import annotations

import json
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

import numpy as np

from . import _muffliato as native
from ._muffliato import MuffliatoError
from .protocols import count
from .tables import package


@dataclass(frozen=True)
class Loss:
    """The loss of one user, or a group, to one observer, in units of the local (LDP) loss.

    ``lower`` and ``upper`` are certified, ``value`` is the best estimate, ``status`` is exact, certified or estimate, and
    ``exact`` is the fraction if it is known. A loss is not a guarantee: for training it is the loss in the model ``model``.
    :meth:`Account.guarantee` returns a :class:`Guarantee`.

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
        """Returns the epsilon that the upper end would have if it were a guarantee.

        Parameters
        ----------
        sigma : float
            Standard deviation of the noise.
        delta : float
            The delta.
        sensitivity : float, default 1
            Largest change of one input.

        Examples
        --------
        >>> import muffliato as mf
        >>> training = mf.account("karate", "gd:10x1")
        >>> training.loss(33, 3).hypothetical_epsilon(sigma=2, delta=1e-6) < training.guarantee(33, 3).epsilon(sigma=2, delta=1e-6)
        True
        """
        return self._native.hypothetical_epsilon(sigma, delta, sensitivity)

    def for_scalars(self) -> Loss:
        """Returns the loss if every input is one number, which is at most that of vectors."""
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
    """An upper bound on a loss, exact or certified, with all its conditions; created by :meth:`Account.guarantee`.

    Only a guarantee has an epsilon. ``str`` returns a sentence with all conditions, and ``record()`` a dictionary for files. Sigma
    and the sensitivity are those of the account, unless a method is given others.

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
    _sigma: float | None = None
    _sensitivity: float = 1.0

    @staticmethod
    def _of(found: native.Guarantee, sigma: float | None = None, sensitivity: float = 1.0) -> Guarantee:
        upper, status, exact = found.parts
        return Guarantee(upper, status, None if exact is None else Fraction(exact), found, sigma, sensitivity)

    def _at(self, sigma: float | None, sensitivity: float | None) -> tuple[float, float]:
        """Returns sigma and the sensitivity, where they are missing those of the account."""
        chosen = self._sigma if sigma is None else sigma
        if chosen is None:
            raise MuffliatoError("give sigma, here or to the account")
        return chosen, self._sensitivity if sensitivity is None else sensitivity

    def record(self) -> dict[str, Any]:
        """Returns the loss and its conditions as a dictionary. A record is not a guarantee, since anybody can write one."""
        return dict(json.loads(self._native.text()))

    def epsilon(self, *, delta: float, sigma: float | None = None, sensitivity: float | None = None) -> float:
        """Returns the epsilon of (epsilon, delta)-differential privacy.

        Parameters
        ----------
        delta : float
            The delta.
        sigma : float, optional
            Standard deviation of the noise; by default that of the account.
        sensitivity : float, optional
            Largest change of one input; by default that of the account.
        """
        sigma, sensitivity = self._at(sigma, sensitivity)
        return self._native.epsilon(sigma, delta, sensitivity)

    def delta(self, *, epsilon: float, sigma: float | None = None, sensitivity: float | None = None) -> float:
        """Returns the delta of (epsilon, delta)-differential privacy.

        Parameters
        ----------
        epsilon : float
            The epsilon.
        sigma, sensitivity : float, optional
            As in :meth:`epsilon`.
        """
        sigma, sensitivity = self._at(sigma, sensitivity)
        return self._native.delta(sigma, epsilon, sensitivity)

    def mu(self, *, sigma: float | None = None, sensitivity: float | None = None) -> float:
        """Returns the mu of Gaussian differential privacy.

        Parameters
        ----------
        sigma, sensitivity : float, optional
            As in :meth:`epsilon`.
        """
        return self._native.mu(*self._at(sigma, sensitivity))

    def rdp(self, alpha: float, *, sigma: float | None = None, sensitivity: float | None = None) -> float:
        """Returns the Renyi loss.

        Parameters
        ----------
        alpha : float
            The order, above 1.
        sigma, sensitivity : float, optional
            As in :meth:`epsilon`.
        """
        return self._native.rdp(alpha, *self._at(sigma, sensitivity))

    def zcdp(self, *, sigma: float | None = None, sensitivity: float | None = None) -> float:
        """Returns the zero-concentrated loss.

        Parameters
        ----------
        sigma, sensitivity : float, optional
            As in :meth:`epsilon`.
        """
        return self._native.zcdp(*self._at(sigma, sensitivity))

    def sigma(self, *, epsilon: float, delta: float, sensitivity: float | None = None) -> float:
        """Returns the smallest noise that meets (epsilon, delta).

        Parameters
        ----------
        epsilon, delta : float
            The target.
        sensitivity : float, optional
            Largest change of one input; by default that of the account.
        """
        return self._native.sigma_for(epsilon, delta, self._sensitivity if sensitivity is None else sensitivity)

    def noise_multiplier(self, *, target_epsilon: float, target_delta: float) -> float:
        """Returns the smallest sigma over the sensitivity, under the name that other accountants use.

        Parameters
        ----------
        target_epsilon, target_delta : float
            The target.

        Examples
        --------
        >>> import muffliato as mf
        >>> promised = mf.account("path:3", "one-shot", steps=2).guarantee(0, 2)
        >>> noise = promised.noise_multiplier(target_epsilon=1, target_delta=1e-6)
        >>> 0.999 < promised.get_epsilon(1e-6, noise_multiplier=noise) <= 1
        True
        """
        return self.sigma(epsilon=target_epsilon, delta=target_delta, sensitivity=1.0)

    def repeated(self, runs: int) -> Guarantee:
        """Returns the guarantee for several runs with new noise and the same inputs.

        Parameters
        ----------
        runs : int
            Number of runs.

        Examples
        --------
        >>> import muffliato as mf
        >>> mf.account("path:3", "one-shot", steps=2).guarantee(0, 2).repeated(3).exact
        Fraction(3, 1)
        """
        return Guarantee._of(self._native.repeated(count("runs", runs, 1) or 1), self._sigma, self._sensitivity)

    def get_epsilon(self, delta: float, *, sigma: float | None = None, noise_multiplier: float | None = None) -> float:
        """Returns :meth:`epsilon`, under the name that other accountants use.

        Parameters
        ----------
        delta : float
            The delta.
        sigma : float, optional
            Standard deviation of the noise; by default that of the account.
        noise_multiplier : float, optional
            Sigma over the sensitivity, in place of sigma.
        """
        return self.epsilon(delta=delta, **_noise(sigma, noise_multiplier))

    def get_delta(self, epsilon: float, *, sigma: float | None = None, noise_multiplier: float | None = None) -> float:
        """Returns :meth:`delta`, under the name that other accountants use.

        Parameters
        ----------
        epsilon : float
            The epsilon.
        sigma, noise_multiplier : float, optional
            As in :meth:`get_epsilon`.
        """
        return self.delta(epsilon=epsilon, **_noise(sigma, noise_multiplier))

    def to_dp_event(
        self, *, sigma: float | None = None, sensitivity: float | None = None, kind: Literal["gaussian", "zcdp"] = "gaussian"
    ) -> Any:
        """Converts the guarantee to an event of Google's dp-accounting, for composition.

        Under secret sampling it is a Poisson-sampled Gaussian for each round, about one record added or removed.

        Parameters
        ----------
        sigma, sensitivity : float, optional
            As in :meth:`epsilon`.
        kind : {"gaussian", "zcdp"}, default "gaussian"
            The event.
        """
        dp_event = package("dp_accounting.dp_event", "to_dp_event")
        sampling = self._native.sampling(*self._at(sigma, sensitivity))
        if sampling is not None:
            rate, rounds, shift = sampling
            if shift == 0:
                return dp_event.NoOpDpEvent()
            one = dp_event.GaussianDpEvent(float(np.nextafter(1 / shift, 0)))
            return dp_event.SelfComposedDpEvent(dp_event.PoissonSampledDpEvent(rate, one), rounds)
        if kind == "zcdp":
            return dp_event.ZCDpEvent(self.zcdp(sigma=sigma, sensitivity=sensitivity))
        if kind != "gaussian":
            raise MuffliatoError(f"unknown event {kind!r}; use gaussian or zcdp")
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
        raise MuffliatoError("guarantees cannot be pickled; send record(), or make the account there")


def _noise(sigma: float | None, noise_multiplier: float | None) -> dict[str, float | None]:
    """Returns the noise as arguments of :meth:`Guarantee.epsilon`."""
    if sigma is not None and noise_multiplier is not None:
        raise MuffliatoError("give sigma or noise_multiplier, not both")
    return {"sigma": sigma} if noise_multiplier is None else {"sigma": noise_multiplier, "sensitivity": 1.0}

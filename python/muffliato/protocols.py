"""Protocols as objects. Their text is the one that the command takes."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from ._muffliato import MuffliatoError, spelled

Ratio = Fraction | int | float | str
"""A multiple of sigma. A float counts as the decimal that it prints."""


@dataclass(frozen=True)
class Averaging:
    """Gossip averaging: every node adds noise to its input once, then nodes average with their neighbours.

    Parameters
    ----------
    fresh_noise : number or str, optional
        Standard deviation of the noise that is added at every further step, in units of sigma.
    masks : number or str, optional
        Standard deviation of the masks that neighbours share and that cancel, in units of sigma.
    randomized : int, optional
        Seed of a schedule in which each step uses one random edge.
    dropout : tuple of (float, int), optional
        Probability that a node is away in a step, and the seed of the absences.

    Examples
    --------
    >>> str(Averaging()), str(Averaging(fresh_noise=0.1, masks=3))
    ('one-shot', 'refreshed:0.1+masked:3')
    """

    fresh_noise: Ratio | None = None
    masks: Ratio | None = None
    randomized: int | None = None
    dropout: tuple[float, int] | None = None

    def __str__(self) -> str:
        words = _noise(self.fresh_noise, self.masks)
        if self.randomized is not None:
            words.append(f"randomized:{self.randomized}")
        if self.dropout is not None:
            words.append("dropout:{}:{}".format(*self.dropout))
        return spelled("+".join(words) or "one-shot")


@dataclass(frozen=True)
class GradientDescent:
    """Decentralized gradient descent: rounds of a noisy gradient step and gossip.

    Parameters
    ----------
    rounds : int
        Number of rounds.
    steps : int, default 1
        Gossip steps in a round.
    fresh_noise : number or str, optional
        Standard deviation of the noise that is added at every further step, in units of sigma.
    masks : number or str, optional
        Standard deviation of the masks that neighbours share and that cancel, in units of sigma.
    every : int, optional
        Period of participation: the data of a user is used in every such round. All rounds by default.
    sample : number or str, optional
        Probability that a record is used in a round, by a secret coin. All records are used by default.

    Examples
    --------
    >>> str(GradientDescent(rounds=10, masks=3))
    'gd:10x1+masked:3'
    >>> str(GradientDescent(20, steps=2, fresh_noise="1/10", every=5))
    'gd:20x2:every=5+refreshed:0.1'
    >>> str(GradientDescent(20, masks=3, sample=0.01))
    'gd:20x1:sample=0.01+masked:3'
    """

    rounds: int
    steps: int = 1
    fresh_noise: Ratio | None = None
    masks: Ratio | None = None
    every: int | None = None
    sample: Ratio | None = None

    def __str__(self) -> str:
        every = "" if self.every is None else f":every={self.every}"
        sample = "" if self.sample is None else f":sample={_ratio(self.sample)}"
        return spelled("+".join([f"gd:{self.rounds}x{self.steps}{every}{sample}", *_noise(self.fresh_noise, self.masks)]))


Protocol = str | Averaging | GradientDescent
"""A protocol as an object or as text, such as ``"refreshed:0.1"`` or ``"gd:10x1+masked:3"``."""


def _noise(fresh_noise: Ratio | None, masks: Ratio | None) -> list[str]:
    given = (("refreshed", fresh_noise), ("masked", masks))
    return [f"{word}:{_ratio(value)}" for word, value in given if value is not None]


def _ratio(value: Ratio) -> Fraction:
    try:
        return Fraction(repr(value) if isinstance(value, float) else value)
    except (TypeError, ValueError, ZeroDivisionError):
        raise MuffliatoError(f"{value!r} is not a multiple of sigma or a probability; give a number, a Fraction or a text such as '1/10'") from None


def count(name: str, value: Any, least: int = 0) -> int | None:
    """Checks an optional whole number.

    >>> count("steps", 3), count("steps", None)
    (3, None)
    >>> count("steps", -1)
    Traceback (most recent call last):
    ...
    muffliato.MuffliatoError: steps is -1; give a whole number of at least 0
    """
    if value is None:
        return None
    try:
        whole = value.__index__()
    except AttributeError:
        whole = -1
    if not least <= whole < 1 << 63:
        raise MuffliatoError(f"{name} is {value!r}; give a whole number of at least {least}")
    return int(whole)

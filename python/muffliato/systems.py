"""Accounts of any linear system: of whatever correlates noise over nodes or time and does not react."""

from __future__ import annotations

import json
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from . import _muffliato as native
from ._muffliato import MuffliatoError
from .losses import Guarantee, Loss


class LinearSystem:
    """A view ``A z + B x`` of independent Gaussian draws ``z`` and inputs ``x``.

    Parameters
    ----------
    A : matrix
        A row for each observation, a column for each draw: a numpy array, a scipy.sparse matrix, or rows of numbers.
    B : matrix
        A row for each observation, a column for each input.
    std : sequence of numbers, optional
        Standard deviation of each draw in units of sigma; 1 by default.
    known : sequence of int, optional
        The draws that whoever sees the view knows.

    Losses are exact: ``Fraction`` and ``int`` as they are, floats as the binary fractions that they are. If fractions take too
    long, losses are certified in floating point; ``MuffliatoError`` is raised if observations are nearly dependent then.

    Examples
    --------
    Two releases of one input with noise that they share: the sum of their losses, 1/2 + 1/2, is no bound.

    >>> import muffliato as mf
    >>> system = mf.LinearSystem([[1, 0, 1], [0, 1, -1]], [[1], [1]])
    >>> system.loss(0).exact
    Fraction(2, 1)
    >>> mf.verify(system.certificate(0))["holds"]
    True
    """

    def __init__(self, A: Any, B: Any, std: Sequence[Any] | None = None, known: Sequence[int] = ()) -> None:
        rows, signals = _rows("A", A), _rows("B", B)
        width = len(rows[0]) if rows else 0
        deviations = [1] * width if std is None else [_number("std", entry) for entry in std]
        system = {"A": rows, "B": signals, "std": deviations, "known": [int(draw) for draw in known]}
        self._native = native.System.read(json.dumps(system, allow_nan=False))

    @property
    def shape(self) -> tuple[int, int, int]:
        """The numbers of observations, draws and inputs."""
        return self._native.size

    def loss(self, *inputs: int) -> Loss:
        """Returns the loss of these inputs together, in units of L.

        Parameters
        ----------
        *inputs : int
            Numbers of inputs.
        """
        return Loss._of(self._native.loss(list(inputs)))

    def guarantee(self, *inputs: int) -> Guarantee:
        """Returns the guarantee of these inputs together.

        Parameters
        ----------
        *inputs : int
            Numbers of inputs.
        """
        return Guarantee._of(self._native.guarantee(list(inputs)))

    def certificate(self, *inputs: int, at_least: bool = False) -> dict[str, Any]:
        """Returns the claim about these inputs with its proof.

        Parameters
        ----------
        *inputs : int
            Numbers of inputs.
        at_least : bool, default False
            Whether the claim is a lower bound, proved by an attack, and not an upper one, proved by alibis.
        """
        return dict(json.loads(self._native.certificate(list(inputs), at_least)))

    def __repr__(self) -> str:
        observations, draws, inputs = self.shape
        return f"LinearSystem({observations} observations, {draws} draws, {inputs} inputs)"


def _rows(name: str, matrix: Any) -> list[list[Any]]:
    if hasattr(matrix, "toarray"):
        matrix = matrix.toarray()
    return [[_number(name, entry) for entry in row] for row in matrix]


def _number(name: str, entry: Any) -> Any:
    if isinstance(entry, Fraction):
        return str(entry)
    value = entry.item() if hasattr(entry, "item") else entry
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise MuffliatoError(f"{name} has the entry {entry!r}; give numbers or fractions")
    if isinstance(value, float) and not abs(value) < float("inf"):
        raise MuffliatoError(f"{name} has the entry {entry!r}; it must be finite")
    return str(value) if isinstance(value, int) else value

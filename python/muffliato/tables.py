"""Tables: lists of rows for notebooks and pandas."""

from __future__ import annotations

from collections.abc import Callable
from decimal import ROUND_CEILING, Context
from html import escape
from importlib import import_module
from types import TracebackType
from typing import Any

from ._muffliato import MuffliatoError

UP = Context(prec=4, rounding=ROUND_CEILING)


class Table(list[dict[str, Any]]):
    """Rows with the same columns, best or nearest first.

    >>> Table([{"protocol": "one-shot", "sigma": 5.5}, {"protocol": "refreshed", "sigma": 1 / 3}])
     protocol   sigma
     one-shot     5.5
    refreshed  0.3334
    >>> Table([{"protocol": "one-shot", "tau": None, "sigma": 5.5}])._repr_html_()
    '<table><tr><th>protocol</th><th>sigma</th></tr><tr><td>one-shot</td><td>5.5</td></tr></table>'
    """

    def to_pandas(self) -> Any:
        """Returns a data frame."""
        return package("pandas", "to_pandas").DataFrame(list(self))

    def _cells(self) -> list[list[str]]:
        """Returns the cells of the columns that are not empty."""
        said = {name for row in self for name, value in row.items() if value is not None}
        names = [name for name in dict.fromkeys(name for row in self for name in row) if name in said]
        return [names, *([_shown(row.get(name)) for name in names] for row in self)]

    def _repr_html_(self) -> str:
        head, *rows = self._cells()
        lines = ["".join(f"<th>{escape(name)}</th>" for name in head)]
        lines += ["".join(f"<td>{escape(cell)}</td>" for cell in row) for row in rows]
        return "<table>" + "".join(f"<tr>{line}</tr>" for line in lines) + "</table>"

    def __repr__(self) -> str:
        cells = self._cells()
        widths = [max(map(len, column)) for column in zip(*cells)]
        return "\n".join("  ".join(cell.rjust(width) for cell, width in zip(row, widths)) for row in cells)


def _shown(value: Any) -> str:
    """Formats a cell with four digits, rounded up as all losses are."""
    if value is None:
        return "-"
    if isinstance(value, float):
        return f"{float(UP.create_decimal(value)):.4g}"
    return str(value)


def package(name: str, what: str) -> Any:
    """Imports an optional package that ``what`` needs. Raises ``MuffliatoError`` if it is not installed."""
    try:
        return import_module(name)
    except ImportError:
        to_install = name.partition(".")[0].replace("_", "-")
        raise MuffliatoError(f"{what} needs {to_install}; pip install {to_install}") from None


class Bar:
    """A progress bar by tqdm, if it is requested and installed."""

    def __init__(self, wanted: bool, unit: str = "observers") -> None:
        self._wanted = wanted
        self._unit = unit
        self._bar: Any = None

    def __enter__(self) -> Callable[[int, int], object] | None:
        if not self._wanted:
            return None
        try:
            from tqdm.auto import tqdm
        except ImportError:
            return None
        self._bar = tqdm(unit=self._unit)
        return self._show

    def _show(self, done: int, total: int) -> None:
        self._bar.total = total
        self._bar.n = done
        self._bar.refresh()

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if self._bar is not None:
            if kind is None:
                self._bar.n = self._bar.total or 0
            self._bar.close()

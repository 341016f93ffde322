"""The notebook of the examples runs, and says what was committed. `UPDATE=1 pytest tests/test_notebook.py` renews it."""

import os
import re
from fractions import Fraction
from pathlib import Path

import pytest

NOTEBOOK = Path(__file__).parent.parent / "examples" / "karate.ipynb"
NUMBER = re.compile(r"\d+\.\d+(?:e[+-]?\d+)?|\d{6,}/\d{6,}")


def said(notebook):
    """What each cell answers: the words, and the numbers. Pictures are left out, whose bytes depend on the fonts."""
    words, numbers = [], []
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            data = output.get("data", {})
            plain = "" if "image/png" in data else data.get("text/plain", "")
            text = output.get("text", "") + data.get("text/html", "") + plain
            words.append((cell["source"], re.sub(r" +", " ", NUMBER.sub("#", text))))
            numbers += [float(Fraction(number)) for number in NUMBER.findall(text)]
    return words, numbers


def test_the_notebook_says_what_was_committed():
    nbformat = pytest.importorskip("nbformat")
    nbclient = pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    pytest.importorskip("matplotlib")
    committed = nbformat.read(NOTEBOOK, as_version=4)
    assert sum(cell.cell_type == "code" for cell in committed.cells) == 10
    again = nbclient.NotebookClient(nbformat.read(NOTEBOOK, as_version=4), timeout=300).execute()
    if os.environ.get("UPDATE"):
        for cell in again.cells:
            cell.metadata.pop("execution", None)
        nbformat.write(again, NOTEBOOK)
        committed = again
    words, numbers = said(again)
    assert words == said(committed)[0]
    assert numbers == pytest.approx(said(committed)[1], rel=1e-3)
    assert len(numbers) > 50
    assert sum("image/png" in output.get("data", {}) for cell in again.cells for output in cell.get("outputs", [])) == 2

"""The example with PyTorch prints what docs/pytorch.md shows."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

PYTHON = Path(__file__).parent.parent


def test_training_stops_at_the_budget():
    pytest.importorskip("torch", reason="torch is not installed: pip install torch")
    shown = (PYTHON.parent / "docs" / "pytorch.md").read_text(encoding="utf-8").split("```")[1].splitlines()[2:]
    script = PYTHON / "examples" / "train_with_torch.py"
    printed = subprocess.run([sys.executable, script], capture_output=True, text=True, check=True).stdout.splitlines()
    # Epsilons are certified; accuracies depend on the generator of PyTorch, and the page leaves them out.
    accuracy = re.compile(r"accuracy (\d+|\.\.)%")
    assert [accuracy.sub("", line) for line in printed] == [accuracy.sub("", line) for line in shown]
    assert int(accuracy.search(printed[-3])[1]) > 70

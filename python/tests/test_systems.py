"""Linear systems and the view of sums."""

from fractions import Fraction

import numpy as np
import pytest

import muffliato as mf

A, B = [[1, 0, 1], [0, 1, -1]], [[1, 0], [1, 2]]


def test_every_kind_of_matrix_is_the_same_system():
    sparse = pytest.importorskip("scipy.sparse")
    kinds = [np.array, lambda rows: np.array(rows, dtype=float), sparse.csr_matrix]
    kinds.append(lambda rows: [[Fraction(entry) for entry in row] for row in rows])
    for kind in kinds:
        system = mf.LinearSystem(kind(A), kind(B), std=[1, 1, Fraction(1, 2)])
        assert system.shape == (2, 3, 2)
        assert system.loss(0).exact == 2
        assert mf.verify(system.certificate(0, 1))["holds"]
        assert mf.verify(system.certificate(1, at_least=True))["holds"]
        assert system.guarantee(0).epsilon(sigma=4, delta=1e-6) > 1


def test_floats_are_binary_fractions_and_known_draws_hide_nothing():
    tenth = mf.LinearSystem([[Fraction(1, 10)]], [[0.1]]).loss(0).exact
    assert tenth == (Fraction(0.1) * 10) ** 2 != 1
    assert mf.LinearSystem([[1, 1]], [[1]], known=[1]).loss(0).exact == 1
    for bad in [float("nan"), "x"]:
        with pytest.raises((mf.MuffliatoError, ValueError, TypeError)):
            mf.LinearSystem([[1]], [[bad]])
    with pytest.raises(mf.MuffliatoError):
        mf.LinearSystem([[1]], [[1]]).loss(1)


@pytest.mark.parametrize("steps, loss", [(1, "1/2"), (2, "2/3"), (3, "1")])
def test_sums_of_several_steps_single_out_a_neighbour(steps, loss):
    account = mf.account("path:4", steps=steps, view="sum")
    assert account.guarantee(0, 1).exact == Fraction(loss)
    assert "sum of the messages" in str(account.guarantee(0, 1))


def test_an_attack_on_sums_is_simulated():
    assert mf.attack("path:4", 0, 1, steps=2, view="sum", trials=200)["leakage"] == "2/3"

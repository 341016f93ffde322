"""Guarantees, calibration and the accountant for loops, against Google's dp-accounting."""

import pytest

import muffliato as mf


def test_epsilon_agrees_with_dp_accounting():
    pld = pytest.importorskip("dp_accounting.pld.privacy_loss_distribution")
    loss = mf.account("karate", "refreshed:0.1", steps=4).loss(33, 3)
    for sigma in (0.5, 1.0, 2.0, 5.0):
        noise = 1 / loss.mu(sigma=sigma)
        theirs = pld.from_gaussian_mechanism(noise, value_discretization_interval=1e-4)
        assert loss.epsilon(sigma=sigma, delta=1e-6) == pytest.approx(theirs.get_epsilon_for_delta(1e-6), abs=2e-3)


def test_losses_compose_in_dp_accounting():
    dp_accounting = pytest.importorskip("dp_accounting")
    loss = mf.account("karate", "refreshed:0.1", steps=4).loss(33, 3)
    accountant = dp_accounting.rdp.RdpAccountant()
    accountant.compose(loss.to_dp_event(sigma=2.0), 3)
    exact = loss.repeated(3).epsilon(sigma=2.0, delta=1e-6)
    assert exact <= accountant.get_epsilon(1e-6) <= 1.5 * exact
    assert loss.to_dp_event(sigma=2.0, kind="zcdp").rho == loss.zcdp(sigma=2.0)


def test_calibrated_noise_meets_its_target():
    rows = mf.calibrate("karate", target_epsilon=1, target_delta=1e-6, protect="distance>=3", steps=3, protocols=["one-shot", "refreshed:0.1"])
    for row in rows:
        account = mf.account("karate", row["protocol"], steps=3, engine="fast")
        frame = account.to_pandas()
        far = frame[frame["distance"] >= 3]
        worst = far.loc[far["upper"].idxmax()]
        loss = account.loss(worst["source"], worst["observer"])
        assert loss.epsilon(sigma=row["sigma"], delta=1e-6) <= 1 + 1e-9
    assert rows[0]["protocol"] == "refreshed:0.1"
    with pytest.raises(mf.MuffliatoError, match="sample"):
        mf.calibrate("karate", epsilon=1, delta=1e-6, observers="sample:3", steps=2, protocols=["one-shot"])


def test_a_budget_ends_the_loop():
    accountant = mf.PairwiseAccountant(
        "karate", "refreshed:0.1", sigma=4.0, run_steps=2, pairs=[(33, 3)], epsilon=1.0, delta=1e-6
    )
    runs = 0
    with pytest.raises(mf.BudgetSpent):
        while True:
            accountant.step()
            runs += 1
    assert accountant.runs == runs > 0
    assert accountant.get_epsilon(33, 3, 1e-6) <= 1.0 < accountant.compose(runs + 1).get_epsilon(33, 3, 1e-6)
    other = mf.PairwiseAccountant("karate", "refreshed:0.1", sigma=4.0, run_steps=2)
    other.load_state_dict(accountant.state_dict())
    assert other.runs == runs
    stranger = mf.PairwiseAccountant("karate", "refreshed:0.2", sigma=4.0, run_steps=2)
    with pytest.raises(mf.MuffliatoError, match="another protocol"):
        stranger.load_state_dict(accountant.state_dict())


def test_runs_of_the_command():
    run = mf.average([("a", "b"), ("b", "c")], {"a": 1.0, "b": 0.0, "c": 2.0}, steps=2, sensitivity=2, seed=3)
    assert run["mean"] == 1.0
    assert mf.audit("theorem-1")["claims"][0]["verdict"] == "refuted"
    with pytest.raises(mf.MuffliatoError):
        mf.command("graph", "no-such-family:3")

"""Guarantees, calibration and the accountant for loops, against Google's dp-accounting."""

import json
import math
from fractions import Fraction

import networkx as nx
import numpy as np
import pytest

import muffliato as mf


def test_epsilon_agrees_with_dp_accounting():
    pld = pytest.importorskip("dp_accounting.pld.privacy_loss_distribution")
    loss = mf.account("karate", "refreshed:0.1", steps=4).guarantee(33, 3)
    for sigma in (0.5, 1.0, 2.0, 5.0):
        noise = 1 / loss.mu(sigma=sigma)
        theirs = pld.from_gaussian_mechanism(noise, value_discretization_interval=1e-4)
        assert loss.epsilon(sigma=sigma, delta=1e-6) == pytest.approx(theirs.get_epsilon_for_delta(1e-6), abs=2e-3)


def test_losses_compose_in_dp_accounting():
    dp_accounting = pytest.importorskip("dp_accounting")
    loss = mf.account("karate", "refreshed:0.1", steps=4).guarantee(33, 3)
    accountant = dp_accounting.rdp.RdpAccountant()
    accountant.compose(loss.to_dp_event(sigma=2.0), 3)
    exact = loss.repeated(3).epsilon(sigma=2.0, delta=1e-6)
    assert exact <= accountant.get_epsilon(1e-6) <= 1.5 * exact
    assert loss.to_dp_event(sigma=2.0, kind="zcdp").rho == loss.zcdp(sigma=2.0)


def test_sufficient_time_changes_nothing():
    target = dict(epsilon=1, delta=1e-6, steps=4, protocols=["one-shot", "refreshed", "masked"])
    assert mf.calibrate("hypercube:3", **target, max_time=1e9) == mf.calibrate("hypercube:3", **target)
    for seconds in (-1, float("nan")):
        with pytest.raises(mf.MuffliatoError, match="max_time"):
            mf.calibrate("hypercube:3", **target, max_time=seconds)


def test_calibrated_noise_meets_its_target():
    rows = mf.calibrate("karate", target_epsilon=1, target_delta=1e-6, protect="distance>=3", steps=3, protocols=["one-shot", "refreshed:0.1"])
    for row in rows:
        account = mf.account("karate", row["protocol"], steps=3, engine="fast")
        frame = account.to_pandas()
        far = frame[frame["distance"] >= 3]
        worst = far.loc[far["leakage_upper"].idxmax()]
        loss = account.guarantee(worst["source"], worst["observer"])
        assert loss.epsilon(sigma=row["sigma"], delta=1e-6) <= 1 + 1e-9
    assert rows[0]["protocol"] == "refreshed:0.1"
    with pytest.raises(mf.MuffliatoError, match="sample"):
        mf.calibrate("karate", epsilon=1, delta=1e-6, observers="sample:3", steps=2, protocols=["one-shot"])


def test_masks_are_in_the_table_of_the_command():
    rows = mf.calibrate("hypercube:4", epsilon=1, delta=1e-6)
    theirs = {row["protocol"]: row for row in json.loads(mf.command("calibrate", "hypercube:4", "--epsilon", "1", "--delta", "1e-6", "--format", "json"))["protocols"]}
    assert {row["protocol"] for row in rows} == set(theirs)
    for row in rows:
        for name in ("sigma", "steps", "tau", "kappa", "secrets", "expected_error", "neighbour_epsilon", "status"):
            assert row[name] == theirs[row["protocol"]][name], (row["protocol"], name)
    errors = [row["expected_error"] for row in rows]
    assert errors == sorted(errors) and rows[0]["secrets"]
    assert not any(row["secrets"] for row in mf.calibrate("hypercube:4", epsilon=1, delta=1e-6, secrets=False))
    twice = mf.calibrate("hypercube:4", epsilon=1, delta=1e-6, runs=2, protocols=["one-shot"])
    assert twice[0]["sigma"] > next(row for row in rows if row["protocol"] == "one-shot")["sigma"]


def test_coalitions_and_shipped_noise_are_those_of_the_command():
    target = dict(epsilon=1, delta=1e-6, steps=4)
    line = ["calibrate", "hypercube:4", "--epsilon", "1", "--delta", "1e-6", "--steps", "4", "--collude", "2", "--noise", "rounded:2^-16", "--coordinates", "3", "--format", "json"]
    rows = mf.calibrate("hypercube:4", **target, collude=2, noise="rounded:2^-16", coordinates=3)
    theirs = {row["protocol"]: row for row in json.loads(mf.command(*line))["protocols"]}
    assert {row["protocol"] for row in rows} == set(theirs)
    for row in rows:
        their = theirs[row["protocol"]]
        assert row["sigma"] == their["sigma"], row["protocol"]
        assert row["coalition_found_epsilon"] == their["collude"]["worst_found"]["epsilon"]
        assert [str(node) for node in row["coalition_found"]] == their["collude"]["worst_found"]["members"]
        assert row["every_coalition_epsilon"] == their["collude"]["every"]["epsilon"] >= row["coalition_found_epsilon"]
    names = nx.relabel_nodes(nx.cycle_graph(4), dict(enumerate("abcd")))
    pair = mf.calibrate(names, **target, protocols=["masked:3"], collude=2)[0]["coalition_found"]
    assert len(pair) == 2 and set(pair) <= set("abcd")
    assert "coalition_found" not in mf.calibrate(names, **target, protocols=["masked:3"])[0]
    for wrong in (dict(noise="pink"), dict(collude=9), dict(noise="rounded:2^-16", coordinates=0)):
        with pytest.raises(mf.MuffliatoError):
            mf.calibrate(names, **target, protocols=["one-shot"], **wrong)


def test_a_drawn_schedule_is_calibrated_for_all_of_them():
    far = dict(epsilon=1, delta=1e-6, steps=30, protect="distance>=3")
    rows = {seed: mf.calibrate("path:6", **far, protocols=[f"refreshed:1+randomized:{seed}"])[0] for seed in (1, 2)}
    assert rows[1]["sigma"] == rows[2]["sigma"] and rows[1]["schedule"] == "every"
    line = ["calibrate", "path:6", "--epsilon", "1", "--delta", "1e-6", "--steps", "30", "--protect", "distance>=3", "--protocol", "refreshed:1+randomized:1", "--format", "json"]
    for fixed in ([], ["--schedule-is-fixed"]):
        their = json.loads(mf.command(*line, *fixed))
        row = mf.calibrate("path:6", **far, protocols=["refreshed:1+randomized:1"], schedule_is_fixed=bool(fixed))[0]
        assert [row[name] for name in ("sigma", "schedule", "schedule_by")] == [their[name] for name in ("sigma", "schedule", "schedule_by")]
    assert mf.calibrate("path:6", **far, protocols=["one-shot"])[0]["schedule"] is None


def test_training_has_a_guarantee_with_a_certificate():
    account = mf.account("karate", "gd:5x1")
    certificate = account.certificate(33, 3)
    checked = mf.verify(certificate)
    assert checked["holds"] and checked["sources"] == [33] and checked["observers"] == [3]
    claim = Fraction(certificate["at_most"])
    assert account.loss(33, 3).lower <= claim <= account.guarantee(33, 3).upper * (1 + 1e-9)
    assert not mf.verify({**certificate, "at_most": str(claim / 2)})["holds"]
    wild = mf.account("karate", "gd:5x1", lipschitz="3/2").guarantee(33, 3)
    assert wild.upper > account.guarantee(33, 3).upper
    assert [row["promised"] for row in account.by_distance()][1] >= account.guarantee(33, 3).upper


def test_a_loss_in_a_model_has_no_epsilon():
    """In the model of fixed gradients epsilon would be 0.6417, and 0.6636 is promised."""
    training = mf.account("karate", "gd:10x1")
    loss, promised = training.loss(33, 3), training.guarantee(33, 3)
    assert not any(hasattr(loss, name) for name in ("epsilon", "get_epsilon", "delta", "mu", "rdp", "zcdp", "sigma", "to_dp_event"))
    assert loss.hypothetical_epsilon(sigma=2, delta=1e-6) < 0.642 < 0.663 < promised.epsilon(sigma=2, delta=1e-6) < 0.664
    assert "1-Lipschitz" in str(promised) and promised.record()["conditions"]["losses"] == {"lipschitz": "1"}
    assert mf.account("path:3", "one-shot", steps=2).guarantee(0, 2).mu(sigma=1) == pytest.approx(1)


def test_sentences_and_certificates_use_the_names_of_the_graph():
    account = mf.account([("ann", "bob"), ("bob", "eve")], "one-shot", steps=2)
    assert str(account.guarantee("ann", "eve")).startswith("node ann loses at most 1 L (exact) to node eve")
    claim = account.certificate("ann", "eve")
    assert claim["protocol"]["labels"] == ["ann", "bob", "eve"]
    assert mf.verify(claim)["sentence"].startswith("node ann loses at most 1 L to node eve")


def test_epsilons_of_training_are_guarantees():
    """Gradients as inputs lose less than real losses can; where there are masks, losses hold for any of them."""
    for protocol, modelled in (("gd:3x1", True), ("gd:3x1+masked:3", False)):
        account = mf.account("path:4", protocol, lipschitz="3/2")
        accountant = mf.PairwiseAccountant("path:4", protocol, sigma=1.0, lipschitz="3/2")
        accountant.step()
        for row in account.to_pandas().itertuples():
            promised = account.guarantee(row.source, row.observer).epsilon(sigma=1, delta=1e-6)
            assert row.epsilon == pytest.approx(promised, rel=1e-9) and row.epsilon <= row.any_loss_epsilon
            lost = account.loss(row.source, row.observer).hypothetical_epsilon(sigma=1, delta=1e-6)
            assert row.model_epsilon == lost if modelled else math.isnan(row.model_epsilon)
            spent = accountant.get_epsilon(row.source, row.observer, 1e-6)
            assert spent == pytest.approx(row.epsilon, rel=1e-9)
    distant = mf.account("path:3", "gd:3x1").to_pandas().query("source == 1 and observer == 0").iloc[0]
    assert distant["model_epsilon"] < 9.05 < 9.25 < distant["epsilon"]


def test_names_of_other_accountants():
    loss = mf.account("karate", "refreshed:0.1", steps=4).guarantee(33, 3)
    assert loss.get_epsilon(1e-6, noise_multiplier=2) == loss.epsilon(sigma=4, sensitivity=2, delta=1e-6)
    assert loss.get_delta(1.0, sigma=2) == loss.delta(sigma=2, epsilon=1)
    with pytest.raises(mf.MuffliatoError, match="noise_multiplier"):
        loss.get_epsilon(1e-6)
    by = [mf.PairwiseAccountant("karate", sigma=4, sensitivity=2, run_steps=2), mf.PairwiseAccountant("karate", noise_multiplier=2, sensitivity=2, run_steps=2)]
    [accountant.step(2) for accountant in by]
    assert by[0].get_epsilon(33, 3, 1e-6) == by[1].get_epsilon(33, 3, 1e-6) > 0 < by[0].get_delta(33, 3, 1.0)


def test_training_on_custom_data():
    random = np.random.default_rng(1)
    features = random.normal(size=(80, 3))
    labels = features @ [1.0, -1.0, 0.5] > 0
    pair = mf.train(nx.cycle_graph(4), (features, labels), "gd:2x1", seed=3)
    matrix = mf.train(nx.cycle_graph(4), np.column_stack([features, labels]), "gd:2x1", seed=3)
    assert pair["rounds"] == matrix["rounds"] and pair == mf.train(nx.cycle_graph(4), (features, labels), "gd:2x1", seed=3)
    with pytest.raises(mf.MuffliatoError, match="labels"):
        mf.train("ring:4", (features, labels[1:]))
    with pytest.raises(mf.MuffliatoError, match="numbers"):
        mf.train("ring:4", [["a", "b"]])


def test_fresh_noise_and_masks_weaken_the_attack():
    right = [mf.attack(nx.karate_club_graph(), 33, 3, protocol, steps=2, trials=4000)["exact_accuracy"] for protocol in ("one-shot", "refreshed:0.1", "masked:3")]
    assert right == sorted(right, reverse=True) and right[0] > 0.69 and right[2] < 0.53


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
    weighted = nx.path_graph(3)
    nx.set_edge_attributes(weighted, Fraction(1, 4), "w")
    assert mf.average(weighted, [1, 0, 2], steps=2, sensitivity=2, weight="w")["mean"] == 1.0
    with pytest.raises(mf.MuffliatoError, match="'c'"):
        mf.average([("a", "b"), ("b", "c")], {"a": 1.0, "b": 0.0})
    with pytest.raises(mf.MuffliatoError):
        mf.command("graph", "no-such-family:3")

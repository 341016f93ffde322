"""Guarantees, calibration and the accountant for loops, against Google's dp-accounting."""

import csv
import io
import json
import math
import runpy
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import networkx as nx
import numpy as np
import pytest

import muffliato as mf

PROGRAMS = Path(__file__).parent.parent.parent / "vectors" / "programs"


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


@pytest.mark.parametrize("rate", ["1/1000", "1/100", "1/10", "1/2"])
@pytest.mark.parametrize("rounds", [1, 20, 1000])
def test_secret_sampling_agrees_with_dp_accounting(rate, rounds):
    dp_accounting = pytest.importorskip("dp_accounting")
    pld = pytest.importorskip("dp_accounting.pld.privacy_loss_distribution")
    guarantee = mf.account("hypercube:3", f"gd:{rounds}x1+masked:2", sampling_rate=rate).guarantee(5, 0)
    orders = [2, 3, 4, 8, 16, 32, 64, 128, 256]
    for sigma in (0.2, 0.5, 2.0):
        event = guarantee.to_dp_event(sigma=sigma)
        multiplier = event.event.event.noise_multiplier
        assert event.count == rounds
        accountant = dp_accounting.rdp.RdpAccountant(orders)
        accountant.compose(event)
        for order, theirs in zip(orders, accountant._rdp):
            assert guarantee.rdp(order, sigma=sigma) == pytest.approx(theirs, rel=1e-9, abs=1e-12)
        for delta in (1e-5, 1e-8):
            ours = guarantee.epsilon(sigma=sigma, delta=delta)
            below = pld.from_gaussian_mechanism(multiplier, pessimistic_estimate=False, sampling_prob=float(event.event.sampling_probability), value_discretization_interval=1e-3).self_compose(rounds)
            assert ours >= below.get_epsilon_for_delta(delta)
            assert guarantee.delta(sigma=sigma, epsilon=ours) <= delta * (1 + 1e-6)


def test_secret_sampling_names_its_unit_and_its_limits():
    sampled = mf.account("ring:5", "gd:4x1+masked:1", sampling_rate=0.1)
    guarantee = sampled.guarantee(2, 0)
    assert "one record of a node is added or removed" in str(guarantee)
    assert guarantee.record()["conditions"]["unit"] == "record-added-or-removed"
    for refused in (lambda: guarantee.mu(sigma=1), lambda: guarantee.zcdp(sigma=1), lambda: guarantee.rdp(2.5, sigma=1)):
        with pytest.raises(mf.MuffliatoError):
            refused()
    with pytest.raises(mf.MuffliatoError, match="one record"):
        sampled.group_guarantee([1, 2], 0)
    with pytest.raises(mf.MuffliatoError, match="training"):
        mf.account("ring:5", "one-shot", sampling_rate=0.1)


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
    alone = mf.calibrate("hypercube:4", epsilon=1, delta=1e-6, secrets=False)
    assert {row["protocol"] for row in alone} == {"one-shot", "designed", "refreshed"} and not any(row["secrets"] for row in alone)
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
        assert row.get("refused") == their.get("refused"), row["protocol"]
        if row["protocol"] == "designed":
            assert "not on a grid" in row["refused"]
            continue
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
            spent = accountant.get_epsilon(1e-6, row.source, row.observer)
            assert spent == pytest.approx(row.epsilon, rel=1e-9)
    distant = mf.account("path:3", "gd:3x1").to_pandas().query("source == 1 and observer == 0").iloc[0]
    assert distant["model_epsilon"] < 9.05 < 9.25 < distant["epsilon"]


def test_names_of_other_accountants():
    loss = mf.account("karate", "refreshed:0.1", steps=4).guarantee(33, 3)
    assert loss.get_epsilon(1e-6, noise_multiplier=2) == loss.epsilon(sigma=4, sensitivity=2, delta=1e-6)
    assert loss.get_delta(1.0, sigma=2) == loss.delta(sigma=2, epsilon=1)
    with pytest.raises(mf.MuffliatoError, match="give sigma"):
        loss.get_epsilon(1e-6)
    by = [mf.PairwiseAccountant("karate", sigma=4, sensitivity=2, run_steps=2), mf.PairwiseAccountant("karate", noise_multiplier=2, sensitivity=2, run_steps=2)]
    [accountant.step(2) for accountant in by]
    assert by[0].get_epsilon(1e-6, 33, 3) == by[1].get_epsilon(1e-6, 33, 3) > 0 < by[0].get_delta(1.0, 33, 3)


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
    assert accountant.get_epsilon(1e-6) <= 1.0 and accountant.would_exceed() and not accountant.would_exceed(2.0, 1e-6)
    assert accountant.guarantee().repeated(1) == accountant.guarantee(33, 3) and "of 1 at delta 1e-06" in repr(accountant)
    other = mf.PairwiseAccountant("karate", "refreshed:0.1", sigma=4.0, run_steps=2)
    other.load_state_dict(accountant.state_dict())
    assert other.runs == runs
    stranger = mf.PairwiseAccountant("karate", "refreshed:0.2", sigma=4.0, run_steps=2)
    with pytest.raises(mf.MuffliatoError, match="another protocol"):
        stranger.load_state_dict(accountant.state_dict())


def test_the_worst_of_all_pairs_is_counted():
    for protocol in ("refreshed:0.1", "gd:3x1"):
        accountant = mf.PairwiseAccountant("path:5", protocol, sigma=3.0, run_steps=None if "gd" in protocol else 2)
        assert accountant.get_epsilon(1e-6) == 0 and accountant.compose().compose(2) is accountant and accountant.runs == 3
        every = [accountant.get_epsilon(1e-6, u, v) for u in range(5) for v in range(5) if u != v]
        assert accountant.get_epsilon(1e-6) == max(every)
    # Training that goes on from hidden states loses more than training that starts again.
    longer, again = mf.account("path:5", "gd:9x1", sigma=3.0), mf.account("path:5", "gd:3x1", sigma=3.0)
    assert accountant.get_epsilon(1e-6, 0, 2) == longer.guarantee(0, 2).epsilon(delta=1e-6) > again.guarantee(0, 2).repeated(3).epsilon(delta=1e-6)
    # The order of the words does not hide that.
    turned, written = (mf.PairwiseAccountant("path:5", words, sigma=3.0) for words in ("refreshed:0.1+gd:3x2", "gd:3x2+refreshed:0.1"))
    assert turned.compose(3).get_epsilon(1e-6, 0, 2) == written.compose(3).get_epsilon(1e-6, 0, 2)
    sampled = mf.PairwiseAccountant("path:5", sigma=3.0, run_steps=2, observers=[0])
    with pytest.raises(mf.MuffliatoError, match="name pairs="):
        sampled.would_exceed(1.0, 1e-6)


def test_sigma_and_sensitivity_of_the_account_are_those_of_its_guarantees():
    promised = mf.account("path:3", "refreshed:1/2", steps=2, sigma=3.0, sensitivity=2.0).guarantee(0, 2)
    plain = mf.account("path:3", "refreshed:1/2", steps=2).guarantee(0, 2)
    assert promised.epsilon(delta=1e-6) == plain.epsilon(sigma=3.0, sensitivity=2.0, delta=1e-6) == promised.repeated(1).get_epsilon(1e-6)
    assert promised.sigma(epsilon=1, delta=1e-6) == 2 * plain.sigma(epsilon=1, delta=1e-6)
    with pytest.raises(mf.MuffliatoError, match="to the account"):
        plain.epsilon(delta=1e-6)


def test_shipped_noise_is_that_of_the_command():
    line = ["account", "hypercube:3", "--protocol", "masked:3", "--steps", "3", "--noise", "rounded:2^-8", "--coordinates", "2", "--format", "csv"]
    rows = csv.DictReader(line for line in mf.command(*line).splitlines() if not line.startswith("#"))
    account = mf.account("hypercube:3", "masked:3", steps=3, noise="rounded:2^-8", coordinates=2)
    frame = account.to_pandas()
    assert frame["leakage_upper"].max() == max(float(row["leakage_upper"]) for row in rows) == max(row["max"] for row in account.by_distance())
    assert frame["epsilon"].max() > mf.account("hypercube:3", "masked:3", steps=3).to_pandas()["epsilon"].max()
    for wrong in (dict(noise="pink"), dict(coordinates=0)):
        with pytest.raises(mf.MuffliatoError):
            mf.account("hypercube:3", "masked:3", steps=3, **wrong)


def test_functions_are_graded_as_programs_are(monkeypatch):
    program = subprocess.run(
        [mf.running.binary(), "conform", "--topic", "training", "--format", "json", "--", sys.executable, PROGRAMS / "gd_main_text.py"],
        capture_output=True,
    )
    theirs = json.loads(program.stdout)["answers"]
    monkeypatch.syspath_prepend(PROGRAMS)
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    ours = mf.conform(runpy.run_path(str(PROGRAMS / "gd_main_text.py"))["answer"], "training")
    assert [answer["grade"] for answer in ours.answers] == [answer["grade"] for answer in theirs] and ours.unsound
    assert {answer["grade"] for answer in mf.conform(lambda question: 1 / 0, "training").answers} == {"crashed"}
    with pytest.raises(KeyboardInterrupt):
        mf.conform(interrupted)
    with pytest.raises(mf.MuffliatoError, match="no topic"):
        mf.conform(interrupted, "no-such-topic")


def interrupted(question):
    raise KeyboardInterrupt


def test_the_command_runs_as_a_module():
    done = subprocess.run([sys.executable, "-m", "muffliato", "graph", "karate"], capture_output=True, text=True)
    assert done.returncode == 0 and "34 nodes" in done.stdout
    assert subprocess.run([sys.executable, "-m", "muffliato", "graph", "no-such"], capture_output=True).returncode == 2


def test_runs_of_the_command():
    run = mf.average(nx.karate_club_graph(), steps=2)
    assert run["graph"]["name"] == "Zachary's Karate Club"
    run = mf.average([("a", "b"), ("b", "c")], {"a": 1.0, "b": 0.0, "c": 2.0}, steps=2, sensitivity=2, seed=3)
    assert run["mean"] == 1.0
    assert mf.audit("theorem-1")["claims"][0]["verdict"] == "refuted"
    weighted = nx.path_graph(3)
    nx.set_edge_attributes(weighted, Fraction(1, 4), "w")
    assert mf.average(weighted, [1, 0, 2], steps=2, sensitivity=2, weights="w")["mean"] == 1.0
    with pytest.raises(mf.MuffliatoError, match="'c'"):
        mf.average([("a", "b"), ("b", "c")], {"a": 1.0, "b": 0.0})
    with pytest.raises(mf.MuffliatoError):
        mf.command("graph", "no-such-family:3")

"""Plans and mask graphs: what the command finds, with the names of the graph."""

import csv
import json

import networkx as nx
import pytest

import muffliato as mf

TARGET = dict(epsilon=1, delta=1e-6)
LINE = ["--epsilon", "1", "--delta", "1e-6", "--format", "json"]


def test_a_plan_is_that_of_the_command():
    plan = mf.plan("florentine", **TARGET, steps=20)
    theirs = json.loads(mf.command("plan", "florentine", *LINE, "--steps", "20"))
    assert (plan.lower, plan.upper, plan.sigma) == (theirs["designed"]["lower"], theirs["designed"]["upper"], theirs["local_sigma"])
    assert plan.noise == {row["node"]: row["standard_deviation"] for row in theirs["nodes"]}
    assert plan.masks == {(row["adds"], row["subtracts"]): row["standard_deviation"] for row in theirs["masks"]}
    assert all(size >= plan.sigma * float(plan.variances[name]) ** 0.5 for name, size in plan.noise.items())
    assert all(size >= plan.sigma * float(plan.mask_variances[edge]) ** 0.5 for edge, size in plan.masks.items())
    part = json.loads(mf.command("plan", "florentine", *LINE, "--steps", "20", "--plan-for", "Medici"))
    ours = plan.for_node("Medici")
    assert ours["neighbours"] == part["neighbours"] and ours["masks"] == part["masks"]
    assert plan.if_one_is_missing()["epsilon"] == theirs["one_more_missing"]["epsilon"]
    assert f"{len(plan.masks)} masks, 20 steps" in repr(plan)


def test_no_pair_of_a_plan_is_above_its_target(tmp_path):
    graph = nx.relabel_nodes(nx.barbell_graph(4, 1), dict(enumerate("abcdefghi")))
    plan = mf.plan(graph, **TARGET, steps=12)
    account = mf.account(graph, plan=plan)
    worst = account.to_pandas(delta=1e-6)["epsilon"].max()
    assert 0.9 < worst <= 1 + 1e-9 and account.steps == 12
    # Nodes are found by name, in any order, and in a file, too.
    shuffled = mf.account(graph, plan=plan, nodelist="ihgfedcba")
    assert shuffled.loss("a", "i") == account.loss("a", "i")
    path = plan.save(tmp_path / "plan.json")
    assert "holds" in mf.command("verify", str(path))
    assert mf.account(graph, plan=path, sigma=plan.sigma).to_pandas(delta=1e-6)["epsilon"].max() == worst
    # With less noise than the plan says the target is missed.
    assert mf.account(graph, plan=plan, sigma=0.9 * plan.sigma).to_pandas(delta=1e-6)["epsilon"].max() > 1
    with pytest.raises(mf.MuffliatoError, match="sigma"):
        mf.account(graph, plan=path).guarantee("a", "i").epsilon(delta=1e-6)


def test_training_uses_the_same_plan_in_each_round():
    plan = mf.plan("hypercube:3", **TARGET, steps=3)
    rounds = mf.account("hypercube:3", mf.GradientDescent(9, steps=3), plan=plan, sigma=3 * plan.sigma)
    assert rounds.guarantee(0, 1).epsilon(delta=1e-6) <= 1 + 1e-9
    accountant = mf.PairwiseAccountant("hypercube:3", mf.GradientDescent(1, steps=3), plan=plan, sigma=3 * plan.sigma, **TARGET)
    accountant.step(9)
    assert accountant.would_exceed()


def test_trust_keys_and_absences_change_the_price():
    line = dict(**TARGET, steps=40)
    # A trusted aggregator's error is that of the least target.
    error = lambda **more: (lambda plan: plan.upper * plan.sigma**2)(mf.plan("path:5", **line, **more))
    free = error()
    assert error(targets={(0, 1): 1, (4, 3): 1}) < free and error(protect="distance>=2") < free
    complete = error(mask_graph="complete")
    assert complete < free and error(mask_graph="complete", missing=1) == error(mask_graph="complete", collude=2) > complete
    assert error(mask_graph=nx.complete_graph(5)) == complete
    names = nx.relabel_nodes(nx.path_graph(4), dict(enumerate("abcd")))
    with pytest.raises(mf.MuffliatoError, match="'z'"):
        mf.plan(names, **line, targets=[("a", "z", 1)])


@pytest.mark.parametrize(
    ("wrong", "match"),
    [
        (dict(gap=0), "gap"),
        (dict(steps=0), "steps"),
        (dict(collude=0), "collude"),
        (dict(epsilon=-1), "negative"),
        (dict(protect="mean"), "mean"),
        (dict(protect="distance>=9"), "farthest"),
        (dict(targets=[(0, 0, 1)]), "different"),
        (dict(targets=[(0, 1)]), "targets must be"),
        (dict(targets={(0, 1): 1}, protect="distance>=2"), "leave protect out"),
        (dict(missing=4), "outside"),
        (dict(mask_graph="regular:9"), "degree"),
        (dict(max_time=-1), "negative"),
    ],
)
def test_wrong_plans_are_refused(wrong, match):
    with pytest.raises(mf.MuffliatoError, match=match):
        mf.plan("path:4", **{**TARGET, **wrong})


def test_plans_that_do_not_fit_are_refused(tmp_path):
    plan = mf.plan("path:4", **TARGET, steps=3)
    for graph, protocol, more, match in [
        ("path:5", "one-shot", dict(plan=plan), "5"),
        ([("a", "b"), ("b", "c"), ("c", "d")], "one-shot", dict(plan=plan), "with a node"),
        ("path:4", "masked:3", dict(plan=plan), "leave out refreshed"),
        ("path:4", "randomized:1", dict(plan=plan, steps=3), "fixed graph"),
        ("path:4", "one-shot", dict(mask_graph="complete"), "masked:KAPPA"),
        ("path:4", "one-shot", dict(plan=tmp_path / "none.json"), "cannot be read"),
    ]:
        with pytest.raises(mf.MuffliatoError, match=match):
            mf.account(graph, protocol, **more)
    with pytest.raises(mf.MuffliatoError, match="--plan"):
        mf.account("path:4", plan=plan).report(tmp_path / "page.html")
    with pytest.raises(mf.MuffliatoError, match="connected"):
        mf.plan({"a": ["b"], "c": ["d"]}, **TARGET, steps=3)


def test_mask_graphs_are_those_of_the_command():
    for masks in ("complete", "regular:4:seed=3"):
        line = ["account", "ring:9", "--protocol", "masked:2", "--steps", "3", "--mask-graph", masks, "--format", "csv"]
        rows = csv.DictReader(line for line in mf.command(*line).splitlines() if not line.startswith("#"))
        frame = mf.account("ring:9", "masked:2", steps=3, mask_graph=masks).to_pandas()
        assert frame["leakage_upper"].tolist() == [float(row["leakage_upper"]) for row in rows]
        ours = {row["protocol"]: row["sigma"] for row in mf.calibrate("ring:9", **TARGET, steps=9, mask_graph=masks)}
        theirs = json.loads(mf.command("calibrate", "ring:9", *LINE, "--steps", "9", "--mask-graph", masks))["protocols"]
        assert ours == {row["protocol"]: row["sigma"] for row in theirs}
        named = mf.calibrate("ring:9", **TARGET, steps=9, mask_graph=masks, protocols=["masked:2"])[0]
        assert named["sigma"] < mf.calibrate("ring:9", **TARGET, steps=9, protocols=["masked:2"])[0]["sigma"]

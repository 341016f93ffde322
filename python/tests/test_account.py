"""Accounts of graphs of other libraries, against the exact engine's fractions."""

import pickle
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from fractions import Fraction

import networkx as nx
import numpy as np
import pytest
import scipy.sparse
from hypothesis import given, settings
from hypothesis import strategies as st

import muffliato as mf
from muffliato.graphs import named


def test_karate_from_networkx_is_the_built_in_one():
    # networkx numbers the members from 0 as the family does.
    ours = mf.account("karate", "refreshed:0.1", steps=2, engine="reference")
    theirs = mf.account(nx.karate_club_graph(), "refreshed:0.1", steps=2, engine="reference")
    assert ours.loss(33, 3).exact == theirs.loss(33, 3).exact


def test_the_paper_is_refuted_on_three_nodes():
    account = mf.account(nx.path_graph(3), "one-shot", steps=2)
    frame = account.to_pandas().set_index(["source", "observer"])
    assert frame.loc[(0, 2), "leakage_exact"] == 1
    assert frame.loc[(0, 2), "paper_theorem_1"] == pytest.approx(1 / 3)


@pytest.mark.parametrize("form", ["csr", "numpy", "edges"])
def test_every_form_of_a_graph_is_the_same_graph(form):
    graph = nx.florentine_families_graph()
    names = list(graph.nodes)
    adjacency = nx.to_scipy_sparse_array(graph, weight=None)
    given_as = {"csr": scipy.sparse.csr_array(adjacency), "numpy": adjacency.toarray(), "edges": list(graph.edges)}[form]
    account = mf.account(given_as, "refreshed:0.2", steps=3)
    expected = mf.account(graph, "refreshed:0.2", steps=3).loss("Albizzi", "Pazzi")
    place = (lambda name: name) if form == "edges" else names.index
    assert account.loss(place("Albizzi"), place("Pazzi")).exact == expected.exact


@settings(max_examples=25, deadline=None)
@given(
    st.lists(st.one_of(st.text(max_size=3), st.integers(), st.tuples(st.integers(), st.text(max_size=1))), min_size=2, max_size=6, unique=True),
    st.randoms(use_true_random=False),
)
def test_nodes_keep_their_names(names, random):
    graph = nx.Graph()
    graph.add_nodes_from(names)
    graph.add_edges_from(pair for pair in zip(names, names[1:]) if random.random() < 0.8)
    place = named(graph)
    assert [place.names[place.place(name)] for name in names] == names
    account = mf.account(graph, "refreshed:1/2", steps=2)
    back = account.to_networkx()
    assert list(back.nodes) == names and nx.utils.edges_equal(back.edges, graph.edges)
    matrix = account.matrix("upper")
    for u in names:
        for v in names:
            if u != v:
                loss = account.loss(u, v)
                assert loss.exact is not None and loss.lower <= float(loss.exact) <= loss.upper
                assert matrix[names.index(u), names.index(v)] == loss.upper
                assert (loss.exact == 1) == graph.has_edge(u, v)


def test_custom_weights():
    graph = nx.path_graph(3)
    nx.set_edge_attributes(graph, {(0, 1): Fraction(1, 3), (1, 2): Fraction(1, 3)}, "w")
    ours = mf.account(graph, "refreshed:1/2", steps=2, weights="w")
    assert ours.loss(0, 2).exact == mf.account(graph, "refreshed:1/2", steps=2).loss(0, 2).exact
    adjacency = nx.to_numpy_array(graph, weight="w").astype(float)
    for form in (adjacency, scipy.sparse.coo_array(adjacency), adjacency + np.diag(1 - adjacency.sum(axis=1))):
        rounded = mf.account(graph, "refreshed:1/2", steps=2, weights=form).loss(0, 2)
        assert rounded == mf.account(form, "refreshed:1/2", steps=2, weights=form).loss(0, 2)
        assert rounded.value == pytest.approx(ours.loss(0, 2).value, rel=1e-12) and rounded.exact != ours.loss(0, 2).exact
    graph.edges[0, 1]["w"] = 0.9
    with pytest.raises(mf.MuffliatoError):
        mf.account(graph, "one-shot", steps=2, weights="w")


def test_a_gossip_matrix_is_not_taken_for_a_graph():
    """It used to be replaced by Metropolis weights: 0.940 for 0.643 on another path."""
    matrix = np.array([[0.9, 0.1, 0.0], [0.1, 0.8, 0.1], [0.0, 0.1, 0.9]])
    with pytest.raises(mf.MuffliatoError, match="diagonal.*weights=matrix"):
        mf.account(matrix)
    with pytest.raises(mf.MuffliatoError, match="a weight; gossip with these weights by weights=matrix"):
        mf.account(matrix - np.diag(np.diag(matrix)))
    graph = nx.path_graph(3)
    own, schemes = mf.account(graph, "refreshed:1/2", steps=2, weights=matrix), mf.account(graph, "refreshed:1/2", steps=2)
    assert own.loss(0, 2).upper != schemes.loss(0, 2).upper
    for wrong, said in ((matrix[:2, :2], "2 rows"), (matrix + np.eye(3), "does not add up to 1"), (np.ones((3, 3)), "no edge"), (3, "a scheme")):
        with pytest.raises(mf.MuffliatoError, match=said):
            mf.account(graph, weights=wrong)


def test_frames_and_dictionaries_are_graphs():
    pandas = pytest.importorskip("pandas")
    graph = nx.florentine_families_graph()
    nx.set_edge_attributes(graph, 0.125, "w")
    edges = nx.to_pandas_edgelist(graph)
    frames = (edges, edges[["source", "target"]].set_axis(["from", "to"], axis=1), nx.to_pandas_adjacency(graph, weight=None))
    expected = mf.account(graph, "refreshed:0.2", steps=3).loss("Albizzi", "Pazzi").exact
    for form in (*frames, nx.to_dict_of_lists(graph), nx.to_dict_of_dicts(graph)):
        assert mf.account(form, "refreshed:0.2", steps=3).loss("Albizzi", "Pazzi").exact == expected
    weighted = [mf.account(form, "refreshed:0.2", steps=3, weights="w").loss("Albizzi", "Pazzi").exact for form in (graph, edges)]
    assert weighted[0] == weighted[1] != expected
    for wrong, said in ((edges.assign(year=1).drop(columns="source"), "columns"), ({"a": 1}, "neighbours")):
        with pytest.raises(mf.MuffliatoError, match=said):
            mf.account(wrong)
    with pytest.raises(mf.MuffliatoError, match="no column 'v'"):
        mf.account(edges, weights="v")
    with pytest.raises(mf.MuffliatoError, match="has no 'w'"):
        mf.account(pandas.DataFrame({"source": [0, 1], "target": [1, 2], "w": [0.5, None]}), weights="w")


def test_protocols_are_objects_or_text():
    for thing, text in (
        (mf.Averaging(), "one-shot"),
        (mf.Averaging(fresh_noise=Fraction(1, 3), masks="2"), "refreshed:1/3+masked:2"),
        (mf.GradientDescent(3, steps=2, fresh_noise=1e-3, every=2), "gd:3x2:every=2+refreshed:0.001"),
    ):
        steps = None if "gd" in text else 2
        assert mf.account("path:4", thing, steps=steps).protocol == mf.account("path:4", text, steps=steps).protocol
    with pytest.raises(mf.MuffliatoError, match="multiple of sigma"):
        mf.account("path:4", mf.Averaging(masks="three"))
    with pytest.raises(mf.MuffliatoError, match="whole number"):
        mf.account("path:4", mf.GradientDescent(-1))


def test_errors_name_the_remedy():
    with pytest.raises(ValueError, match="directed"):
        mf.account(nx.DiGraph([(0, 1)]))
    with pytest.raises(mf.MuffliatoError, match="itself"):
        mf.account(nx.Graph([(0, 0), (0, 1)]))
    with pytest.raises(mf.MuffliatoError, match="symmetric"):
        mf.account(np.array([[0, 1], [0, 0]]))
    for nothing in (3, [1, 2], [(1, 2, 3)], "no-such-family:3"):
        with pytest.raises(mf.MuffliatoError):
            mf.account(nothing)
    with pytest.raises(mf.MuffliatoError, match="use metropolis"):
        mf.account("path:3", weights="w")
    with pytest.raises(ValueError, match="steps is -1; give a whole number"):
        mf.account("path:3", steps=-1)
    with pytest.raises(mf.MuffliatoError, match=r"protocols=\['masked'\]"):
        mf.calibrate("path:3", epsilon=1, delta=1e-6, protocols="masked")
    with pytest.raises(mf.MuffliatoError, match="no such protocol"):
        mf.account("path:3", "three-shot", steps=1)
    account = mf.account("path:3", steps=1)
    for call in (lambda: account.loss(0, 7), lambda: account.loss(0, 0), lambda: account.matrix("best")):
        with pytest.raises(mf.MuffliatoError):
            call()
    with pytest.raises(mf.MuffliatoError):
        account.guarantee(0, 1).epsilon(sigma=-1, delta=1e-6)


def test_accounts_and_shards_can_be_pickled():
    account = mf.account(nx.karate_club_graph(), "refreshed:0.1", steps=3)
    again = pickle.loads(pickle.dumps(account))
    assert again.loss(33, 3).upper == account.loss(33, 3).upper
    shard = pickle.loads(pickle.dumps(account.shard(1, 4)))
    assert shard.run() == account.shard(1, 4).run()
    for loss in (account.loss(33, 3), mf.account("path:3", "refreshed:1/3", steps=2).loss(0, 2), mf.account("karate", "gd:3x1").loss(33, 3)):
        there = pickle.loads(pickle.dumps(loss))
        assert there == loss and there.exact == loss.exact
    with pytest.raises(mf.MuffliatoError, match="record"):
        pickle.dumps(account.guarantee(33, 3))
    found = account.by_distance()
    assert pickle.loads(pickle.dumps(found)) == found


def test_any_number_of_workers_gives_the_same_bytes():
    whole = mf.account("karate", "refreshed:0.1", steps=3, observers="all")
    with ThreadPoolExecutor(2) as pool:
        account = mf.account("karate", "refreshed:0.1", steps=3, observers="all", executor=pool)
        for shards in (None, 1, 3, 34, 50):
            found = account.by_distance(shards)
            assert found == whole.by_distance() and found.complete and found.retried == 0


def test_a_process_pool_gives_the_same_result():
    whole = mf.account("hypercube:6", "refreshed:0.1", steps=3, observers="all")
    with ProcessPoolExecutor(2) as pool:
        account = mf.account("hypercube:6", "refreshed:0.1", steps=3, observers="all", executor=pool)
        assert account.by_distance(8) == whole.by_distance()


def test_a_part_is_not_complete():
    account = mf.account("karate", "refreshed:0.1", steps=2, observers="all")
    parts = [account.shard(k, 3).run() for k in range(3)]
    assert not mf.merge(parts[:2]).complete
    assert mf.merge(parts[::-1]).complete
    with pytest.raises(mf.MuffliatoError, match="twice"):
        mf.merge([parts[0], parts[0]])
    other = mf.account("karate", "refreshed:0.2", steps=2, observers="all")
    with pytest.raises(mf.MuffliatoError, match="different"):
        mf.merge([parts[0], other.shard(1, 3).run()])
    assert not mf.account("hypercube:6", "refreshed:0.1", steps=2, observers="sample:4").by_distance().complete



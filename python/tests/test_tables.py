"""All pairs as matrices, frames and files, against the command's own CSV."""

import io
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction

import networkx as nx
import numpy as np
import pytest

import muffliato as mf
from muffliato import accounts

pandas = pytest.importorskip("pandas")


def test_the_frame_matches_the_csv_of_the_command():
    for graph, options in (("florentine", {"steps": 2}), ("karate", {"steps": 3, "sigma": 2.0}), ("path:4", {})):
        protocol = "gd:3x1" if graph == "path:4" else "refreshed:0.1"
        ours = mf.account(graph, protocol, **options).to_pandas()
        flags = [word for name, value in options.items() for word in (f"--{name}", str(value))]
        text = mf.command("account", graph, "--protocol", protocol, *flags, "--format", "csv")
        theirs = pandas.read_csv(io.StringIO(text), comment="#", dtype={"leakage_exact": str, "scalars_exact": str})
        assert ours.columns.tolist() == theirs.columns.tolist()
        assert len(ours) == len(theirs)
        for name in theirs.columns:
            mine, other = ours[name], theirs[name]
            if name in ("leakage_exact", "scalars_exact"):
                fractions = [None if value is None else str(value) for value in mine]
                assert fractions == [None if pandas.isna(value) else value for value in other], name
            elif other.dtype == object or name in ("source", "observer", "status"):
                assert mine.tolist() == other.tolist(), name
            else:
                assert np.array_equal(mine.astype(float), other.astype(float), equal_nan=True), name


def test_rows_and_columns_are_in_the_order_of_nodelist():
    graph = nx.florentine_families_graph()
    names = sorted(graph.nodes)
    account = mf.account(graph, "refreshed:0.1", steps=2, nodelist=names)
    assert account.nodes == names
    matrix = account.matrix("value")
    assert np.isnan(np.diagonal(matrix)).all()
    assert matrix[names.index("Ginori"), names.index("Pazzi")] == account.loss("Ginori", "Pazzi").value
    backwards = mf.account("path:4", "refreshed:0.1", steps=2, nodelist=[3, 2, 1, 0])
    assert np.array_equal(backwards.matrix()[::-1, ::-1], mf.account("path:4", "refreshed:0.1", steps=2).matrix(), equal_nan=True)
    with pytest.raises(mf.MuffliatoError, match="nodelist"):
        mf.account(graph, nodelist=names[1:])


def test_groups_and_coalitions_have_their_names():
    account = mf.account("florentine", "one-shot", steps=2, coalition=["Medici", "Pazzi"], group=["Ginori", "Bischeri"])
    row = account.to_pandas().iloc[0]
    assert (set(row["source"]), set(row["observer"])) == ({"Ginori", "Bischeri"}, {"Medici", "Pazzi"})
    assert row["leakage_exact"] == account.group_loss(["Ginori", "Bischeri"]).exact
    with pytest.raises(mf.MuffliatoError, match="coalition"):
        account.loss("Ginori", "Medici")
    with pytest.raises(mf.MuffliatoError, match="to_pandas"):
        account.matrix()
    with pytest.raises(mf.MuffliatoError, match="coalition"):
        account.report("report.html")
    with pytest.raises(mf.MuffliatoError, match="observer"):
        mf.account("florentine", steps=2).loss("Ginori")


def test_parquet_holds_all_pairs_with_and_without_executor(tmp_path, monkeypatch):
    pytest.importorskip("pyarrow")
    monkeypatch.setattr(accounts, "ROWS", 50)
    account = mf.account("florentine", "refreshed:0.1", steps=2)
    account.to_parquet(tmp_path / "alone.parquet")
    found = pandas.read_parquet(tmp_path / "alone.parquet")
    expected = account.to_pandas()
    assert len(found) == 15 * 14 and found.columns.tolist() == expected.columns.tolist()
    assert [Fraction(text) for text in found["leakage_exact"]] == expected["leakage_exact"].tolist()
    assert found["source"].tolist() == expected["source"].tolist() and found["epsilon"].tolist() == expected["epsilon"].tolist()
    with ThreadPoolExecutor(3) as pool:
        mf.account("florentine", "refreshed:0.1", steps=2, executor=pool).to_parquet(tmp_path / "pool.parquet")
    assert (tmp_path / "pool.parquet").read_bytes() == (tmp_path / "alone.parquet").read_bytes()


def test_no_path_is_no_distance(tmp_path):
    account = mf.account(nx.Graph([("a", "b"), ("c", "d")]), "refreshed:0.1", steps=2)
    frame = account.to_pandas().set_index(["source", "observer"])
    assert pandas.isna(frame.loc[("a", "c"), "distance"]) and frame.loc[("a", "c"), "leakage_exact"] == 0
    assert account.by_distance()[-1]["distance"] is None
    pytest.importorskip("pyarrow")
    account.to_parquet(tmp_path / "pairs.parquet")
    assert pandas.read_parquet(tmp_path / "pairs.parquet")["distance"].isna().sum() == 8


def test_tables_have_text_and_html():
    account = mf.account(nx.Graph([("<b>", "b"), ("b", "c")]), "one-shot", steps=2)
    assert "<td>1</td>" in account._repr_html_() and "3 nodes" in account._repr_html_()
    assert list(account.by_distance().to_pandas()["pairs"]) == [4, 2]
    head, names, nearest, _ = repr(account.by_distance()).splitlines()
    assert head == "Pairs(2 distances, all observers)" and names.split()[:3] == ["distance", "pairs", "min"] and nearest.split()[0] == "1"
    assert "&lt;b&gt;" in mf.Table([{"node": "<b>"}])._repr_html_()
    # Losses are not shown smaller than they are.
    assert mf.Table([{"loss": 0.12341}])._repr_html_().endswith("<td>0.1235</td></tr></table>")


def test_a_plot_has_the_losses_of_the_table():
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    account = mf.account("karate", "refreshed:0.1", steps=4)
    axes = account.plot()
    largest = axes.get_lines()[0].get_ydata()
    assert list(largest) == [row["max"] for row in account.by_distance()]
    assert [text.get_text() for text in axes.get_legend().get_texts()][-1].endswith("(refuted)")
    again = account.plot(ax=axes)
    assert again is axes
    axes.figure.savefig(io.BytesIO(), format="png")


def test_a_plot_of_training_shows_what_is_promised():
    pytest.importorskip("matplotlib").use("Agg")
    account = mf.account("path:4", mf.GradientDescent(3))
    axes = account.plot()
    drawn = {line.get_label(): list(line.get_ydata()) for line in axes.get_lines()}
    assert drawn["largest loss, as promised"] == [row["promised"] for row in account.by_distance()]
    assert "largest loss if gradients were fixed inputs" in drawn and "largest loss" not in drawn


def test_a_report_names_the_nodes_of_the_graph(tmp_path):
    graph = nx.Graph([("Ada", "Bob"), ("Bob", "Cleo"), ("Cleo", "Ada"), ("Cleo", "Dan <&>")])
    page = mf.account(graph, "refreshed:0.2", steps=3, sigma=2.0).report(tmp_path / "report.html").read_text(encoding="utf-8")
    assert "Cleo" in page and "Dan &lt;&amp;&gt;" in page and "Dan <&>" not in page
    nx.set_edge_attributes(graph, Fraction(1, 5), "w")
    weighted = mf.account(graph, "one-shot", steps=3, weights="w").report(tmp_path / "weighted.html").read_text(encoding="utf-8")
    assert weighted != page
    assert (tmp_path / "report.html").exists()

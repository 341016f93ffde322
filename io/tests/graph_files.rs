//! Files as other tools write them: what each is read as, or why it is refused. The files in `tests/files` were written by
//! networkx 3.6.1, igraph 1.0.0 for Python, SciPy 1.17.1, pandas and NumPy; those of R by `tests/files_of_r.R`.

use muffliato_io::{Format, ReadOptions, Reading, read_bytes, read_file};
use muffliato_model::{Graph, families};
use std::path::{Path, PathBuf};

/// The Florentine families with Pucci, who married into no other.
const PUCCI: (usize, usize) = (16, 20);
const FLORENTINE: (usize, usize) = (15, 20);
const KARATE: (usize, usize) = (34, 78);
const PATH: (usize, usize) = (5, 4);

/// The file, what wrote it, nodes and edges, the format, and what is told.
type Row = (
    &'static str,
    &'static str,
    (usize, usize),
    Format,
    &'static str,
);

#[rustfmt::skip]
const READ: [Row; 68] = [
    ("networkx_edgelist.txt", "networkx write_edgelist", FLORENTINE, Format::EdgeList, "the third column, which looks like attributes, was left out"),
    ("networkx_edgelist_data.txt", "networkx write_edgelist", KARATE, Format::EdgeList, "the third column, which looks like attributes, was left out"),
    ("networkx_edgelist_data.csv", "networkx write_edgelist, delimiter=','", KARATE, Format::EdgeList, "the third column, which looks like attributes, was left out"),
    ("networkx_weighted.txt", "networkx write_weighted_edgelist", KARATE, Format::EdgeList, "the third column, which looks like weights, was left out"),
    ("networkx.adjlist", "networkx write_adjlist", KARATE, Format::AdjacencyList, ""),
    ("networkx.adjlist.gz", "networkx write_adjlist, gzip", KARATE, Format::AdjacencyList, ""),
    ("networkx_labels.adjlist", "networkx write_adjlist", PUCCI, Format::AdjacencyList, ""),
    ("networkx_multiline.adjlist", "networkx write_multiline_adjlist", KARATE, Format::MultilineAdjacencyList, "the second column, which looks like attributes, was left out"),
    ("networkx_multiline_labels.adjlist", "networkx write_multiline_adjlist", PUCCI, Format::MultilineAdjacencyList, ""),
    ("networkx.g6", "networkx write_graph6", KARATE, Format::Graph6, ""),
    ("networkx_noheader.g6", "networkx write_graph6, header=False", KARATE, Format::Graph6, ""),
    ("networkx.s6", "networkx write_sparse6", KARATE, Format::Sparse6, ""),
    ("networkx.s6.gz", "networkx write_sparse6, gzip", KARATE, Format::Sparse6, ""),
    ("networkx_noheader.s6", "networkx write_sparse6, header=False", KARATE, Format::Sparse6, ""),
    ("networkx.graphml", "networkx write_graphml", PUCCI, Format::GraphMl, ""),
    ("networkx.graphml.gz", "networkx write_graphml, gzip", PUCCI, Format::GraphMl, ""),
    ("networkx_weights.graphml", "networkx write_graphml", KARATE, Format::GraphMl, "attributes of nodes were left out: \"club\"; attributes of edges were left out: \"weight\""),
    ("networkx.gml", "networkx write_gml", PUCCI, Format::Gml, ""),
    ("networkx_weights.gml", "networkx write_gml", KARATE, Format::Gml, "attributes of edges were left out: \"weight\""),
    ("networkx.gexf", "networkx write_gexf", PUCCI, Format::Gexf, ""),
    ("networkx_weights.gexf", "networkx write_gexf", KARATE, Format::Gexf, "attributes of edges were left out: \"weight\""),
    ("networkx.net", "networkx write_pajek", PUCCI, Format::Pajek, "attributes of edges were left out: \"weight\""),
    ("networkx_weights.net", "networkx write_pajek", KARATE, Format::Pajek, "attributes of edges were left out: \"weight\""),
    ("networkx_node_link.json", "networkx node_link_data", PUCCI, Format::NodeLink, ""),
    ("networkx_links.txt", "networkx node_link_data, edges='links'", FLORENTINE, Format::NodeLink, ""),
    ("pandas_edges.csv", "pandas to_csv, index=False", (77, 254), Format::EdgeList, "line 1 was read as names of columns: source, target, weight; the third column \"weight\", which looks like weights, was left out"),
    ("pandas_edges.csv.gz", "pandas to_csv, gzip", (77, 254), Format::EdgeList, "line 1 was read as names of columns: source, target, weight; the third column \"weight\", which looks like weights, was left out"),
    ("pandas_edges_index.csv", "pandas to_csv", FLORENTINE, Format::EdgeList, "line 1 was read as names of columns: , source, target; the first column, which numbers the rows, was left out"),
    ("pandas_quoted.csv", "pandas to_csv, labels with commas", FLORENTINE, Format::EdgeList, "line 1 was read as names of columns: source, target"),
    ("pandas_edges.tsv", "pandas to_csv, sep='\\t'", FLORENTINE, Format::EdgeList, "line 1 was read as names of columns: source, target"),
    ("pandas_adjacency.csv", "pandas to_csv of to_pandas_adjacency", PUCCI, Format::DenseMatrix, ""),
    ("numpy_dense.txt", "numpy.savetxt, fmt='%d'", KARATE, Format::DenseMatrix, ""),
    ("numpy_dense.csv", "numpy.savetxt, delimiter=','", KARATE, Format::DenseMatrix, ""),
    ("numpy_dense_float.txt", "numpy.savetxt", PATH, Format::DenseMatrix, ""),
    ("scipy.mtx", "scipy.io.mmwrite of a sparse matrix", KARATE, Format::MatrixMarket, "the third column, which looks like weights, was left out"),
    ("scipy_array.mtx", "scipy.io.mmwrite of an array", PATH, Format::MatrixMarket, "the values of the matrix were left out: every entry that is not 0 is an edge"),
    ("igraph_edgelist.txt", "igraph write_edgelist", FLORENTINE, Format::EdgeList, ""),
    ("igraph.ncol", "igraph write_ncol", FLORENTINE, Format::EdgeList, ""),
    ("igraph_zachary.ncol", "igraph write_ncol with weights", KARATE, Format::EdgeList, "the third column, which looks like weights, was left out"),
    ("igraph.graphml", "igraph write_graphml", PUCCI, Format::GraphMl, ""),
    ("igraph_zachary.graphml", "igraph write_graphml without names", KARATE, Format::GraphMl, "attributes of edges were left out: \"weight\""),
    ("igraph.gml", "igraph write_gml", PUCCI, Format::Gml, ""),
    ("igraph_zachary.gml", "igraph write_gml without names", KARATE, Format::Gml, "attributes of edges were left out: \"weight\""),
    ("igraph.net", "igraph write_pajek", PUCCI, Format::Pajek, ""),
    ("igraph_zachary.net", "igraph write_pajek without names", KARATE, Format::Pajek, "attributes of edges were left out: \"weight\""),
    ("igraph_adjacency.txt", "igraph write_adjacency", KARATE, Format::DenseMatrix, ""),
    ("r_write_csv.csv", "R write.csv", FLORENTINE, Format::EdgeList, "line 1 was read as names of columns: , from, to, weight; the first column, which numbers the rows, was left out; the fourth column \"weight\", which looks like weights, was left out"),
    ("r_write_csv_no_names.csv", "R write.csv, row.names=FALSE", FLORENTINE, Format::EdgeList, "line 1 was read as names of columns: from, to"),
    ("r_write_csv2.csv", "R write.csv2, decimal commas", FLORENTINE, Format::EdgeList, "line 1 was read as names of columns: , from, to, weight; the first column, which numbers the rows, was left out; the fourth column \"weight\" was left out"),
    ("r_write_table.txt", "R write.table", FLORENTINE, Format::EdgeList, "line 1 was read as names of columns: , from, to, weight; the first column, which numbers the rows, was left out; the fourth column \"weight\", which looks like weights, was left out"),
    ("r_write_table_plain.txt", "R write.table, no names and quotes", FLORENTINE, Format::EdgeList, ""),
    ("r_matrix.csv", "R write.csv of a matrix", FLORENTINE, Format::DenseMatrix, ""),
    ("r_matrix.txt", "R write.table of a matrix", FLORENTINE, Format::DenseMatrix, ""),
    ("r_matrix.mtx", "R Matrix::writeMM", FLORENTINE, Format::MatrixMarket, ""),
    ("r_igraph.edgelist", "R igraph write_graph, edgelist", FLORENTINE, Format::EdgeList, ""),
    ("r_igraph.ncol", "R igraph write_graph, ncol", FLORENTINE, Format::EdgeList, ""),
    ("r_igraph.graphml", "R igraph write_graph, graphml", FLORENTINE, Format::GraphMl, ""),
    ("r_igraph.gml", "R igraph write_graph, gml", FLORENTINE, Format::Gml, ""),
    ("r_igraph.pajek", "R igraph write_graph, pajek", FLORENTINE, Format::Pajek, ""),
    ("r_igraph_zachary.edgelist", "R igraph write_graph, edgelist", KARATE, Format::EdgeList, ""),
    ("r_igraph_zachary.ncol", "R igraph write_graph, ncol", KARATE, Format::EdgeList, ""),
    ("r_igraph_zachary.graphml", "R igraph write_graph, graphml", KARATE, Format::GraphMl, ""),
    ("r_igraph_zachary.gml", "R igraph write_graph, gml", KARATE, Format::Gml, ""),
    ("r_igraph_zachary.pajek", "R igraph write_graph, pajek", KARATE, Format::Pajek, ""),
    ("konect.txt", "KONECT", KARATE, Format::EdgeList, "the third column, which looks like weights, was left out"),
    ("snap.txt", "SNAP", KARATE, Format::EdgeList, ""),
    ("gephi.csv", "Gephi", FLORENTINE, Format::EdgeList, "line 1 was read as names of columns: Source, Target, Type, Id, Label, Weight; the third column \"Type\" was left out; the fourth column \"Id\", which looks like weights, was left out; the fifth column \"Label\" was left out; the sixth column \"Weight\", which looks like weights, was left out"),
    ("count_first.txt", "the number of nodes, then edges", (36, 78), Format::EdgeList, "line 1 was read as the number of nodes, 36"),
];

/// The file, what wrote it, and what the refusal says.
#[rustfmt::skip]
const REFUSED: [(&str, &str, &str); 11] = [
    ("networkx_tuples.txt", "networkx write_edgelist of a grid", "line 1: \"(0, 0) (1, 0) {}\": label 1 of the two has brackets, as Python's tuples"),
    ("networkx_spaces.txt", "networkx write_edgelist, labels with spaces", "a further column is neither a number nor in braces, and could be part of a label with blanks"),
    ("networkx_tuples.json", "networkx node_link_data of a grid", "nodes[0]: \"id\" is a list"),
    ("networkx_adjacency.json", "networkx adjacency_data", "this looks like networkx.adjacency_data"),
    ("networkx_cytoscape.json", "networkx cytoscape_data", "this looks like the JSON of Cytoscape"),
    ("networkx_directed.graphml", "networkx write_graphml of a directed graph", "says that edges are directed"),
    ("igraph.lgl", "igraph write_lgl", "this looks like Trivial Graph Format or LGL"),
    ("igraph.lgr", "igraph write_leda", "this looks like LEDA"),
    ("r_igraph.lgl", "R igraph write_graph, lgl", "this looks like Trivial Graph Format or LGL"),
    ("r_igraph.leda", "R igraph write_graph, leda", "this looks like LEDA"),
    ("r_igraph.dot", "R igraph write_graph, dot", "this looks like Graphviz"),
];

fn path_of(file: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/files")
        .join(file)
}

fn told(reading: &Reading) -> String {
    reading.notes.join("; ")
}

/// The edges by label, each and all in order.
fn edges(graph: &Graph, label: impl Fn(usize) -> String) -> Vec<[String; 2]> {
    let ends = |(u, v)| {
        let mut ends = [label(u), label(v)];
        ends.sort();
        ends
    };
    let mut edges: Vec<_> = graph.edges().map(ends).collect();
    edges.sort();
    edges
}

#[test]
fn files_of_other_tools_are_read_as_they_were_meant() {
    let florentine = families::florentine().unwrap();
    let karate = families::karate().unwrap();
    for (file, tool, size, format, notes) in READ {
        let reading = read_file(&path_of(file)).unwrap_or_else(|error| panic!("{error}"));
        let graph = &reading.graph;
        println!(
            "{file:36} {tool:44} {:3} nodes {:3} edges  {:?}",
            graph.nodes(),
            graph.edge_count(),
            reading.format
        );
        assert_eq!((graph.nodes(), graph.edge_count()), size, "{file}");
        assert_eq!(reading.format, format, "{file}");
        assert_eq!(told(&reading), notes, "{file}");
        assert!(reading.self_loops.is_empty(), "{file}");

        // The same edges, up to how the tool calls the nodes.
        let plain = |label: String| label.split(", ").next().unwrap_or_default().to_owned();
        match size {
            KARATE => {
                let first = graph
                    .labels()
                    .map_or(0, |_| usize::from(graph.node("34").is_some()));
                let number = |node: usize| match graph
                    .label(node)
                    .trim_start_matches('n')
                    .parse::<usize>()
                {
                    Ok(number) => (number - first).to_string(),
                    Err(_) => graph.label(node),
                };
                assert_eq!(
                    edges(graph, number),
                    edges(&karate, |node| node.to_string()),
                    "{file}"
                );
            }
            FLORENTINE | PUCCI if graph.labels().is_some() => {
                let label = |node| plain(graph.label(node));
                assert_eq!(
                    edges(graph, label),
                    edges(&florentine, |node| florentine.label(node)),
                    "{file}"
                );
            }
            _ => {}
        }
    }
}

#[test]
fn files_that_are_not_understood_are_refused() {
    for (file, tool, expected) in REFUSED {
        let error = read_file(&path_of(file)).unwrap_err().to_string();
        println!("{file:36} {tool:44} {error}");
        assert!(
            error.contains(expected) && error.contains(';'),
            "{file}: {error}"
        );
    }
    // With what it asks for, a file is read.
    let options = ReadOptions {
        delimiter: Some("space".parse().unwrap()),
        ..ReadOptions::default()
    };
    let bytes = std::fs::read(path_of("networkx_spaces.txt")).unwrap();
    assert_eq!(read_bytes(&bytes, &options).unwrap().graph.nodes(), 5);
}

/// Every file of the folder is in one of the tables.
#[test]
fn no_file_is_forgotten() {
    let known = |name: &str| {
        READ.iter().any(|(file, ..)| *file == name)
            || REFUSED.iter().any(|(file, ..)| *file == name)
    };
    for entry in std::fs::read_dir(path_of("")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        assert!(known(&name), "{name}");
    }
}

//! Accepted and refused files, format by format: minimal files with the expected result.

use crate::*;
use Format::*;

/// The labels of the nodes (or how many there are), the edges, and what else is told.
fn shown(reading: &Reading) -> String {
    let graph = &reading.graph;
    let nodes = graph.labels().map(|labels| labels.join("|"));
    let mut told = vec![nodes.unwrap_or(graph.nodes().to_string())];
    told.extend(graph.edges().map(|(u, v)| format!("{u}-{v}")));
    let mut text = told.join(" ");
    if reading.repeated_edges > 0 {
        text += &format!("; {} again", reading.repeated_edges);
    }
    for self_loop in &reading.self_loops {
        let SelfLoop { node, label, place } = self_loop;
        text += &format!("; {place} is a loop at {node}, {label}");
    }
    reading
        .notes
        .iter()
        .fold(text, |text, note| format!("{text}; {note}"))
}

/// Files of each format, which are recognised, and what is read.
#[rustfmt::skip]
const READ: &[(Format, &str, &str)] = &[
    // Exactly the integers below n are numbers, and other labels are numbered by their first appearance.
    (EdgeList, "2 1\n1 0\n2 0\n", "3 0-1 0-2 1-2"),
    (EdgeList, "0 0", "1; line 1 is a loop at 0, 0"),
    (EdgeList, "\u{feff}0 1\n", "2 0-1"),
    (EdgeList, "3 1\r\n1 2\r\n3 1\r\n", "3|1|2 0-1 1-2; 1 again"),
    (EdgeList, "1 2", "1|2 0-1"),
    (EdgeList, "0 2", "0|2 0-1"),
    (EdgeList, "0 01", "0|01 0-1"),
    (EdgeList, "+0 1", "+0|1 0-1"),
    (EdgeList, "-0 1", "-0|1 0-1"),
    (EdgeList, "0 4294967297", "0|4294967297 0-1"),
    (EdgeList, "ann bob\n", "ann|bob 0-1"),
    // Repetitions, self-loops, further columns.
    (EdgeList, "a,b,\n\nb,a,1.5\na , b,2\nc,c,\n", "a|b|c 0-1; 2 again; line 5 is a loop at 2, c; the third column was left out"),
    (EdgeList, "1 1\n0 1\n", "2 0-1; line 1 is a loop at 1, 1"),
    (EdgeList, "a b 1\nb c 2\n", "a|b|c 0-1 1-2; the third column, which looks like weights, was left out"),
    (EdgeList, "a b {'weight': 4, 'k': [1, 2]}\nb c {}\n", "a|b|c 0-1 1-2; the third column, which looks like attributes, was left out"),
    (EdgeList, "1 2 1\n2 3 1\n3 1 1\n", "1|2|3 0-1 0-2 1-2; the third column, which looks like weights, was left out"),
    // The first line: names of columns, or the number of nodes.
    (EdgeList, "source,target\na,b\nb,c\n", "a|b|c 0-1 1-2; line 1 was read as names of columns: source, target"),
    (EdgeList, "Person;Friend;Since\na;b;1990\nb;c;1991\n", "a|b|c 0-1 1-2; line 1 was read as names of columns: Person, Friend, Since; the third column \"Since\", which looks like weights, was left out"),
    (EdgeList, "weight,from,to\n3,a,b\n4,b,c\n", "a|b|c 0-1 1-2; line 1 was read as names of columns: weight, from, to; the first column \"weight\", which looks like weights, was left out"),
    (EdgeList, ",source,target\n0,a,b\n1,b,c\n", "a|b|c 0-1 1-2; line 1 was read as names of columns: , source, target; the first column, which numbers the rows, was left out"),
    (EdgeList, "\"from\" \"to\"\n\"1\" \"a b\" \"c\"\n\"2\" \"c\" \"d\"\n", "a b|c|d 0-1 1-2; line 1 was read as names of columns: , from, to; the first column, which numbers the rows, was left out"),
    (EdgeList, "u v\nv w\nw u\n", "u|v|w 0-1 0-2 1-2"),
    (EdgeList, "4\n1 2\n2 4\n", "1|2|3|4 0-1 1-3; line 1 was read as the number of nodes, 4"),
    (EdgeList, "3\na b\nb c\n", "a|b|c 0-1 1-2; line 1 was read as the number of nodes, 3"),
    (EdgeList, "5\n0 1\n1 2\n", "5 0-1 1-2; line 1 was read as the number of nodes, 5"),
    // Quotes and brackets.
    (EdgeList, "\"Smith, J\",\"Doe, A\"\n\"Doe, A\",\"Roe \"\"R\"\"\"\n", "Smith, J|Doe, A|Roe \"R\" 0-1 1-2"),
    (EdgeList, "New York (NY), Boston\nBoston, O'Hare\n", "New York (NY)|Boston|O'Hare 0-1 1-2"),

    (AdjacencyList, "#c\n0 1 2\n1 2\n2\n", "3 0-1 0-2 1-2"),
    (AdjacencyList, "a b d\nb a c\nc b d\nd c a\n", "a|b|d|c 0-1 0-2 1-3 2-3; 4 again"),
    (MultilineAdjacencyList, "0 1\n1 {}\n1 0\n", "2 0-1"),
    (MultilineAdjacencyList, "a 1\nb {'w': 1}\nb 0\n", "a|b 0-1; the second column, which looks like attributes, was left out"),

    (DenseMatrix, "0 1 1\n1 0 1\n1 1 0\n", "3 0-1 0-2 1-2"),
    (DenseMatrix, "0 0.5\n0.5 0\n", "2 0-1; the values of the matrix were left out: every entry that is not 0 is an edge"),
    (DenseMatrix, ",a,b\na,0,1\nb,1,0\n", "a|b 0-1"),
    (DenseMatrix, "\"a\" \"b\"\n\"a\" 0 1\n\"b\" 1 0\n", "a|b 0-1"),
    (DenseMatrix, "0 3 0 0\n3 0 2 0\n0 2 0 2\n0 0 2 0\n", "4 0-1 1-2 2-3; the values of the matrix were left out: every entry that is not 0 is an edge"),

    // As SciPy 1.17.1 writes `mmwrite(file, nx.to_scipy_sparse_array(cycle_graph(4)))` with different types and symmetries.
    (MatrixMarket, "%%MatrixMarket matrix coordinate pattern symmetric\n%\n4 4 4\n2 1\n3 2\n4 1\n4 3\n", "4 0-1 0-3 1-2 2-3"),
    (MatrixMarket, "%%MatrixMarket matrix coordinate integer symmetric\n%\n4 4 4\n2 1 1\n3 2 1\n4 1 1\n4 3 1\n", "4 0-1 0-3 1-2 2-3; the third column, which looks like weights, was left out"),
    (MatrixMarket, "%%MatrixMarket matrix coordinate real general\n%\n4 4 8\n1 2 2.5E-1\n1 4 2.5E-1\n2 1 2.5E-1\n2 3 2.5E-1\n3 2 2.5E-1\n3 4 2.5E-1\n4 1 2.5E-1\n4 3 2.5E-1\n", "4 0-1 0-3 1-2 2-3; 4 again; the third column, which looks like weights, was left out"),
    (MatrixMarket, "%%MatrixMarket matrix coordinate integer symmetric\n%\n3 3 2\n1 1 1\n2 1 1\n", "3 0-1; line 4 is a loop at 0, 0; the third column, which looks like weights, was left out"),
    (MatrixMarket, "%%MatrixMarket matrix array real symmetric\n%\n4 4\n0\n1\n0\n1\n0\n1\n0\n0\n1\n0\n", "4 0-1 0-3 1-2 2-3; the values of the matrix were left out: every entry that is not 0 is an edge"),
    (MatrixMarket, "%%MatrixMarket matrix array integer general\n4 4\n0\n1\n0\n1\n1\n0\n1\n0\n0\n1\n0\n1\n1\n0\n1\n0\n", "4 0-1 0-3 1-2 2-3; 4 again; the values of the matrix were left out: every entry that is not 0 is an edge"),
    (MatrixMarket, "\u{feff}%%matrixmarket MATRIX Coordinate  Integer GENERAL\r\n% c\r\n\r\n2 2 1\r\n% c\r\n 1\t2 -07\r\n\r\n", "2 0-1; the third column, which looks like weights, was left out"),

    // Edges as networkx 3.6.1 reads them; DQc is the example of nauty's formats.txt.
    (Graph6, "@", "1"),
    (Graph6, "A?", "2"),
    (Graph6, "A_", "2 0-1"),
    (Graph6, "C~", "4 0-1 0-2 0-3 1-2 1-3 2-3"),
    (Graph6, "D?{", "5 0-4 1-4 2-4 3-4"),
    (Graph6, "DQc", "5 0-2 0-4 1-3 3-4"),
    (Graph6, "Dhc\r\n", "5 0-1 0-4 1-2 2-3 3-4"),
    (Graph6, ">>graph6<<\nDhc\n\n", "5 0-1 0-4 1-2 2-3 3-4"),
    (Graph6, ">>graph6<<IheA@GUAo\n", "10 0-1 0-4 0-5 1-2 1-6 2-3 2-7 3-4 3-8 4-9 5-7 5-8 6-8 6-9 7-9"),
    // The example of the format's description, and files of networkx 3.6.1 (`to_sparse6_bytes`).
    (Sparse6, ":Fa@x^", "7 0-1 0-2 1-2 5-6"),
    (Sparse6, ">>sparse6<<:Bd\n", "3 0-1 1-2"),
    (Sparse6, ":Cda", "4 0-1 0-3 1-2 2-3"),
    (Sparse6, ":@", "1"),
    (Sparse6, ":An", "2 0-1"),

    // As networkx 3.6.1 writes them: `json.dumps(node_link_data(graph, edges=...))`, of paths, labels and a MultiGraph.
    (NodeLink, r#"{"directed": false, "multigraph": false, "graph": {}, "nodes": [{"id": 2}, {"id": 1}, {"id": 0}], "links": [{"source": 2, "target": 1}, {"source": 1, "target": 0}]}"#, "3 0-1 1-2"),
    (NodeLink, r#"{"directed": false, "multigraph": false, "graph": {}, "nodes": [{"id": "a b"}, {"id": "c"}, {"id": 7}], "links": [{"source": "a b", "target": "c"}, {"source": "c", "target": 7}, {"source": "c", "target": "c"}]}"#, "a b|c|7 0-1 1-2; link 2 is a loop at 1, c"),
    (NodeLink, r#"{"directed": false, "multigraph": true, "graph": {}, "nodes": [{"id": 0}, {"id": 1}, {"id": 2}], "edges": [{"source": 0, "target": 1, "key": 0}, {"source": 0, "target": 1, "key": 1}, {"source": 0, "target": 1, "key": 2}, {"source": 0, "target": 2, "key": 0}]}"#, "3 0-1 0-2; 2 again"),
    (NodeLink, r#" {"nodes": [{"id": 1.5}, {"id": true}, {"id": "x"}, {"id": -3}], "links": [{"source": "x", "target": 1.5, "weight": 2}, {"source": true, "target": -3}]}"#, "1.5|true|x|-3 0-2 1-3; attributes of edges were left out: \"weight\""),

    // Edges may come before their nodes; names are labels where all have one of their own.
    (GraphMl, "<?xml version='1.0'?>\n<!-- <gexf> --><graphml><graph><edge source='a' target='b'/><node id='b'/><node id='a'/></graph></graphml>", "a|b 0-1"),
    (GraphMl, "<graphml><graph><node id='n0'><data key='name'>R&amp;D</data></node><node id='n1'><data key='name'><![CDATA[a < b]]></data></node></graph></graphml>", "R&D|a < b"),
    (GraphMl, "<graphml><graph><node id='n0'><data key='name'>x</data></node><node id='n1'><data key='name'>x</data></node></graph></graphml>", "n0|n1; nodes are called by their ids: their names repeat or are not all there"),
    (GraphMl, "<graphml><graph><node id='n0'><data key='name'>x</data></node><node id='n1'><data key='name'/></node></graph></graphml>", "n0|n1; nodes are called by their ids: their names repeat or are not all there"),
    (GraphMl, "<!DOCTYPE graphml SYSTEM 'graphml.dtd'><graphml><graph><node id='&#97;'/></graph></graphml>", "a"),
    (Gexf, "<gexf xmlns='x'><graph defaultedgetype='undirected'><nodes><node id='0' label='ann'/><node id='1' label='bob'/></nodes><edges><edge source='0' target='1' weight='2'/><edge source='1' target='1'/></edges></graph></gexf>", "ann|bob 0-1; line 1 is a loop at 1, bob; attributes of edges were left out: \"weight\""),
    (Gexf, "<gexf><graph defaultedgetype='directed'><nodes><node id='0'/><node id='1'/></nodes><edges><edge type='mutual' source='0' target='1'/></edges></graph></gexf>", "2 0-1"),

    (Gml, "# a comment\nCreator \"x [ y\"\nVersion 1\nGraph\n[ Directed 0\nnode[id 5 label \"R&#38;D &quot;a&quot;\" graphics [ x 1 y [ z 2 ] ] ]\nnode [ id 7 name \"n\" label \"b\nc\" ]\nedge [ source 5 target 7 value 1 ] edge [ source 7 target 7 ] ]\n", "R&D \"a\"|b\nc 0-1; line 9 is a loop at 1, b\nc; attributes of nodes were left out: \"graphics\"; attributes of edges were left out: \"value\""),
    (Pajek, "% c\n*Network x\n% c\n*Vertices 4\n1 \"New York\" 0.1 0.2\n3 c\n2 b\n4 \"d\"\n*Arcs\n*Edges\n1 2 0.5\n*Edgeslist\n3 1 2 4\n", "New York|b|c|d 0-1 0-2 1-2 2-3; attributes of edges were left out: \"weight\""),
    (Pajek, "*vertices 3\r\n*edges\r\n1 2\r\n", "1|2|3 0-1"),
];

/// Files of a format (or of any), and parts of the error.
#[rustfmt::skip]
const REFUSED: &[(Option<Format>, &str, &str)] = &[
    (Some(EdgeList), "", "the file names no nodes"),
    (Some(EdgeList), "# nothing\n\n", "the file names no nodes"),
    (Some(EdgeList), "a b\n# c\nalone\n", "line 3: \"alone\": there is one label"),
    (Some(EdgeList), "a b\nb c 1\n", "line 2: \"b c 1\": there are 3 columns, and 2"),
    (Some(EdgeList), "a b\nb c 1\nc d", "line 3: \"c d\": there are 2 columns, and 3"),
    (Some(EdgeList), "a,b\nb,c\nc,d,e", "line 3: \"c,d,e\": there are 3 columns, and 2"),
    (Some(EdgeList), "a b\nb\nc d", "line 2: \"b\": there is one label"),
    (Some(EdgeList), "a b c d\ne f\ng h", "line 2: \"e f\": there are 2 columns, and 4"),
    (Some(EdgeList), "alone", "line 1: \"alone\": there is one label"),
    (Some(EdgeList), "ann,bob\n,bob\n", "line 2: \",bob\": label 1 of the two is empty"),
    (Some(EdgeList), "1;2;0,5\n2;3;0,7", "separated by ',' or by ';'"),
    (Some(EdgeList), "(0, 0) (1, 0)\n(1, 0) (1, 1)\n", "brackets, as Python's tuples"),
    (Some(EdgeList), "a (0, 1)\nb (1, 1)\n", "brackets"),
    (Some(EdgeList), "'Smith, J','Doe, A'\n'Doe, A','Roe, R'\n", "begins with a single quote"),
    (Some(EdgeList), "\"a\"b,c\nd,e\n", "quote out of place"),
    (Some(EdgeList), "New York Boston\nBoston New York\n", "could be part of a label with blanks"),
    (Some(EdgeList), "hero,villain\na,b\nb,c\n", "its two labels occur nowhere else"),
    (Some(EdgeList), "who\twhom\n1\t2\n2\t3\n", "its two labels occur nowhere else"),
    (Some(EdgeList), "3 2\n0 1\n1 2\n", "the numbers of nodes and edges"),
    (Some(EdgeList), "4 4\n2 4\n1 3\n2 4\n1 3\n", "the numbers of nodes and edges"), // METIS
    (Some(EdgeList), "3 3 2\n1 2 0.5\n2 3 0.5\n", "Matrix Market"),
    (Some(EdgeList), "5\na b\nb c\n", "5 nodes are declared, and the edges name 3"),
    (Some(EdgeList), "4\n1 2\n2 3\n", "4 nodes are declared, and the edges name 3"),
    (Some(EdgeList), "99999999999\n0 1\n", "99999999999 nodes are declared"),
    (Some(EdgeList), "x\na b\nb c\n", "there are 2 columns, and 1"),
    (Some(EdgeList), "id,hero,partner,score\n1,a,b,3\n2,b,c,4\n", "call them source and target"),
    (Some(EdgeList), "1,a,b\n2,b,c\n3,c,d\n", "its first column numbers the rows"),
    (Some(EdgeList), "Source,Target,Type\na,b,Directed\n", "the column \"Type\" says that edges are directed"),
    (Some(EdgeList), "1 2 0,5\n2 3 0,7\n", "separated by ',' or by spaces"),
    (Some(AdjacencyList), "a b\na c\n", "line 2: \"a\" begins a line again"),
    (Some(AdjacencyList), "a,,b\n", "line 1: \"\" is empty"),
    (Some(AdjacencyList), "a (b)\n", "line 1: \"(b)\" has brackets"),
    (Some(MultilineAdjacencyList), "a 2\nb {}\n", "line 1: \"a\" has fewer neighbours than it says"),
    (Some(MultilineAdjacencyList), "a b\n", "line 1: \"a b\" should be a node and how many neighbours follow"),
    (Some(MultilineAdjacencyList), "a 1\nb c\n", "line 2: \"b c\" should be a neighbour"),
    (Some(DenseMatrix), "0 1\n1 x\n", "line 2: a dense matrix needs as many numbers in each row as it has rows, and there is \"x\""),
    (Some(DenseMatrix), "0 1\n", "1 rows and 2 columns"),

    // Banners, sizes and entries of Matrix Market.
    (Some(MatrixMarket), "", "line 1: found \"\"; the first line must be '%%MatrixMarket matrix'"),
    (Some(MatrixMarket), "4 4 4", "line 1: found \"4 4 4\"; the first line must be"),
    (Some(MatrixMarket), "%%MatrixMarket", "the first line must be"),
    (Some(MatrixMarket), "%%MatrixMarket matrix coordinate complex general", "the first line must be"),
    (Some(MatrixMarket), "%%MatrixMarket matrix coordinate real skew-symmetric", "the first line must be"),
    (Some(MatrixMarket), "%%MatrixMarket matrix coordinate complex hermitian", "the first line must be"),
    (Some(MatrixMarket), "%%MatrixMarket vector coordinate real general", "the first line must be"),
    (Some(MatrixMarket), "%%MatrixMarket matrix array pattern general", "the first line must be"),
    (Some(MatrixMarket), "%%MatrixMarket matrix coordinate real general more", "the first line must be"),
    (Some(MatrixMarket), "%%MatrixMarket matrix coordinate real general\n3 3 1\n1 2", "line 3: found \"1 2\"; write a row, a column and a real number"),
    (Some(MatrixMarket), "%%MatrixMarket matrix coordinate real general\n3 3 1\n1 2 x", "line 3: found \"1 2 x\"; write a row, a column and a real number"),
    (Some(MatrixMarket), "%%MatrixMarket matrix coordinate real general\n3 3 1\n1 2 1.0 0", "line 3: found \"1 2 1.0 0\"; write a row"),
    (Some(MatrixMarket), "%%MatrixMarket matrix coordinate integer general\n3 3 1\n1 2", "write a row, a column and an integer"),
    (Some(MatrixMarket), "%%MatrixMarket matrix coordinate integer general\n3 3 1\n1 2 1.0", "write a row, a column and an integer"),
    (Some(MatrixMarket), "%%MatrixMarket matrix coordinate integer general\n3 3 1\n1 2 -", "write a row, a column and an integer"),
    (Some(MatrixMarket), "%%MatrixMarket matrix array real symmetric\n2 2\n0\n1\n", "line 5: the file ends after 2 of 3 entries"),
    (Some(MatrixMarket), "%%MatrixMarket matrix array real symmetric\n2 2\n0 1\n", "line 3: found \"0 1\"; write a real number"),
    (Some(MatrixMarket), "%%MatrixMarket matrix array integer symmetric\n2 2\n0.5\n", "line 3: found \"0.5\"; write an integer"),
    (Some(MatrixMarket), "%%MatrixMarket matrix array real general\n18446744073709551615 18446744073709551615\n", "line 2: 18446744073709551615 nodes are declared, and a file of this size may have 1000000"),

    (Some(Graph6), "", "the file names no nodes"),
    (Some(Graph6), ">>graph6<<", "the file names no nodes"),
    (Some(Graph6), "?", "the file names no nodes"),
    (Some(Graph6), "Dh ", "line 1: column 3 has the byte 0x20"),
    (Some(Graph6), ">>graph6<<D\x7fc", "line 1: column 12 has the byte 0x7f"),
    (Some(Graph6), ":Dhc\n:Dhc", "line 1: column 1 has the byte 0x3a"),
    (Some(Graph6), "\nD>c", "line 2: column 2 has the byte 0x3e"),
    (Some(Graph6), "~", "line 1: the text ends within the number of nodes, after 1 of 4 bytes"),
    (Some(Graph6), "~??", "after 3 of 4 bytes"),
    (Some(Graph6), "~~?????", "after 7 of 8 bytes"),
    (Some(Graph6), "Dh", "line 1: 1 bytes follow the number of nodes, and 5 nodes need 2"),
    (Some(Graph6), "Dhcc", "3 bytes follow the number of nodes, and 5 nodes need 2"),
    (Some(Graph6), "@?", "1 bytes follow the number of nodes, and 1 nodes need 0"),
    (Some(Graph6), "~~~~~~~~", "0 bytes follow the number of nodes, and 68719476735 nodes need 393530540221957231958"),
    (Some(Graph6), "Dhd", "line 1: the last byte 0x64 has ones after the last pair"),
    (Some(Graph6), "~??Dhc", "line 1: 5 nodes are written in 4 bytes instead of 1"),
    (Some(Graph6), "~~?????Dhc", "5 nodes are written in 8 bytes instead of 1"),
    (Some(Graph6), "Dhc\n\nC~\nC~\n", "line 3: the file has 3 graphs"),
    (Some(Sparse6), "", "the file names no nodes"),
    (Some(Sparse6), "Fa@x^", "line 1: column 1 has the byte 0x46"),
    (Some(Sparse6), ":Fa x^", "line 1: column 4 has the byte 0x20"),
    (Some(Sparse6), ":Fa@x^~~", "line 1: the text goes on after the last of 7 nodes"),
    (Some(Sparse6), ":~~~~~~~~", "line 1: 68719476735 nodes are declared"),
    (Some(Sparse6), ":An\n:An", "line 2: the file has 2 graphs"),

    (Some(NodeLink), "{\n \"nodes\": [,]}", "line 2, column 12: expected value; give JSON"),
    (Some(NodeLink), "", "line 1, column 0: "),
    (Some(NodeLink), "[]", "the file is a list, and should be an object"),
    (Some(NodeLink), "{}", "\"nodes\" is missing, and should be a list of objects"),
    (Some(NodeLink), r#"{"nodes": {}}"#, "\"nodes\" is an object, and should be a list of objects"),
    (Some(NodeLink), r#"{"nodes": []}"#, "\"links\" is missing, and should be a list of objects"),
    (Some(NodeLink), r#"{"nodes": [], "links": 5}"#, "\"links\" is 5, and should be a list of objects"),
    (Some(NodeLink), r#"{"nodes": [], "edges": null}"#, "\"edges\" is null, and should be a list of objects"),
    (Some(NodeLink), r#"{"nodes": [], "links": [], "edges": []}"#, "there are both \"links\" and \"edges\""),
    (Some(NodeLink), r#"{"nodes": [], "links": []}"#, "the file names no nodes"),
    (Some(NodeLink), r#"{"directed": "no"}"#, "\"directed\" is \"no\", and should be true or false"),
    (Some(NodeLink), r#"{"directed": true, "nodes": [{"id": 0}, {"id": 1}], "links": [{"source": 0, "target": 1}]}"#, "\"directed\" is true, and gossip needs an undirected graph"),
    (Some(NodeLink), r#"{"nodes": [0], "links": []}"#, "nodes[0]: \"id\" is missing"),
    (Some(NodeLink), r#"{"nodes": [{"id": 0}, {"name": 1}], "links": []}"#, "nodes[1]: \"id\" is missing"),
    (Some(NodeLink), r#"{"nodes": [{"id": null}], "links": []}"#, "nodes[0]: \"id\" is null"),
    (Some(NodeLink), r#"{"nodes": [{"id": [0, 0]}], "links": []}"#, "nodes[0]: \"id\" is a list"),
    (Some(NodeLink), r#"{"nodes": [{"id": 100000000000000000001}], "links": []}"#, "nodes[0]: \"id\" is 1"),
    (Some(NodeLink), r#"{"nodes": [{"id": "a"}, {"id": 1}, {"id": "a"}], "links": []}"#, "nodes[0] and nodes[2] are both called \"a\""),
    (Some(NodeLink), r#"{"nodes": [{"id": "7"}, {"id": 1}, {"id": 7}], "links": []}"#, "nodes[0] and nodes[2] are both called \"7\""),
    (Some(NodeLink), r#"{"nodes": [{"id": 0}], "links": [{"source": 0, "target": 0}, {"source": 0}]}"#, "links[1]: \"target\" is missing"),
    (Some(NodeLink), r#"{"nodes": [{"id": 0}], "links": [{"source": 2, "target": 0}]}"#, "links[0]: \"source\" is 2, which is not the id of a node"),
    (Some(NodeLink), r#"{"nodes": [{"id": 0}], "links": [{"source": "0", "target": 0}]}"#, "links[0]: \"source\" is \"0\", which is not the id of a node"),
    (Some(NodeLink), r#"{"nodes": [{"id": 0}], "edges": [{"source": 0, "target": 0.5}]}"#, "edges[0]: \"target\" is 0.5, which is not the id of a node"),

    (Some(GraphMl), "<graphml><graph><node id='a'/><hyperedge/></graph></graphml>", "line 1: edges between more than two nodes are not read"),
    (Some(GraphMl), "<graphml><graph><node id='a'><graph><node id='b'/></graph></node></graph></graphml>", "graphs within nodes are not read"),
    (Some(GraphMl), "<graphml><graph><node id='a'/>\n<edge source='a' target='a' directed='true'/></graph></graphml>", "line 2 says that edges are directed"),
    (Some(GraphMl), "<graphml><graph edgedefault='directed'><node id='a'/><edge source='a' target='a'/></graph></graphml>", "line 1 says that edges are directed"),
    (Some(GraphMl), "<graphml><graph><node id='a'/><edge source='a' target='c'/></graph></graphml>", "an edge names \"c\", which is no node"),
    (Some(GraphMl), "<graphml><graph><node id='a'/><node id='a'/></graph></graphml>", "declared again"),
    (Some(GraphMl), "<graphml><graph><node/></graph></graphml>", "a node has no id"),
    (Some(GraphMl), "<graphml><graph><node id='a'/><edge source='a'/></graph></graphml>", "a edge has no target"),
    (Some(GraphMl), "<graphml><graph><node id='&bomb;'/></graph></graphml>", "give well-formed XML"),
    (Some(GraphMl), "<graphml><graph><node id='a'><data key='d'>&bomb;</data></node></graph></graphml>", "\"&bomb;\": entities other than those of XML itself are not expanded"),
    (Some(GraphMl), "<!DOCTYPE g [<!ENTITY a 'aaaa'><!ENTITY b '&a;&a;'>]><graphml><graph><node id='&b;'/></graph></graphml>", "entities other than those of XML itself are not expanded"),
    (Some(GraphMl), "<graphml><graph><node id='a'></graph></graphml>", "give well-formed XML"),
    (Some(Gexf), "<gexf><graph defaultedgetype='directed'><nodes><node id='0'/></nodes><edges><edge source='0' target='0'/></edges></graph></gexf>", "says that edges are directed"),
    (Some(Gml), "graph [ directed 1 ]", "line 1 says that edges are directed"),
    (Some(Gml), "graph [\nnode [ label \"a\" ]\n]", "line 2: a node has no id"),
    (Some(Gml), "graph [ node [ id 0 ]\nedge [ source 0 ] ]", "line 2: a edge has no target"),
    (Some(Gml), "graph [ node [ id 0 ] node [ id 0 ] ]", "declared again"),
    (Some(Gml), "graph [ node [ id 0 ]", "last bracket"),
    (Some(Gml), "graph [ ] ]", "was not opened"),
    (Some(Gml), "graph [ ]\ngraph [ ]", "several graphs"),
    (Some(Gml), "graph [ node [ graph [ ] ] ]", "graphs within nodes"),
    (Some(Gml), "graph [ [ ] ]", "a key before each value"),
    (Some(Gml), "graph [ node ] ]", "a value after each key"),
    (Some(Gml), "graph [ node [ id \"0 ] ]", "close the quote"),
    (Some(Gml), "Version 1", "last bracket"),
    (Some(Pajek), "*Vertices 2\n*Arcs\n1 2", "line 3, after *Arcs, says that edges are directed"),
    (Some(Pajek), "*Vertices 2\n*Edges\n1 3", "line 3: found \"1 3\"; vertices are numbered"),
    (Some(Pajek), "*Vertices 2\n*Edges\n0 1", "numbered from 1"),
    (Some(Pajek), "*Vertices x", "how many vertices"),
    (Some(Pajek), "*Vertices 5 2", "two kinds of vertices"),
    (Some(Pajek), "*Vertices 99999999", "99999999 nodes are declared"),
    (Some(Pajek), "*Vertices 2\n*Matrix\n0 1\n1 0", "sections are"),
    (Some(Pajek), "*Vertices 1\n*Vertices 1", "several networks"),
    (Some(Pajek), "1 2", "begin with *Vertices"),
    (Some(Pajek), "*Network x", "before *Vertices"),

    // Formats that are not read, and what could be read in two ways.
    (None, "graph G {\n a -- b\n}", "Graphviz"),
    (None, "digraph {", "Graphviz"),
    (None, "LEDA.GRAPH\nvoid", "LEDA"),
    (None, "c a comment here\np edge 3 2\ne 1 2", "DIMACS"),
    (None, "p edge 3 2\ne 1 2\ne 2 3", "DIMACS"),
    (None, "dl n=3 format=edgelist", "UCINET"),
    (None, "nodedef>name VARCHAR", "GDF"),
    (None, "[1, 2]", "in brackets, as of JSON"),
    (None, "1 Ann\n2 Bob\n#\n1 2\n", "Trivial Graph Format"),
    (None, "# a\nb\n# b\nc\n", "LGL"),
    (None, "% bip unweighted\n1 1\n1 2\n", "bipartite network of KONECT"),
    (None, "<svg/>", "neither GraphML nor GEXF"),
    (None, "PK\x03\x04", "zip"),
    (None, "&DI?", "digraph6"),
    (None, "1 2 3\n2 3 1\n3 1 2\n", "a dense matrix or an edge list with weights"),
    (None, "0 1 2 3\n1 0 3 2\n2 3 0 1\n3 2 1 0\n", "a dense matrix or an adjacency list"),
    (None, "0 1 0 0\n0 0 1 0\n0 0 0 1\n0 0 0 0\n", "at row 2, column 1, but 1 at row 1, column 2"),
];

/// Texts after the banner of a Matrix Market pattern matrix, and parts of the error.
#[rustfmt::skip]
const REFUSED_PATTERNS: &[(&str, &str)] = &[
    ("", "line 2: found \"\"; give the numbers of rows"),
    ("% c\n\n", "line 4: found \"\"; give the numbers of rows"),
    ("2 2", "line 2: found \"2 2\"; give"),
    ("2 2 1 1", "line 2: found \"2 2 1 1\"; give"),
    ("2 2 x", "line 2: found \"2 2 x\"; give"),
    ("-2 2 1", "line 2: found \"-2 2 1\"; give"),
    ("+2 2 1", "line 2: found \"+2 2 1\"; give"),
    ("2 2 99999999999999999999", "line 2: found \"2 2 99999999999999999999\"; give"),
    ("2 3 0", "line 2: the matrix has 2 rows and 3 columns"),
    ("0 0 0", "the file names no nodes"),
    ("1000001 1000001 0", "line 2: 1000001 nodes are declared, and a file of this size may have 1000000"),
    ("3 3 1\n1", "line 3: found \"1\"; write a row and a column"),
    ("3 3 1\n1 x", "line 3: found \"1 x\"; write a row and a column"),
    ("3 3 1\n1 2 1", "line 3: found \"1 2 1\"; write a row and a column"),
    ("3 3 1\n1 2 1 1", "line 3: found \"1 2 1 1\"; write a row and a column"),
    ("3 3 1\n1.0 2", "line 3: found \"1.0 2\"; write a row and a column"),
    ("3 3 1\n-1 2", "line 3: found \"-1 2\"; write a row and a column"),
    ("3 3 1\n0 1", "line 3: entry 0 1 is outside the matrix; rows and columns are counted from 1 to 3"),
    ("3 3 1\n1 0", "line 3: entry 1 0 is outside"),
    ("3 3 1\n4 1", "line 3: entry 4 1 is outside"),
    ("3 3 1\n1 4", "line 3: entry 1 4 is outside"),
    ("3 3 1\n1 18446744073709551615", "line 3: entry 1 18446744073709551615 is outside"),
    ("3 3 1\n1 2\n2 3\n", "line 4: this entry comes after the 1 that are declared"),
    ("3 3 3\n1 2\n2 3\n", "line 5: the file ends after 2 of 3 entries"),
];

fn with(format: Option<Format>, delimiter: Option<&str>, header: Option<bool>) -> ReadOptions {
    let delimiter = delimiter.map(|text| text.parse().unwrap());
    ReadOptions {
        format,
        delimiter,
        header,
    }
}

#[test]
fn files_are_recognised_and_read() {
    for &(format, file, expected) in READ {
        let reading = read_bytes(file.as_bytes(), &ReadOptions::default());
        let reading = reading.unwrap_or_else(|error| panic!("{file}: {error}"));
        assert_eq!(
            (reading.format, &*shown(&reading)),
            (format, expected),
            "{file}"
        );
        assert_eq!(read(format, file.as_bytes()), Ok(reading), "{file}");
    }
}

#[test]
fn what_is_not_understood_is_refused_with_place_and_remedy() {
    let refused = |format, file: &[u8], expected| {
        let error = read_bytes(file, &with(format, None, None))
            .unwrap_err()
            .to_string();
        let file = file.escape_ascii();
        assert!(
            error.contains(expected) && error.contains(';'),
            "{file}: {error}"
        );
    };
    for &(format, file, expected) in REFUSED {
        refused(format, file.as_bytes(), expected);
    }
    let pattern =
        |rest: &str| format!("%%MatrixMarket matrix coordinate pattern symmetric\n{rest}");
    for &(rest, expected) in REFUSED_PATTERNS {
        refused(Some(MatrixMarket), pattern(rest).as_bytes(), expected);
    }
    for format in [EdgeList, MatrixMarket, NodeLink] {
        let expected = "line 2, column 3: byte 0xe9 is not UTF-8; save the file as UTF-8 text";
        refused(Some(format), b"a b\nc \xe9\nd e", expected);
    }
    refused(
        Some(Graph6),
        b"Dh\xff",
        "line 1: column 3 has the byte 0xff",
    );
    refused(Some(NodeLink), &[b'['; 100_000], "line 1, column");
    refused(None, b"\xff\xfe0\0", "UTF-16");
    // As many nodes as a file of this size may have.
    let read = |rest: &str| read(MatrixMarket, pattern(rest).as_bytes());
    assert!(read("1000000 1000000 0").is_ok());
    assert!(read(&("1000001 1000001 0\n".to_owned() + &"%".repeat(1_000_000))).is_ok());
}

#[test]
fn options_decide_what_is_not_clear() {
    for (file, delimiter, header, nodes) in [
        ("hero,villain\na,b\nb,c\n", None, Some(true), 3),
        ("hero,villain\na,b\nb,c\n", None, Some(false), 5),
        ("3 2\n0 1\n1 2\n", None, Some(false), 4),
        ("(0, 0)\t(1, 0)\n(1, 0)\t(1, 1)\n", Some("tab"), None, 3),
        ("1 2 0,5\n2 3 0,7\n", Some("space"), None, 3),
        ("a|b\nb|c\n", Some("|"), None, 3),
        ("a friend of\nb friend of\n", Some("space"), Some(false), 3),
    ] {
        let options = with(Some(EdgeList), delimiter, header);
        let reading = read_bytes(file.as_bytes(), &options).unwrap();
        assert_eq!(reading.graph.nodes(), nodes, "{file}");
    }
}

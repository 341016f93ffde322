//! Files that people and programs plausibly write: each is read as the graph that it means, with exactly these edges, or
//! refused with an error that says what it looks like. None is read as another graph.

use muffliato_io::{ReadOptions, Reading, read_bytes};

/// The origin of a file, the file, and its edges by label, in order (isolated nodes stand alone).
#[rustfmt::skip]
const READ: &[(&str, &str, &str)] = &[
    ("colon adjacency list", "0: 1 2\n1: 0 2\n2: 0 1\n", "0-1 0-2 1-2"),
    ("colon adjacency list with commas", "a: b, c\nb: a\nc: a\n", "a-b a-c"),
    ("colon adjacency list with blanks before the colon", "0 : 1\n1 : 0 2\n2 : 1\n", "0-1 1-2"),
    ("colon adjacency list without blanks", "0:1,2\n1:0,2\n2:0,1\n", "0-1 0-2 1-2"),
    ("colon adjacency list with tabs", "0:\t1\t2\n1:\t0\n2:\t0\n", "0-1 0-2"),
    ("colon adjacency list with a node alone", "a: b\nb: a\nc:\n", "a-b c"),
    ("colon adjacency list, each edge once", "0: 1 2\n1: 2\n2:\n", "0-1 0-2 1-2"),
    ("YAML", "ann: [bob, cem]\nbob: [ann]\ncem: [ann]\n", "ann-bob ann-cem"),
    ("quoted colon adjacency list", "\"New York\": Boston\nBoston: \"New York\"\n", "Boston-New York"),
    ("undirected arrows", "0 -- 1\n1 -- 2\n", "0-1 1-2"),
    ("undirected arrows without blanks", "a--b\nb--c\n", "a-b b-c"),
    ("Graphviz statements", "a -- b;\nb -- c;\n", "a-b b-c"),
    ("quoted Graphviz statements", "\"New York\" -- \"Boston\";\n\"Boston\" -- c;\n", "Boston-New York Boston-c"),
    ("Mathematica's edges, one a line", "1 <-> 2\n2 <-> 3\n", "1-2 2-3"),
    ("typographic arrows", "a ↔ b\nb ↔ c\n", "a-b b-c"),
    ("typographic dashes", "a – b\nb – c\n", "a-b b-c"),
    ("hyphens", "a - b\nb - c\n", "a-b b-c"),
    ("Matrix Market with a stored 0", "%%MatrixMarket matrix coordinate real symmetric\n3 3 3\n2 1 1.0\n3 1 0.0\n3 2 0.5\n", "0-1 1-2"),
    ("Matrix Market of integers with a stored 0", "%%MatrixMarket matrix coordinate integer general\n3 3 2\n1 2 1\n1 3 0\n", "0-1 2"),
    ("Matrix Market with a number near 0", "%%MatrixMarket matrix coordinate real symmetric\n2 2 1\n2 1 1e-300\n", "0-1"),
    ("networkx edge list", "0 1 {}\n1 2 {}\n", "0-1 1-2"),
    ("networkx edge list with formulas", "0 1 {'f': 'a=b(c)'}\n1 2 {'f': 'a=b'}\n", "0-1 1-2"),
    ("networkx adjacency list", "# graph\n0 1 2\n1 2\n2\n", "0-1 0-2 1-2"),
    ("complete adjacency list of K4", "0 1 2 3\n1 0 2 3\n2 0 1 3\n3 0 1 2\n", "0-1 0-2 0-3 1-2 1-3 2-3"),
    ("SNAP", "# Directed graph\n# FromNodeId\tToNodeId\n0\t1\n1\t2\n", "0-1 1-2"),
    ("KONECT", "% sym unweighted\n% 2 3 3\n1 2\n2 3\n", "1-2 2-3"),
    ("CSV with names", "source,target\nann,bob\nbob,cem\n", "ann-bob bob-cem"),
    ("CSV with names above numbers", "from,to\n1,2\n2,3\n", "1-2 2-3"),
    ("CSV with letters as names above numbers", "u,v\n1,2\n2,3\n", "1-2 2-3"),
    ("CSV with weights", "Person,Friend,Since\nann,bob,1990\nbob,cem,1991\n", "ann-bob bob-cem"),
    ("European CSV", "from;to;weight\na;b;0,5\nb;c;0,7\n", "a-b b-c"),
    ("quoted CSV", "\"a,1\",\"b\"\n\"b\",\"c\"\n", "a,1-b b-c"),
    ("CSV with an empty last column", "a,b,\nb,c,\n", "a-b b-c"),
    ("CSV on Windows", "\u{feff}source,target\r\na,b\r\nb,c\r\n", "a-b b-c"),
    ("TSV", "a b\tc\nc\td\n", "a b-c c-d"),
    ("R's data frame, printed", "  from to\n1    a  b\n2    b  c\n", "a-b b-c"),
    ("R write.table", "\"from\" \"to\"\n\"1\" \"a\" \"b\"\n\"2\" \"b\" \"c\"\n", "a-b b-c"),
    ("pandas, printed", "  source target\n0      a      b\n1      b      c\n", "a-b b-c"),
    ("adjacency matrix", "0 1 0\n1 0 1\n0 1 0\n", "0-1 1-2"),
    ("adjacency matrix as CSV with names", ",a,b,c\na,0,1,0\nb,1,0,1\nc,0,1,0\n", "a-b b-c"),
    ("adjacency matrix of floats", "0.0,0.5\n0.5,0.0\n", "0-1"),
    ("number of nodes first", "4\n0 1\n1 2\n", "0-1 1-2 3"),
    ("URLs", "http://a http://b\nhttp://b http://c\n", "http://a-http://b http://b-http://c"),
    ("prefixed names", "foaf:ann foaf:bob\nfoaf:bob foaf:cem\n", "foaf:ann-foaf:bob foaf:bob-foaf:cem"),
    ("labels with punctuation", "O'Hare,St. Louis\nSt. Louis,A&B (x)\n", "A&B (x)-St. Louis O'Hare-St. Louis"),
    ("quoted labels with arrows", "\"x -- y\",\"a - b\"\n\"a - b\",\"c -> d\"\n", "a - b-c -> d a - b-x -- y"),
    ("labels with hyphens", "Jean-Luc,X-ray\nX-ray,c\n", "Jean-Luc-X-ray X-ray-c"),
    ("labels in several scripts", "Ångström Łódź\nŁódź 東京\n", "Ångström-Łódź Łódź-東京"),
    ("JSON of networkx", r#"{"nodes": [{"id": "a"}, {"id": "b"}], "links": [{"source": "a", "target": "b"}]}"#, "a-b"),
    ("GML", "graph [ node [ id 1 label \"->\" ] node [ id 2 label \"b:\" ] edge [ source 1 target 2 ] ]", "->-b:"),
];

/// The origin of a file, the file, and a part of the error.
#[rustfmt::skip]
const REFUSED: &[(&str, &str, &str)] = &[
    ("directed arrows", "0 -> 1\n1 -> 2\n", "the edge is directed"),
    ("directed arrows without blanks", "a->b\nb->c\n", "the edge is directed"),
    ("double directed arrows", "a => b\nb => c\n", "the edge is directed"),
    ("typographic directed arrows", "a → b\nb → c\n", "the edge is directed"),
    ("arrows in one line only", "0 -- 1\n1 2\n", "line 2"),
    ("chain of Graphviz", "a -- b -- c\n", "this looks like edges of Graphviz"),
    ("attributes of Graphviz", "a -- b [weight=2];\nb -- c [weight=3];\n", "this looks like"),
    ("Graphviz", "graph {\n  a -- b;\n  b -- c;\n}\n", "this looks like Graphviz"),
    ("Graphviz, directed", "digraph G {\n  a -> b;\n}\n", "this looks like Graphviz"),
    ("edges as igraph prints them", "1--2 2--3\n", "this looks like edges of Graphviz"),
    ("several edges in a line", "1--2 2--3\n3--4 4--5\n", "this looks like edges of Graphviz"),
    ("igraph, printed", "IGRAPH 1a2b U--- 3 2 -- \n+ edges:\n[1] 1--2 2--3\n", "as igraph prints it"),
    ("equals signs", "0 = 1\n1 = 2\n", "is only punctuation, and is no node"),
    ("bars", "0 | 1\n1 | 2\n", "is only punctuation, and is no node"),
    ("LaTeX table", "0 & 1 \\\\\n1 & 2 \\\\\n", "an end of the edge"),
    ("Markdown table", "| a | b |\n|---|---|\n| 0 | 1 |\n", "line"),
    ("colon in one line only", "0: 1 2\n1 2 3\n", "ends in a colon, and is no node"),
    ("colon list with weights", "0: 1:0.5\n1: 0:0.5\n", "begins no line"),
    ("colon list with a neighbour that has no line", "0: 1 2\n1: 2\n", "\"2\" begins no line; add the line \"2:\""),
    ("properties", "nodes: 3\nedges: 2\n", "looks like an adjacency list with colons"),
    ("properties before edges", "nodes: 3\n0 1\n1 2\n", "ends in a colon"),
    ("YAML list", "edges:\n  - [0, 1]\n  - [1, 2]\n", "there are 2 columns, and 1"),
    ("words above numbers", "a b\n1 2\n2 3\n", "is this an edge?"),
    ("words above numbers, one edge", "a b\n1 2\n", "is this an edge?"),
    ("unknown names", "hero,villain\nann,bob\nbob,cem\n", "is this an edge?"),
    ("names that could be labels", "u v\nw x\ny z\n", "is this an edge?"),
    ("unknown names above three columns of integers", "id,a,b\n1,5,6\n2,6,7\n", "which columns are the ends"),
    ("subject, predicate, object", "ann,knows,bob\nbob,knows,cem\n", "an end of the edge"),
    ("the same between blanks", "ann knows bob\nbob knows cem\n", "an end of the edge"),
    ("triples of a matrix with zeros", "0 1 1\n0 2 0\n1 2 1\n", "the weight is 0"),
    ("R's table as a data frame", "from,to,Freq\na,b,0\nb,c,1\n", "the weight is 0"),
    ("adjacency list or weights", "0 1 2\n1 2 3\n2 3 0\n3 0 1\n", "an adjacency list or an edge list with weights"),
    ("matrix of two or edge list", "1 1\n1 1\n", "a dense matrix or an edge list"),
    ("identity or edge list", "1 0\n0 1\n", "a dense matrix or an edge list"),
    ("directed matrix of weights", "0 3 0 0\n0 0 2 0\n0 0 0 2\n0 0 0 0\n", "make it symmetric"),
    ("METIS", "3 3\n2 3\n1 3\n1 2\n", "the numbers of nodes and edges"),
    ("DIMACS", "p edge 3 2\ne 1 2\ne 2 3\n", "this looks like DIMACS"),
    ("VNA", "*node data\nID name\n1 ann\n", "this looks like VNA"),
    ("Python list of tuples", "[(0, 1), (1, 2)]\n", "in brackets"),
    ("Python tuples", "(0, 1)\n(1, 2)\n", "brackets, as Python's tuples"),
    ("Python tuples with commas", "(0, 1),\n(1, 2),\n", "brackets, as Python's tuples"),
    ("Python dictionary", "{0: [1, 2], 1: [0, 2], 2: [0, 1]}\n", "this looks like a dictionary of Python"),
    ("Python dictionary of strings", "{'a': ['b'], 'b': ['a']}\n", "this looks like a dictionary of Python"),
    ("Python assignment", "edges = [(0, 1), (1, 2)]\n", "this looks like an assignment"),
    ("networkx, printed", "Graph with 3 nodes and 2 edges\n", "an end of the edge"),
    ("networkx edges, printed", "EdgeView([(0, 1), (1, 2)])\n", "an end of the edge"),
    ("NumPy, printed", "[[0 1 1]\n [1 0 1]\n [1 1 0]]\n", "in brackets"),
    ("NumPy, repr", "array([[0, 1, 1],\n       [1, 0, 1],\n       [1, 1, 0]])\n", "brackets"),
    ("JSON adjacency", "{\"0\": [\"1\"], \"1\": [\"0\"]}\n", "\"nodes\" is missing"),
    ("JSON list of edges", "[[0, 1], [1, 2]]\n", "in brackets"),
    ("JSON lines", "{\"source\": 0, \"target\": 1}\n{\"source\": 1, \"target\": 2}\n", "give JSON"),
    ("Mathematica list", "{{1, 2}, {2, 3}}\n", "this looks like a dictionary of Python or a list of Mathematica"),
    ("Mathematica edges", "{1 <-> 2, 2 <-> 3}\n", "this looks like a dictionary of Python or a list of Mathematica"),
    ("Mathematica graph", "Graph[{1 <-> 2, 2 <-> 3}]\n", "this looks like a graph of Mathematica"),
    ("Mathematica rules", "1 \\[UndirectedEdge] 2\n2 \\[UndirectedEdge] 3\n", "has an arrow within"),
    ("MATLAB matrix", "A = [0 1; 1 0];\n", "this looks like an assignment"),
    ("MATLAB rows", "0 1 1;\n1 0 1;\n1 1 0;\n", "is empty"),
    ("MATLAB edges", "1 2;\n2 3;\n", "is empty"),
    ("MATLAB sparse, printed", "   (2,1)        1\n   (1,2)        1\n", "brackets"),
    ("R matrix, printed", "     [,1] [,2]\n[1,]    0    1\n[2,]    1    0\n", "in brackets"),
    ("R vector", "c(1, 2, 2, 3)\n", "an end of the edge"),
    ("R dput", "structure(list(from = c(1, 2), to = c(2, 3)))\n", "this looks like an assignment"),
    ("rows that end in commas", "0 1,\n1 2,\n", "is empty"),
    ("single quotes", "'a','b'\n'b','c'\n", "begins with a single quote"),
    ("comments of C", "// a graph\n0 1\n1 2\n", "line"),
    ("SQL", "INSERT INTO edges VALUES (0, 1);\nINSERT INTO edges VALUES (1, 2);\n", "separated by ',' or by ';'"),
    ("prose", "ann knows bob and cem\n", "an end of the edge"),
    ("Excel's first line", "sep=;\na;b\nb;c\n", "columns"),
    ("Matrix Market with a value that is no number", "%%MatrixMarket matrix coordinate real general\n2 2 1\n1 2 nan\n", "a real number"),
];

/// The edges by label, each and all in order, and the nodes without edges.
fn edges(reading: &Reading) -> String {
    let graph = &reading.graph;
    let mut all: Vec<String> = graph
        .edges()
        .map(|(u, v)| {
            let mut ends = [graph.label(u), graph.label(v)];
            ends.sort();
            ends.join("-")
        })
        .collect();
    all.sort();
    let alone = (0..graph.nodes()).filter(|&node| graph.degree(node) == 0);
    all.extend(alone.map(|node| graph.label(node)));
    all.join(" ")
}

#[test]
fn plausible_files_are_read_as_what_they_mean() {
    for &(origin, file, expected) in READ {
        let reading = read_bytes(file.as_bytes(), &ReadOptions::default());
        let reading = reading.unwrap_or_else(|error| panic!("{origin}: {error}\n{file}"));
        assert_eq!(edges(&reading), expected, "{origin}\n{file}");
    }
}

#[test]
fn files_in_doubt_are_refused_with_what_they_look_like() {
    let mut wrong = Vec::new();
    for &(origin, file, expected) in REFUSED {
        match read_bytes(file.as_bytes(), &ReadOptions::default()) {
            Ok(reading) => wrong.push(format!("{origin} is read as {}", edges(&reading))),
            Err(error) => {
                let error = error.to_string();
                if !error.contains(expected) || !error.contains(';') {
                    wrong.push(format!("{origin}: {error}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

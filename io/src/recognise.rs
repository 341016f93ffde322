//! Recognition of the format of a file by its content.

use muffliato_model::graph6::{GRAPH6_HEADER, SPARSE6_HEADER, graph6_line};

use crate::adjacency_list::{self, Likeness, is_multiline};
use crate::dense::{self, Square};
use crate::{ErrorKind, Format, ReadError, ReadOptions, matrix_market, table};

impl Format {
    /// Returns the format of a file that is not compressed, by its content alone. A format that is not read, and a content that
    /// could be read in two ways, are errors.
    ///
    /// ```
    /// use muffliato_io::Format;
    ///
    /// assert_eq!(Format::of(b"0 1\n1 2\n"), Ok(Format::EdgeList));
    /// assert_eq!(Format::of(b"0 1 0\n1 0 1\n0 1 0\n"), Ok(Format::DenseMatrix));
    /// assert_eq!(Format::of(b"0 1\n1 2 3\n2 3\n3\n"), Ok(Format::AdjacencyList));
    /// assert_eq!(Format::of(b"Dhc"), Ok(Format::Graph6));
    /// assert!(Format::of(b"graph { a -- b }").is_err()); // Graphviz
    /// ```
    pub fn of(bytes: &[u8]) -> Result<Self, ReadError> {
        format_of(bytes, &ReadOptions::default())
    }
}

/// See [`Format::of`].
pub(crate) fn format_of(bytes: &[u8], options: &ReadOptions) -> Result<Format, ReadError> {
    let bytes = crate::without_mark(bytes);
    check_binary(bytes)?;
    let begins = |mark: &str| {
        let beginning = bytes.get(..mark.len()).unwrap_or_default();
        beginning.eq_ignore_ascii_case(mark.as_bytes())
    };
    if begins(matrix_market::MAGIC) {
        return Ok(Format::MatrixMarket);
    }
    if begins(GRAPH6_HEADER) {
        return Ok(Format::Graph6);
    }
    if begins(SPARSE6_HEADER) || bytes.starts_with(b":") {
        return Ok(Format::Sparse6);
    }
    let text = crate::utf8(bytes)?;
    match text.trim_ascii_start().as_bytes().first() {
        Some(b'<') => return of_xml(text),
        Some(b'{') => {
            let inner = text.trim_ascii_start()[1..].trim_ascii_start();
            return match inner.as_bytes().first() {
                None | Some(b'"' | b'}') => Ok(Format::NodeLink),
                _ => Err(ReadError::not_read(
                    "a dictionary of Python or a list of Mathematica",
                    "write JSON with networkx.node_link_data, or an edge list",
                )),
            };
        }
        _ => {}
    }
    let visible = |line: &&str| !line.trim_ascii().is_empty();
    let code = |line: &&str| visible(line) && !line.trim_ascii_start().starts_with(['#', '%']);
    let first = text.lines().find(code).unwrap_or_default().trim_ascii();
    check_other(first)?;
    if pajek(first) {
        return Ok(Format::Pajek);
    }
    if is_gml(text) {
        return Ok(Format::Gml);
    }
    let mut lines = text.lines().filter(visible).peekable();
    if lines.peek().is_some() && lines.all(|line| graph6_line(line.as_bytes()).is_ok()) {
        return Ok(Format::Graph6);
    }
    of_lines(text, options)
}

/// Returns the format of a text of fields.
fn of_lines(text: &str, options: &ReadOptions) -> Result<Format, ReadError> {
    if is_trivial_graph_format(text) {
        return Err(ReadError::not_read(
            "Trivial Graph Format or LGL, with '#' between the nodes",
            "write an edge list, with '#' only before comments at the beginning",
        ));
    }
    if text.lines().next().is_some_and(|line| starts_word(line, "% bip")) {
        return Err(ReadError::not_read(
            "a bipartite network of KONECT, in which the same number means two nodes",
            "give the nodes of one side other labels",
        ));
    }
    if options.delimiter.is_some() || options.header.is_some() {
        return Ok(Format::EdgeList);
    }
    if is_multiline(text) {
        return Ok(Format::MultilineAdjacencyList);
    }
    if table::joining_sign(text).is_some() {
        return Ok(Format::EdgeList);
    }
    let likeness = adjacency_list::recognise(text);
    if let Likeness::Open(label) = likeness {
        let problem =
            format!("this looks like an adjacency list with colons, and {label:?} begins no line");
        let remedy = format!(
            "add the line \"{label}:\", or say that it is one (--graph-format adjacency-list on the command line)"
        );
        return Err(ReadError::new(ErrorKind::Unclear, problem, remedy));
    }
    if let Ok(table) = table::detect(text) {
        match (dense::recognise(&table), &likeness) {
            (Square::Dense, _) => return Ok(Format::DenseMatrix),
            (Square::NotSymmetric(_), Likeness::AdjacencyList) | (Square::No, _) => {}
            (Square::NotSymmetric(error), _) => return Err(error),
            (Square::Unclear(second), _) => {
                return Err(ReadError::two_formats("a dense matrix", second));
            }
        }
        if table.first() == 1 && table.rows.len() > 1 {
            return Ok(Format::EdgeList); // the number of nodes, and edges
        }
    }
    match likeness {
        Likeness::AdjacencyList => Ok(Format::AdjacencyList),
        Likeness::Unclear => {
            Err(ReadError::two_formats("an adjacency list", "an edge list with weights"))
        }
        _ => Ok(Format::EdgeList),
    }
}

fn of_xml(text: &str) -> Result<Format, ReadError> {
    let root = |name: &str| {
        let mut rest = text;
        while let Some((_, after)) = rest.split_once('<') {
            if starts_word(after, name) {
                return true;
            }
            // Declarations and comments may come first.
            if !after.starts_with(['?', '!']) {
                return false;
            }
            rest = match after.strip_prefix("!--") {
                Some(comment) => comment.split_once("-->").map_or("", |(_, after)| after),
                None => after,
            };
        }
        false
    };
    match (root("graphml"), root("gexf")) {
        (true, _) => Ok(Format::GraphMl),
        (_, true) => Ok(Format::Gexf),
        _ => Err(ReadError::not_read(
            "XML, but neither GraphML nor GEXF",
            "write GraphML, e.g. with networkx.write_graphml",
        )),
    }
}

/// Returns `true` if a text begins with this word, in any case, and not with a longer one.
fn starts_word(text: &str, word: &str) -> bool {
    let beginning = text.as_bytes().get(..word.len()).unwrap_or_default();
    let next = text.as_bytes().get(word.len());
    beginning.eq_ignore_ascii_case(word.as_bytes())
        && next.is_none_or(|byte| !byte.is_ascii_alphanumeric() && *byte != b'_')
}

fn pajek(first: &str) -> bool {
    starts_word(first, "*vertices") || starts_word(first, "*network")
}

/// Returns `true` if the words at the beginning of a text are those of GML: `graph [`, perhaps after other keys.
fn is_gml(text: &str) -> bool {
    let lines = text.lines().filter(|line| !line.trim_ascii_start().starts_with('#'));
    let mut words = lines.flat_map(str::split_ascii_whitespace);
    let first = words.next().unwrap_or_default();
    let glued = |word: &str| word.eq_ignore_ascii_case("graph[");
    if first.eq_ignore_ascii_case("graph") {
        return words.next().is_some_and(|word| word.starts_with('['));
    }
    let key = ["creator", "version", "comment"].iter().any(|key| first.eq_ignore_ascii_case(key));
    let mut before = "";
    glued(first)
        || key
            && words.any(|word| {
                let found =
                    glued(word) || word.starts_with('[') && before.eq_ignore_ascii_case("graph");
                before = word;
                found
            })
}

/// Returns `true` if a line that is only `#` comes after other lines, as in Trivial Graph Format, or every other line is a `#`
/// with one label, as in LGL.
fn is_trivial_graph_format(text: &str) -> bool {
    let mut data = false;
    let mut sections = 0;
    for line in text.lines().map(str::trim_ascii) {
        if line == "#" && data {
            return true;
        }
        let one_label = |line: &str| !line.is_empty() && !line.contains([' ', '\t', ',', ';']);
        sections += usize::from(data && line.strip_prefix("# ").is_some_and(one_label));
        data |= !line.is_empty() && !line.starts_with(['#', '%']);
    }
    sections > 0
        && table::lines(text).flatten().all(|(line, _)| line.split_ascii_whitespace().count() == 1)
}

/// Returns an error that names the kind of a file that is not text.
fn check_binary(bytes: &[u8]) -> Result<(), ReadError> {
    const UNPACK: &str = "unpack it, or compress it with gzip";
    #[rustfmt::skip]
    const KNOWN: [(&[u8], &str, &str); 9] = [
        (b"\xff\xfe", "UTF-16 text", "save it as UTF-8"),
        (b"\xfe\xff", "UTF-16 text", "save it as UTF-8"),
        (b"PK\x03\x04", "a zip archive or a spreadsheet", "unpack it, or save the sheet as CSV"),
        (b"BZh", "a file compressed by bzip2", UNPACK),
        (b"\xfd7zXZ", "a file compressed by xz", UNPACK),
        (b"\x28\xb5\x2f\xfd", "a file compressed by zstd", UNPACK),
        (b"\x93NUMPY", "an array of NumPy", "write it with scipy.io.mmwrite or numpy.savetxt"),
        (b"\x80\x04", "a pickle of Python", "write the graph with networkx.write_graphml"),
        (b"&", "digraph6, a directed graph", "give an undirected graph"),
    ];
    match KNOWN.iter().find(|(mark, ..)| bytes.starts_with(mark)) {
        Some(&(_, looks_like, remedy)) => Err(ReadError::not_read(looks_like, remedy)),
        None => Ok(()),
    }
}

const LIST: &str = "a list or a matrix in brackets, as of JSON, Python, MATLAB or R";

/// Returns an error for texts in other formats, by the first line that is not a comment.
fn check_other(first: &str) -> Result<(), ReadError> {
    let begins = |marks: &[&str]| marks.iter().any(|mark| first.starts_with(mark));
    let graphviz = ["graph", "digraph", "strict"];
    let graphviz = graphviz.iter().any(|word| starts_word(first, word)) && first.contains('{');
    let edges = first.ends_with('{') || first.contains("--") || first.contains("->");
    let comment = begins(&["c "]) && first.split_ascii_whitespace().count() != 2 || first == "c";
    let assigned = first.split_once('=').is_some_and(|(name, value)| {
        let part = |sign: char| sign.is_alphanumeric() || sign == '_';
        name.trim_ascii_end().chars().all(part) && value.contains(['[', '(', '{'])
    });
    let known = [
        (LIST, begins(&["["])),
        ("an assignment of MATLAB, Python or R", assigned || begins(&["structure("])),
        ("a graph as igraph prints it", begins(&["IGRAPH "])),
        ("a graph of Mathematica", begins(&["Graph["])),
        ("LEDA", first.eq_ignore_ascii_case("leda.graph")),
        ("DIMACS", comment || begins(&["p edge ", "p col ", "p sp ", "p max "])),
        ("UCINET DL", starts_word(first, "dl") && first.contains('=')),
        ("GDF", starts_word(first, "nodedef") && first.contains('>')),
        ("Graphviz", graphviz && edges || begins(&["/*"])),
        ("VNA or another file of sections", begins(&["*"]) && !pajek(first)),
        ("Matrix Market after other lines", starts_word(first, matrix_market::MAGIC)),
    ];
    let Some(&(looks_like, _)) = known.iter().find(|(_, found)| *found) else {
        return Ok(());
    };
    let remedy = match looks_like {
        LIST => "write an object with networkx.node_link_data",
        _ => "write GraphML or an edge list",
    };
    Err(ReadError::not_read(looks_like, remedy))
}

//! Gossip matrices in files: the weights of the edges of a graph.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use muffliato_model::{CustomWeights, Fraction, Graph, WeightError};

use crate::graph_builder::{GraphBuilder, Outcome, Weight};
use crate::{
    ErrorKind, Format, MAX_FILE_BYTES, ReadError, ReadOptions, Reading, file_bytes, outcome,
};

/// A gossip matrix from a file.
#[derive(Clone, Debug, PartialEq)]
pub struct GossipMatrix {
    /// The weights: symmetric, not negative, 0 outside of the edges, and each row sums to exactly 1.
    pub weights: CustomWeights,
    /// `true` if the file omits the diagonal, so that each node keeps the remainder to 1.
    pub diagonal_completed: bool,
}

/// Reads the weights of a graph's edges from the bytes of a file: a matrix (Matrix Market or dense), or edges with
/// weights (an edge list, GraphML, GML, GEXF, Pajek, node-link JSON). Weights are exact: `0.1` is 1/10, and edge lists may
/// have fractions such as `1/3`.
///
/// Nodes are matched by label if the graph and the file have labels, otherwise by number. An edge
/// that the file gives in one direction has its weight in both. If the file gives no weight from a
/// node to itself, each node keeps the remainder to 1. The result must be a gossip matrix of the
/// graph (see [`CustomWeights::try_new`]).
///
/// ```
/// use muffliato_io::{ReadOptions, gossip_matrix};
/// use muffliato_model::families;
///
/// let path = families::path(3)?;
/// let read = gossip_matrix(&path, b"0 1 1/3\n1 2 1/2\n", &ReadOptions::default())?;
/// assert!(read.diagonal_completed);
/// assert_eq!((read.weights.diagonal(), read.weights.denominator()), (&[4, 1, 3][..], 6));
///
/// let refused = gossip_matrix(&path, b"0 1 1/3\n0 2 1/2\n", &ReadOptions::default());
/// assert!(refused.unwrap_err().to_string().starts_with("the weight at row 0, column 2 is 1/2"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// Describes the problem of the file, or the place where the weights do not fit the graph.
pub fn gossip_matrix(
    graph: &Graph,
    bytes: &[u8],
    options: &ReadOptions,
) -> Result<GossipMatrix, ReadError> {
    let Outcome { reading, weights, both_directions } =
        outcome(bytes, options, GraphBuilder::weighing())?;
    let nodes = numbers_in(graph, &reading)?;
    let mut entries: BTreeMap<(usize, usize), Fraction> = BTreeMap::new();
    for Weight { row, column, value, place } in weights {
        let unknown = |node: u32| {
            let problem = format!("the graph has no node {:?}", reading.graph.label(node as usize));
            ReadError::new(ErrorKind::Weights, problem, "call the nodes as the graph does")
                .at(place)
        };
        let u = nodes[row as usize].ok_or_else(|| unknown(row))?;
        let v = nodes[column as usize].ok_or_else(|| unknown(column))?;
        let mirrored = (!both_directions && u != v).then_some((v, u));
        for pair in [(u, v)].into_iter().chain(mirrored) {
            if let Some(before) = entries.insert(pair, value)
                && (before != value || both_directions)
            {
                let (row, column) = (graph.label(u), graph.label(v));
                let problem = format!(
                    "the weight at row {row}, column {column} is {value}, and before it was {before}"
                );
                let remedy = "give it once, and the same in both directions";
                return Err(ReadError::new(ErrorKind::Weights, problem, remedy).at(place));
            }
        }
    }
    let diagonal_completed =
        !entries.keys().any(|(u, v)| u == v) && reading.format != Format::DenseMatrix;
    let (denominator, mut numerators) = over_one_denominator(&entries)?;
    if diagonal_completed {
        let mut left = vec![denominator; graph.nodes()];
        for &(u, _, numerator) in &numerators {
            left[u] = left[u].checked_sub(numerator).ok_or(WeightError::TooLong)?;
        }
        let own = left.into_iter().enumerate();
        numerators.extend(own.map(|(node, numerator)| (node, node, numerator)));
    }
    let weights = CustomWeights::try_new(graph, denominator, numerators)?;
    Ok(GossipMatrix { weights, diagonal_completed })
}

/// Reads the weights of a graph's edges from a file; see [`gossip_matrix`].
///
/// # Errors
///
/// Describes the problem, with the path.
pub fn gossip_matrix_file(
    graph: &Graph,
    path: &Path,
    options: &ReadOptions,
) -> Result<GossipMatrix, ReadError> {
    let bytes = file_bytes(path, MAX_FILE_BYTES)?;
    gossip_matrix(graph, &bytes, options).map_err(|error| error.in_file(path))
}

/// Returns for each node of the file its number in the graph.
fn numbers_in(graph: &Graph, reading: &Reading) -> Result<Vec<Option<usize>>, ReadError> {
    let file = &reading.graph;
    let counted = matches!(reading.format, Format::MatrixMarket | Format::DenseMatrix)
        && file.labels().is_none();
    if counted && file.nodes() != graph.nodes() {
        let (given, needed) = (file.nodes(), graph.nodes());
        let problem = format!("the weights are for {given} nodes, and the graph has {needed}");
        let remedy = "give a row for each node of the graph";
        return Err(ReadError::new(ErrorKind::Weights, problem, remedy));
    }
    if counted {
        return Ok((0..file.nodes()).map(Some).collect());
    }
    let labels = (0..graph.nodes()).map(|node| (graph.label(node), node));
    let by_label: HashMap<String, usize> = labels.collect();
    let number = |node| by_label.get(&file.label(node)).copied();
    Ok((0..file.nodes()).map(number).collect())
}

type Numerators = Vec<(usize, usize, i128)>;

fn over_one_denominator(
    entries: &BTreeMap<(usize, usize), Fraction>,
) -> Result<(i128, Numerators), WeightError> {
    let mut denominator = 1_i128;
    for value in entries.values() {
        let reduced = Fraction::try_new(denominator, value.denominator());
        let reduced = reduced.map_err(|_| WeightError::TooLong)?;
        let multiple = reduced.numerator().checked_mul(value.denominator());
        denominator = multiple.ok_or(WeightError::TooLong)?;
    }
    let scaled = entries.iter().map(|(&(u, v), value)| {
        let numerator = value.numerator().checked_mul(denominator / value.denominator());
        Ok((u, v, numerator.ok_or(WeightError::TooLong)?))
    });
    Ok((denominator, scaled.collect::<Result<_, WeightError>>()?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Place;
    use muffliato_model::families;

    fn read(bytes: &[u8]) -> Result<GossipMatrix, ReadError> {
        gossip_matrix(&families::path(3).unwrap(), bytes, &ReadOptions::default())
    }

    /// W = [[1/2, 1/2, 0], [1/2, 1/4, 1/4], [0, 1/4, 3/4]] in every form.
    #[test]
    fn one_matrix_in_all_forms() {
        let files: [&[u8]; 9] = [
            b"%%MatrixMarket matrix coordinate real symmetric\n3 3 5\n1 1 0.5\n2 1 0.5\n2 2 0.25\n3 2 2.5E-1\n3 3 0.75\n",
            b"%%MatrixMarket matrix coordinate real general\n3 3 7\n1 1 0.5\n1 2 0.5\n2 1 0.5\n2 2 0.25\n2 3 0.25\n3 2 0.25\n3 3 0.75\n",
            b"%%MatrixMarket matrix array real general\n3 3\n0.5\n0.5\n0\n0.5\n0.25\n0.25\n0\n0.25\n0.75\n",
            b"0.5 0.5 0\n0.5 0.25 0.25\n0 0.25 0.75\n",
            b"0,1,1/2\n1,2,1/4\n",
            b"source,target,weight\n0,1,0.5\n1,2,0.25\n0,0,0.5\n1,1,0.25\n2,2,0.75\n",
            b"<graphml><key id='w' for='edge' attr.name='weight'/><graph edgedefault='undirected'><node id='0'/><node id='1'/><node id='2'/><edge source='0' target='1'><data key='w'>0.5</data></edge><edge source='1' target='2'><data key='w'>0.25</data></edge></graph></graphml>",
            br#"{"nodes": [{"id": 0}, {"id": 1}, {"id": 2}], "links": [{"source": 0, "target": 1, "weight": 0.5}, {"source": 2, "target": 1, "weight": 0.25}]}"#,
            b"graph [ node [ id 0 ] node [ id 1 ] node [ id 2 ] edge [ source 0 target 1 weight 0.5 ] edge [ source 1 target 2 weight 0.25 ] ]",
        ];
        for file in files {
            let read = read(file).unwrap();
            assert_eq!(read.weights.diagonal(), [2, 1, 3], "{}", file.escape_ascii());
            assert_eq!(
                (read.weights.denominator(), read.weights.off_diagonal()),
                (4, &[2, 2, 1, 1][..])
            );
        }
    }

    #[test]
    fn labels_tell_which_node_is_which() {
        let graph = Graph::try_new(2, [(0, 1)]).unwrap();
        let graph = graph.with_labels(vec!["ann".into(), "bob".into()]).unwrap();
        let options = ReadOptions::default();
        let read =
            gossip_matrix(&graph, b"bob,ann,1/3\nbob,bob,2/3\nann,ann,2/3\n", &options).unwrap();
        assert_eq!((read.weights.diagonal(), read.weights.denominator()), (&[2, 2][..], 3));
        let error = gossip_matrix(&graph, b"bob cem 1\ncem bob 1\n", &options).unwrap_err();
        assert_eq!((error.kind, error.place), (ErrorKind::Weights, Some(Place::Line(1))));
    }

    #[test]
    fn what_is_wrong_is_named_with_row_column_and_value() {
        let market = |entries: &str| {
            format!(
                "%%MatrixMarket matrix coordinate real general\n3 3 {}\n{entries}",
                entries.lines().count()
            )
        };
        for (file, expected) in [
            (
                market("1 1 0.5\n1 2 0.5\n2 1 0.4\n2 2 0.6\n3 3 1\n"),
                "the weight at row 0, column 1 is 1/2, but at row 1, column 0 it is 2/5",
            ),
            (
                market("1 1 0.5\n1 3 0.5\n"),
                "the weight at row 0, column 2 is 1/2, but the graph has no edge 0-2",
            ),
            (
                market(
                    "1 1 0.3333333333333333\n1 2 0.6666666666666666\n2 1 0.6666666666666666\n2 2 0.3333333333333334\n3 3 1\n",
                ),
                "row 0 of the weights sums to 9999999999999999/10000000000000000",
            ),
            (
                market("1 1 1.5\n1 2 -0.5\n2 1 -0.5\n2 2 1.5\n3 3 1\n"),
                "the weight at row 0, column 1 is -1/2; weights must not be negative",
            ),
            (
                market("1 1 1\n1 1 1\n"),
                "line 4: the weight at row 0, column 0 is 1, and before it was 1",
            ),
            (
                "0 1 0.5\n1 0 0.25\n".into(),
                "line 2: the weight at row 1, column 0 is 1/4, and before it was 1/2",
            ),
            ("0 1 2\n1 2 2\n".into(), "the weight at row 0, column 0 is -1"),
            ("0 1\n1 2\n".into(), "line 1 has no weight; give every edge one"),
            (
                "*Vertices 3\n*Edges\n1 2 much\n".into(),
                "line 3: the weight \"much\": \"much\" is not a number",
            ),
            ("Bg".into(), "line 1 has no weight"),
            ("0 1 0.5\n1 3 0.5\n".into(), "no node \"3\""),
            (
                "%%MatrixMarket matrix coordinate real general\n2 2 0\n".into(),
                "the weights are for 2 nodes, and the graph has 3",
            ),
        ] {
            let error = read(file.as_bytes()).unwrap_err().to_string();
            assert!(error.starts_with(expected) || error.contains(expected), "{file}: {error}");
        }
    }
}

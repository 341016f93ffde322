//! Node-link JSON, as networkx' `node_link_data` and D3 write it:
//!
//! ```json
//! {"directed": false, "multigraph": false, "graph": {},
//!  "nodes": [{"id": "ann"}, {"id": "bob"}],
//!  "links": [{"source": "ann", "target": "bob"}]}
//! ```
//!
//! Older versions of networkx write `links`, newer ones `edges`. Of a repeated key the last
//! counts, as in Python. While it is read, a file takes about a hundred bytes of memory for
//! each of its own.

use std::collections::HashMap;

use serde_json::Value;

use super::error::excerpt;
use super::gathered::{Gathered, Outcome, next_node};
use super::{Format, Note, Place, ReadError};

/// Why a node-link file is refused. Nodes and links are counted from 0.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NodeLinkProblem {
    /// The file is not JSON.
    #[error(
        "line {line}, column {column}: {message}; give JSON, e.g. json.dump(networkx.node_link_data(graph), file)"
    )]
    Json {
        /// The line, counted from 1.
        line: usize,
        /// The column, as serde_json counts.
        column: usize,
        /// What serde_json says.
        message: String,
    },
    /// The whole file or a value in it is not what it should be, or missing.
    #[error("{place} is {found}, and should be {expected}; {remedy}")]
    Value {
        /// Which value, such as `nodes[0]: "id"`.
        place: String,
        /// What was found.
        found: String,
        /// What was expected.
        expected: &'static str,
        /// What to do.
        remedy: &'static str,
    },
    /// There are both `links` and `edges`.
    #[error("there are both \"links\" and \"edges\"; keep the one that holds the edges")]
    LinksAndEdges,
    /// The graph is directed.
    #[error(
        "\"directed\" is true, and gossip needs an undirected graph; convert it with to_undirected()"
    )]
    Directed,
    /// Two nodes have the same label.
    #[error(
        "nodes[{first}] and nodes[{second}] are both called {label:?}; give each node an id of its own"
    )]
    RepeatedId {
        /// The first node.
        first: usize,
        /// The second.
        second: usize,
        /// What both are called.
        label: String,
    },
    /// An end of a link is not among the nodes.
    #[error(
        "{place} is {found}, which is not the id of a node; add it to \"nodes\" (1 and \"1\" are different ids)"
    )]
    UnknownNode {
        /// Which end of which link.
        place: String,
        /// The id, as JSON.
        found: String,
    },
}

const ID: &str = "a string, a number below 2^53 or an integer of 64 bits, or true or false";

/// Reads node-link JSON; see [`Format::NodeLink`].
pub(super) fn read(text: &str, mut gathered: Gathered) -> Result<Outcome, ReadError> {
    let file: Value = serde_json::from_str(text).map_err(not_json)?;
    let Value::Object(file) = &file else {
        return Err(wrong("the file", Some(&file), "an object"));
    };
    match file.get("directed") {
        None | Some(Value::Bool(false)) => {}
        Some(Value::Bool(true)) => return Err(NodeLinkProblem::Directed.into()),
        other => return Err(wrong("\"directed\"", other, "true or false")),
    }
    for (key, looks_like) in [
        ("adjacency", "networkx.adjacency_data"),
        ("elements", "the JSON of Cytoscape"),
    ] {
        if file.contains_key(key) && !file.contains_key("links") && !file.contains_key("edges") {
            let remedy = "write it with networkx.node_link_data";
            return Err(ReadError::NotRead { looks_like, remedy });
        }
    }
    let nodes = match file.get("nodes") {
        Some(Value::Array(nodes)) => nodes,
        other => return Err(wrong("\"nodes\"", other, "a list of objects")),
    };
    let (list, links) = match (file.get("links"), file.get("edges")) {
        (Some(Value::Array(links)), None) => ("links", links),
        (None, Some(Value::Array(edges))) => ("edges", edges),
        (Some(_), Some(_)) => return Err(NodeLinkProblem::LinksAndEdges.into()),
        (None, other @ Some(_)) => return Err(wrong("\"edges\"", other, "a list of objects")),
        (other, None) => return Err(wrong("\"links\"", other, "a list of objects")),
    };

    let nodes = Nodes::new(nodes)?;
    let mut weighted = false;
    for (link, value) in links.iter().enumerate() {
        let source = nodes.end(list, link, value, "source")?;
        let target = nodes.end(list, link, value, "target")?;
        let weight = value.get("weight").map(|weight| match weight {
            Value::String(text) => text.clone(),
            other => other.to_string(),
        });
        weighted |= weight.is_some();
        gathered.add((source, target), Place::Link(link), weight.as_deref())?;
    }
    if weighted && !gathered.wants_weights() {
        let (of, names) = ("edges", "\"weight\"".to_owned());
        gathered.notes.push(Note::Attributes { of, names });
    }
    gathered.labelled(Format::NodeLink, nodes.labels)
}

/// The declared nodes.
struct Nodes {
    labels: Vec<String>,
    /// The number of the node with a label, and whether its id is a string.
    numbers: HashMap<String, (u32, bool)>,
}

impl Nodes {
    fn new(nodes: &[Value]) -> Result<Self, ReadError> {
        let mut labels = Vec::new();
        let mut numbers = HashMap::new();
        for (node, value) in nodes.iter().enumerate() {
            let value = value.get("id");
            let (label, is_string) = value.and_then(id).ok_or_else(|| {
                let remedy =
                    "relabel the nodes, e.g. with networkx.convert_node_labels_to_integers";
                not_an_id(format!("nodes[{node}]: \"id\""), value, remedy)
            })?;
            let number = (next_node(node)?, is_string);
            if let Some((first, _)) = numbers.insert(label.clone(), number) {
                return Err(NodeLinkProblem::RepeatedId {
                    first: first as usize,
                    second: node,
                    label: excerpt(&label),
                }
                .into());
            }
            labels.push(label);
        }
        Ok(Self { labels, numbers })
    }

    /// The number of the node at one end of a link.
    fn end(
        &self,
        list: &'static str,
        link: usize,
        value: &Value,
        end: &'static str,
    ) -> Result<u32, NodeLinkProblem> {
        let value = value.get(end);
        let place = || format!("{list}[{link}]: {end:?}");
        let (label, is_string) = value
            .and_then(id)
            .ok_or_else(|| not_an_id(place(), value, "name the node by its id"))?;
        match self.numbers.get(&label) {
            Some(&(number, declared)) if declared == is_string => Ok(number),
            _ => Err(NodeLinkProblem::UnknownNode {
                place: place(),
                found: describe(value),
            }),
        }
    }
}

fn not_an_id(place: String, value: Option<&Value>, remedy: &'static str) -> NodeLinkProblem {
    NodeLinkProblem::Value {
        place,
        found: describe(value),
        expected: ID,
        remedy,
    }
}

/// The label that an id gives, and whether the id is a string; `None` if it is not an id.
///
/// Integers of more than 64 bits come as rounded floating-point numbers, so that two of them
/// could be mistaken for each other: they are no ids.
fn id(value: &Value) -> Option<(String, bool)> {
    const EXACT: f64 = (1_u64 << 53) as f64;
    match value {
        Value::String(label) => Some((label.clone(), true)),
        Value::Bool(truth) => Some((truth.to_string(), false)),
        Value::Number(number) => {
            let is_exact = number.is_i64()
                || number.is_u64()
                || number.as_f64().is_some_and(|number| number.abs() < EXACT);
            is_exact.then(|| (number.to_string(), false))
        }
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    }
}

fn wrong(key: &'static str, found: Option<&Value>, expected: &'static str) -> ReadError {
    NodeLinkProblem::Value {
        place: key.to_owned(),
        found: describe(found),
        expected,
        remedy: "write the file with networkx.node_link_data",
    }
    .into()
}

fn describe(value: Option<&Value>) -> String {
    match value {
        None => "missing".into(),
        Some(Value::Array(_)) => "a list".into(),
        Some(Value::Object(_)) => "an object".into(),
        Some(scalar) => excerpt(&scalar.to_string()),
    }
}

fn not_json(error: serde_json::Error) -> NodeLinkProblem {
    let (line, column) = (error.line(), error.column());
    let text = error.to_string();
    let place = format!(" at line {line} column {column}");
    let message = text.strip_suffix(&place).unwrap_or(&text).to_owned();
    NodeLinkProblem::Json {
        line,
        column,
        message,
    }
}

//! Node-link JSON, as networkx' `node_link_data` and D3 write it:
//!
//! ```json
//! {"directed": false, "multigraph": false, "graph": {},
//!  "nodes": [{"id": "ann"}, {"id": "bob"}],
//!  "links": [{"source": "ann", "target": "bob"}]}
//! ```
//!
//! Older versions of networkx write `links`, newer ones `edges`. Of a repeated key the last counts, as in Python.
//! While it is read, a file takes about a hundred bytes of memory for each of its own.

use serde_json::Value;

use crate::error::excerpt;
use crate::graph_builder::{GraphBuilder, Outcome, next_node};
use crate::{ErrorKind, Format, Place, ReadError};

const ID: &str = "a string, a number below 2^53 or an integer of 64 bits, or true or false";

/// Reads node-link JSON; see [`Format::NodeLink`].
pub(crate) fn read(text: &str, mut builder: GraphBuilder) -> Result<Outcome, ReadError> {
    let file: Value = serde_json::from_str(text).map_err(|error| not_json(&error))?;
    let Value::Object(file) = &file else {
        return Err(wrong("the file", Some(&file), "an object"));
    };
    match file.get("directed") {
        None | Some(Value::Bool(false)) => {}
        Some(Value::Bool(true)) => {
            let problem = "\"directed\" is true, and gossip needs an undirected graph";
            let remedy = "convert it with to_undirected()";
            return Err(ReadError::new(ErrorKind::Directed, problem, remedy));
        }
        other => return Err(wrong("\"directed\"", other, "true or false")),
    }
    for (key, looks_like) in
        [("adjacency", "networkx.adjacency_data"), ("elements", "the JSON of Cytoscape")]
    {
        if file.contains_key(key) && !file.contains_key("links") && !file.contains_key("edges") {
            let remedy = "write it with networkx.node_link_data";
            return Err(ReadError::not_read(looks_like, remedy));
        }
    }
    let nodes = match file.get("nodes") {
        Some(Value::Array(nodes)) => nodes,
        other => return Err(wrong("\"nodes\"", other, "a list of objects")),
    };
    let (list, links) = match (file.get("links"), file.get("edges")) {
        (Some(Value::Array(links)), None) => ("links", links),
        (None, Some(Value::Array(edges))) => ("edges", edges),
        (Some(_), Some(_)) => {
            let problem = "there are both \"links\" and \"edges\"";
            let remedy = "keep the one that holds the edges";
            return Err(ReadError::new(ErrorKind::Content, problem, remedy));
        }
        (None, other @ Some(_)) => return Err(wrong("\"edges\"", other, "a list of objects")),
        (other, None) => return Err(wrong("\"links\"", other, "a list of objects")),
    };

    // Whether the id of each node is a string.
    let mut strings = Vec::new();
    for (number, node) in nodes.iter().enumerate() {
        let value = node.get("id");
        let (label, is_string) = value.and_then(id).ok_or_else(|| {
            let remedy = "relabel the nodes, e.g. with networkx.convert_node_labels_to_integers";
            not_an_id(&format!("nodes[{number}]: \"id\""), value, remedy)
        })?;
        let first = builder.node(&label)?;
        if first != next_node(number)? {
            let problem =
                format!("nodes[{first}] and nodes[{number}] are both called {:?}", excerpt(&label));
            let remedy = "give each node an id of its own";
            return Err(ReadError::new(ErrorKind::Content, problem, remedy));
        }
        strings.push(is_string);
    }
    let mut weighted = false;
    for (number, link) in links.iter().enumerate() {
        let mut ends = [0; 2];
        for (node, end) in ends.iter_mut().zip(["source", "target"]) {
            let value = link.get(end);
            let place = format!("{list}[{number}]: {end:?}");
            let (label, is_string) = value
                .and_then(id)
                .ok_or_else(|| not_an_id(&place, value, "name the node by its id"))?;
            *node = builder.node(&label)?;
            if strings.get(*node as usize) != Some(&is_string) {
                let problem =
                    format!("{place} is {}, which is not the id of a node", describe(value));
                let remedy = "add it to \"nodes\" (1 and \"1\" are different ids)";
                return Err(ReadError::new(ErrorKind::Content, problem, remedy));
            }
        }
        let weight = link.get("weight").map(|weight| match weight {
            Value::String(text) => text.clone(),
            other => other.to_string(),
        });
        weighted |= weight.is_some();
        builder.add(ends.into(), Place::Link(number), weight.as_deref())?;
    }
    if weighted && !builder.wants_weights() {
        let note = "attributes of edges were left out: \"weight\"";
        builder.notes.push(note.to_owned());
    }
    builder.labelled(Format::NodeLink)
}

fn wrong_value(
    place: &str,
    found: Option<&Value>,
    expected: &str,
    remedy: &'static str,
) -> ReadError {
    let problem = format!("{place} is {}, and should be {expected}", describe(found));
    ReadError::new(ErrorKind::Content, problem, remedy)
}

fn not_an_id(place: &str, value: Option<&Value>, remedy: &'static str) -> ReadError {
    wrong_value(place, value, ID, remedy)
}

fn wrong(key: &str, found: Option<&Value>, expected: &str) -> ReadError {
    wrong_value(key, found, expected, "write the file with networkx.node_link_data")
}

/// Returns the label that an id gives, and whether the id is a string; `None` if it is not an id.
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

fn describe(value: Option<&Value>) -> String {
    match value {
        None => "missing".into(),
        Some(Value::Array(_)) => "a list".into(),
        Some(Value::Object(_)) => "an object".into(),
        Some(scalar) => excerpt(&scalar.to_string()),
    }
}

fn not_json(error: &serde_json::Error) -> ReadError {
    let (line, column) = (error.line(), error.column());
    let text = error.to_string();
    let place = format!(" at line {line} column {column}");
    let problem = text.strip_suffix(&place).unwrap_or(&text);
    let remedy = "give JSON, e.g. json.dump(networkx.node_link_data(graph), file)";
    ReadError::new(ErrorKind::Content, problem, remedy).at(Place::Column { line, column })
}

//! The two formats in XML: GraphML and GEXF.
//!
//! ```xml
//! <graphml>                                          <gexf>
//!   <key id="d0" for="edge" attr.name="weight"/>
//!   <graph edgedefault="undirected">                   <graph defaultedgetype="undirected">
//!     <node id="n0"/>                                    <nodes> <node id="0" label="ann"/> ..
//!     <edge source="n0" target="n1">                     <edges> <edge source="0" target="1" weight="0.5"/> ..
//!       <data key="d0">0.5</data> ..
//! ```
//!
//! Entities are not expanded, except for those of XML itself; elements may be nested as deeply as they like, since
//! nothing here recurses.

use std::collections::HashMap;

use quick_xml::Reader;
use quick_xml::XmlVersion;
use quick_xml::events::{BytesStart, Event};

use crate::error::excerpt;
use crate::graph_builder::{GraphBuilder, Outcome};
use crate::{Format, ReadError};

/// An element may have this many attributes.
const MOST_ATTRIBUTES: usize = 100;

/// An element that is open.
#[derive(Clone, Debug, PartialEq)]
enum Open {
    Graph,
    Node(u32),
    Edge,
    /// A value, with the name of what it is.
    Data(String),
    Other,
}

/// Reads GraphML or GEXF; see [`Format::GraphMl`] and [`Format::Gexf`].
pub(crate) fn read(
    text: &str,
    format: Format,
    builder: GraphBuilder,
) -> Result<Outcome, ReadError> {
    let mut reader = Reader::from_str(text);
    let mut document = Document {
        format,
        builder,
        open: Vec::new(),
        within: None,
        keys: HashMap::new(),
        directed: false,
        graphs: 0,
        edge: Edge::default(),
        value: String::new(),
    };
    let mut lines = Lines {
        text,
        at: 0,
        line: 1,
    };
    loop {
        let event = reader.read_event();
        let line = lines.of(reader.buffer_position());
        match event {
            Err(error) => {
                return Err(not_well_formed(line, &error));
            }
            Ok(Event::Start(ref element) | Event::Empty(ref element)) => {
                let attributes = attributes(element, line)?;
                document.open(element.local_name().as_ref(), &attributes, line)?;
                if let Ok(Event::Empty(_)) = event {
                    document.close()?;
                }
            }
            Ok(Event::End(_)) => document.close()?,
            Ok(Event::Text(words)) => document.text(&words.xml10_content()),
            Ok(Event::CData(words)) => document.text(&words.xml10_content()),
            Ok(Event::GeneralRef(reference)) => {
                let name = reference.xml10_content();
                let sign = character(&name).ok_or_else(|| entity(line, &format!("&{name};")))?;
                document.text(sign.encode_utf8(&mut [0; 4]));
            }
            Ok(Event::DocType(declared)) => {
                let declared = declared.xml10_content();
                if declared.contains(['[', '%']) {
                    return Err(entity(line, &declared));
                }
            }
            Ok(Event::Comment(_) | Event::Decl(_) | Event::PI(_)) => {}
            Ok(Event::Eof) => {
                let missing = match (document.graphs, document.open.is_empty()) {
                    (0, _) => "a graph begins",
                    (_, false) => "all elements are closed",
                    _ => return document.builder.declared(format),
                };
                let problem = format!("the file ends before {missing}");
                return Err(ReadError::line(line, problem, "give the whole file"));
            }
        }
    }
}

fn not_well_formed(line: usize, error: &dyn std::fmt::Display) -> ReadError {
    let remedy = "give well-formed XML, as networkx and igraph write it";
    ReadError::line(line, excerpt(&error.to_string()), remedy)
}

fn entity(line: usize, found: &str) -> ReadError {
    let problem = "entities other than those of XML itself are not expanded";
    let problem = format!("{:?}: {problem}", excerpt(found));
    ReadError::line(line, problem, "write the characters themselves")
}

/// Returns the attributes of an element, by their names without prefix.
fn attributes(element: &BytesStart<'_>, line: usize) -> Result<Vec<(String, String)>, ReadError> {
    let message = |error: &dyn std::fmt::Display| not_well_formed(line, error);
    let mut attributes = Vec::new();
    for attribute in element.attributes().with_checks(false) {
        let attribute = attribute.map_err(|error| message(&error))?;
        let value = attribute.normalized_value(XmlVersion::Implicit1_0);
        let value = value.map_err(|error| message(&error))?;
        let name: &str = attribute.key.as_ref();
        if attributes.iter().any(|(other, _)| other == name) {
            return Err(message(&format!("the attribute {name} is given twice")));
        }
        if attributes.len() == MOST_ATTRIBUTES {
            return Err(message(&"an element has more than 100 attributes"));
        }
        attributes.push((name.to_owned(), value.into_owned()));
    }
    Ok(attributes)
}

/// The edge that is open.
#[derive(Default)]
struct Edge {
    ends: [String; 2],
    line: usize,
    weight: Option<String>,
}

struct Document {
    format: Format,
    builder: GraphBuilder,
    open: Vec<Open>,
    /// The place of a node or an edge in `open`.
    within: Option<usize>,
    /// The names of GraphML's keys.
    keys: HashMap<String, String>,
    /// Whether edges are directed that do not say.
    directed: bool,
    graphs: usize,
    edge: Edge,
    value: String,
}

impl Document {
    fn open(
        &mut self,
        name: &str,
        attributes: &[(String, String)],
        line: usize,
    ) -> Result<(), ReadError> {
        let get = |name: &str| {
            let found = attributes.iter().find(|(other, _)| other == name);
            found.map(|(_, value)| value.as_str())
        };
        let needed = |element: &str, attribute| {
            let problem = format!("a {element} has no {attribute}");
            get(attribute).ok_or_else(|| ReadError::line(line, problem, "give it one"))
        };
        let not_simple = |what| Err(ReadError::not_simple(line, what));
        let inside = self.within.is_some();
        let gexf = self.format == Format::Gexf;
        let in_graph = self.graphs > 0;
        let opened = match name {
            "graph" | "nodes" | "edges" if inside => return not_simple("graphs within nodes"),
            "graph" if self.graphs > 0 => return not_simple("several graphs"),
            "graph" => {
                self.graphs += 1;
                let default = get(if gexf {
                    "defaultedgetype"
                } else {
                    "edgedefault"
                });
                self.directed =
                    default.is_some_and(|default| default.eq_ignore_ascii_case("directed"));
                Open::Graph
            }
            "hyperedge" if in_graph => return not_simple("edges between more than two nodes"),
            "key" if !gexf => {
                if let (Some(id), Some(name)) = (get("id"), get("attr.name")) {
                    self.keys.insert(id.to_owned(), name.to_owned());
                }
                Open::Other
            }
            "node" if in_graph && inside => return not_simple("nodes within nodes"),
            "node" if in_graph => {
                let id = needed("node", "id")?;
                let node = self.builder.declare(id, line)?;
                if let (true, Some(label)) = (gexf, get("label")) {
                    self.builder.name(node, label.to_owned());
                }
                Open::Node(node)
            }
            "edge" if in_graph && !inside => {
                let source = needed("edge", "source")?;
                let target = needed("edge", "target")?;
                let directed = match (get("directed"), get("type")) {
                    (Some(word), _) if !gexf => word == "true" || word == "1",
                    (_, Some(word)) if gexf => word.eq_ignore_ascii_case("directed"),
                    _ => self.directed,
                };
                if directed {
                    return Err(ReadError::directed(&format!("line {line}")));
                }
                self.edge = Edge {
                    ends: [source.to_owned(), target.to_owned()],
                    line,
                    weight: get("weight").filter(|_| gexf).map(str::to_owned),
                };
                Open::Edge
            }
            "data" if !gexf => {
                self.value.clear();
                let key = get("key").unwrap_or_default();
                Open::Data(self.keys.get(key).map_or(key, String::as_str).to_owned())
            }
            "attvalue" if gexf => {
                let name = get("for").unwrap_or_default();
                match self.within.map(|place| &self.open[place]) {
                    Some(Open::Node(_)) => self.builder.attribute("node", name),
                    Some(Open::Edge) => self.builder.attribute("edge", name),
                    _ => {}
                }
                Open::Other
            }
            _ => Open::Other,
        };
        if matches!(opened, Open::Node(_) | Open::Edge) {
            self.within = Some(self.open.len());
        }
        self.open.push(opened);
        Ok(())
    }

    fn text(&mut self, text: &str) {
        if let Some(Open::Data(_)) = self.open.last() {
            self.value.push_str(text);
        }
    }

    fn close(&mut self) -> Result<(), ReadError> {
        let closed = self.open.pop();
        if self.within == Some(self.open.len()) {
            self.within = None;
        }
        match closed {
            Some(Open::Data(name)) => {
                let value = self.value.trim();
                match self.open.last() {
                    Some(&Open::Node(node)) if name == "name" || name == "label" => {
                        self.builder.name(node, value.to_owned());
                    }
                    Some(Open::Node(_)) => self.builder.attribute("node", &name),
                    Some(Open::Edge) if name == "weight" => {
                        self.edge.weight = Some(value.to_owned())
                    }
                    Some(Open::Edge) => self.builder.attribute("edge", &name),
                    _ => {}
                }
            }
            Some(Open::Edge) => {
                let Edge {
                    ends: [source, target],
                    line,
                    weight,
                } = std::mem::take(&mut self.edge);
                self.builder
                    .edge([&source, &target], line, weight.as_deref())?;
            }
            _ => {}
        }
        Ok(())
    }
}

/// A counter of lines up to a place that only grows.
struct Lines<'a> {
    text: &'a str,
    at: usize,
    line: usize,
}

impl Lines<'_> {
    fn of(&mut self, place: u64) -> usize {
        let place = usize::try_from(place)
            .unwrap_or(usize::MAX)
            .min(self.text.len());
        if place > self.at {
            let passed = &self.text.as_bytes()[self.at..place];
            self.line += passed.iter().filter(|&&byte| byte == b'\n').count();
            self.at = place;
        }
        self.line
    }
}

/// Returns the character that a reference of XML means.
pub(crate) fn character(name: &str) -> Option<char> {
    let number = match name.strip_prefix('#') {
        Some(code) => match code.strip_prefix(['x', 'X']) {
            Some(code) => u32::from_str_radix(code, 16).ok()?,
            None => code.parse().ok()?,
        },
        None => match name {
            "amp" => 38,
            "lt" => 60,
            "gt" => 62,
            "quot" => 34,
            "apos" => 39,
            _ => return None,
        },
    };
    char::from_u32(number).filter(|&sign| sign != '\0')
}

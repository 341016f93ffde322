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

use std::collections::{BTreeMap, HashMap};

use quick_xml::Reader;
use quick_xml::XmlVersion;
use quick_xml::events::{BytesStart, Event};

use crate::error::excerpt;
use crate::graph_builder::{GraphBuilder, Outcome};
use crate::{Format, ReadError};

/// An element may have this many attributes.
const MOST_ATTRIBUTES: usize = 100;

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
        element: None,
        keys: HashMap::new(),
        directed: false,
        graphs: 0,
        value: String::new(),
    };
    let mut lines = Lines { text, at: 0, line: 1 };
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

/// A document up to a place in it.
struct Document {
    format: Format,
    builder: GraphBuilder,
    /// For each open element, from the outside to the inside, the name of the value that it holds, if it holds one.
    open: Vec<Option<String>>,
    /// The node or edge that is open, and its place in `open`.
    element: Option<(usize, Element)>,
    /// The names of GraphML's keys.
    keys: HashMap<String, String>,
    /// Default of edges that do not say whether they are directed.
    directed: bool,
    graphs: usize,
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
        let not_simple = |what| Err(ReadError::not_simple(line, what));
        let inside = self.element.is_some();
        let gexf = self.format == Format::Gexf;
        let in_graph = self.graphs > 0;
        let is_directed = |word: &str| word.eq_ignore_ascii_case("directed");
        let mut holds = None;
        match name {
            "graph" | "nodes" | "edges" if inside => return not_simple("graphs within nodes"),
            "graph" if in_graph => return not_simple("several graphs"),
            "graph" => {
                self.graphs += 1;
                let default = get(if gexf { "defaultedgetype" } else { "edgedefault" });
                self.directed = default.is_some_and(is_directed);
            }
            "hyperedge" if in_graph => return not_simple("edges between more than two nodes"),
            "key" if !gexf => {
                if let (Some(id), Some(name)) = (get("id"), get("attr.name")) {
                    self.keys.insert(id.to_owned(), name.to_owned());
                }
            }
            "node" if in_graph && inside => return not_simple("nodes within nodes"),
            "node" if in_graph => {
                let keys = if gexf { &["id", "label"][..] } else { &["id"] };
                self.element = Some((self.open.len(), Element::new("node", line, keys, get)));
            }
            "edge" if in_graph && !inside => {
                let directed = match (get("directed"), get("type")) {
                    (Some(word), _) if !gexf => word == "true" || word == "1",
                    (_, Some(word)) if gexf => is_directed(word),
                    _ => self.directed,
                };
                if directed {
                    return Err(ReadError::directed(&format!("line {line}")));
                }
                let keys = &["source", "target", "weight"][..if gexf { 3 } else { 2 }];
                self.element = Some((self.open.len(), Element::new("edge", line, keys, get)));
            }
            "data" if !gexf => {
                self.value.clear();
                let key = get("key").unwrap_or_default();
                holds = Some(self.keys.get(key).map_or(key, String::as_str).to_owned());
            }
            "attvalue" if gexf => {
                if let Some((_, element)) = &self.element {
                    let name = get("for").unwrap_or_default();
                    self.builder.attribute(element.kind, name);
                }
            }
            _ => {}
        }
        self.open.push(holds);
        Ok(())
    }

    fn text(&mut self, text: &str) {
        if let Some(Some(_)) = self.open.last() {
            self.value.push_str(text);
        }
    }

    fn close(&mut self) -> Result<(), ReadError> {
        let holds = self.open.pop().flatten();
        let Some((place, mut element)) = self.element.take() else {
            return Ok(());
        };
        if place == self.open.len() {
            return element.finish(&mut self.builder);
        }
        if let Some(name) = holds.filter(|_| place + 1 == self.open.len()) {
            let value = self.value.trim();
            match (element.kind, name.as_str()) {
                ("node", "name" | "label") => element.set("label", value),
                ("edge", "weight") => element.set("weight", value),
                (kind, name) => self.builder.attribute(kind, name),
            }
        }
        self.element = Some((place, element));
        Ok(())
    }
}

/// A node or an edge of a file that declares nodes by ids.
pub(crate) struct Element {
    /// `node` or `edge`.
    pub kind: &'static str,
    line: usize,
    values: BTreeMap<&'static str, String>,
}

impl Element {
    /// Returns an element with the values that `get` has of these keys.
    pub fn new<'a>(
        kind: &'static str,
        line: usize,
        keys: &[&'static str],
        get: impl Fn(&str) -> Option<&'a str>,
    ) -> Self {
        let values = keys.iter().filter_map(|&key| Some((key, get(key)?.to_owned())));
        let values = values.collect();
        Self { kind, line, values }
    }

    /// Sets a value, unless it has one.
    pub fn set(&mut self, key: &'static str, value: &str) {
        self.values.entry(key).or_insert_with(|| value.to_owned());
    }

    /// Adds the element to the graph.
    pub fn finish(&self, builder: &mut GraphBuilder) -> Result<(), ReadError> {
        let get = |key: &str| self.values.get(key).map(String::as_str);
        let needed = |key| {
            let problem = format!("a {} has no {key}", self.kind);
            get(key).ok_or_else(|| ReadError::line(self.line, problem, "give it one"))
        };
        if self.kind == "edge" {
            let ends = [needed("source")?, needed("target")?];
            return builder.edge(ends, self.line, get("weight"));
        }
        let node = builder.declare(needed("id")?, self.line)?;
        if let Some(label) = get("label").or(get("name")) {
            builder.name(node, label.to_owned());
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
        let place = usize::try_from(place).unwrap_or(usize::MAX).min(self.text.len());
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

//! What GraphML, GEXF, GML and Pajek have in common: nodes with ids, edges between them, and attributes.

use std::collections::BTreeSet;

use super::error::excerpt;
use super::gathered::{Gathered, Nodes, Outcome};
use super::{Format, LineProblem, Note, Place, ReadError};

/// The problem at a line.
pub(super) fn at(line: usize, problem: LineProblem) -> ReadError {
    ReadError::Line { line, problem }
}

/// So many names of attributes are told at most.
const TOLD: usize = 8;

/// Nodes and edges in the order of a file, which may name a node before it declares it.
pub(super) struct Elements {
    gathered: Gathered,
    nodes: Nodes,
    names: Vec<Option<String>>,
    /// For each node: `None` if it is declared, else the line that first names it.
    awaited: Vec<Option<usize>>,
    node_attributes: BTreeSet<String>,
    edge_attributes: BTreeSet<String>,
}

impl Elements {
    pub fn new(gathered: Gathered) -> Self {
        Self {
            gathered,
            nodes: Nodes::default(),
            names: Vec::new(),
            awaited: Vec::new(),
            node_attributes: BTreeSet::new(),
            edge_attributes: BTreeSet::new(),
        }
    }

    /// Declares a node.
    pub fn declare(&mut self, id: &str, line: usize) -> Result<u32, ReadError> {
        let node = self.nodes.number(id)?;
        match self.awaited.get_mut(node as usize) {
            None => {
                self.awaited.push(None);
                self.names.push(None);
            }
            Some(None) => {
                let id = excerpt(id);
                return Err(at(line, LineProblem::RepeatedNode { id }));
            }
            Some(waiting) => *waiting = None,
        }
        Ok(node)
    }

    /// What a node is called, unless it has a name already.
    pub fn name(&mut self, node: u32, name: String) {
        self.names[node as usize].get_or_insert(name);
    }

    /// Adds an edge with its weight.
    pub fn edge(
        &mut self,
        ends: [&str; 2],
        line: usize,
        weight: Option<&str>,
    ) -> Result<(), ReadError> {
        let mut numbers = [0; 2];
        for (number, id) in numbers.iter_mut().zip(ends) {
            *number = self.nodes.number(id)?;
            if self.awaited.len() < self.nodes.labels.len() {
                self.awaited.push(Some(line));
                self.names.push(None);
            }
        }
        if weight.is_some() && !self.gathered.wants_weights() {
            self.edge_attribute("weight");
        }
        self.gathered.add(numbers.into(), Place::Line(line), weight)
    }

    /// An attribute of nodes that is left out.
    pub fn node_attribute(&mut self, name: &str) {
        tell(&mut self.node_attributes, name);
    }

    /// An attribute of edges that is left out.
    pub fn edge_attribute(&mut self, name: &str) {
        tell(&mut self.edge_attributes, name);
    }

    /// The graph; `Err` if a node was named and never declared.
    pub fn finish(mut self, format: Format) -> Result<Outcome, ReadError> {
        let mut waiting = self.awaited.iter().zip(&self.nodes.labels);
        if let Some((Some(line), id)) = waiting.find(|(line, _)| line.is_some()) {
            let id = excerpt(id);
            return Err(at(*line, LineProblem::UnknownNode { id }));
        }
        for (of, names) in [
            ("nodes", self.node_attributes),
            ("edges", self.edge_attributes),
        ] {
            if !names.is_empty() {
                let names: Vec<String> = names.iter().map(|name| format!("{name:?}")).collect();
                self.gathered.notes.push(Note::Attributes {
                    of,
                    names: names.join(", "),
                });
            }
        }
        self.gathered.named(format, self.nodes.labels, self.names)
    }
}

fn tell(names: &mut BTreeSet<String>, name: &str) {
    if names.len() < TOLD && !names.contains(name) {
        names.insert(excerpt(name));
    }
}

/// A text with the references of XML (`&amp;`, `&#38;`, `&#x26;`) replaced, and others left as they are.
pub(super) fn unescaped(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('&') {
        plain.push_str(before);
        let reference = after.split_once(';').filter(|(name, _)| name.len() <= 10);
        match reference.and_then(|(name, after)| Some((character(name)?, after))) {
            Some((sign, after)) => {
                plain.push(sign);
                rest = after;
            }
            None => {
                plain.push('&');
                rest = after;
            }
        }
    }
    plain + rest
}

/// The character that a reference of XML means.
pub(super) fn character(name: &str) -> Option<char> {
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

//! GML: keys with numbers, strings or lists in brackets.
//!
//! ```text
//! graph [
//!   node [ id 0 label "ann" ]
//!   node [ id 1 label "bob" ]
//!   edge [ source 0 target 1 weight 0.5 ]
//! ]
//! ```

use std::collections::BTreeMap;

use crate::graph_builder::{GraphBuilder, Outcome};
use crate::xml::character;
use crate::{Format, ReadError};

/// A word of the file.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Token<'a> {
    Open,
    Close,
    Text(&'a str),
    Word(&'a str),
}

/// A pair of brackets that is open.
enum Open {
    Graph,
    /// A node or an edge, with the values of the keys that count.
    Element {
        kind: &'static str,
        line: usize,
        values: BTreeMap<String, String>,
    },
    Other,
}

/// Reads GML; see [`Format::Gml`].
pub(crate) fn read(text: &str, mut builder: GraphBuilder) -> Result<Outcome, ReadError> {
    let mut tokens = Tokens {
        rest: text,
        line: 1,
        line_begins: true,
    };
    let mut open: Vec<Open> = Vec::new();
    let mut graphs = 0;
    while let Some(token) = tokens.next()? {
        let line = tokens.line;
        let syntax = |token: Token<'_>, expected| {
            let found = match token {
                Token::Open => "[",
                Token::Close => "]",
                Token::Text(text) | Token::Word(text) => text,
            };
            ReadError::found(line, found, expected)
        };
        let key = match token {
            Token::Word(key) => key,
            Token::Close => {
                match open.pop() {
                    None => {
                        return Err(syntax(
                            token,
                            "a bracket closes that was not opened; remove it",
                        ));
                    }
                    Some(innermost) => close(innermost, &mut builder)?,
                }
                continue;
            }
            other => return Err(syntax(other, "write a key before each value")),
        };
        let value = tokens.next()?.ok_or_else(|| cut_short(line))?;
        let word = match value {
            Token::Close => return Err(syntax(value, "write a value after each key")),
            Token::Open => {
                let line = tokens.line;
                let not_simple = |what| Err(ReadError::not_simple(line, what));
                let element = |kind| Open::Element {
                    kind,
                    line,
                    values: BTreeMap::new(),
                };
                let inner = match (key.to_ascii_lowercase().as_str(), open.last()) {
                    ("graph", None) if graphs > 0 => return not_simple("several graphs"),
                    ("graph", None) => {
                        graphs += 1;
                        Open::Graph
                    }
                    ("graph", Some(Open::Element { kind: "node", .. })) => {
                        return not_simple("graphs within nodes");
                    }
                    ("node", Some(Open::Graph)) => element("node"),
                    ("edge", Some(Open::Graph)) => element("edge"),
                    (_, parent) => {
                        attribute(parent, key, &mut builder);
                        Open::Other
                    }
                };
                open.push(inner);
                continue;
            }
            Token::Text(text) => unescaped(text),
            Token::Word(word) => word.to_owned(),
        };
        match (open.last_mut(), key.to_ascii_lowercase().as_str()) {
            (Some(Open::Graph), "directed") if word != "0" => {
                return Err(ReadError::directed(&format!("line {line}")));
            }
            (
                Some(Open::Element {
                    kind: "node",
                    values,
                    ..
                }),
                key @ ("id" | "label" | "name"),
            )
            | (
                Some(Open::Element {
                    kind: "edge",
                    values,
                    ..
                }),
                key @ ("source" | "target" | "weight"),
            ) => {
                values.insert(key.to_owned(), word);
            }
            (parent, _) => attribute(parent.as_deref(), key, &mut builder),
        }
    }
    match (graphs, open.is_empty()) {
        (1.., true) => builder.declared(Format::Gml),
        _ => Err(cut_short(tokens.line)),
    }
}

fn cut_short(line: usize) -> ReadError {
    let problem = "the file ends before the graph's last bracket";
    ReadError::line(line, problem, "give the whole file")
}

fn attribute(parent: Option<&Open>, key: &str, builder: &mut GraphBuilder) {
    match parent {
        Some(Open::Element { kind: "node", .. }) => builder.attribute("node", key),
        Some(Open::Element { .. }) => builder.attribute("edge", key),
        _ => {}
    }
}

fn close(innermost: Open, builder: &mut GraphBuilder) -> Result<(), ReadError> {
    let Open::Element { kind, line, values } = innermost else {
        return Ok(());
    };
    let get = |key: &str| values.get(key).map(String::as_str);
    let needed = |attribute| {
        let missing =
            || ReadError::line(line, format!("a {kind} has no {attribute}"), "give it one");
        get(attribute).ok_or_else(missing)
    };
    if kind == "edge" {
        let ends = [needed("source")?, needed("target")?];
        return builder.edge(ends, line, get("weight"));
    }
    let node = builder.declare(needed("id")?, line)?;
    if let Some(label) = get("label").or(get("name")) {
        builder.name(node, label.to_owned());
    }
    Ok(())
}

struct Tokens<'a> {
    rest: &'a str,
    line: usize,
    /// Whether only blanks were seen in this line.
    line_begins: bool,
}

impl<'a> Tokens<'a> {
    fn next(&mut self) -> Result<Option<Token<'a>>, ReadError> {
        loop {
            let Some(first) = self.rest.chars().next() else {
                return Ok(None);
            };
            if first == '\n' {
                self.line += 1;
                self.line_begins = true;
            } else if first == '#' && self.line_begins {
                let end = self.rest.find('\n').unwrap_or(self.rest.len());
                self.rest = &self.rest[end..];
                continue;
            } else if !first.is_ascii_whitespace() && first != '\u{feff}' {
                break;
            }
            self.rest = &self.rest[first.len_utf8()..];
        }
        self.line_begins = false;
        let (token, rest) = if let Some(inner) = self.rest.strip_prefix('"') {
            let unclosed = || ReadError::found(self.line, self.rest, "close the quote");
            let (text, rest) = inner.split_once('"').ok_or_else(unclosed)?;
            self.line += text.bytes().filter(|&byte| byte == b'\n').count();
            (Token::Text(text), rest)
        } else if let Some(rest) = self.rest.strip_prefix('[') {
            (Token::Open, rest)
        } else if let Some(rest) = self.rest.strip_prefix(']') {
            (Token::Close, rest)
        } else {
            let ends = |sign: char| sign.is_ascii_whitespace() || matches!(sign, '[' | ']' | '"');
            let end = self.rest.find(ends).unwrap_or(self.rest.len());
            let (word, rest) = self.rest.split_at(end);
            (Token::Word(word), rest)
        };
        self.rest = rest;
        Ok(Some(token))
    }
}

/// Replaces the references of XML (`&amp;`, `&#38;`, `&#x26;`) in a text, and leaves others as they are.
fn unescaped(text: &str) -> String {
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

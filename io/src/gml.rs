//! GML: keys with numbers, strings or lists in brackets.
//!
//! ```text
//! graph [
//!   node [ id 0 label "ann" ]
//!   node [ id 1 label "bob" ]
//!   edge [ source 0 target 1 weight 0.5 ]
//! ]
//! ```

use crate::graph_builder::{GraphBuilder, Outcome};
use crate::xml::{Element, character};
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
    Element(Element),
    Other,
}

/// Keys that count in nodes and edges; others are attributes.
const KEYS: [(&str, &str); 6] = [
    ("node", "id"),
    ("node", "label"),
    ("node", "name"),
    ("edge", "source"),
    ("edge", "target"),
    ("edge", "weight"),
];

/// Reads GML; see [`Format::Gml`].
pub(crate) fn read(text: &str, mut builder: GraphBuilder) -> Result<Outcome, ReadError> {
    let mut tokens = Tokens { rest: text, line: 1, line_begins: true };
    let mut open: Vec<Open> = Vec::new();
    let mut graphs = 0;
    while let Some(token) = tokens.next()? {
        let line = tokens.line;
        let found = |text, remedy| Err(ReadError::found(line, text, remedy));
        let key = match token {
            Token::Word(key) => key,
            Token::Close => {
                match open.pop() {
                    None => return found("]", "a bracket closes that was not opened; remove it"),
                    Some(Open::Element(element)) => element.finish(&mut builder)?,
                    Some(_) => {}
                }
                continue;
            }
            Token::Open => return found("[", "write a key before each value"),
            Token::Text(text) => return found(text, "write a key before each value"),
        };
        let lower_case = key.to_ascii_lowercase();
        let word = match tokens.next()?.ok_or_else(|| cut_short(line))? {
            Token::Close => return found("]", "write a value after each key"),
            Token::Open => {
                let line = tokens.line;
                let not_simple = |what| Err(ReadError::not_simple(line, what));
                let element = |kind| Open::Element(Element::new(kind, line, &[], |_| None));
                open.push(match (lower_case.as_str(), open.last()) {
                    ("graph", None) if graphs > 0 => return not_simple("several graphs"),
                    ("graph", None) => {
                        graphs += 1;
                        Open::Graph
                    }
                    ("graph", Some(Open::Element(parent))) if parent.kind == "node" => {
                        return not_simple("graphs within nodes");
                    }
                    ("node", Some(Open::Graph)) => element("node"),
                    ("edge", Some(Open::Graph)) => element("edge"),
                    (_, Some(Open::Element(parent))) => {
                        builder.attribute(parent.kind, key);
                        Open::Other
                    }
                    _ => Open::Other,
                });
                continue;
            }
            Token::Text(text) => unescaped(text),
            Token::Word(word) => word.to_owned(),
        };
        match open.last_mut() {
            Some(Open::Graph) if lower_case == "directed" && word != "0" => {
                return Err(ReadError::directed(&format!("line {line}")));
            }
            Some(Open::Element(element)) => {
                let counts =
                    |(kind, key): &&(&str, &str)| *kind == element.kind && *key == lower_case;
                match KEYS.iter().find(counts) {
                    Some((_, key)) => element.set(key, &word),
                    None => builder.attribute(element.kind, key),
                }
            }
            _ => {}
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

struct Tokens<'a> {
    rest: &'a str,
    line: usize,
    /// `true` if only blanks were seen in this line.
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

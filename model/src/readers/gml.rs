//! GML: keys with numbers, strings or lists in brackets.
//!
//! ```text
//! graph [
//!   node [ id 0 label "ann" ]
//!   node [ id 1 label "bob" ]
//!   edge [ source 0 target 1 weight 0.5 ]
//! ]
//! ```

use super::error::excerpt;
use super::gathered::{Gathered, Outcome};
use super::markup::{Elements, MarkupProblem, at, unescaped};
use super::{Format, ReadError};

/// A word of the file.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Token<'a> {
    Open,
    Close,
    Text(&'a str),
    Word(&'a str),
}

/// What is between the brackets that are open.
enum Open {
    Graph,
    Node {
        id: Option<String>,
        label: Option<String>,
        name: Option<String>,
        line: usize,
    },
    Edge {
        source: Option<String>,
        target: Option<String>,
        weight: Option<String>,
        line: usize,
    },
    Other,
}

/// Reads GML; see [`Format::Gml`].
pub(super) fn read(text: &str, gathered: Gathered) -> Result<Outcome, ReadError> {
    let mut tokens = Tokens {
        rest: text,
        line: 1,
        line_begins: true,
    };
    let mut elements = Elements::new(gathered);
    let mut open: Vec<Open> = Vec::new();
    let mut graphs = 0;
    while let Some(token) = tokens.next()? {
        let line = tokens.line;
        let syntax = |token: Token<'_>, expected| {
            let found = match token {
                Token::Open => "[".to_owned(),
                Token::Close => "]".to_owned(),
                Token::Text(text) | Token::Word(text) => excerpt(text),
            };
            at(line, MarkupProblem::Syntax { found, expected })
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
                    Some(innermost) => close(innermost, &mut elements)?,
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
                let inner = match (key.to_ascii_lowercase().as_str(), open.last()) {
                    ("graph", None) if graphs > 0 => {
                        let what = "several graphs";
                        return Err(at(line, MarkupProblem::NotSimple { what }));
                    }
                    ("graph", None) => {
                        graphs += 1;
                        Open::Graph
                    }
                    ("graph", Some(Open::Node { .. })) => {
                        let what = "graphs within nodes";
                        return Err(at(line, MarkupProblem::NotSimple { what }));
                    }
                    ("node", Some(Open::Graph)) => Open::Node {
                        id: None,
                        label: None,
                        name: None,
                        line,
                    },
                    ("edge", Some(Open::Graph)) => Open::Edge {
                        source: None,
                        target: None,
                        weight: None,
                        line,
                    },
                    (_, parent) => {
                        attribute(parent, key, &mut elements);
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
                let place = format!("line {line}");
                return Err(ReadError::Directed { place });
            }
            (Some(Open::Node { id, .. }), "id") => *id = Some(word),
            (Some(Open::Node { label, .. }), "label") => *label = Some(word),
            (Some(Open::Node { name, .. }), "name") => *name = Some(word),
            (Some(Open::Edge { source, .. }), "source") => *source = Some(word),
            (Some(Open::Edge { target, .. }), "target") => *target = Some(word),
            (Some(Open::Edge { weight, .. }), "weight") => *weight = Some(word),
            (parent, _) => attribute(parent.as_deref(), key, &mut elements),
        }
    }
    match (graphs, open.is_empty()) {
        (1.., true) => elements.finish(Format::Gml),
        _ => Err(cut_short(tokens.line)),
    }
}

fn cut_short(line: usize) -> ReadError {
    let what = "the graph's last bracket";
    at(line, MarkupProblem::CutShort { what })
}

fn attribute(parent: Option<&Open>, key: &str, elements: &mut Elements) {
    match parent {
        Some(Open::Node { .. }) => elements.node_attribute(key),
        Some(Open::Edge { .. }) => elements.edge_attribute(key),
        _ => {}
    }
}

fn close(innermost: Open, elements: &mut Elements) -> Result<(), ReadError> {
    match innermost {
        Open::Node {
            id,
            label,
            name,
            line,
        } => {
            let missing = MarkupProblem::Missing {
                element: "node",
                attribute: "id",
            };
            let node = elements.declare(&id.ok_or(at(line, missing))?, line)?;
            if let Some(label) = label.or(name) {
                elements.name(node, label);
            }
            Ok(())
        }
        Open::Edge {
            source,
            target,
            weight,
            line,
        } => {
            let missing = |attribute| {
                at(
                    line,
                    MarkupProblem::Missing {
                        element: "edge",
                        attribute,
                    },
                )
            };
            let source = source.ok_or_else(|| missing("source"))?;
            let target = target.ok_or_else(|| missing("target"))?;
            elements.edge([&source, &target], line, weight.as_deref())
        }
        Open::Graph | Open::Other => Ok(()),
    }
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
            let (text, rest) = inner.split_once('"').ok_or_else(|| {
                let found = excerpt(self.rest);
                let expected = "close the quote";
                at(self.line, MarkupProblem::Syntax { found, expected })
            })?;
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

#[cfg(test)]
mod tests {
    use super::*;

    fn reading(text: &str) -> Result<super::super::Reading, ReadError> {
        read(text, Gathered::default()).map(|outcome| outcome.reading)
    }

    #[test]
    fn keys_lists_comments_and_strings() {
        let file = "# a comment\nCreator \"x [ y\"\nGraph[ Directed 0\nnode[id 5 label \"R&#38;D &quot;a&quot;\" graphics [ x 1 y [ z 2 ] ] ]\n\
                    node [ id 7 label \"b\nc\" ]\nedge [ source 5 target 7 value 1 ] edge [ source 7 target 7 ] ]\n";
        let read = reading(file).unwrap();
        assert_eq!(read.graph.labels().unwrap(), ["R&D \"a\"", "b\nc"]);
        assert_eq!((read.graph.edge_count(), read.self_loops.len()), (1, 1));
        assert_eq!(read.self_loops[0].place, super::super::Place::Line(7));
        assert_eq!(read.notes.len(), 2);
    }

    #[test]
    fn what_is_wrong_is_named_with_its_line() {
        for (file, expected) in [
            (
                "graph [ directed 1 ]",
                "line 1 says that edges are directed",
            ),
            (
                "graph [\nnode [ label \"a\" ]\n]",
                "line 2: a node has no id",
            ),
            (
                "graph [ node [ id 0 ]\nedge [ source 0 ] ]",
                "line 2: a edge has no target",
            ),
            ("graph [ node [ id 0 ] node [ id 0 ] ]", "declared again"),
            ("graph [ node [ id 0 ]", "last bracket"),
            ("graph [ ] ]", "was not opened"),
            ("graph [ ]\ngraph [ ]", "several graphs"),
            ("graph [ [ ] ]", "a key before each value"),
            ("graph [ node ] ]", "a value after each key"),
            ("graph [ node [ id \"0 ] ]", "close the quote"),
            ("Version 1", "last bracket"),
        ] {
            let error = reading(file).unwrap_err().to_string();
            assert!(error.contains(expected), "{file}: {error}");
        }
    }
}

//! The public items of a crate: each once, at its shortest path, with what belongs to it.

use crate::source::{Block, Crate, Place, blocks, imports};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// Lines for each public path.
pub struct Listing {
    entries: BTreeMap<String, Vec<String>>,
    /// The attributes of re-exports.
    conditions: BTreeMap<String, Vec<String>>,
}

/// Where an item is defined: its module and its name there.
type Definition = (Place, String);

/// The public paths of each item.
type Paths = BTreeMap<Definition, Vec<String>>;

impl Listing {
    /// The listing of a crate.
    pub fn of(source: &Crate) -> Self {
        let mut paths = Paths::new();
        let mut listing = Self {
            entries: BTreeMap::new(),
            conditions: BTreeMap::new(),
        };
        listing.visit(source, &vec![], &source.name, &mut paths);
        let implementations = implementations(source, &paths);
        for (definition, mut names) in paths {
            names.sort_by_key(|name| (name.matches("::").count(), name.clone()));
            let (path, others) = names.split_first().unwrap();
            for other in others {
                let line = format!("pub use {other} = {path}");
                listing.entries.insert(other.clone(), vec![line]);
            }
            let mut lines = described(item(source, &definition), path);
            lines.extend(
                implementations
                    .get(&definition)
                    .cloned()
                    .unwrap_or_default(),
            );
            listing.entries.insert(path.clone(), lines);
        }
        listing
    }

    /// Adds what a public module offers under `path`.
    fn visit(&mut self, source: &Crate, place: &Place, path: &str, paths: &mut Paths) {
        for item in &source.modules[place] {
            let Some((kind, name)) = item.public() else {
                continue;
            };
            let full = format!("{path}::{name}");
            match kind {
                "mod" => {
                    let mut lines = vec![format!("pub mod {full}")];
                    lines.extend(item.interface().iter().map(indented));
                    self.entries.insert(full.clone(), lines);
                    let inner = [place.clone(), vec![name.to_owned()]].concat();
                    self.visit(source, &inner, &full, paths);
                }
                "use" => {
                    for (name, from) in imports(item.head.strip_prefix("pub use ").unwrap()) {
                        let full = format!("{path}::{name}");
                        self.conditions.insert(full.clone(), item.interface());
                        match defined(source, place, &from) {
                            Some(definition) => paths.entry(definition).or_default().push(full),
                            None => {
                                let line = format!("pub use {full} = {}", from.join("::"));
                                self.entries.insert(full, vec![line]);
                            }
                        }
                    }
                }
                _ => {
                    let definition = (place.clone(), name.to_owned());
                    paths.entry(definition).or_default().push(full);
                }
            }
        }
    }
}

impl fmt::Display for Listing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (path, lines) in &self.entries {
            let (first, rest) = lines.split_first().expect("every entry has a head");
            writeln!(f, "{first}")?;
            let conditions = self.conditions.get(path).into_iter().flatten();
            for line in conditions.map(indented).chain(rest.iter().cloned()) {
                writeln!(f, "{line}")?;
            }
        }
        Ok(())
    }
}

fn indented(line: impl fmt::Display) -> String {
    format!("    {line}")
}

/// Where a path leads, through re-exports; `None` if into another crate.
fn defined(source: &Crate, place: &Place, path: &[String]) -> Option<Definition> {
    let (at, name) = source.resolve(place, path)?;
    let items = &source.modules[&at];
    if items.iter().any(|item| is_named(item, &name)) {
        return Some((at, name));
    }
    let tree = |item: &Block| {
        let (before, tree) = item.head.split_once("use ")?;
        (before.is_empty() || before.starts_with("pub")).then(|| tree.to_owned())
    };
    let mut imported = items
        .iter()
        .filter_map(tree)
        .flat_map(|tree| imports(&tree));
    let (_, from) = imported.find(|(here, _)| *here == name)?;
    defined(source, &at, &from)
}

fn is_named(item: &Block, name: &str) -> bool {
    let public = item.public();
    public.is_some_and(|(kind, found)| kind != "use" && kind != "mod" && found == name)
}

fn item<'a>(source: &'a Crate, (place, name): &Definition) -> &'a Block {
    let mut items = source.modules[place].iter();
    items.find(|item| is_named(item, name)).unwrap()
}

/// An item's own lines.
fn described(item: &Block, path: &str) -> Vec<String> {
    let (kind, name) = item.public().unwrap();
    let head = match kind {
        "const" | "static" => item.head.split(" = ").next().unwrap(),
        _ => &item.head,
    };
    let named = head.replacen(&format!("{kind} {name}"), &format!("{kind} {path}"), 1);
    let mut lines = vec![named];
    lines.extend(item.interface().iter().map(indented));
    let parts = blocks(&item.body);
    match kind {
        "struct" => {
            let public = parts.iter().filter(|field| field.head.starts_with("pub "));
            let shown: Vec<String> = public.map(|field| indented(&field.head)).collect();
            if shown.len() < parts.len() {
                lines.push(indented("(private fields)"));
            }
            lines.extend(shown);
        }
        "enum" => {
            for variant in &parts {
                let fields: Vec<String> =
                    blocks(&variant.body).into_iter().map(|f| f.head).collect();
                let fields = match fields.is_empty() {
                    true => String::new(),
                    false => format!(" {{ {} }}", fields.join(", ")),
                };
                lines.push(indented(format!("{}{fields}", variant.head)));
            }
        }
        "trait" => lines.extend(parts.iter().map(|part| match part.body.is_empty() {
            true => indented(&part.head),
            false => indented(format!("{} (provided)", part.head)),
        })),
        _ => {}
    }
    lines
}

/// What is implemented for each of the public types, in order and without repetitions.
fn implementations(source: &Crate, public: &Paths) -> BTreeMap<Definition, BTreeSet<String>> {
    let mut found: BTreeMap<Definition, BTreeSet<String>> = BTreeMap::new();
    for (place, items) in &source.modules {
        for block in items.iter().filter(|item| item.head.starts_with("impl")) {
            let (subject, of_trait) = subject(&block.head);
            // Of types with one name, the one that is defined nearest.
            let nearness = |(at, _): &&Definition| {
                let common = at.iter().zip(place).take_while(|(a, b)| a == b).count();
                (common, usize::MAX - at.len())
            };
            let named = public.keys().filter(|(_, name)| *name == subject);
            let Some(definition) = named.max_by_key(nearness) else {
                continue;
            };
            let condition = block.interface();
            let lines = match of_trait {
                true => vec![remarked(&block.head, &[&condition])],
                false => methods(block, &condition),
            };
            let entry = found.entry(definition.clone()).or_default();
            entry.extend(lines.iter().map(indented));
        }
    }
    found
}

/// The public methods and constants of an `impl` without a trait.
fn methods(block: &Block, condition: &[String]) -> Vec<String> {
    let parts = blocks(&block.body);
    let public = parts.iter().filter(|part| part.public().is_some());
    public
        .map(|part| match part.public() {
            Some(("const", _)) => part.head.split(" = ").next().unwrap().to_owned(),
            _ => remarked(&part.head, &[&part.interface(), condition]),
        })
        .collect()
}

fn remarked(text: &str, remarks: &[&[String]]) -> String {
    let remarks = remarks.concat();
    [&[text.to_owned()], remarks.as_slice()].concat().join(" ")
}

/// The name of the type that an `impl` is for, and whether it implements a trait.
fn subject(head: &str) -> (String, bool) {
    let mut rest = head.strip_prefix("impl").unwrap();
    if rest.starts_with('<') {
        let mut depth = 0;
        let end = rest.find(|c: char| {
            depth += i32::from(c == '<') - i32::from(c == '>');
            depth == 0
        });
        rest = &rest[end.unwrap() + 1..];
    }
    let rest = rest.split(" where").next().unwrap();
    let (of_trait, subject) = match rest.rsplit_once(" for ") {
        Some((_, subject)) => (true, subject),
        None => (false, rest),
    };
    let subject = subject
        .trim()
        .trim_start_matches("&mut ")
        .trim_start_matches('&');
    let subject = subject.split('<').next().unwrap();
    let name = subject.rsplit("::").next().unwrap();
    (name.to_owned(), of_trait)
}

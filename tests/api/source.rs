//! The modules of a crate, read line by line: the layout of rustfmt is all that is assumed.

use std::collections::BTreeMap;
use std::path::Path;

/// The path of a module from the root of its crate.
pub type Place = Vec<String>;

/// An item, a field or a variant: a piece of source that begins and ends at the margin.
#[derive(Clone, Debug)]
pub struct Block {
    /// Its attributes.
    pub attributes: Vec<String>,
    /// What comes before its body, on one line.
    pub head: String,
    /// Its body, at the margin.
    pub body: String,
}

/// The modules of a crate, public or not, without those for tests.
pub struct Crate {
    /// Its name in paths.
    pub name: String,
    /// Each module's items.
    pub modules: BTreeMap<Place, Vec<Block>>,
}

impl Crate {
    /// Reads the source below `folder`.
    pub fn read(name: &str, folder: &Path) -> Self {
        let mut found = Self {
            name: name.replace('-', "_"),
            modules: BTreeMap::new(),
        };
        let root = std::fs::read_to_string(folder.join("lib.rs")).unwrap();
        found.add(folder, &root, vec![]);
        found
    }

    fn add(&mut self, folder: &Path, text: &str, place: Place) {
        let items = blocks(text);
        for item in &items {
            let declared = item.head.strip_prefix("pub ").unwrap_or(&item.head);
            let Some(name) = declared.strip_prefix("mod ") else {
                continue;
            };
            let inner = [place.clone(), vec![name.to_owned()]].concat();
            let stem = folder.join(inner.join("/"));
            let files = [stem.with_extension("rs"), stem.join("mod.rs")];
            let text = match files.iter().find(|file| file.exists()) {
                Some(file) => std::fs::read_to_string(file).unwrap(),
                None => item.body.clone(),
            };
            self.add(folder, &text, inner);
        }
        self.modules.insert(place, items);
    }

    /// The module that `path` leads to from the one at `place`, and the name there; `None` if into another crate.
    pub fn resolve(&self, place: &Place, path: &[String]) -> Option<(Place, String)> {
        let (name, modules) = path.split_last()?;
        let mut at = place.clone();
        for module in modules {
            match module.as_str() {
                "self" => {}
                "crate" => at.clear(),
                "super" => drop(at.pop()),
                inner => at.push(inner.to_owned()),
            }
        }
        let is_ours = !modules.is_empty() && self.modules.contains_key(&at);
        is_ours.then(|| (at, name.clone()))
    }
}

/// The pieces of a text, without comments and without what is for tests.
pub fn blocks(text: &str) -> Vec<Block> {
    let mut found = vec![];
    let (mut attributes, mut lines) = (vec![], vec![]);
    let mut attribute = String::new();
    let code = |line: &&str| !line.trim().is_empty() && !line.trim().starts_with("//");
    for line in text.lines().filter(code) {
        if lines.is_empty() && (line.starts_with('#') || !attribute.is_empty()) {
            attribute = joined(&[&attribute, line]);
            if line.ends_with(']') {
                attributes.push(std::mem::take(&mut attribute));
            }
            continue;
        }
        lines.push(line);
        let is_over = line.ends_with([';', '}', ',']) || line.starts_with('}');
        if !line.starts_with(' ') && is_over {
            let block = Block::of(std::mem::take(&mut attributes), &std::mem::take(&mut lines));
            found.extend(block.filter(|block| !block.is_for_tests()));
        }
    }
    found
}

/// Several lines as one.
fn joined(lines: &[&str]) -> String {
    let words = lines.iter().map(|line| line.trim());
    let text = words.collect::<Vec<_>>().join(" ");
    let repairs = [
        ("( ", "("),
        (", )", ")"),
        ("[ ", "["),
        (", ]", "]"),
        (", >", ">"),
        ("< ", "<"),
    ];
    let repaired = repairs
        .iter()
        .fold(text, |text, (from, to)| text.replace(from, to));
    repaired.trim().to_owned()
}

impl Block {
    fn of(attributes: Vec<String>, lines: &[&str]) -> Option<Self> {
        let is_use = lines[0].starts_with("use ") || lines[0].contains(" use ");
        let opens = |line: &&str| line.ends_with('{') && !is_use;
        let first = lines.iter().position(opens).unwrap_or(lines.len() - 1);
        let (head, body) = lines.split_at(first + 1);
        let head = joined(head);
        let head = head
            .trim_end_matches("{}")
            .trim_end_matches([';', ',', '{', ' ']);
        // The last line closes what the head opened.
        let body = &body[..body.len().saturating_sub(1)];
        let margin = body
            .iter()
            .map(|line| line.strip_prefix("    ").unwrap_or(line));
        Some(Self {
            attributes,
            head: head.trim_end_matches(',').to_owned(),
            body: margin.collect::<Vec<_>>().join("\n"),
        })
    }

    fn is_for_tests(&self) -> bool {
        let skipped = ["#[cfg(test)]", "#[cfg(doctest)]", "#[cfg(kani)]"];
        self.attributes
            .iter()
            .any(|text| skipped.contains(&text.as_str()))
    }

    /// The attributes that are part of an interface.
    pub fn interface(&self) -> Vec<String> {
        let shown = [
            "#[cfg(",
            "#[derive(",
            "#[non_exhaustive",
            "#[must_use",
            "#[deprecated",
        ];
        let is_shown = |text: &&String| shown.iter().any(|start| text.starts_with(start));
        self.attributes.iter().filter(is_shown).cloned().collect()
    }

    /// Kind and name of a public item: `("fn", "sqrt")`.
    pub fn public(&self) -> Option<(&str, &str)> {
        let declared = self.head.strip_prefix("pub ")?;
        let declared = match declared.strip_prefix("const fn ") {
            Some(_) => &declared["const ".len()..],
            None => declared,
        };
        let (kind, rest) = declared.split_once(' ')?;
        let kinds = [
            "const", "enum", "fn", "mod", "static", "struct", "trait", "type", "use",
        ];
        let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_');
        let name = &rest[..end.unwrap_or(rest.len())];
        kinds.contains(&kind).then_some((kind, name))
    }
}

/// The names that a `use` brings in: the name here, and its path where it comes from.
pub fn imports(tree: &str) -> Vec<(String, Vec<String>)> {
    let tree = tree.trim();
    if let Some((path, group)) = tree.split_once("::{") {
        let group = group.strip_suffix('}').unwrap();
        let mut depth = 0;
        let parts = group.split(|c: char| {
            depth += i32::from(c == '{') - i32::from(c == '}');
            c == ',' && depth == 0
        });
        let parts = parts.filter(|part| !part.trim().is_empty());
        return parts
            .flat_map(|part| imports(&format!("{path}::{}", part.trim())))
            .collect();
    }
    let (path, rename) = tree.split_once(" as ").unwrap_or((tree, ""));
    let path: Vec<String> = path.split("::").map(str::to_owned).collect();
    let name = match rename {
        "" => path.last().unwrap().clone(),
        rename => rename.to_owned(),
    };
    vec![(name, path)]
}

//! The modules of a crate, as the parser sees them.

use std::collections::BTreeMap;
use std::path::Path;
use syn::{Attribute, Item, UseTree};

/// The path of a module from the root of its crate.
pub type Place = Vec<String>;

/// A crate: its modules, public or not.
pub struct Crate {
    /// Its name in paths.
    pub name: String,
    /// Each module's items.
    pub modules: BTreeMap<Place, Vec<Item>>,
}

/// A name that a `use` brings in.
pub struct Import {
    /// The name here.
    pub name: String,
    /// What it is called where it comes from.
    pub path: Vec<String>,
}

impl Crate {
    /// Reads the source below `folder`, test modules left out.
    pub fn read(name: &str, folder: &str) -> Self {
        let mut found = Self {
            name: name.replace('-', "_"),
            modules: BTreeMap::new(),
        };
        found.add_file(Path::new(folder), &Path::new(folder).join("lib.rs"), vec![]);
        found
    }

    fn add_file(&mut self, folder: &Path, file: &Path, place: Place) {
        let text = std::fs::read_to_string(file).unwrap();
        let items = syn::parse_file(&text).unwrap().items;
        self.add(folder, items, place);
    }

    fn add(&mut self, folder: &Path, items: Vec<Item>, place: Place) {
        let items: Vec<Item> = items.into_iter().filter(|item| !is_for_tests(item)).collect();
        for item in &items {
            let Item::Mod(module) = item else { continue };
            let inner = [place.clone(), vec![module.ident.to_string()]].concat();
            if let Some((_, items)) = &module.content {
                self.add(folder, items.clone(), inner);
                continue;
            }
            let stem = folder.join(inner.join("/"));
            let files = [stem.with_extension("rs"), stem.join("mod.rs")];
            let file = files.iter().find(|file| file.exists()).unwrap();
            self.add_file(folder, file, inner);
        }
        self.modules.insert(place, items);
    }

    /// The place of a module that a path in the module at `place` begins with, and the rest of the path.
    pub fn resolve(&self, place: &Place, path: &[String]) -> Option<(Place, String)> {
        let (name, modules) = path.split_last()?;
        let mut at = place.clone();
        for (depth, module) in modules.iter().enumerate() {
            match module.as_str() {
                "self" => {}
                "crate" => at.clear(),
                "super" => drop(at.pop()),
                inner => {
                    at.push(inner.to_owned());
                    if !self.modules.contains_key(&at) {
                        assert_eq!(depth, 0, "{path:?} leads nowhere from {place:?}");
                        return None;
                    }
                }
            }
        }
        Some((at, name.clone()))
    }
}

/// The names that a `use` brings in, one by one.
pub fn imports(tree: &UseTree) -> Vec<Import> {
    let import = |name: String, last: String| Import {
        name,
        path: vec![last],
    };
    match tree {
        UseTree::Path(path) => {
            let mut inner = imports(&path.tree);
            for found in &mut inner {
                found.path.insert(0, path.ident.to_string());
            }
            inner
        }
        UseTree::Name(name) => vec![import(name.ident.to_string(), name.ident.to_string())],
        UseTree::Rename(both) => vec![import(both.rename.to_string(), both.ident.to_string())],
        UseTree::Glob(_) => vec![import("*".to_owned(), "*".to_owned())],
        UseTree::Group(group) => group.items.iter().flat_map(imports).collect(),
    }
}

fn is_for_tests(item: &Item) -> bool {
    let for_tests = ["cfg(test)", "cfg(doctest)", "cfg(kani)"];
    let is_one = |attribute: &Attribute| for_tests.contains(&crate::text::attribute(attribute).as_str());
    attributes(item).iter().any(is_one)
}

/// The attributes of an item that can be public or hold what is.
pub fn attributes(item: &Item) -> &[Attribute] {
    match item {
        Item::Const(item) => &item.attrs,
        Item::Enum(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        Item::Static(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        Item::Trait(item) => &item.attrs,
        Item::Type(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        _ => &[],
    }
}

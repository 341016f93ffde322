//! The public items of a crate: each once, at its shortest path, with what belongs to it.

use crate::source::{Crate, Import, Place, attributes, imports};
use crate::text::{self, is_public, kept};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use syn::{Fields, ImplItem, Item, ItemImpl, TraitItem, Type};

/// Lines for each public path.
pub struct Listing {
    entries: BTreeMap<String, Vec<String>>,
}

/// Where an item is defined: its module and its name there.
type Definition = (Place, String);

impl Listing {
    /// The listing of a crate.
    pub fn of(source: &Crate) -> Self {
        let mut paths = BTreeMap::new();
        let mut listing = Self {
            entries: BTreeMap::new(),
        };
        listing.visit(source, &vec![], &source.name, &mut paths);
        let implementations = implementations(source, &paths);
        for (definition, mut names) in paths {
            names.sort_by_key(|name| (name.matches("::").count(), name.clone()));
            let others = names.split_off(1);
            let path = names.remove(0);
            for other in others {
                let line = format!("pub use {other} = {path}");
                listing.entries.insert(other, vec![line]);
            }
            let mut lines = described(item(source, &definition), &path);
            lines.extend(implementations.get(&definition).cloned().unwrap_or_default());
            listing.entries.insert(path, lines);
        }
        listing
    }

    /// Adds what a public module offers under `path`.
    fn visit(
        &mut self,
        source: &Crate,
        place: &Place,
        path: &str,
        paths: &mut BTreeMap<Definition, Vec<String>>,
    ) {
        for item in &source.modules[place] {
            match item {
                Item::Mod(module) if is_public(&module.vis) => {
                    let inner = [place.clone(), vec![module.ident.to_string()]].concat();
                    let path = format!("{path}::{}", module.ident);
                    let mut lines = vec![format!("pub mod {path}")];
                    lines.extend(indented(kept(&module.attrs)));
                    self.entries.insert(path.clone(), lines);
                    self.visit(source, &inner, &path, paths);
                }
                Item::Use(used) if is_public(&used.vis) => {
                    for Import { name, path: from } in imports(&used.tree) {
                        let path = format!("{path}::{name}");
                        match defined(source, place, &from) {
                            Some(definition) => paths.entry(definition).or_default().push(path),
                            None => {
                                let line = format!("pub use {path} = {}", from.join("::"));
                                self.entries.insert(path, vec![line]);
                            }
                        }
                    }
                }
                other => {
                    if let Some(name) = public_name(other) {
                        let path = format!("{path}::{name}");
                        let definition = (place.clone(), name);
                        paths.entry(definition).or_default().push(path);
                    }
                }
            }
        }
    }
}

impl fmt::Display for Listing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.entries
            .values()
            .flatten()
            .try_for_each(|line| writeln!(f, "{line}"))
    }
}

/// Where a path leads, through re-exports; `None` if into another crate.
fn defined(source: &Crate, place: &Place, path: &[String]) -> Option<Definition> {
    let (at, name) = source.resolve(place, path)?;
    for item in &source.modules[&at] {
        if public_name(item).as_ref() == Some(&name) {
            return Some((at, name));
        }
        if let Item::Use(used) = item {
            let found = imports(&used.tree).into_iter().find(|import| import.name == name);
            if let Some(import) = found.filter(|import| import.path.len() > 1) {
                return defined(source, &at, &import.path);
            }
        }
    }
    None
}

fn public_name(item: &Item) -> Option<String> {
    let (visibility, name) = match item {
        Item::Const(item) => (&item.vis, &item.ident),
        Item::Enum(item) => (&item.vis, &item.ident),
        Item::Fn(item) => (&item.vis, &item.sig.ident),
        Item::Static(item) => (&item.vis, &item.ident),
        Item::Struct(item) => (&item.vis, &item.ident),
        Item::Trait(item) => (&item.vis, &item.ident),
        Item::Type(item) => (&item.vis, &item.ident),
        _ => return None,
    };
    is_public(visibility).then(|| name.to_string())
}

fn item<'a>(source: &'a Crate, (place, name): &Definition) -> &'a Item {
    let mut items = source.modules[place].iter();
    let named = items.find(|item| public_name(item).as_ref() == Some(name));
    named.unwrap_or_else(|| panic!("{place:?} has no {name}"))
}

fn indented(lines: Vec<String>) -> impl Iterator<Item = String> {
    lines.into_iter().map(|line| format!("    {line}"))
}

/// An item's own lines.
fn described(item: &Item, path: &str) -> Vec<String> {
    let mut inner = kept(attributes(item));
    let head = match item {
        Item::Const(item) => format!("const {path}: {}", text::of(&item.ty)),
        Item::Static(item) => format!("static {path}: {}", text::of(&item.ty)),
        Item::Type(item) => {
            format!("type {path}{} = {}", text::of(&item.generics), text::of(&item.ty))
        }
        Item::Fn(item) => {
            let signature = text::of(&item.sig);
            signature.replacen(&item.sig.ident.to_string(), path, 1)
        }
        Item::Struct(item) => {
            inner.extend(fields(&item.fields, true));
            format!("struct {path}{}", text::of(&item.generics))
        }
        Item::Enum(item) => {
            for variant in &item.variants {
                inner.extend(kept(&variant.attrs));
                let fields = fields(&variant.fields, false).join(", ");
                inner.push(format!("{} {{ {fields} }}", variant.ident).replace(" {  }", ""));
            }
            format!("enum {path}{}", text::of(&item.generics))
        }
        Item::Trait(item) => {
            inner.extend(item.items.iter().map(trait_item));
            let bounds = match item.supertraits.is_empty() {
                true => String::new(),
                false => format!(": {}", text::of(&item.supertraits)),
            };
            format!("trait {path}{}{bounds}", text::of(&item.generics))
        }
        _ => unreachable!("only items with a name are listed"),
    };
    std::iter::once(format!("pub {head}")).chain(indented(inner)).collect()
}

/// The fields that can be named; with `only_public`, a remark on whether there are others.
fn fields(fields: &Fields, only_public: bool) -> Vec<String> {
    let shown = fields.iter().enumerate();
    let shown = shown.filter(|(_, field)| !only_public || is_public(&field.vis));
    let mut lines: Vec<String> = shown
        .map(|(number, field)| {
            let name = field.ident.as_ref().map_or(number.to_string(), ToString::to_string);
            format!("{name}: {}", text::of(&field.ty))
        })
        .collect();
    if lines.len() < fields.len() {
        lines.push("(private fields)".to_owned());
    }
    lines
}

fn trait_item(item: &TraitItem) -> String {
    match item {
        TraitItem::Fn(method) => {
            let provided = method.default.as_ref().map_or("", |_| " (provided)");
            format!("{}{provided}", text::of(&method.sig))
        }
        other => text::of(other),
    }
}

/// What is implemented for each of the public types, in order and without repetitions.
fn implementations(
    source: &Crate,
    public: &BTreeMap<Definition, Vec<String>>,
) -> BTreeMap<Definition, BTreeSet<String>> {
    let mut found: BTreeMap<Definition, BTreeSet<String>> = BTreeMap::new();
    for (place, items) in &source.modules {
        for item in items {
            let Item::Impl(block) = item else { continue };
            let Some(name) = self_name(&block.self_ty) else { continue };
            // Of types with one name, the one that is defined nearest.
            let nearness = |(at, _): &&Definition| {
                let common = at.iter().zip(place).take_while(|(a, b)| a == b).count();
                (common, usize::MAX - at.len())
            };
            let named = public.keys().filter(|(_, other)| *other == name);
            if let Some(definition) = named.max_by_key(nearness) {
                let lines = indented(implemented(block));
                found.entry(definition.clone()).or_default().extend(lines);
            }
        }
    }
    found
}

fn self_name(self_type: &Type) -> Option<String> {
    match self_type {
        Type::Path(path) => Some(path.path.segments.last()?.ident.to_string()),
        Type::Reference(reference) => self_name(&reference.elem),
        _ => None,
    }
}

fn implemented(block: &ItemImpl) -> Vec<String> {
    let condition = kept(&block.attrs).join(" ");
    let generics = text::of(&block.generics);
    if let Some((_, of_trait, _)) = &block.trait_ {
        let line = format!(
            "impl{generics} {} for {} {condition}",
            text::of(of_trait),
            text::of(&block.self_ty)
        );
        return vec![line.trim_end().to_owned()];
    }
    let mut lines = vec![];
    for item in &block.items {
        let (visibility, attributes, text) = match item {
            ImplItem::Fn(item) => (&item.vis, &item.attrs, text::of(&item.sig)),
            ImplItem::Const(item) => {
                let text = format!("const {}: {}", item.ident, text::of(&item.ty));
                (&item.vis, &item.attrs, text)
            }
            _ => continue,
        };
        if is_public(visibility) {
            let remarks = [kept(attributes).join(" "), condition.clone()].join(" ");
            lines.push(format!("pub {text} {}", remarks.trim()).trim_end().to_owned());
        }
    }
    lines
}

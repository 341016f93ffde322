//! Values and examples, read from CSV files or generated from a seed.

mod examples;
mod rows;

use anyhow::{Context, bail};
pub use examples::{Examples, examples};
use muffliato::prelude::Graph;
use rows::{number, read_rows};
use std::path::Path;

/// Returns a number in [0, 1) from a seed and an index, by SplitMix64. It is the same on every
/// machine.
pub fn uniform(seed: u64, place: u64) -> f64 {
    let bits = muffliato::model::split_mix(seed, place);
    (bits >> 11) as f64 / (1_u64 << 53) as f64
}

/// Returns one value for each node: `synthetic:uniform`, `synthetic:spike`, or a CSV file whose
/// rows are a value, or the name of a node and its value.
pub fn values(source: &str, graph: &Graph, seed: u64) -> anyhow::Result<Vec<f64>> {
    let nodes = graph.nodes();
    match source.strip_prefix("synthetic:") {
        Some("uniform") => return Ok((0..nodes as u64).map(|v| uniform(seed, v)).collect()),
        Some("spike") => return Ok((0..nodes).map(|v| f64::from(u8::from(v == 0))).collect()),
        Some(other) => bail!(
            "unknown synthetic values {other:?}; use synthetic:uniform (in [0, 1]) or synthetic:spike (node 0 has 1, others 0)"
        ),
        None => {}
    }
    let path = Path::new(source);
    let rows = read_rows(path)?;
    let mut found: Vec<Option<f64>> = vec![None; nodes];
    for (row, (line, cells)) in rows.iter().enumerate() {
        let at = format!("{source}: line {line}");
        let (node, column) = match &cells[..] {
            [_] => (row, 0),
            [name, _] => {
                let node = graph.node(name);
                (node.with_context(|| format!("{at}: the graph has no node {name:?}"))?, 1)
            }
            cells => bail!("{at}: {} columns; give a value, or a node and its value", cells.len()),
        };
        let value = number(path, *line, column, &cells[column])?;
        match found.get_mut(node) {
            Some(place @ None) => *place = Some(value),
            Some(_) => bail!("{at}: a second value for node {}", graph.label(node)),
            None => bail!("{at}: more values than the {nodes} nodes"),
        }
    }
    let missing = found.iter().position(Option::is_none);
    if let Some(node) = missing {
        bail!(
            "{source}: no value for node {}; {} of {nodes} nodes have one",
            graph.label(node),
            found.iter().flatten().count()
        );
    }
    Ok(found.into_iter().flatten().collect())
}

#[cfg(test)]
mod tests;

//! The generator: every topic, computed from the exact engine alone.

mod certificates;
mod conversions;
mod graph_files;
mod losses;

use crate::exact::Result;
use crate::form::File;

/// A topic: its name, its section of the specification, its generator, a sentence about it, and the questions that it asks.
type Topic = (
    &'static str,
    &'static str,
    fn() -> Result<losses::Cases>,
    &'static str,
    &'static [&'static str],
);

const TOPICS: [Topic; 16] = [
    (
        "weights",
        "2",
        losses::weights,
        "The gossip matrix of a network, all rows; weights that are not symmetric, non-negative and stochastic on the edges are refused.",
        &["weights"],
    ),
    (
        "process",
        "3",
        losses::process,
        "The coefficients of a state over the draws: for each time with noise one for each node, then for each round one for each mask, in the order of the edges.",
        &["coefficients"],
    ),
    (
        "one-shot",
        "5",
        losses::one_shot,
        "Exact losses of averaging with noise at the start only.",
        &["loss"],
    ),
    (
        "refreshed",
        "8",
        losses::refreshed,
        "Exact losses of averaging with fresh noise at every step.",
        &["loss"],
    ),
    (
        "masked",
        "14",
        losses::masked,
        "Exact losses with masks that cancel in pairs, and the bound that holds for everything computed from masked states.",
        &["loss", "masked-bound"],
    ),
    (
        "training",
        "5",
        losses::training,
        "Exact losses of gradient descent whose gradients are fixed bounded inputs, or react linearly where the protocol names factors.",
        &["loss"],
    ),
    (
        "absorption",
        "13",
        losses::absorption,
        "The absorption bound of gradient descent with Lipschitz steps, for given fractions; refused if a deviation is heard.",
        &["absorption-bound"],
    ),
    (
        "participation",
        "13",
        losses::participation,
        "Exact losses where the data of a node is used in every b-th round: the largest over the phases.",
        &["loss"],
    ),
    (
        "coalitions",
        "4",
        losses::coalitions,
        "Exact losses towards observers that share what they see.",
        &["loss"],
    ),
    (
        "groups",
        "5",
        losses::groups,
        "Exact losses of several nodes together, for scalars and for vectors; each member has a phase of its own where data is used in every b-th round.",
        &["loss"],
    ),
    (
        "views",
        "4",
        losses::views,
        "Exact losses towards an observer that knows its own noise (full) and one that does not (paper).",
        &["loss"],
    ),
    (
        "formulas",
        "6",
        conversions::formulas,
        "The formulas of the paper as printed. They are not losses; a program has to answer exactly what the formula says.",
        &["formula"],
    ),
    (
        "conversions",
        "7",
        conversions::conversions,
        "From a leakage to Renyi, Gaussian and (epsilon, delta) guarantees.",
        &["guarantee"],
    ),
    (
        "grid",
        "12",
        conversions::grid,
        "Noise and inputs on a grid: the exact curve of the discrete Gaussian, and what rounding does to the distance of inputs.",
        &["discrete-gaussian", "rounded-inputs"],
    ),
    (
        "certificates",
        "15",
        certificates::certificates,
        "Certificates that prove their claim, and certificates that must be refused.",
        &["certificate"],
    ),
    (
        "graph-files",
        "19",
        graph_files::graph_files,
        "Texts of graph files and the graph that each describes, by names; a text that is no graph, or could be two, must be refused. Formats that only count nodes number them from 0.",
        &["graph-file"],
    ),
];

/// Computes the files of all topics from the exact engine alone.
///
/// # Errors
/// If the engine refuses one of the cases, which is an error of the generator.
pub fn files() -> Result<Vec<File>> {
    let file = |&(topic, section, cases, about, _): &Topic| {
        Ok(File {
            version: 1,
            generator: format!("muffliato-vectors {}", env!("CARGO_PKG_VERSION")),
            topic: topic.into(),
            clause: format!("section {section}"),
            about: about.into(),
            cases: cases()?.cases,
        })
    };
    TOPICS.iter().map(file).collect()
}

/// Returns the JSON schema of a topic's file, which refers to `common.json`; `None` for an unknown topic.
pub fn schema(topic: &str) -> Option<String> {
    let (.., asks) = TOPICS.iter().find(|(name, ..)| *name == topic)?;
    let questions = asks
        .iter()
        .map(|ask| format!(r##"{{ "$ref": "common.json#/$defs/{ask}" }}"##));
    let questions: Vec<_> = questions.collect();
    Some(format!(
        r##"{{
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "title": "Test vectors of the topic {topic}",
  "type": "object",
  "required": ["version", "generator", "topic", "clause", "about", "cases"],
  "additionalProperties": false,
  "properties": {{
    "version": {{ "const": 1 }},
    "generator": {{ "type": "string" }},
    "topic": {{ "const": "{topic}" }},
    "clause": {{ "type": "string" }},
    "about": {{ "type": "string" }},
    "cases": {{
      "type": "array",
      "items": {{
        "type": "object",
        "required": ["id", "question", "answer"],
        "additionalProperties": false,
        "properties": {{
          "id": {{ "type": "string" }},
          "flags": {{ "type": "array", "items": {{ "type": "string" }} }},
          "question": {{ "anyOf": [{}] }},
          "answer": {{ "$ref": "common.json#/$defs/answer" }}
        }}
      }}
    }}
  }}
}}
"##,
        questions.join(", ")
    ))
}

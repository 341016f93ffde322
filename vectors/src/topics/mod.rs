//! The generator: every topic, computed from the exact engine alone.

mod certificates;
mod conversions;
mod losses;
mod runs;

use crate::FILES;
use crate::exact::Result;
use crate::form::File;
use losses::Cases;

/// A topic: its name, its generator, and the kinds of questions that it asks.
type Topic = (&'static str, fn(&mut Cases) -> Result<()>, &'static [&'static str]);

const TOPICS: [Topic; 18] = [
    ("weights", losses::weights, &["weights"]),
    ("process", losses::process, &["coefficients"]),
    ("one-shot", losses::one_shot, &["loss"]),
    ("refreshed", losses::refreshed, &["loss"]),
    ("masked", losses::masked, &["loss", "masked-bound"]),
    ("plans", losses::plans, &["loss", "masked-bound"]),
    ("training", losses::training, &["loss"]),
    ("absorption", losses::absorption, &["absorption-bound"]),
    ("participation", losses::participation, &["loss"]),
    ("coalitions", losses::coalitions, &["loss"]),
    ("groups", losses::groups, &["loss"]),
    ("views", losses::views, &["loss"]),
    ("formulas", conversions::formulas, &["formula"]),
    ("conversions", conversions::conversions, &["guarantee"]),
    ("sampling", conversions::sampling, &["sampled-renyi", "sampled-loss"]),
    ("grid", conversions::grid, &["discrete-gaussian", "rounded-inputs"]),
    ("certificates", certificates::certificates, &["certificate"]),
    ("graph-files", graph_files, &["graph-file"]),
];

/// Computes the files of all topics from the exact engine alone. The head of a file is written by hand.
///
/// # Errors
/// If the engine refuses one of the cases, which is an error of the generator.
pub fn files() -> Result<Vec<File>> {
    let file = |&(topic, generate, _): &Topic| {
        let generator = format!("muffliato-vectors {}", env!("CARGO_PKG_VERSION"));
        let mut cases = Cases { topic, cases: Vec::new() };
        generate(&mut cases)?;
        Ok(File { generator, cases: cases.cases, ..on_disk(topic)? })
    };
    TOPICS.iter().map(file).collect()
}

/// Reads the file of a topic.
fn on_disk(topic: &str) -> Result<File> {
    let (_, text) = FILES.iter().find(|(name, _)| *name == topic).ok_or("no such topic")?;
    Ok(serde_json::from_str(text)?)
}

/// Adds the cases of graph files, which are written by hand: `v1/graph-files.json` is their source.
fn graph_files(cases: &mut Cases) -> Result<()> {
    cases.cases = on_disk(cases.topic)?.cases;
    Ok(())
}

/// Returns the JSON schema of a topic's file, which refers to `common.json`; `None` for an unknown topic.
pub fn schema(topic: &str) -> Option<String> {
    let (.., asks) = TOPICS.iter().find(|(name, ..)| *name == topic)?;
    let questions = asks.iter().map(|ask| format!(r##"{{ "$ref": "common.json#/$defs/{ask}" }}"##));
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
          "clause": {{ "type": "string" }},
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

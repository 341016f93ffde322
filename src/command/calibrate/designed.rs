//! The best noise plan beside the other protocols.

use super::super::plan::{binding_json, binding_text, gap_text, missing_text};
use muffliato::prelude::*;
use muffliato_account::Designed;
use serde_json::{Value, json};

/// Describes the gap of a plan, the pairs that bind, and what a missing node costs.
pub fn described(designed: &Designed, graph: &Graph) -> String {
    let Designed { plan, missing, .. } = designed;
    let ends = plan.multiples_of_trusted();
    [gap_text(ends), binding_text(plan, graph), missing_text(missing, graph)].join("\n")
}

/// Returns the certified ends of a plan and the pairs that bind as JSON.
pub fn json(designed: &Designed, graph: &Graph) -> Value {
    let ends = designed.plan.multiples_of_trusted();
    json!({
        "over_trusted": {"lower": ends.lower, "upper": ends.upper},
        "gap_percent": 100.0 * ends.gap(),
        "status": "certified, judged by the masked bound",
        "binding_pairs": binding_json(&designed.plan, graph),
    })
}

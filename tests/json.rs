//! The JSON of every subcommand is what docs/schema.json says.

use crate::running::{json, printed};
use crate::workspace;
use serde_json::Value;

/// Names in the schema, and lines whose output they describe.
const LINES: &str = "
account: account path:3 --steps 2
account: account karate --protocol gd:2x1+masked:3 --observer 0
account: account hypercube:4 --steps 4 --engine fast --observers sample:2
account: account path:5 --protocol gd:2x1
account: account florentine --steps 2 --coalition Medici,Pazzi --group Ginori,Bischeri
average: average hypercube:3 --steps 3
train: train ring:5 --data synthetic:200x3 --protocol gd:3x2 --observer 0
calibrate: calibrate hypercube:3 --epsilon 1 --delta 1e-6 --protocol masked:3 --steps 4
calibrate: calibrate karate --epsilon 1 --delta 1e-6 --protect distance>=3 --protocol refreshed --steps 4
calibrate: calibrate hypercube:4 --epsilon 1 --delta 1e-6 --protocol masked:8 --collude 2
calibrate: calibrate hypercube:4 --epsilon 1 --delta 1e-6 --protect mean --protocol one-shot --steps 4
comparison: calibrate hypercube:3 --epsilon 1 --delta 1e-6 --steps 9 --collude 2
comparison: calibrate hypercube:3 --epsilon 1 --delta 1e-6 --steps 9 --secrets no
plan: plan hypercube:3 --epsilon 1 --delta 1e-6 --steps 9
plan_for: plan hypercube:3 --epsilon 1 --delta 1e-6 --steps 9 --plan-for 1
covering: plan star:700 --epsilon 1 --delta 1e-6 --steps 2
graph: graph karate
audit: audit --claim theorem-1
attack: attack karate --source 33 --observer 3 --steps 2 --trials 1000
system: account --system 'SYSTEM'
merge: merge 'PART'
conform: conform --topic one-shot -- python3 vectors/programs/one_shot.py
";

/// Returns the places at which a value is not of its schema: the part of JSON Schema with `type`, `properties` (all of them required,
/// and no others) and `items`.
fn faults(value: &Value, schema: &Value, at: &str) -> Vec<String> {
    let kind = match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    };
    let allowed = match &schema["type"] {
        Value::String(one) => vec![one.as_str()],
        Value::Array(several) => several.iter().filter_map(Value::as_str).collect(),
        _ => return vec![format!("{at}: the schema has no type")],
    };
    if !allowed.contains(&kind) {
        return vec![format!("{at}: {kind} is not one of {allowed:?}")];
    }
    let mut found = Vec::new();
    if let (Some(fields), Some(known)) = (value.as_object(), schema["properties"].as_object()) {
        let missing = known.keys().filter(|key| !fields.contains_key(*key));
        found.extend(missing.map(|key| format!("{at}/{key} is missing")));
        for (key, field) in fields {
            match known.get(key) {
                Some(schema) => found.extend(faults(field, schema, &format!("{at}/{key}"))),
                None => found.push(format!("{at}/{key} is not in the schema")),
            }
        }
    }
    if let (Some(items), Some(_)) = (value.as_array(), schema.get("items")) {
        found.extend(
            items.iter().flat_map(|item| faults(item, &schema["items"], &format!("{at}/*"))),
        );
    }
    found
}

#[test]
fn every_result_is_of_its_schema() {
    let schema: Value = serde_json::from_str(&workspace::read("docs/schema.json")).unwrap();
    let guide = workspace::read("docs/json.md");
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).display().to_string();
    std::fs::write(at("system"), r#"{"A": [[1, 1]], "B": [[1]], "std": [1, 1]}"#).unwrap();
    printed(&format!("account path:4 --steps 2 --shard 0/1 --output '{}'", at("part")));
    for case in LINES.lines().filter(|line| !line.is_empty()) {
        let (name, line) = case.split_once(": ").unwrap();
        let line = &line.replace("SYSTEM", &at("system")).replace("PART", &at("part"));
        let value = json(line);
        assert_eq!(value["format"], 1, "{line}");
        let found = faults(&value, &schema["$defs"][name], "");
        assert!(found.is_empty(), "{line}: {found:#?}");
        assert!(guide.contains(&format!("`{name}`")), "docs/json.md does not name {name}");
    }
}

/// The checker sees a field that is missing, one too many, and one of another type.
#[test]
fn the_checker_finds_faults() {
    let schema = serde_json::json!({"type": "object", "properties": {
        "a": {"type": ["number", "null"]},
        "b": {"type": "array", "items": {"type": "string"}},
    }});
    let of = |text: &str| faults(&serde_json::from_str(text).unwrap(), &schema, "").len();
    assert_eq!(of(r#"{"a": null, "b": ["x"]}"#), 0);
    assert_eq!(of(r#"{"a": "1", "b": ["x", 2]}"#), 2);
    assert_eq!(of(r#"{"b": [], "c": 1}"#), 2);
}

/// Fields of a pair in JSON are called as its columns in CSV.
#[test]
fn columns_of_csv_are_fields_of_json() {
    let line = "account path:3 --steps 2";
    let csv = printed(&format!("{line} --format csv"));
    let head = csv.lines().find(|line| !line.starts_with('#')).unwrap();
    let pair = &json(line)["pairs"][0];
    for column in head.split(',') {
        let path = match column.split_once('_') {
            Some(("leakage", part)) => format!("/leakage/{part}"),
            Some(("scalars", _)) => "/leakage/scalars".into(),
            _ if column == "status" => "/leakage/status".into(),
            _ => format!("/{column}"),
        };
        assert!(pair.pointer(&path).is_some(), "{column}: {pair}");
    }
}

//! The files are what the command writes, they follow their schemas, and the other engines agree with them.

use muffliato_certificate::{Certificate, SystemCertificate};
use muffliato_fast::{
    AbsorptionBounds, ConcentratedPrivacy, Enclosure, FastError, GaussianPrivacy, GramView,
    MaskedBounds, SampledPrivacy, noise::Grid,
};
use muffliato_io::{ReadOptions, read_bytes};
use muffliato_model::{Absorption, Lipschitz, Observer};
use muffliato_vectors::form::{Answer, File, Inputs, Quantity, Question, Verdict, observer};
use muffliato_vectors::{FILES, Grade, files, grade, schema};
use num_rational::BigRational;
use num_traits::{ToPrimitive, Zero};
use serde_json::Value;
use std::{collections::BTreeMap, collections::BTreeSet, fs, path::Path};

fn exact(float: f64) -> BigRational {
    BigRational::from_float(float).expect("a finite number")
}

#[test]
fn the_files_are_what_the_command_writes() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    for (file, (topic, on_disk)) in files().unwrap().iter().zip(FILES) {
        assert_eq!(file.topic, topic);
        let renew = "run `cargo run -p muffliato-vectors`";
        assert!(file.to_json().unwrap() == on_disk, "v1/{topic}.json is out of date; {renew}");
        let on_disk = fs::read_to_string(folder.join(format!("schema/{topic}.json"))).unwrap();
        assert!(schema(topic).unwrap() == on_disk, "schema/{topic}.json is out of date; {renew}");
    }
}

#[test]
fn cases_are_few_enough_and_have_names_and_flags_of_their_own() {
    let readme =
        fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md")).unwrap();
    let files = File::all().unwrap();
    let cases: usize = files.iter().map(|file| file.cases.len()).sum();
    assert!((500..=2000).contains(&cases), "{cases}");
    assert!(FILES.iter().map(|(_, text)| text.len()).sum::<usize>() <= 2_000_000);
    let mut names = BTreeSet::new();
    for file in &files {
        for case in &file.cases {
            assert!(case.id.starts_with(&format!("{}/", file.topic)), "{}", case.id);
            assert!(names.insert(&case.id), "{} is there twice", case.id);
            for flag in &case.flags {
                assert!(
                    readme.contains(&format!("| `{flag}` |")),
                    "README.md does not explain {flag}"
                );
            }
        }
    }
}

/// The part of JSON Schema that the schemas use; an unknown keyword is an error.
fn check(schema: &Value, value: &Value, common: &Value, at: &str) -> Result<(), String> {
    let wrong = |what: &str| Err(format!("{at}: {what}: {value}"));
    for (keyword, rule) in schema.as_object().unwrap() {
        match keyword.as_str() {
            "$schema" | "title" => {}
            "$ref" => {
                let name = rule.as_str().unwrap().rsplit('/').next().unwrap();
                check(&common["$defs"][name], value, common, at)?;
            }
            "type" => {
                let fits = match rule.as_str().unwrap() {
                    "object" => value.is_object(),
                    "array" => value.is_array(),
                    "string" => value.is_string(),
                    "integer" => value.is_i64(),
                    other => panic!("unknown type {other}"),
                };
                if !fits {
                    return wrong("it has another type");
                }
            }
            "const" if value != rule => return wrong("it is another constant"),
            "enum" if !rule.as_array().unwrap().contains(value) => {
                return wrong("it is not listed");
            }
            "const" | "enum" => {}
            "anyOf" => {
                let tried =
                    rule.as_array().unwrap().iter().map(|rule| check(rule, value, common, at));
                let failures: Vec<_> = tried.map(|outcome| outcome.err()).collect();
                if failures.iter().all(Option::is_some) {
                    return Err(format!("{at}: none fits: {failures:?}"));
                }
            }
            "required" => {
                for field in rule.as_array().unwrap() {
                    if value.get(field.as_str().unwrap()).is_none() {
                        return wrong(&format!("{field} is missing"));
                    }
                }
            }
            "additionalProperties" => {
                let known = schema["properties"].as_object().unwrap();
                if value.as_object().unwrap().keys().any(|field| !known.contains_key(field)) {
                    return wrong("a field is unknown");
                }
            }
            "properties" => {
                for (field, rule) in rule.as_object().unwrap() {
                    if let Some(value) = value.get(field) {
                        check(rule, value, common, &format!("{at}/{field}"))?;
                    }
                }
            }
            "items" => {
                for (place, value) in value.as_array().unwrap().iter().enumerate() {
                    check(rule, value, common, &format!("{at}/{place}"))?;
                }
            }
            "prefixItems" => {
                for (rule, value) in rule.as_array().unwrap().iter().zip(value.as_array().unwrap())
                {
                    check(rule, value, common, at)?;
                }
            }
            "minItems" | "maxItems" => {
                let (length, limit) =
                    (value.as_array().unwrap().len() as u64, rule.as_u64().unwrap());
                if (keyword == "minItems" && length < limit)
                    || (keyword == "maxItems" && length > limit)
                {
                    return wrong("it has another length");
                }
            }
            other => panic!("unknown keyword {other}"),
        }
    }
    Ok(())
}

#[test]
fn files_follow_their_schemas() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("schema");
    let read = |name: &str| -> Value {
        serde_json::from_str(&fs::read_to_string(folder.join(format!("{name}.json"))).unwrap())
            .unwrap()
    };
    let common = read("common");
    for (topic, text) in FILES {
        let file: Value = serde_json::from_str(text).unwrap();
        check(&read(topic), &file, &common, topic).unwrap();
        let mut broken = file.clone();
        broken["cases"][0]["question"]["remark"] = "unknown".into();
        assert!(check(&read(topic), &broken, &common, topic).is_err(), "{topic}");
    }
}

/// The ends of the right number, in floats that are not inside.
fn ends(answer: &Answer) -> (BigRational, BigRational) {
    let Answer::Number { value, below, above } = answer else {
        panic!("no number");
    };
    let read = |text: &str| -> BigRational {
        let (mantissa, exponent) = text.split_once('e').unwrap_or((text, "0"));
        let mantissa = muffliato_reference::rational(mantissa.parse().unwrap());
        let ten = BigRational::from_integer(10.into());
        mantissa * ten.pow(exponent.parse().unwrap())
    };
    match value {
        Some(value) => (value.parse().unwrap(), value.parse().unwrap()),
        None => (read(below), read(above)),
    }
}

/// A certified enclosure and the right number have something in common, and the upper end is not below it.
fn assert_encloses(id: &str, found: Enclosure, answer: &Answer) {
    let (least, most) = ends(answer);
    assert!(exact(found.lower()) <= most, "{id}: {found:?} is above {answer:?}");
    assert!(
        found.upper().is_infinite() || exact(found.upper()) >= least,
        "{id}: {found:?} is below {answer:?}"
    );
}

fn loss_ends(question: &Question) -> Option<Enclosure> {
    let Question::Loss { protocol, view, observers, sources, inputs } = question else {
        return None;
    };
    let view = observer(*view, observers).unwrap();
    let loss =
        GramView::of(&protocol.build().unwrap(), &view).unwrap().group_loss(sources).unwrap();
    Some(match inputs {
        Inputs::Scalars => loss.scalars.certified,
        Inputs::Vectors => loss.vectors.certified,
    })
}

#[test]
fn the_fast_engine_encloses_every_loss() {
    for case in File::all().unwrap().iter().flat_map(|file| &file.cases) {
        if let Some(found) = loss_ends(&case.question) {
            assert_encloses(&case.id, found, &case.answer);
        }
    }
}

#[test]
fn ends_and_epsilons_are_no_worse_than_those_on_record() {
    let files = File::all().unwrap();
    let cases: BTreeMap<_, _> =
        files.iter().flat_map(|file| &file.cases).map(|case| (&case.id, case)).collect();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("frozen/ends.json");
    let frozen: Vec<(String, f64, f64, f64)> =
        serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
    assert!(frozen.len() >= 300);
    let mut rows = Vec::new();
    for (id, _, upper, epsilon) in frozen {
        let case = cases.get(&id).unwrap_or_else(|| panic!("{id} is no case any more"));
        let found = loss_ends(&case.question).expect("a loss");
        let privacy = GaussianPrivacy::of_leakage(&found, 1.0, 2.0).unwrap();
        let now = privacy.epsilon_upper(1e-6).unwrap();
        rows.push(serde_json::json!([id, found.lower(), found.upper(), now]).to_string());
        if std::env::var_os("UPDATE").is_none() {
            assert!(found.upper() <= upper + 1e-9, "{id}: {} > {upper}", found.upper());
            assert!(now <= epsilon + 1e-6, "{id}: {now} > {epsilon}");
        }
    }
    if std::env::var_os("UPDATE").is_some() {
        fs::write(path, format!("[\n{}\n]\n", rows.join(",\n"))).unwrap();
    }
}

#[test]
fn the_fast_engine_encloses_every_conversion() {
    for case in File::all().unwrap().iter().flat_map(|file| &file.cases) {
        let Question::Guarantee { leakage, sensitivity, sigma, want } = &case.question else {
            continue;
        };
        let fraction = |text: &str| text.parse::<BigRational>().unwrap().to_f64().unwrap();
        let rho = fraction(leakage);
        let rho = Enclosure::try_new(rho.next_down(), rho.next_up()).unwrap();
        let privacy =
            GaussianPrivacy::of_leakage(&rho, fraction(sensitivity), fraction(sigma)).unwrap();
        let upper = match want {
            Quantity::Mu => privacy.mu(),
            Quantity::Zcdp => privacy.zcdp(),
            Quantity::Rdp(alpha) => privacy.rdp(fraction(alpha)).unwrap(),
            Quantity::Delta(epsilon) => privacy.delta_upper(fraction(epsilon)).unwrap(),
            Quantity::Epsilon(delta) => privacy.epsilon_upper(fraction(delta).next_down()).unwrap(),
            Quantity::MironovEpsilon(..) | Quantity::RenyiEpsilon(..) => continue,
        };
        let (least, most) = ends(&case.answer);
        assert!(exact(upper) >= least, "{}: {upper} is below {least}", case.id);
        let room = &most * exact(1.0 + 1e-9) + exact(1e-12);
        assert!(exact(upper) <= room, "{}: {upper} is far above {most}", case.id);
    }
}

/// Masked bounds, absorption bounds, discrete noise, rounded inputs and sampling by the fast engine: never below the right number,
/// and close to it where the two are the same quantity.
#[test]
fn the_fast_engine_agrees_on_bounds_grids_and_sampling() {
    let fraction = |text: &str| text.parse::<BigRational>().unwrap().to_f64().unwrap();
    let mut asked = BTreeMap::<&str, usize>::new();
    for case in File::all().unwrap().iter().flat_map(|file| &file.cases) {
        let (name, found, close) = match &case.question {
            Question::MaskedBound { protocol, observers, sources } => {
                let observer = Observer::coalition(observers.iter().copied()).unwrap();
                let bounds = MaskedBounds::of(&protocol.build().unwrap()).unwrap();
                let found = bounds.bound(sources, &observer).unwrap();
                assert_encloses(&case.id, found, &case.answer);
                ("masked", found.upper(), true)
            }
            Question::AbsorptionBound { protocol, observers, sources, lipschitz, fractions } => {
                let protocol = protocol.build().unwrap();
                let observer = Observer::coalition(observers.iter().copied()).unwrap();
                let lipschitz = Lipschitz::everywhere(lipschitz.parse().unwrap()).unwrap();
                let given = fractions.iter().map(|(time, node, part)| {
                    (*time, *node, part.parse::<muffliato_model::Fraction>().unwrap())
                });
                let plan = Absorption::try_new(&protocol, given).unwrap();
                let bounds = AbsorptionBounds::of(&protocol, &observer, &lipschitz).unwrap();
                match (bounds.of_plans(sources, &[plan]), &case.answer) {
                    (Err(FastError::NotAbsorbed { .. }), Answer::Verdict { .. }) => continue,
                    (Ok(found), Answer::Number { .. }) => ("absorption", found, true),
                    other => panic!("{}: {other:?}", case.id),
                }
            }
            Question::DiscreteGaussian { sigma, shift, epsilon } => {
                let sigma = fraction(sigma);
                let noise = ConcentratedPrivacy::of_leakage(1.0, f64::from(*shift), sigma).unwrap();
                ("discrete", noise.delta(fraction(epsilon)).unwrap(), false)
            }
            Question::RoundedInputs { steps } => {
                let grid = Grid::try_new(1.0).unwrap();
                ("rounded inputs", grid.sensitivity(fraction(steps), 1).unwrap(), false)
            }
            Question::SampledRenyi { leakage, sensitivity, sigma, rate, rounds, order } => {
                let (leakage, sigma) = (fraction(leakage), fraction(sigma));
                let (delta, rate) = (fraction(sensitivity), rate.parse().unwrap());
                let privacy = SampledPrivacy::of_leakage(leakage, delta, sigma, rate, *rounds);
                ("sampled", privacy.unwrap().rdp(*order).unwrap(), true)
            }
            Question::SampledLoss { protocol, observers, source } => {
                let protocol = protocol.build().unwrap();
                let observer = Observer::coalition(observers.iter().copied()).unwrap();
                let each = match protocol.masks() {
                    None => 1.0,
                    Some(_) => {
                        let bounds = MaskedBounds::of(&protocol).unwrap();
                        let all = bounds.bound(&[*source], &observer).unwrap().upper();
                        all / protocol.rounds() as f64 * (1.0 + 1e-12)
                    }
                };
                let rate = protocol.sampling().unwrap();
                let privacy = SampledPrivacy::of_leakage(each, 1.0, 1.0, rate, protocol.rounds());
                ("sampled loss", privacy.unwrap().rdp(2).unwrap(), false)
            }
            _ => continue,
        };
        *asked.entry(name).or_default() += 1;
        let (least, most) = ends(&case.answer);
        // The floats of sigma and the leakage are rounded to nearest.
        let least = least * exact(1.0 - 1e-14);
        assert!(exact(found) >= least, "{}: {found} is below {least}", case.id);
        let room = &most * exact(1.0 + 1e-9) + exact(1e-12);
        assert!(!close || exact(found) <= room, "{}: {found} is far above {most}", case.id);
    }
    assert_eq!(asked.len(), 6, "{asked:?}");
}

#[test]
fn the_checker_accepts_what_holds_and_nothing_else() {
    let mut wrong = Vec::new();
    for case in File::all().unwrap().iter().flat_map(|file| &file.cases) {
        let Question::Certificate { text } = &case.question else {
            continue;
        };
        let parsed = match text.contains("\"system\"") {
            true => SystemCertificate::parse(text).map(|certificate| certificate.check()),
            false => Certificate::parse(text).map(|certificate| certificate.check()),
        };
        let checked = match parsed {
            Ok(checked) => checked.map_err(|reason| reason.to_string()),
            Err(reason) => Err(reason.to_string()),
        };
        let verdict = if checked.is_ok() { Verdict::Accept } else { Verdict::Refuse };
        let Answer::Verdict { verdict: right, .. } = case.answer else {
            panic!("{}: no verdict", case.id);
        };
        if verdict != right {
            wrong.push(format!("{}: {checked:?}", case.id));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_readers_read_every_file_as_it_is_or_refuse_it() {
    let mut misread = Vec::new();
    for case in File::all().unwrap().iter().flat_map(|file| &file.cases) {
        let Question::GraphFile { text } = &case.question else {
            continue;
        };
        let line = match read_bytes(text.as_bytes(), &ReadOptions::default()) {
            Ok(reading) => {
                let graph = reading.graph;
                let nodes: Vec<_> = (0..graph.nodes()).map(|node| graph.label(node)).collect();
                let edges: Vec<_> = graph.edges().collect();
                serde_json::json!({ "nodes": nodes, "edges": edges }).to_string()
            }
            Err(_) => "\"refuse\"".into(),
        };
        if grade(case, &line, &BigRational::zero()).0 != Grade::Exact {
            misread.push(format!("{}: {line}", case.id));
        }
    }
    assert!(misread.is_empty(), "{}", misread.join("\n"));
}

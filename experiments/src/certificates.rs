//! Beyond the paper: the size of certificates, and the time to find and check them.
//!
//! The observer is node 0, the source the first node at distance 2. Times depend on the machine.

use super::exhibit::{Exhibit, Finding, Sheet, row};
use super::setting::Setting;
use muffliato::account::{NoiseLaw, Number};
use muffliato::prelude::*;
use muffliato_certificate::{Certificate, Claim, Proof};
use std::time::Instant;

const HEAD: &str = "graph,nodes,edges,protocol,proof,at_most,bytes,found_s,checked_s";

pub fn run(setting: &Setting<'_>) -> anyhow::Result<Exhibit> {
    let large = setting.choose("regular:10000:d=4:seed=1", "regular:200:d=4:seed=1");
    let mut sheet = Sheet::new("certificates", HEAD);
    let mut findings = Vec::new();
    for name in ["karate", "hypercube:10", large] {
        let graph = name.parse::<GraphSpec>()?.build()?;
        let distances = graph.distances_from_any(&[0]);
        let source = distances.iter().position(|distance| *distance == Some(2));
        let source = source.unwrap_or(1);
        let (nodes, edges) = (graph.nodes(), graph.edge_count());
        let network = Network::metropolis(graph)?;
        let descent = Protocol::gradient_descent(network.clone(), 10, 1)?;
        let refreshed = Protocol::one_shot(network.clone(), 10)?.refreshed("1/10".parse()?)?;
        let fresher = Protocol::one_shot(network.clone(), 10)?.refreshed("1/2".parse()?)?;
        let masked = descent.clone().masked("3".parse()?)?;
        let (real, grid) = (NoiseLaw::Gaussian, "rounded:2^-20".parse()?);
        let mut protocols = vec![
            ("gd:10x1", descent, real),
            ("gd:10x1, masks of 3 sigma", masked.clone(), real),
            ("gd:10x1, masks of 3 sigma, on a grid", masked, grid),
            ("refreshed:0.1, 10 steps", refreshed, real),
            ("refreshed:0.5, 10 steps, on a grid", fresher, grid),
        ];
        if nodes < 100 {
            let once = Protocol::one_shot(network, 4)?;
            protocols.insert(0, ("one-shot, 4 steps", once, real));
        }
        for (words, protocol, law) in protocols {
            let account = Account::of(&protocol).noise(law, 1.0, 1);
            let account =
                account.observers(Observers::Listed(vec![0])).sources([source]).build()?;
            let started = Instant::now();
            let certificate = account.certificate()?;
            let found = started.elapsed().as_secs_f64();
            let text = certificate.to_json()?;
            let started = Instant::now();
            let read = Certificate::parse(&text)?;
            read.check()?;
            let checked = started.elapsed().as_secs_f64();
            let (kind, loss) = kind_and_loss(&read);
            findings.push(Finding::measured(
                format!("{name}, {words}:"),
                format!(
                    "at most {loss:.4} by {kind}, in {} KiB; checked in {checked:.2} s.",
                    text.len().div_ceil(1024)
                ),
            ));
            let times = [found, checked].map(|seconds| format!("{seconds:.2}"));
            let loss = format!("{loss:.6}");
            sheet.push(row![name, nodes, edges, words, kind, loss, text.len(); times]);
        }
    }
    Ok(Exhibit {
        title: "Beyond the paper: certificate files".into(),
        method: "Metropolis weights, observer 0, the first source at distance 2. \"On a grid\" \
                 means noise rounded to multiples of 2^-20 Delta, for one coordinate. A \
                 certificate contains the whole protocol with its graph. The checker reads the \
                 file, builds the gossip matrix and recomputes the proof in integers, on one \
                 thread. Times depend on the machine."
            .into(),
        sheets: vec![sheet],
        plates: Vec::new(),
        findings,
    })
}

/// Returns the kind of proof and the claimed loss, rounded up.
fn kind_and_loss(certificate: &Certificate) -> (&'static str, f64) {
    let kind = match &certificate.proof {
        Proof::Absorption { flows, .. } if flows.is_empty() => "absorption",
        Proof::Absorption { .. } => "absorption and flows",
        Proof::Flows(_) => "flows",
        Proof::Alibis(_) => "alibis",
        Proof::Attack(_) => "an attack",
    };
    let (Claim::AtMost(loss) | Claim::AtLeast(loss)) = &certificate.claim;
    (kind, Number::from(loss.clone()).upper())
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    /// Formats the table of the last run for the guide.
    fn table(csv: &str) -> String {
        let mut text = String::from(
            "| graph | protocol | proof | at most | bytes | found in | checked in |\n| --- | --- | \
             --- | --- | --- | --- | --- |\n",
        );
        let mut rows = csv::Reader::from_reader(csv.as_bytes());
        for row in rows.records() {
            let row = row.unwrap();
            text += &format!(
                "| {} ({} nodes, {} edges) | {} | {} | {} | {} | {} s | {} s |\n",
                &row[0], &row[1], &row[2], &row[3], &row[4], &row[5], &row[6], &row[7], &row[8]
            );
        }
        text
    }

    #[test]
    fn the_guide_has_the_table_of_the_last_run() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let csv = std::fs::read_to_string(root.join("results/certificates.csv")).unwrap();
        let page = root.join("../docs/guide/6-certificates.md");
        let text = std::fs::read_to_string(&page).unwrap();
        let (before, rest) = text.split_once("<!-- certificates.csv -->\n").unwrap();
        let (_, after) = rest.split_once("<!-- end -->").unwrap();
        let renewed =
            format!("{before}<!-- certificates.csv -->\n{}<!-- end -->{after}", table(&csv));
        if std::env::var_os("UPDATE").is_some() {
            std::fs::write(&page, &renewed).unwrap();
        }
        let text = std::fs::read_to_string(&page).unwrap();
        assert!(text == renewed, "UPDATE=1 cargo test -p muffliato-experiments the_guide_has");
    }
}

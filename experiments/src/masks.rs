//! Beyond the paper: what each protocol costs, without and with secrets that neighbours share.

use super::exhibit::{Exhibit, Finding, Sheet};
use super::refresh::{DELTA, EPSILON};
use super::setting::{Setting, short};
use muffliato::account::{Account, Calibration, Choice, Observers, Protect, Target, steps_to_mix};
use muffliato::fast::{Enclosure, MaskedBounds, calibrate_sigma};
use muffliato::prelude::{Fraction, Graph, GraphSpec, Network, Protocol};

const HEAD: [&str; 11] = [
    "graph",
    "nodes",
    "protect",
    "local",
    "one_shot",
    "refreshed",
    "masked",
    "trusted",
    "masked_over_trusted",
    "kappa",
    "steps",
];

/// The experiment.
pub fn run(setting: &Setting<'_>) -> anyhow::Result<Exhibit> {
    let specs = setting.choose(
        &["karate", "hypercube:6", "hypercube:10", "grid:20x20"][..],
        &["karate", "hypercube:4", "grid:4x4"],
    );
    let mut graphs = Vec::new();
    for spec in specs {
        graphs.push((spec.to_string(), spec.parse::<GraphSpec>()?.build()?));
    }
    if !setting.quick {
        let session = setting.session;
        let found = setting.data.ego_networks(&mut |note| session.note(&note))?;
        let ego = found.into_iter().find(|ego| ego.name.contains("414"));
        graphs.extend(ego.map(|ego| (format!("Facebook {}", ego.name), ego.graph)));
    }
    let mut sheet = Sheet::new("masks", &HEAD);
    let mut findings = Vec::new();
    for (name, graph) in graphs {
        for protect in [Protect::All, Protect::Distance(2)] {
            let (row, ratio) = compared(&name, &graph, protect)?;
            findings.push(Finding::new(
                format!("{name}, {protect}:"),
                format!(
                    "masks cost {} times the error of a trusted aggregator.",
                    short(ratio)
                ),
            ));
            sheet.push(row);
        }
    }
    let large = setting.choose("regular:1000000:d=8:seed=1", "regular:6000:d=8:seed=1");
    let (rows, found) = large_graph(setting, large)?;
    rows.into_iter().for_each(|row| sheet.push(row));
    findings.push(found);
    Ok(Exhibit {
        title: "Beyond the paper: which protocol to use".into(),
        method: format!(
            "Inputs in [0, 1], ({EPSILON}, {DELTA:e}) towards every node, or towards every node at distance 2 and more, by certified losses. Numbers are expected \
             errors (estimates). One-shot and refreshed (tau = 1/sqrt(n)) take no secrets, and towards neighbours they take the noise of LDP; masked takes \
             a key for each edge, and the best kappa and number of steps of those tried. All observers of a hypercube see alike, and one of them was asked. The \
             largest graph is bounded for all pairs by trees around every source; its errors are upper bounds from the spectral gap, and what is not \
             certified there for all pairs (refreshed noise) is left out."
        ),
        sheets: vec![sheet],
        plates: Vec::new(),
        findings,
    })
}

fn target(protect: Protect) -> Target {
    Target {
        protect,
        ..Target::new(EPSILON, DELTA)
    }
}

/// The errors of all protocols on a graph whose pairs are looked at one by one, and the ratio that masks reach.
fn compared(name: &str, graph: &Graph, protect: Protect) -> anyhow::Result<(Vec<String>, f64)> {
    let network = Network::metropolis(graph.clone())?;
    let target = target(protect);
    let steps = steps_to_mix(&"one-shot".parse()?, &network, false, 1.0, 1.0, &())?;
    let plain = Protocol::one_shot(network, steps)?;
    let nodes = graph.nodes();
    let account = Account::of(&plain)?.engine(Choice::Fast);
    let masked = account.calibrate_masks(&target, 1.0)?;
    let observers = match name.starts_with("hypercube") {
        true => Observers::Listed(vec![0]),
        false => Observers::All,
    };
    let account = account.observers(observers);
    let error = |found: &Calibration| found.expected_error.unwrap_or(f64::NAN);
    let one_shot = account.calibrate(&target, 1.0)?;
    let tau = Fraction::try_new(1000, (1000.0 * (nodes as f64).sqrt()).round() as i128)?;
    let refreshed = plain.clone().refreshed(tau)?;
    let refreshed = account.on(&refreshed)?.calibrate(&target, 1.0)?;
    let (local, trusted) = masked.baselines.unwrap_or((f64::NAN, f64::NAN));
    let ratio = error(&masked) / trusted;
    let mut row = vec![name.to_string(), nodes.to_string(), protect.to_string()];
    let errors = [
        local,
        error(&one_shot),
        error(&refreshed),
        error(&masked),
        trusted,
        ratio,
    ];
    row.extend(errors.map(short));
    row.push(
        masked
            .protocol
            .masks()
            .map_or(String::new(), |masks| masks.kappa().to_string()),
    );
    row.push(masked.protocol.steps().to_string());
    Ok((row, ratio))
}

/// A graph of which all pairs are bounded at once.
fn large_graph(setting: &Setting<'_>, spec: &str) -> anyhow::Result<(Vec<Vec<String>>, Finding)> {
    let graph = spec.parse::<GraphSpec>()?.build()?;
    let network = Network::metropolis(graph)?;
    let gap = setting.gap(&network)?;
    let nodes = network.graph().nodes() as f64;
    let degree = network.graph().max_degree() as f64;
    let plain = Protocol::one_shot(network, 1)?;
    let mut best: Vec<Option<(f64, f64, Fraction, usize)>> = vec![None; 2];
    let protects = [Protect::All, Protect::Distance(2)];
    for kappa in [3, 10, 30] {
        let kappa = Fraction::integer(kappa);
        let masked = plain.clone().masked(kappa)?;
        // The first class is that of neighbours.
        let local = MaskedBounds::of(&masked)?.local(setting.choose(4, 3), &())?;
        let far = local.classes[1..]
            .iter()
            .map(|class| class.largest)
            .fold(0.0, f64::max);
        for (place, loss) in [local.largest, far].into_iter().enumerate() {
            let sigma = calibrate_sigma(&Enclosure::exact(loss), 1.0, EPSILON, DELTA)?;
            // ||M||_F^2 <= 1 + n q and trace(M L M^T) <= 2 d n q with q = (1 - gap)^2T; inputs have variance 1/12.
            let size = kappa.numerator() as f64;
            let left = |steps: usize| nodes * (1.0 - gap).powf(2.0 * steps as f64);
            let error = |steps: usize| {
                let noise = 1.0 + left(steps) * (1.0 + 2.0 * degree * size * size);
                (left(steps) / 12.0 + sigma * sigma * noise) / (2.0 * nodes)
            };
            let floor = sigma * sigma / (2.0 * nodes);
            let steps = (1..10_000).find(|&steps| error(steps) <= 1.01 * floor);
            let steps = steps.unwrap_or(10_000);
            let found = (error(steps), loss, kappa, steps);
            if best[place].is_none_or(|best| found.0 < best.0) {
                best[place] = Some(found);
            }
        }
    }
    let sigma = calibrate_sigma(&Enclosure::exact(1.0), 1.0, EPSILON, DELTA)?;
    let (local, trusted) = (
        sigma * sigma / (2.0 * nodes),
        sigma * sigma / (2.0 * nodes * nodes),
    );
    let mut rows = Vec::new();
    for (protect, best) in protects.into_iter().zip(&best) {
        if let Some((error, _, kappa, steps)) = best {
            let mut row = vec![spec.to_string(), nodes.to_string(), protect.to_string()];
            row.extend([
                short(local),
                short(local),
                "-".into(),
                short(*error),
                short(trusted),
            ]);
            row.extend([short(error / trusted), kappa.to_string(), steps.to_string()]);
            rows.push(row);
        }
    }
    let ratio = best[0].map_or(f64::NAN, |best| local / best.0);
    let found = Finding::new(
        format!("{spec}, every pair:"),
        format!(
            "by bounds that look at a ball around each source only, masks need {} times less error than LDP.",
            short(ratio)
        ),
    );
    Ok((rows, found))
}

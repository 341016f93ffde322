//! Beyond the paper: the error of each protocol, without and with secrets shared by neighbours.

use super::exhibit::{Exhibit, Finding, Sheet, row};
use super::refresh::{DELTA, EPSILON};
use super::setting::{Setting, gap_of, short};
use muffliato::account::{Account, Calibration, Choice, Observers, Protect, Target, steps_to_mix};
use muffliato::fast::{Enclosure, MaskedBounds, calibrate_sigma};
use muffliato::prelude::{Fraction, Graph, GraphSpec, Network, Protocol};

const HEAD: &str = "graph,nodes,protect,local,one_shot,refreshed,masked,trusted,masked_over_trusted,tau,refreshed_by,kappa,steps,masked_steps";

/// Largest graph whose refreshed noise is accounted by leakage, unless it is vertex-transitive;
/// larger ones get the first-passage bound.
const FEW: usize = 100;

pub fn run(setting: &Setting<'_>) -> anyhow::Result<Exhibit> {
    let specs = setting.choose(
        &["karate", "hypercube:6", "hypercube:10", "grid:20x20"][..],
        &["karate", "hypercube:4", "grid:4x4"],
    );
    let mut graphs = Vec::new();
    for spec in specs {
        graphs.push((spec.to_string(), spec.parse::<GraphSpec>()?.build()?));
    }
    if !setting.quick
        && let Some(graph) = setting.data.ego_network("414")?
    {
        graphs.push(("Facebook 414".to_string(), graph));
    }
    let mut sheet = Sheet::new("masks", HEAD);
    let mut findings = Vec::new();
    let mut tell = |name: &str, protect: Protect, row: Row| {
        let [local, .., masked, trusted] = row.errors;
        let ratio = masked / trusted;
        let near =
            if ratio <= 1.2 { "within 20 %" } else { "some node has few others to hide behind" };
        findings.push(Finding::measured(
            format!("{name}, {protect}:"),
            format!(
                "masks have {} times the error of a trusted aggregator ({near}); LDP has {} times.",
                short(ratio),
                short(local / trusted)
            ),
        ));
        sheet.push(row.cells(name, protect));
    };
    for (name, graph) in graphs {
        for protect in [Protect::All, Protect::Distance(2)] {
            setting.session.note(&format!("{name}, {protect}"));
            tell(&name, protect, compare_protocols(&name, &graph, protect)?);
        }
    }
    let large = setting.choose("regular:1000000:d=8:seed=1", "regular:6000:d=8:seed=1");
    let row = large_graph(setting, large)?;
    for protect in [Protect::All, Protect::Distance(2)] {
        tell(large, protect, row.clone());
    }
    Ok(Exhibit {
        title: "Beyond the paper: which protocol to use".into(),
        method: format!(
            "Inputs in [0, 1], ({EPSILON}, {DELTA:e})-privacy by certified losses towards every \
             node, or towards every node at distance 2 or more. Numbers are expected errors \
             (estimates). One-shot and refreshed noise (the best tau of those tried) need no \
             secrets; towards neighbours they need the noise of LDP. Masks need a key for each \
             edge (the best kappa and number of steps of those tried). All observers of a \
             hypercube are alike, and one of them was examined. Towards nodes at distance 2 or \
             more, refreshed noise is accounted by its leakage, on the grid and the Facebook graph \
             by the first-passage bound; one-shot noise is accounted by LDP, which its leakage \
             reaches at a distance, too. On the largest graph masks are bounded for all pairs at \
             once by spanning trees, errors are upper bounds from the spectral gap, and without \
             masks nothing below LDP is certified for all pairs."
        ),
        sheets: vec![sheet],
        plates: Vec::new(),
        findings,
    })
}

fn target(protect: Protect) -> Target {
    Target { protect, ..Target::new(EPSILON, DELTA) }
}

/// Expected errors of all protocols, and their parameters.
#[derive(Clone)]
struct Row {
    nodes: usize,
    /// Of local noise, one-shot and refreshed protocols, masks, and a trusted aggregator.
    errors: [f64; 5],
    tau: String,
    by: &'static str,
    kappa: String,
    steps: usize,
    masked_steps: usize,
}

impl Row {
    fn cells(&self, name: &str, protect: Protect) -> Vec<String> {
        let [.., masked, trusted] = self.errors;
        let errors = self.errors.into_iter().chain([masked / trusted]);
        let mut cells = row![name, self.nodes, protect; errors.map(short)];
        cells.extend(row![self.tau, self.by, self.kappa, self.steps, self.masked_steps]);
        cells
    }
}

/// Computes the errors of all protocols on a graph small enough to examine pair by pair.
fn compare_protocols(name: &str, graph: &Graph, protect: Protect) -> anyhow::Result<Row> {
    let network = Network::metropolis(graph.clone())?;
    let target = target(protect);
    let steps = steps_to_mix(&"one-shot".parse()?, &network, false, 1.0, 1.0, &())?;
    let plain = Protocol::one_shot(network, steps)?;
    let account = || Account::of(&plain).engine(Choice::Fast);
    let masked = account().build()?.calibrate_masks(&target, 1.0, &Default::default())?;
    let cube = name.starts_with("hypercube");
    // Without masks, neighbours lose everything. So do, with one-shot noise, nodes at distance 2.
    // Closed forms are enough.
    let closed = || account().closed_forms().build();
    let one_shot = closed()?.calibrate(&target, 1.0)?;
    let (refreshed, by) = match protect {
        Protect::Distance(_) if cube => {
            let one = account().observers(Observers::Listed(vec![0])).build()?;
            (one.calibrate_tau(&target, 1.0)?, "leakage")
        }
        Protect::Distance(_) if graph.nodes() <= FEW => {
            (account().build()?.calibrate_tau(&target, 1.0)?, "leakage")
        }
        Protect::Distance(_) => (closed()?.calibrate_tau(&target, 1.0)?, "first passage"),
        _ => (closed()?.calibrate_tau(&target, 1.0)?, "LDP"),
    };
    let error = |found: &Calibration| found.expected_error.unwrap_or(f64::NAN);
    let (local, trusted) = masked.baselines.unwrap_or((f64::NAN, f64::NAN));
    let shown = |part: Option<Fraction>| part.map_or(String::new(), |part| part.to_string());
    Ok(Row {
        nodes: graph.nodes(),
        errors: [local, error(&one_shot), error(&refreshed), error(&masked), trusted],
        tau: shown(refreshed.sizes().tau),
        by,
        kappa: shown(masked.sizes().kappa),
        steps,
        masked_steps: masked.protocol.steps(),
    })
}

/// Computes the errors on a graph whose pairs are bounded at once; the bound for neighbours covers
/// all.
fn large_graph(setting: &Setting<'_>, spec: &str) -> anyhow::Result<Row> {
    let graph = spec.parse::<GraphSpec>()?.build()?;
    let network = Network::metropolis(graph)?;
    setting.session.note(&format!("{spec}: spectral gap"));
    let gap = gap_of(&network)?;
    let count = network.graph().nodes();
    let nodes = count as f64;
    let degree = network.graph().max_degree() as f64;
    let plain = Protocol::one_shot(network, 1)?;
    // ||M||_F^2 <= 1 + n q and trace(M L M^T) <= 2 d n q with q = (1 - gap)^2T; inputs have
    // variance 1/12.
    let left = |steps: usize| nodes * (1.0 - gap).powf(2.0 * steps as f64);
    let error = |sigma: f64, kappa: f64, steps: usize| {
        let noise = 1.0 + left(steps) * (1.0 + 2.0 * degree * kappa * kappa);
        (left(steps) / 12.0 + sigma * sigma * noise) / (2.0 * nodes)
    };
    let enough = |sigma: f64, kappa: f64| {
        let floor = sigma * sigma / (2.0 * nodes);
        let steps = (1..100_000).find(|&steps| error(sigma, kappa, steps) <= 1.01 * floor);
        steps.unwrap_or(100_000)
    };
    let mut best: Option<(f64, i64, usize)> = None;
    for kappa in [1_000, 10_000, 30_000] {
        setting.session.note(&format!("{spec}: kappa {kappa}"));
        let masked = plain.clone().masked(Fraction::integer(kappa))?;
        let loss = MaskedBounds::of(&masked)?.any_coalition(1, 1, 2)?;
        let sigma = calibrate_sigma(&Enclosure::exact(loss), 1.0, EPSILON, DELTA)?;
        let steps = enough(sigma, kappa as f64);
        let error = error(sigma, kappa as f64, steps);
        if best.is_none_or(|best| error < best.0) {
            best = Some((error, kappa, steps));
        }
    }
    let sigma = calibrate_sigma(&Enclosure::exact(1.0), 1.0, EPSILON, DELTA)?;
    let (local, trusted) = (sigma * sigma / (2.0 * nodes), sigma * sigma / (2.0 * nodes * nodes));
    let (masked, kappa, masked_steps) = best.unwrap_or((f64::NAN, 0, 0));
    let steps = enough(sigma, 0.0);
    let unmasked = error(sigma, 0.0, steps);
    Ok(Row {
        nodes: count,
        errors: [local, unmasked, unmasked, masked, trusted],
        tau: "-".into(),
        by: "LDP",
        kappa: kappa.to_string(),
        steps,
        masked_steps,
    })
}

//! `muffliato report`: writes an account as an HTML page.

mod charts;
mod drawn;
pub mod escape;
mod losses;
mod page;

use super::account::{AccountReport, Computed, EngineArgs, StepArgs};
use super::atomic_file::{check_folder, save};
use super::input::{
    Acceleration, GraphArgs, Loaded, NoiseArgs, NoiseOptions, ProtocolArgs, Selected, SizeArgs,
    Steps, VIEWS, help_on_graphs, node_named, nodes_named, one_of,
};
use super::output::PlotArgs;
use super::session::Session;
use anyhow::bail;
use clap::Args;
use losses::{Layer, Losses};
use muffliato::model::ProtocolSpec;
use muffliato::plot::{GraphDrawing, Picture};
use muffliato::prelude::*;
use muffliato_account::{AccountError, Knowledge, NoiseLaw, Observers, Sources, best_plan};
use muffliato_design::{Problem, Targets};
use page::Page;
use std::path::PathBuf;

/// Writes an HTML report: the graph coloured by loss, charts and tables, for noise once, fresh noise,
/// masks and, on a small graph or with --plan, a noise plan. With `--steps auto`, the page takes as many
/// steps as the diameter of the graph, after which every node's value has reached every other.
#[derive(Args)]
#[command(after_help = help_on_graphs(), after_long_help = format!("{EXAMPLES}\n{}", help_on_graphs()))]
pub struct ReportCommand {
    #[command(flatten)]
    graph: GraphArgs,
    #[command(flatten)]
    protocol: ProtocolArgs,
    /// Name of the node that observes at first. On a graph of up to 300 nodes any node can be
    /// selected in the page. On a larger one, the nodes named here can be, or evenly spaced nodes
    /// if none is named.
    #[arg(long, value_name = "NODE")]
    observer: Vec<String>,
    /// Knowledge of an observer.
    #[arg(long, value_parser = one_of(VIEWS), default_value = "full")]
    view: Knowledge,
    /// Fresh noise of the repaired protocol that is shown beside the plain one: TAU sigma. By
    /// default that of --protocol, or 0.1.
    #[arg(long, value_name = "TAU")]
    refreshed: Option<Fraction>,
    /// Masks of the repaired protocol that is shown beside the plain one: KAPPA sigma. By default
    /// those of --protocol, or 3.
    #[arg(long, value_name = "KAPPA")]
    masked: Option<Fraction>,
    #[command(flatten)]
    descent: StepArgs,
    #[command(flatten)]
    engine: EngineArgs,
    #[command(flatten)]
    noise: NoiseOptions,
    /// The HTML file to write, which appears when it is complete. By default the name of the graph
    /// with .html, in the current folder.
    #[arg(long, short, value_name = "FILE", help_heading = "Output")]
    output: Option<PathBuf>,
    #[command(flatten)]
    plot: PlotArgs,
}

const EXAMPLES: &str = "\
Examples:
  muffliato report karate --steps 4
  muffliato report florentine --steps 3 --observer Medici -o medici.html --plot medici.svg
";

/// Largest graph on which every node observes; the page holds the losses of all pairs.
const ALL_OBSERVE: usize = 300;

/// Largest number of pairs in a page.
const MOST_PAIRS: usize = 400_000;

/// Largest product of nodes and squared draws for which a plan is designed.
const MOST_WORK: f64 = 2e6;

/// Gap of the plan to the best one.
const GAP: f64 = 0.02;

const TAU: &str = "0.1";
const KAPPA: &str = "3";

impl ReportCommand {
    /// Computes the accounts and writes the page.
    pub fn run(self, session: &Session) -> anyhow::Result<()> {
        let words: Vec<_> = std::env::args_os().skip(1).collect();
        let line = line(words.iter().map(|word| word.to_string_lossy()));
        let page = self.page(&line, session)?;
        save(&self.file(), |out| Ok(out.write_all(page.as_bytes())?))
    }

    /// Returns the output file: the one that was given, or `karate.html` for the graph `karate`.
    pub fn file(&self) -> PathBuf {
        self.output.clone().unwrap_or_else(|| {
            let name = match self.graph.graph.as_str() {
                "-" => "graph",
                name => name.rsplit(['/', '\\']).next().unwrap_or(name),
            };
            let allowed = |sign: char| sign.is_alphanumeric() || ['-', '_', '.'].contains(&sign);
            let name = name.replace(|sign| !allowed(sign), "-");
            PathBuf::from(name + ".html")
        })
    }

    /// Computes the accounts and returns the page, which names the command `line`.
    pub fn page(&self, line: &str, session: &Session) -> anyhow::Result<String> {
        let noise = self.noise.with_plan(&self.protocol.sizes)?;
        noise.check(NoiseLaw::Gaussian, 1)?;
        check_folder(&self.file())?;
        self.plot.check()?;
        let loaded = self.graph.load(session)?;
        let (selected, observing) = self.selected(&loaded.graph)?;
        let named = self.observer.first().map(|name| node_named(&loaded.graph, name));
        let named = named.transpose()?;
        let mut remarks = Vec::new();
        let nodes = loaded.graph.nodes();
        if observing < nodes {
            remarks.push(format!(
                "In a graph of more than {ALL_OBSERVE} nodes only some can be chosen as observers: here {observing} of {nodes}. \
                 Others are named with --observer.",
            ));
        }
        let wanted = self.protocols(&loaded.graph, &mut remarks)?;
        let (sensitivity, sigma) = (noise.sensitivity, noise.sigma);
        let mut accounts = Vec::new();
        let mut protocols = Vec::new();
        for (layer, arguments) in wanted {
            let protocol = arguments.protocol(&loaded, sensitivity, sigma, session)?;
            protocols.push((layer, arguments, protocol));
        }
        let designed = self.designed(&loaded, &noise, session, &mut remarks)?;
        protocols.extend(designed.map(|(arguments, plan)| (Layer::Planned, arguments, plan)));
        for (layer, arguments, protocol) in protocols {
            let bar = session.progress("observers");
            let account = selected.of(&protocol, self.engine.choice());
            // A plan is judged by the masked bound, which holds for any number of steps.
            let account = match layer {
                Layer::Planned if self.view == Knowledge::Full => account.closed_forms(),
                _ => account,
            };
            let account = account.lipschitz(self.descent.constants()?).progress(&bar).build()?;
            let computed = Computed::of_pairs(&account)?;
            drop(account);
            accounts.push((layer, arguments, protocol, computed));
        }
        let reports: Vec<(Layer, AccountReport<'_>)> = accounts
            .iter()
            .map(|(layer, arguments, protocol, computed)| {
                (*layer, AccountReport::new(&loaded, arguments, protocol, &noise, computed))
            })
            .collect();
        let losses = Losses::of(&reports, &noise)?;
        let telling = || losses.most_telling(self.first_layer());
        let first = named.or_else(telling).unwrap_or(losses.observers()[0]);
        let (error, errors) = charts::error_by_step(&reports, session, &mut remarks)?;
        let plan = reports.iter().find(|(layer, _)| *layer == Layer::Planned);
        let plan = plan.map(|(_, report)| report.protocol.plan(0)).transpose()?;
        let page = Page {
            line,
            loaded: &loaded,
            first,
            layer: self.first_layer(),
            noise: &noise,
            by_distance: charts::by_distance(&reports),
            error,
            errors: &errors,
            plan: plan.as_ref(),
            reports: &reports,
            losses: &losses,
            remarks: &remarks,
        };
        self.plot.deliver(|| drawing(&loaded, &losses, first, self.first_layer()))?;
        page.html()
    }

    /// Selects the observers: all nodes of a small graph, otherwise those named or a sample. Returns
    /// their number, too.
    fn selected(&self, graph: &Graph) -> anyhow::Result<(Selected, usize)> {
        let nodes = graph.nodes();
        let named = nodes_named(graph, &self.observer)?;
        let sample = Observers::SAMPLE.min(MOST_PAIRS / nodes).max(1);
        let (count, observers) = match named.len() {
            _ if nodes <= ALL_OBSERVE => (nodes, Observers::All),
            0 => (sample, Observers::Sample(sample)),
            count => (count, Observers::Listed(named)),
        };
        let pairs = count.saturating_mul(nodes);
        if pairs > MOST_PAIRS {
            bail!(
                "{count} observers of {nodes} nodes are {pairs} pairs, and a page holds at most {MOST_PAIRS}; name fewer with --observer, or use muffliato account"
            );
        }
        // A page has all of them, whatever the time limit.
        let (sources, sight, until) = (Sources::All, self.view, None);
        Ok((Selected { observers, sources, sight, until }, count))
    }

    /// Returns the layer that is shown first, that of the requested protocol.
    fn first_layer(&self) -> Layer {
        match (self.protocol.protocol.masks, self.protocol.protocol.refresh) {
            _ if self.protocol.sizes.plan.is_some() => Layer::Planned,
            (Some(_), _) => Layer::Masked,
            (None, Some(_)) => Layer::Refreshed,
            (None, None) => Layer::Plain,
        }
    }

    /// Returns the protocols to account for: noise once, fresh noise and masks. A random schedule
    /// has nothing beside it.
    fn protocols(
        &self,
        graph: &Graph,
        remarks: &mut Vec<String>,
    ) -> anyhow::Result<Vec<(Layer, ProtocolArgs)>> {
        let ProtocolSpec { refresh, masks, .. } = self.protocol.protocol;
        let tau = chosen(self.refreshed, refresh, "--refreshed", TAU)?;
        let kappa = chosen(self.masked, masks, "--masked", KAPPA)?;
        let mut asked = self.protocol.clone();
        if asked.protocol.is_random() {
            remarks.push(
                "There is no repaired protocol beside this one: its graph changes from step to step.".into(),
            );
            return Ok(vec![(self.first_layer(), asked)]);
        }
        if let (Steps::Auto, None, Some(diameter)) =
            (asked.gossip.steps, asked.protocol.rounds, graph.diameter())
        {
            asked.gossip.steps = Steps::Given(diameter.max(2));
            remarks.push(format!(
                "The page is about {} steps, after which every node's value has reached every other. More steps reduce the error and \
                 increase the loss. --steps sets their number.",
                diameter.max(2)
            ));
        }
        let with = |refresh, masks| {
            let mut arguments = asked.clone();
            arguments.protocol.refresh = refresh;
            arguments.protocol.masks = masks;
            arguments.sizes.plan = None;
            if masks.is_none() {
                arguments.sizes = SizeArgs::default();
            }
            arguments
        };
        // What is asked for together with masks stays with them.
        let beside_masks = asked.protocol.refresh.filter(|_| asked.protocol.masks.is_some());
        let mut all = vec![
            (Layer::Plain, with(None, None)),
            (Layer::Refreshed, with(Some(tau), None)),
            (Layer::Masked, with(beside_masks, Some(kappa))),
        ];
        if self.protocol.sizes.plan.is_some() {
            all.push((Layer::Planned, self.protocol.clone()));
        }
        Ok(all)
    }

    /// Designs a plan with which no pair loses more than 1 L, on a small graph.
    fn designed(
        &self,
        loaded: &Loaded,
        noise: &NoiseArgs,
        session: &Session,
        remarks: &mut Vec<String>,
    ) -> anyhow::Result<Option<(ProtocolArgs, Protocol)>> {
        let (graph, asked) = (&loaded.graph, &self.protocol);
        if asked.sizes.plan.is_some()
            || asked.protocol.is_random()
            || asked.protocol.rounds.is_some()
            || asked.gossip.accelerate != Acceleration::Off
            || self.view != Knowledge::Full
            || !graph.is_connected()
        {
            return Ok(None);
        }
        let mask_graph = asked.sizes.masks.mask_graph.on(graph)?;
        let draws = (graph.nodes() + mask_graph.edge_count()) as f64;
        if graph.nodes() as f64 * draws * draws > MOST_WORK {
            remarks.push(
                "The best noise plan takes a while on this graph: muffliato plan --plan-out FILE finds it, and --plan FILE shows it here.".into(),
            );
            return Ok(None);
        }
        let mut arguments = asked.clone();
        arguments.protocol = ProtocolSpec::default();
        arguments.sizes = SizeArgs::default();
        let plain = |arguments: &ProtocolArgs| {
            arguments.protocol(loaded, noise.sensitivity, noise.sigma, session)
        };
        if asked.gossip.steps == Steps::Auto {
            // Masks take longer to mix, and more steps cost no privacy.
            arguments.gossip.steps = Steps::Given(3 * plain(&arguments)?.steps());
        }
        let plain = plain(&arguments)?;
        let Some(network) = plain.fixed_network() else {
            return Ok(None);
        };
        let problem = Problem::new(network.clone(), plain.steps()).and_then(|problem| {
            problem.with_mask_graph(mask_graph)?.with_targets(Targets::All(Fraction::ONE))
        });
        let _bar = session.progress("plan");
        let found = problem
            .map_err(AccountError::from)
            .and_then(|problem| best_plan(&problem, GAP, session.deadline, |_| {}));
        match found {
            Ok((found, _)) => {
                let planned = plain.with_plan(found.plan().clone())?;
                Ok(Some((arguments, planned)))
            }
            Err(error) => {
                remarks.push(format!("There is no noise plan: {error}."));
                Ok(None)
            }
        }
    }
}

/// Returns a size that an option or --protocol sets, or the default.
fn chosen(
    option: Option<Fraction>,
    protocol: Option<Fraction>,
    name: &str,
    default: &str,
) -> anyhow::Result<Fraction> {
    match (option, protocol) {
        (Some(_), Some(size)) => {
            bail!("both {name} and --protocol, with {size}, set a size; leave one of them out")
        }
        (Some(size), None) | (None, Some(size)) => Ok(size),
        (None, None) => Ok(default.parse()?),
    }
}

/// Formats the command with these arguments, quoted for a shell.
pub fn line(arguments: impl Iterator<Item = impl AsRef<str>>) -> String {
    let words = arguments.map(|word| escape::shell(word.as_ref()));
    let words: Vec<_> = std::iter::once("muffliato".into()).chain(words).collect();
    words.join(" ")
}

/// Draws the graph coloured by the loss towards the first observer.
fn drawing(
    loaded: &Loaded,
    losses: &Losses,
    first: usize,
    layer: Layer,
) -> anyhow::Result<Picture> {
    let title = format!(
        "{}: loss towards node {}, {}",
        loaded.title(),
        loaded.graph.label(first),
        layer.described(),
    );
    let towards = losses.towards(first, layer);
    Ok(GraphDrawing::try_new(title, loaded.graph.clone(), towards)?.into())
}

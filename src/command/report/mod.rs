//! `muffliato report`: an account as a page for the browser.

mod charts;
mod drawn;
mod escape;
mod losses;
mod page;

use super::account::{AccountReport, Computed, EngineArgs, StepArgs};
use super::atomic_file::{check_folder, write_file};
use super::input::{
    Asked, GraphArgs, Loaded, NoiseArgs, ProtocolArgs, VIEWS, help_on_graphs, node_named,
    nodes_named, one_of,
};
use super::output::PlotArgs;
use super::session::Session;
use anyhow::bail;
use clap::Args;
use losses::{Layer, Losses};
use muffliato::plot::{GraphDrawing, Picture};
use muffliato::prelude::*;
use muffliato_account::{Knowledge, NoiseLaw, Observers, Sources};
use page::Page;
use std::path::PathBuf;

/// An account as a page.
#[derive(Args)]
#[command(after_help = help_on_graphs(), after_long_help = format!("{EXAMPLES}\n{}", help_on_graphs()))]
pub struct ReportCommand {
    #[command(flatten)]
    graph: GraphArgs,
    #[command(flatten)]
    protocol: ProtocolArgs,
    /// The node that observes at first, by its name. Any other can be clicked on in a graph of up to 300
    /// nodes. In a larger one those named here can, and some spread over the graph if none is.
    #[arg(long, value_name = "NODE")]
    observer: Vec<String>,
    /// What an observer sees.
    #[arg(long, value_parser = one_of(VIEWS), default_value = "full")]
    view: Knowledge,
    /// The fresh noise of the repaired protocol that is shown beside the plain one: TAU sigma. By default that
    /// of --protocol, and 0.1 if it has none.
    #[arg(long, value_name = "TAU")]
    refreshed: Option<Fraction>,
    #[command(flatten)]
    descent: StepArgs,
    #[command(flatten)]
    engine: EngineArgs,
    #[command(flatten)]
    noise: NoiseArgs,
    /// The page, an HTML file, which appears when it is complete. By default the name of the graph with
    /// .html, in the current folder.
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

/// Up to so many nodes all observe, and the losses of all pairs are in the page.
const ALL_OBSERVE: usize = 300;

/// The most pairs that are in a page.
const MOST_PAIRS: usize = 400_000;

/// How many observe in a larger graph, unless some are named.
const SAMPLE: usize = 16;

const TAU: &str = "0.1";

impl ReportCommand {
    /// Accounts and writes the page.
    pub fn run(self, session: &Session) -> anyhow::Result<()> {
        let words: Vec<_> = std::env::args_os().skip(1).collect();
        let line = line(words.iter().map(|word| word.to_string_lossy()));
        self.write(&line, session)?;
        session.note(&format!(
            "wrote {}; open it in a browser",
            self.file().display()
        ));
        Ok(())
    }

    /// Returns the file of the page: the one that was named, or `karate.html` for the graph `karate`.
    fn file(&self) -> PathBuf {
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

    /// Accounts and writes the page, without a note; it says that it was made by the command `line`.
    pub fn write(&self, line: &str, session: &Session) -> anyhow::Result<()> {
        self.noise.check(NoiseLaw::Gaussian, 1)?;
        let file = self.file();
        check_folder(&file)?;
        self.plot.check()?;
        let loaded = self.graph.load(session)?;
        let (asked, observers) = self.asked(&loaded.graph)?;
        let first = match self.observer.first() {
            Some(name) => node_named(&loaded.graph, name)?,
            None => observers[0],
        };
        let mut remarks = Vec::new();
        let (nodes, observing) = (loaded.graph.nodes(), observers.len());
        if observing < nodes {
            remarks.push(format!(
                "In a graph of more than {ALL_OBSERVE} nodes only some can be chosen as observers: here {observing} of {nodes}. \
                 Others are named with --observer.",
            ));
        }
        let wanted = self.tellings(&mut remarks)?;
        let (sensitivity, sigma) = (self.noise.sensitivity, self.noise.sigma);
        let mut accounts = Vec::new();
        for (name, arguments) in wanted {
            let protocol = arguments.protocol(&loaded, sensitivity, sigma, session)?;
            let bar = session.progress("observers");
            let account = asked
                .of(&protocol, self.engine.choice())?
                .lipschitz(self.descent.constants()?)
                .progress(&bar);
            let computed = Computed::of_pairs(account)?;
            accounts.push((name, arguments, protocol, computed));
        }
        let reports: Vec<(&str, AccountReport<'_>)> = accounts
            .iter()
            .map(|(name, arguments, protocol, computed)| {
                let report = AccountReport {
                    loaded: &loaded,
                    arguments,
                    protocol,
                    noise: &self.noise,
                    computed,
                };
                (*name, report)
            })
            .collect();
        let losses = Losses::of(&reports, &self.noise)?;
        let error = charts::error_by_step(&reports, self.tau()?, session, &mut remarks)?;
        let page = Page {
            line,
            loaded: &loaded,
            first,
            layer: self.shown_first(),
            by_distance: charts::by_distance(&reports),
            error,
            reports: &reports,
            losses: &losses,
            remarks: &remarks,
        };
        self.plot.deliver(session, || {
            drawing(&loaded, &losses, first, self.shown_first())
        })?;
        let text = page.html()?;
        write_file(&file, |out| Ok(out.write_all(text.as_bytes())?))
    }

    /// All observe where that fits; else those named, or some.
    fn asked(&self, graph: &Graph) -> anyhow::Result<(Asked, Vec<usize>)> {
        let nodes = graph.nodes();
        let named = nodes_named(graph, &self.observer)?;
        let sample = SAMPLE.min(MOST_PAIRS / nodes).max(1);
        let (observers, asked): (Vec<usize>, Observers) = match named.len() {
            _ if nodes <= ALL_OBSERVE => ((0..nodes).collect(), Observers::All),
            0 => {
                let spread = (0..sample).map(|k| k * nodes / sample);
                (spread.collect(), Observers::Sample(sample))
            }
            _ => (named.clone(), Observers::Listed(named)),
        };
        let pairs = observers.len().saturating_mul(nodes);
        if pairs > MOST_PAIRS {
            bail!(
                "{} observers of {nodes} nodes are {pairs} pairs, and a page holds {MOST_PAIRS}; name fewer with --observer, or use muffliato account",
                observers.len()
            );
        }
        let asked = Asked {
            observers: asked,
            sources: Sources::All,
            sight: self.view,
            until: None, // a page has all of them
        };
        Ok((asked, observers))
    }

    fn tau(&self) -> anyhow::Result<Fraction> {
        match (self.refreshed, self.protocol.protocol.refresh) {
            (Some(_), Some(tau)) => bail!(
                "--protocol says the fresh noise, {tau}, and --refreshed says it again; leave one of them out"
            ),
            (Some(tau), None) | (None, Some(tau)) => Ok(tau),
            (None, None) => Ok(TAU.parse()?),
        }
    }

    /// The layer that is shown first: the protocol that was asked for.
    fn shown_first(&self) -> Layer {
        match self.protocol.protocol.refresh {
            Some(_) => Layer::Refreshed,
            None => Layer::Plain,
        }
    }

    /// The protocols to account for: without fresh noise and with it.
    fn tellings(
        &self,
        remarks: &mut Vec<String>,
    ) -> anyhow::Result<Vec<(&'static str, ProtocolArgs)>> {
        let tau = self.tau()?;
        let with = |refresh| {
            let mut arguments = self.protocol.clone();
            arguments.protocol.refresh = refresh;
            arguments
        };
        let mut wanted = vec![("Noise once", with(None))];
        match self.protocol.protocol.is_random() {
            false => wanted.push(("Fresh noise at each step", with(Some(tau)))),
            true => remarks.push(
                "There is no repaired protocol beside this one: its graph changes from step to step.".into(),
            ),
        }
        Ok(wanted)
    }
}

/// The command with these arguments, as one would type it.
pub fn line(arguments: impl Iterator<Item = impl AsRef<str>>) -> String {
    let words = arguments.map(|word| escape::shell(word.as_ref()));
    let words: Vec<_> = std::iter::once("muffliato".into()).chain(words).collect();
    words.join(" ")
}

/// The graph coloured by the loss towards the first observer.
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

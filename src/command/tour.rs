//! `muffliato tour`: the results of the paper on the karate club.

use super::session::{Listening, Session};
use super::table::{self, coloured_verdict, wrapped};
use super::{Command, Subcommand, atomic_file::write_file, interrupt, output::print_text};
use clap::{Args, Parser};
use muffliato::prelude::*;
use muffliato::reference::decimal::rounded_up;
use muffliato_account::{Account, Choice, Spread};
use muffliato_conformance::{Ledger, attack::Attack};
use muffliato_design::{Options, Problem, design};
use std::fmt::Write;

/// Arguments of `tour`.
#[derive(Args, Default)]
pub struct Tour {
    /// Do not write the report.
    #[arg(long)]
    no_report: bool,
}

const STEPS: usize = 4;
const TAU: &str = "0.1";
const KAPPA: &str = "3";
/// Number of gossip steps of the plan: enough to mix.
const PLAN_STEPS: usize = 80;
/// The pair in the tour: the club's officer, and a member at distance 2.
const SOURCE: usize = 33;
const OBSERVER: usize = 3;
/// Number of simulated runs of the attack.
const TRIALS: usize = 10_000;
/// Claims that are decided quickly, with short descriptions.
const CLAIMS: [(&str, &str); 6] = [
    ("theorem-1", "a pair loses at most the paper's bound"),
    ("distance", "more distance, more privacy"),
    ("gd-main-text", "the bound for gradient descent"),
    ("group-bound", "the bound for groups"),
    ("average-loss", "the average loss is at most messages / n"),
    ("acceleration-in-averaging", "acceleration costs no privacy"),
];
/// The command that makes the report, without its output file.
const REPORT: &str = "muffliato report karate --steps 4 --refreshed 0.1 --observer 3";
/// The report file, in the current folder.
const FILE: &str = "muffliato-tour.html";

impl Tour {
    /// Prints the paper's bounds for the karate club, the exact losses, and the effect of fresh
    /// noise and masks.
    pub fn run(self, session: &Session) -> anyhow::Result<()> {
        let mut text = text()?;
        if !self.no_report {
            match report(session) {
                Ok(()) => writeln!(
                    text,
                    "The report with pictures: {FILE} (open it in a browser, click on members)."
                )?,
                Err(error) if interrupt::was_asked() => return Err(error),
                Err(error) => session.note(&format!("there is no report: {error:#}")),
            }
        }
        text += NEXT;
        print_text(&wrapped(&text))
    }
}

const NEXT: &str = "\n\
    Next: muffliato account my.edges --protocol refreshed:0.1 --plot loss.svg\n      \
    muffliato calibrate karate --epsilon 1 --delta 1e-6 --steps 80\n      \
    muffliato report my.edges --steps 6\n      \
    muffliato audit; muffliato --help\n";

/// Writes the report into the current folder.
fn report(session: &Session) -> anyhow::Result<()> {
    let line = format!("{REPORT} --output {FILE}");
    match Command::try_parse_from(line.split(' '))?.subcommand {
        Some(Subcommand::Report(command)) => {
            let page = command.page(&line, session)?;
            write_file(&command.file(), |out| Ok(out.write_all(page.as_bytes())?))
        }
        _ => anyhow::bail!("{line} is no report"),
    }
}

fn text() -> anyhow::Result<String> {
    let network = Network::metropolis("karate".parse()?)?;
    let one_shot = Protocol::one_shot(network.clone(), STEPS)?;
    let refreshed = one_shot.clone().refreshed(TAU.parse()?)?;
    let exact = |protocol| Account::of(protocol).engine(Choice::Exact).build()?.summary();
    let (plain, repaired) = (exact(&one_shot)?, exact(&refreshed)?);
    let masked = exact(&one_shot.clone().masked(KAPPA.parse()?)?)?;

    let mut text = format!(
        "The 34 members of Zachary's karate club want the mean of their private numbers, without a server. Everybody adds \
         Gaussian noise once; then, {STEPS} times, each replaces its value by a weighted mean of its own and those of its friends \
         (gossip, with Metropolis weights). How much does each member learn about each other? By distance between the two, where \
         0 is perfect privacy and 1 is no better than publishing the noisy number (local differential privacy, LDP):\n\n"
    );
    let rows: Vec<_> = plain
        .rows()
        .zip(repaired.rows())
        .zip(masked.rows())
        .map(|((plain, repaired), masked)| {
            let mut row = vec![table::distance(plain.distance)];
            for spread in [
                plain.theorem_1.as_ref(),
                Some(&plain.upper),
                Some(&repaired.upper),
                Some(&masked.upper),
            ] {
                row.extend(mean_and_largest(spread));
            }
            row
        })
        .collect();
    let head = "distance,paper mean,max,exact mean,max,refreshed mean,max,masked mean,max";
    text += &table::aligned(head, &rows);

    let witness = Protocol::one_shot(network.clone(), 2)?;
    let observer = Observer::full(OBSERVER);
    let bounds = PaperBounds::of(&witness)?;
    let claimed = bounds.pairwise(SOURCE, &observer)?;
    let process = Process::run(&witness)?;
    let lost = process.view(&observer)?.leakage(SOURCE)?;
    writeln!(
        text,
        "\npaper: Theorem 1 of the Muffliato paper, which is not a bound: the messages that a member receives are correlated, and their \
         losses do not add up. exact: the truth. After 2 steps Theorem 1 promises member {SOURCE} a loss of about {} towards member {OBSERVER}, at distance 2. \
         Member {OBSERVER} can work out the noisy input itself: the exact loss is {lost}.\n\n\
         What to do without secrets: fresh noise of {TAU} sigma at each step (refreshed) restores privacy at a distance. With \
         secrets: neighbours that share a key add masks of {KAPPA} sigma that cancel in the mean (masked), and protect \
         neighbours, too; only a member with a single friend has no secret from that friend. Both hold for training:\n  \
         muffliato account karate --protocol gd:10x1+masked:3",
        rounded_up(&claimed, 2),
    )?;
    text += &best_noise(network)?;
    let against = |protocol: &Protocol| {
        let attack = Attack::new(protocol, SOURCE, Observer::full(OBSERVER));
        Attack { trials: TRIALS, ..attack }.run(&Listening)
    };
    let attack = against(&witness)?;
    let refreshed = against(&witness.clone().refreshed(TAU.parse()?)?)?;
    let masked = against(&witness.masked(KAPPA.parse()?)?)?;
    writeln!(
        text,
        "\nThe attack: in {} simulated runs member {OBSERVER} told two inputs of member {SOURCE} apart in {:.1} %; if Theorem 1 \
         held, nobody could in more than {:.1} %. The exact loss allows {:.1} %. Against fresh noise the best attack is right \
         in {:.1} %, against masks in {:.1} %; a coin in 50 %.\n\n\
         Some claims of the paper, decided again just now (all of them: muffliato audit):\n",
        attack.accuracy.trials,
        100.0 * attack.accuracy.share(),
        percent_up(attack.theorem_1.map_or(1.0, |paper| paper.accuracy)),
        percent_up(attack.exact_accuracy),
        100.0 * refreshed.accuracy.share(),
        100.0 * masked.accuracy.share(),
    )?;
    for (id, meaning) in CLAIMS {
        for entry in Ledger::only(id)?.run(&Listening)?.entries {
            let verdict = coloured_verdict(&format!("{:<7}", entry.verdict.standing));
            writeln!(text, "  {verdict}  {id:<25}  {meaning}")?;
        }
    }
    text += "\n";
    Ok(text)
}

/// Describes the best noise for the club, in multiples of a trusted aggregator's error.
fn best_noise(network: Network) -> anyhow::Result<String> {
    let problem = Problem::new(network, PLAN_STEPS)?;
    let ends = design(&problem, &Options::default(), |_| {})?.multiples_of_trusted();
    let costs = problem.costs()?.nodes;
    let local = costs.iter().map(|cost| cost.1).sum::<f64>() / problem.trusted_error();
    let up = |number: f64| (100.0 * number).ceil() / 100.0;
    Ok(format!(
        "\nWhat to do best: give each member's noise and each mask a size of its own. At the same guarantee towards every \
         member and {PLAN_STEPS} steps such a plan has {:.2} times the error of a trusted aggregator, local noise {:.1} times. No \
         other plan of its kind has less than {:.2} times:\n  \
         muffliato plan karate --epsilon 1 --delta 1e-6 --steps {PLAN_STEPS}\n",
        up(ends.upper),
        up(local),
        (100.0 * ends.lower).floor() / 100.0,
    ))
}

/// Converts a share to percent with one decimal, rounded up.
fn percent_up(share: f64) -> f64 {
    (1000.0 * share).ceil() / 10.0
}

/// Formats the mean and the maximum, rounded up; dashes for `None`.
fn mean_and_largest(spread: Option<&Spread>) -> [String; 2] {
    match spread {
        Some(spread) => {
            let [_, mean, largest] = spread.rounded_up();
            [mean, largest]
        }
        None => ["-"; 2].map(String::from),
    }
}

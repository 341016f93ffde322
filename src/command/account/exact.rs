//! The account by the reference engine.

use super::{Account, Engine, Pair, Places, Seen};
use crate::command::{input::Question, number::Quantity, session::Session};
use muffliato::fast::Progress;
use muffliato::prelude::*;
use muffliato::reference::bounds::random_walk_bound;

/// Exact losses, observer by observer.
pub fn account(
    protocol: &Protocol,
    question: Question,
    random_walk: bool,
    session: &Session,
) -> anyhow::Result<Account> {
    let process = Process::run(protocol)?;
    let bounds = match protocol.rounds() {
        1 => Some(PaperBounds::of(protocol)?),
        _ => None,
    };
    let walks = random_walk && protocol.rounds() == 1 && protocol.fixed_network().is_some();
    let places = Places {
        question: &question,
        graph: protocol.graph()?,
    };
    let (mut seen, mut pairs) = (Vec::new(), Vec::new());
    let bar = session.progress("observers");
    for (number, observer) in question.observers.iter().enumerate() {
        bar.check(number, question.observers.len())?;
        let view = process.view(observer)?;
        seen.push(Seen {
            messages: view.messages(),
            rank: Some(view.rank()),
        });
        let promised = match &bounds {
            Some(bounds) => Some(bounds.pairwise_all(observer)?),
            None => None,
        };
        for (source, set, distance) in places.of(observer) {
            let single = match set {
                [node] => Some(*node),
                _ => None,
            };
            let paper_bound = match (&bounds, &promised, single) {
                (_, Some(promised), Some(node)) => Some(promised[node].clone()),
                (Some(bounds), _, None) => Some(bounds.group(set, observer)?),
                _ => None,
            };
            let random_walk_bound = match single {
                Some(node) if walks => random_walk_bound(protocol, node, observer).ok(),
                _ => None,
            };
            let upper = view.loss_upper(set)?;
            let leakage = match single.is_some() && protocol.rounds() == 1 {
                true => Quantity::Exact(Box::new(upper)),
                false => Quantity::Bound(Box::new(upper)),
            };
            pairs.push(Pair {
                source,
                observer: number,
                distance,
                paper_bound: paper_bound.map(Quantity::from),
                random_walk_bound: random_walk_bound.map(Quantity::from),
                leakage,
            });
        }
    }
    Ok(Account {
        engine: Engine::Reference,
        question,
        seen,
        pairs,
    })
}

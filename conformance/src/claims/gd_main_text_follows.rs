//! The bound of the main text for gradient descent is no consequence of the appendix's.

use super::{
    Claim, ClaimError, Kind, Recorded, Verdict,
    descent_bounds::descent_smallest,
    gd_appendix, gd_main_text, hand_check,
    instances::{one_shot, single_observers},
    pairs::each_source,
    witness::Comparison,
};

pub(super) const CLAIM: Claim = Claim {
    id: "gd-main-text-follows",
    place: "Appendix F.2, end of the proof of Theorem 11",
    statement: "On a fixed graph Theorem 6 follows directly from Theorem 11: T^2 times the charges of one round are \
                at least the appendix's sum.",
    method: "Both bounds as fractions, Theorem 11 with its exponent K - 1, for every pair, 2 to 3 rounds of up to 3 \
             steps on all connected graphs up to 5 nodes, until the appendix's is larger.",
    recorded: Recorded {
        kind: Kind::Refuted,
        evidence: "path of 4 (0-1 0-3 1-2), K = 2, 2 rounds, 2 -> full:0: promised 4/3, true 32/23",
    },
    decide,
};

fn decide() -> Result<Verdict, ClaimError> {
    let (simple, general) = (&gd_main_text::PROMISE, &gd_appendix::PROMISE);
    let found = descent_smallest(5, 1..=3, 3, |graph, protocol, what| {
        for observer in single_observers(graph) {
            for source in each_source(graph, &observer) {
                let promised = (simple.exact)(protocol, &source, &observer)?;
                let actual = (general.exact)(protocol, &source, &observer)?;
                let compared = Comparison::at_most(actual, promised);
                if compared.fails() {
                    let (rounds, k) = (protocol.rounds(), protocol.gossip_steps());
                    let powers = one_shot(graph, (k - 1) * (rounds - 1) + k)?;
                    let mut lines = vec![format!(
                        "{} times the charges at t < {k} are Theorem 6; those at t = {}(j-i) + k are Theorem 11, over all \
                         rounds i <= j and k < {k}",
                        rounds * rounds,
                        k - 1
                    )];
                    lines.extend(hand_check::charges(&powers, &source, &observer)?);
                    lines.pop(); // their sum
                    let promised = (simple.again)(protocol, &source, &observer)?;
                    let actual = (general.again)(protocol, &source, &observer)?;
                    let instance = format!("{what}, {} -> {observer}", source[0]);
                    return compared
                        .witness(instance, lines, promised, actual)
                        .map(Some);
                }
            }
        }
        Ok(None)
    })?;
    Ok(Verdict::unless(
        found,
        "2 to 3 rounds of up to 3 steps on all connected graphs up to 5 nodes".into(),
    ))
}

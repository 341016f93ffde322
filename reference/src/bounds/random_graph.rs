//! Muffliato on an Erdos-Renyi graph that the observer does not know.

use crate::{ExactInteger, ReferenceError, rational::whole};
use num_bigint::BigInt;
use num_rational::Ratio;
use num_traits::{One, Zero};

/// The two cases of the theorem on private random graphs, in units of L.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ErdosRenyiBound<I: ExactInteger = BigInt> {
    /// The probability that the source is a neighbour of the observers: `1 - (1-q)^|V|`.
    pub neighbour_probability: Ratio<I>,
    /// The bound for a neighbour: 1, no amplification.
    pub neighbour: Ratio<I>,
    /// The bound for everybody else: `2 T d / (n - d)`.
    pub stranger: Ratio<I>,
}

/// The theorem on private random graphs (Theorem 4), and its corollary for coalitions: `members`
/// observers with `degree` distinct neighbours outside, among `nodes` nodes, after `steps` steps on
/// an Erdos-Renyi graph with edge probability `q`.
///
/// It needs `sigma^2 >= Delta^2 alpha (alpha - 1) / 2`, given as `noise = sigma^2 / Delta^2` and `alpha`.
pub fn erdos_renyi_bound<I: ExactInteger>(
    nodes: usize,
    members: usize,
    degree: usize,
    steps: usize,
    q: &Ratio<I>,
    noise: &Ratio<I>,
    alpha: &Ratio<I>,
) -> Result<ErdosRenyiBound<I>, ReferenceError> {
    let bad = |parameter, value: String, expected| ReferenceError::BadParameter {
        parameter,
        value,
        expected,
    };
    let shown = |ratio: &Ratio<I>| format!("{:?}/{:?}", ratio.numer(), ratio.denom());
    let one = Ratio::one();
    if *q < Ratio::zero() || *q > one {
        return Err(bad("q", shown(q), "a probability lies in [0, 1]"));
    }
    if *alpha <= one {
        return Err(bad("alpha", shown(alpha), "it must be above 1"));
    }
    let two = one.clone() + one.clone();
    if noise.clone() * two.clone() < alpha.clone() * (alpha.clone() - one.clone()) {
        return Err(bad(
            "sigma^2 / Delta^2",
            shown(noise),
            "the theorem needs at least alpha (alpha - 1) / 2",
        ));
    }
    if members == 0 || members >= nodes {
        return Err(bad(
            "members",
            members.to_string(),
            "observers must be at least 1 and fewer than the nodes",
        ));
    }
    if degree > nodes - members {
        return Err(bad(
            "degree",
            degree.to_string(),
            "observers have at most all other nodes as neighbours",
        ));
    }
    let strangers_probability =
        (0..members).fold(one.clone(), |power, _| power * (one.clone() - q.clone()));
    let above = two * Ratio::from_integer(whole::<I>(steps)? * whole(degree)?);
    Ok(ErdosRenyiBound {
        neighbour_probability: one.clone() - strangers_probability,
        neighbour: one,
        stranger: above / Ratio::from_integer(whole(nodes - degree)?),
    })
}

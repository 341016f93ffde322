//! Losses of scalars and of vectors, each an estimate with certified ends.

use crate::Enclosure;
use muffliato_model::{LossModel, Participation, Protocol};

/// An estimate of a number together with certified ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Approximation {
    /// Best estimate; never a guarantee.
    pub estimate: f64,
    /// Interval that provably contains the number; its upper end can be guaranteed.
    pub certified: Enclosure,
}

impl Approximation {
    /// Returns `true` if the certified ends are within `tolerance` of each other.
    pub fn is_certified(&self, tolerance: f64) -> bool {
        self.certified.upper() - self.certified.lower() <= tolerance
    }
}

/// Loss of all inputs of one source, or of a group, to one observer, in units of L.
///
/// With P the matrix of `e_i^T Pi e_j` over these inputs, the loss of scalar inputs is
/// `max { d^T P d : |d_i| <= 1 }`, and that of vectors is at most `sum |P_ij|` and at most the
/// number of inputs.
///
/// ```
/// # #[cfg(feature = "leakage")] {
/// use muffliato_fast::GramView;
/// use muffliato_model::{Network, Observer, Protocol};
///
/// let network = Network::metropolis("path:3".parse()?)?;
/// let protocol = Protocol::gradient_descent(network, 2, 1)?;
/// let found = GramView::of(&protocol, &Observer::full(0))?.group_loss(&[2])?;
/// assert!(found.scalars.certified.contains(0.1) && found.scalars.is_certified(1e-9));
/// # }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Loss {
    /// Loss of scalar inputs. Its upper end also holds for vectors.
    pub scalars: Approximation,
    /// Loss of vectors of any dimension: `max tr(P X)` over `X >= 0` with diagonal at most 1.
    pub vectors: Approximation,
    /// `sum |P_ij|`.
    pub absolute_sum: Approximation,
    /// The loss model that it was computed for.
    pub model: LossModel,
}

impl Loss {
    /// Returns the loss of a single input: its leakage, for scalars and vectors alike.
    pub fn of_one_input(leakage: Approximation, model: LossModel) -> Self {
        Self { scalars: leakage, vectors: leakage, absolute_sum: leakage, model }
    }

    /// Returns an exactly known loss, equal for scalars and vectors.
    pub(crate) fn exactly(value: f64, model: LossModel) -> Self {
        let known = Approximation { estimate: value, certified: Enclosure::exact(value) };
        Self::of_one_input(known, model)
    }

    /// Returns the loss of a group of users, the largest over all assignments of phases, from a
    /// function that computes the loss of one assignment.
    ///
    /// If not all assignments are enumerated, upper ends are those of a superset of rounds, and
    /// lower ends and estimates those of one assignment.
    pub(crate) fn of_group(
        protocol: &Protocol,
        members: usize,
        loss: impl Fn(&Participation) -> Self,
    ) -> Self {
        let ends =
            |lower: f64, upper: f64| Enclosure::try_new(lower, upper).unwrap_or(Enclosure::UNKNOWN);
        let widened = |run: Approximation, above: Approximation| Approximation {
            estimate: run.estimate,
            certified: ends(
                run.certified.lower(),
                run.certified.upper().max(above.certified.upper()),
            ),
        };
        let larger = |a: Approximation, b: Approximation| Approximation {
            estimate: a.estimate.max(b.estimate),
            certified: ends(
                a.certified.lower().max(b.certified.lower()),
                a.certified.upper().max(b.certified.upper()),
            ),
        };
        let assigned = |participation: Participation| {
            if participation.is_exact() {
                loss(&participation)
            } else {
                loss(&participation.contained()).joined(loss(&participation), widened)
            }
        };
        let losses = protocol.participations(members).map(assigned);
        losses
            .reduce(|a, b| a.joined(b, larger))
            .unwrap_or(Self::exactly(0.0, protocol.loss_model()))
    }

    /// Combines two losses number by number.
    fn joined(
        self,
        other: Self,
        join: impl Fn(Approximation, Approximation) -> Approximation,
    ) -> Self {
        Self {
            scalars: join(self.scalars, other.scalars),
            vectors: join(self.vectors, other.vectors),
            absolute_sum: join(self.absolute_sum, other.absolute_sum),
            model: self.model,
        }
    }
}

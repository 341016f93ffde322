//! The exact engine behind the trait.

use super::{Answer, Answers, Engine, Refusal, exact_curve};
use crate::case::Case;
use muffliato_model::{Observer, Step};
use muffliato_reference::bounds::{self, RoundExponent};
use muffliato_reference::enclosure::Interval;
use muffliato_reference::guarantee::{self, NoiseScale};
use muffliato_reference::spectral::{self, Rate};
use muffliato_reference::{
    BigRational, PaperBounds, Process, ReferenceError, View, first_passage_bound, order, rational,
    refreshed_walk_bound,
};
use num_traits::{One, Zero};
use std::cell::OnceCell;

/// Bits of the intervals where a number is not rational.
const BITS: u32 = 90;

/// Bits of eigenvalues, each of which costs an elimination.
const GAP_BITS: u32 = 48;

/// The reference, asked about one case.
///
/// ```
/// use muffliato_conformance::{case::Case, engine::{Answer, Engine, ReferenceEngine}};
/// use muffliato_reference::BigRational;
///
/// let text = "network Bg metropolis\nrounds 1\ngossip-steps 2\nobserver full:2\ngroup 0\nseed 1";
/// let case: Case = text.parse()?;
/// let engine = ReferenceEngine::new(&case);
/// let exactly = |above: i64, below: i64| Answer::exact(BigRational::new(above.into(), below.into()));
/// assert_eq!(engine.theorem_1().unwrap()[0], exactly(1, 3)); // promised
/// assert_eq!(engine.leakage().unwrap()[0], exactly(1, 1)); // lost
/// # Ok::<(), muffliato_conformance::case::CaseError>(())
/// ```
pub struct ReferenceEngine<'a> {
    case: &'a Case,
    view: OnceCell<Result<View, ReferenceError>>,
}

impl<'a> ReferenceEngine<'a> {
    /// Nothing is computed before it is asked for.
    pub fn new(case: &'a Case) -> Self {
        Self {
            case,
            view: OnceCell::new(),
        }
    }

    fn view(&self) -> Result<&View, Refusal> {
        let look = || Process::run(&self.case.protocol)?.view(&self.case.observer);
        self.view
            .get_or_init(look)
            .as_ref()
            .map_err(|error| error.clone().into())
    }

    /// One number for each source outside the observer.
    fn each(&self, formula: impl Fn(usize) -> Result<BigRational, ReferenceError>) -> Answers {
        let sources = self.case.sources().into_iter();
        sources
            .map(|source| Ok(Answer::exact(formula(source)?)))
            .collect()
    }

    /// The view of a protocol that draws noise with its inputs only.
    fn unrefreshed_view(&self) -> Result<&View, Refusal> {
        match self.case.protocol.refresh() {
            None => self.view(),
            Some(_) => Err(Refusal::NotApplicable),
        }
    }

    fn pairs(&self) -> Answers {
        let bounds = PaperBounds::of(&self.case.protocol)?;
        let nodes = self.case.protocol.nodes();
        let by_observer: Vec<_> = (0..nodes)
            .map(|v| bounds.pairwise_all(&Observer::full(v)))
            .collect::<Result<_, _>>()?;
        let pairs = (0..nodes * nodes).map(|k| by_observer[k % nodes][k / nodes].clone());
        Ok(pairs.map(Answer::exact).collect())
    }

    fn gd_general(&self, exponent: RoundExponent) -> Answers {
        let Case {
            protocol, observer, ..
        } = self.case;
        self.each(|u| bounds::gd_bound_general(protocol, u, observer, exponent))
    }

    fn scale(&self) -> Result<(NoiseScale, BigRational), ReferenceError> {
        let given = self.case.parameters();
        let root = rational(given.root_leakage);
        let scale = NoiseScale::try_new(rational(given.sensitivity), rational(given.sigma))?;
        Ok((scale, &root * &root))
    }

    /// The shift, which is rational because the leakage is a square.
    fn shift(&self) -> BigRational {
        let given = self.case.parameters();
        rational(given.root_leakage) * rational(given.sensitivity) / rational(given.sigma)
    }

    /// A run with the inputs and the draws of the case: what node v holds (and sends) at time t.
    fn state(&self, process: &Process, time: usize, node: usize) -> Answer {
        let protocol = &self.case.protocol;
        let nodes = protocol.nodes();
        let inputs = protocol.rounds() * nodes;
        let number = |place| BigRational::from_float(self.case.number(place)).unwrap_or_default();
        let coefficients = process.coefficients(time, node).unwrap_or_default();
        let mut sum = BigRational::zero();
        let mut round = 0;
        let blocks = process.draw_times().iter().zip(coefficients.chunks(nodes));
        for (&drawn, row) in blocks {
            for (u, coefficient) in row.iter().enumerate() {
                if coefficient.is_zero() {
                    continue;
                }
                let mut entering = number(inputs + drawn * nodes + u);
                if protocol.has_input(drawn) {
                    entering += number(round * nodes + u);
                }
                sum += coefficient * entering;
            }
            round += usize::from(protocol.has_input(drawn));
        }
        Answer::exact(sum)
    }

    fn capped(&self, formula: impl Fn(usize) -> Result<BigRational, ReferenceError>) -> Answers {
        let one = BigRational::one();
        self.each(|u| {
            let bound = formula(u)?;
            Ok(if order(&bound, &one).is_gt() {
                one.clone()
            } else {
                bound
            })
        })
    }
}

fn single(answer: impl Into<Answer>) -> Answers {
    Ok(vec![answer.into()])
}

fn known(number: BigRational) -> Answers {
    single(Answer::exact(number))
}

/// The numbers of steps that rounding up may give.
fn rounded_up(steps: &Interval) -> Answer {
    Answer::between(steps.lower().ceil(), steps.upper().ceil())
}

impl Engine for ReferenceEngine<'_> {
    fn theorem_1(&self) -> Answers {
        let bounds = PaperBounds::of(&self.case.protocol)?;
        let all = bounds.pairwise_all(&self.case.observer)?;
        Ok(all.into_iter().map(Answer::exact).collect())
    }

    fn theorem_1_all_pairs(&self) -> Answers {
        self.pairs()
    }

    fn theorem_1_by_source(&self) -> Answers {
        self.pairs()
    }

    fn mean_loss(&self) -> Answers {
        known(PaperBounds::of(&self.case.protocol)?.mean_loss(&self.case.observer)?)
    }

    fn group_bound(&self) -> Answers {
        let bounds = PaperBounds::of(&self.case.protocol)?;
        known(bounds.group(&self.case.group, &self.case.observer)?)
    }

    fn random_walk_bound(&self) -> Answers {
        let Case {
            protocol, observer, ..
        } = self.case;
        self.each(|u| bounds::random_walk_bound(protocol, u, observer))
    }

    fn erdos_renyi_bound(&self) -> Answers {
        let Case {
            protocol, observer, ..
        } = self.case;
        let given = self.case.parameters();
        let members = observer.members();
        let found = bounds::erdos_renyi_bound(
            protocol.nodes(),
            members.len(),
            protocol.step(0).senders_to(members).len(),
            protocol.steps(),
            &rational(given.edge_probability),
            &BigRational::from_integer(64.into()),
            &rational(given.alpha),
        );
        match found {
            Ok(found) => Ok(
                [found.neighbour_probability, found.neighbour, found.stranger]
                    .map(Answer::exact)
                    .to_vec(),
            ),
            Err(ReferenceError::BadParameter { .. }) => Err(Refusal::NotApplicable),
            Err(error) => Err(error.into()),
        }
    }

    fn gd_bound_simple(&self) -> Answers {
        let Case {
            protocol, observer, ..
        } = self.case;
        self.each(|u| bounds::gd_bound_simple(protocol, u, observer))
    }

    fn gd_bound_as_printed(&self) -> Answers {
        self.gd_general(RoundExponent::AsPrinted)
    }

    fn gd_bound_full(&self) -> Answers {
        self.gd_general(RoundExponent::Full)
    }

    fn time_varying_coalition_gd(&self) -> Answers {
        let Case {
            protocol, observer, ..
        } = self.case;
        self.each(|u| bounds::time_varying_coalition_gd(protocol, u, observer))
    }

    fn spectral_gap(&self) -> Answers {
        match self.case.protocol.step(0) {
            Step::Network(network) => single(spectral::spectral_gap(network, GAP_BITS)?),
            Step::EdgeAverage { .. } => Err(Refusal::NotApplicable),
        }
    }

    fn randomized_gap(&self) -> Answers {
        let (graph, intensity) = self.case.edge_intensity()?;
        let intensity = BigRational::from_float(intensity).unwrap_or_default();
        let intensities = vec![intensity; graph.edge_count()];
        single(spectral::randomized_gap(&graph, &intensities, GAP_BITS)?)
    }

    fn acceleration(&self) -> Answers {
        let gap = Interval::exact(rational(self.case.parameters().gap));
        single(spectral::acceleration(&gap, BITS)?)
    }

    fn steps_to_converge(&self) -> Answers {
        let given = self.case.parameters();
        let (gap, sigma) = (Interval::exact(rational(given.gap)), rational(given.sigma));
        let (nodes, variance) = (self.case.protocol.nodes(), rational(given.variance));
        let steps = |rate| {
            let squared = &sigma * &sigma;
            spectral::steps_to_converge(rate, &gap, nodes, &variance, &squared, BITS)
        };
        Ok(vec![
            rounded_up(&steps(Rate::Accelerated)?),
            rounded_up(&steps(Rate::Randomized)?),
        ])
    }

    fn gossip_steps_per_round(&self) -> Answers {
        let given = self.case.parameters();
        let gap = Interval::exact(rational(given.gap));
        let (nodes, ratio) = (self.case.protocol.nodes(), rational(given.variance));
        let steps = spectral::gossip_steps_per_round(&gap, nodes, &ratio, BITS)?;
        single(rounded_up(&steps.max(&Interval::exact(BigRational::one()))))
    }

    fn walk_bound(&self) -> Answers {
        let Case {
            protocol, observer, ..
        } = self.case;
        self.capped(|u| refreshed_walk_bound(protocol, u, observer))
    }

    fn first_passage_bound(&self) -> Answers {
        let Case {
            protocol, observer, ..
        } = self.case;
        self.capped(|u| first_passage_bound(protocol, u, observer))
    }

    fn leakage(&self) -> Answers {
        self.unrefreshed_view()?;
        self.losses()
    }

    fn vector_leakage(&self) -> Answers {
        self.unrefreshed_view()?;
        self.vector_losses()
    }

    fn group_leakage(&self) -> Answers {
        self.unrefreshed_view()?;
        self.group_loss()
    }

    fn rank(&self) -> Answers {
        let rank = self.unrefreshed_view()?.rank();
        known(BigRational::from_integer(rank.into()))
    }

    fn leakage_estimate(&self) -> Answers {
        match self.case.protocol.rounds() {
            1 => self.leakage(),
            _ => Err(Refusal::NotApplicable),
        }
    }

    fn losses(&self) -> Answers {
        let view = self.view()?;
        self.each(|u| view.leakage(u))
    }

    fn vector_losses(&self) -> Answers {
        let view = self.view()?;
        self.each(|u| view.loss_upper(&[u]))
    }

    fn group_loss(&self) -> Answers {
        let loss = self.view()?.loss(&self.case.group)?;
        Ok([loss.scalar, loss.vector_upper].map(Answer::exact).to_vec())
    }

    fn mu(&self) -> Answers {
        let (scale, leakage) = self.scale()?;
        single(scale.gdp(&leakage, BITS)?)
    }

    fn zcdp(&self) -> Answers {
        let (scale, leakage) = self.scale()?;
        known(scale.zcdp(&leakage)?)
    }

    fn rdp(&self) -> Answers {
        let (scale, leakage) = self.scale()?;
        known(scale.rdp(&leakage, &rational(self.case.parameters().alpha))?)
    }

    fn delta(&self) -> Answers {
        let epsilon = rational(self.case.parameters().epsilon);
        let delta = exact_curve::delta(&self.shift(), &epsilon, 200);
        delta.map_or(Err(Refusal::NotOffered), single)
    }

    /// To `2^-12`, by halving: each costs two series.
    fn epsilon(&self) -> Answers {
        let (mu, delta) = (self.shift(), rational(self.case.parameters().delta));
        let at = |epsilon: &BigRational| exact_curve::delta(&mu, epsilon, 80);
        let mut lower = BigRational::zero();
        let start = at(&lower).ok_or(Refusal::NotOffered)?;
        if order(start.upper(), &delta).is_le() {
            return known(lower);
        }
        let mut upper = BigRational::one();
        while order(at(&upper).ok_or(Refusal::NotOffered)?.upper(), &delta).is_gt() {
            lower = upper.clone();
            upper += upper.clone();
        }
        let fine = BigRational::new(1.into(), (1_i64 << 12).into());
        while order(&(&upper - &lower), &fine).is_gt() {
            let middle = Interval::new(lower.clone(), upper.clone()).midpoint();
            let reached = at(&middle).ok_or(Refusal::NotOffered)?;
            if order(reached.upper(), &delta).is_le() {
                upper = middle;
            } else if order(reached.lower(), &delta).is_gt() {
                lower = middle;
            } else {
                break;
            }
        }
        single(Answer::between(lower, upper))
    }

    fn mironov_epsilon(&self) -> Answers {
        let given = self.case.parameters();
        let loss = rational(given.variance);
        let (alpha, delta) = (rational(given.alpha), rational(given.delta));
        single(guarantee::mironov_epsilon(&loss, &alpha, &delta, BITS)?)
    }

    fn local_error(&self) -> Answers {
        let given = self.case.parameters();
        known(guarantee::local_error(
            self.case.protocol.nodes(),
            &rational(given.alpha),
            &rational(given.sensitivity),
            &(rational(given.epsilon) + BigRational::one()),
        )?)
    }

    fn central_error(&self) -> Answers {
        let given = self.case.parameters();
        known(guarantee::central_error(
            self.case.protocol.nodes(),
            &rational(given.alpha),
            &rational(given.sensitivity),
            &(rational(given.epsilon) + BigRational::one()),
        )?)
    }

    fn simulated_values(&self) -> Answers {
        let protocol = &self.case.protocol;
        let process = Process::run(protocol)?;
        let nodes = 0..protocol.nodes();
        Ok(nodes
            .map(|v| self.state(&process, protocol.steps(), v))
            .collect())
    }

    fn simulated_messages(&self) -> Answers {
        let protocol = &self.case.protocol;
        let process = Process::run(protocol)?;
        let members = self.case.observer.members();
        let sent = (0..protocol.steps()).flat_map(|t| {
            let senders = protocol.step(t).senders_to(members);
            senders.into_iter().map(move |sender| (t, sender))
        });
        Ok(sent.map(|(t, w)| self.state(&process, t, w)).collect())
    }

    fn expected_error(&self) -> Answers {
        let protocol = &self.case.protocol;
        let nodes = protocol.nodes();
        let number = |place| BigRational::from_float(self.case.number(place)).unwrap_or_default();
        let inputs: Vec<Vec<_>> = (0..protocol.rounds())
            .map(|round| (0..nodes).map(|u| number(round * nodes + u)).collect())
            .collect();
        let error = Process::run(protocol)?.expected_error(&inputs, &BigRational::zero())?;
        Ok(vec![Answer::exact(error.bias), Answer::exact(error.noise)])
    }
}

//! The floating-point engine behind the trait.

use super::{Answer, Answers, Engine, Refusal, Width};
use crate::case::Case;
use muffliato_fast::bounds::{PaperBounds, RefreshedBounds, RoundExponent, erdos_renyi_bound};
use muffliato_fast::noise::GivenNoise;
use muffliato_fast::simulation::{Outcome, Simulation};
use muffliato_fast::{
    CertifiedView, Enclosure, FastError, GapOptions, GaussianPrivacy, GramView,
    MultiprecisionLimits, OneShot, OneShotOptions, Rate, SparseWeights, SpectralGap, TARGET_WIDTH,
    ViewLoss, acceleration, central_error, gossip_steps_per_round, local_error, mironov_epsilon,
    randomized_gap, spectral_gap, steps_to_converge,
};
use muffliato_model::{Fraction, Noise, Step};
use std::{cell::OnceCell, collections::BTreeSet};

/// Enclosures of sums of non-negative numbers are this narrow, relative to the sum.
const SUMS: Width = Width::Relative(1e-12);

/// The numbers `P_ij` of multiprecision are this narrow.
const CERTIFIED: f64 = 1e-12;

/// How far an estimate of a leakage may be off where the decisions about the rank were clear.
const ESTIMATE: f64 = 1e-7;

/// How far a run may be off: some hundred roundings of numbers around 1.
const RUN: f64 = 1e-11;

/// What of a number that is rounded up may be too much.
const ROUNDED: f64 = 1e-14;

/// The fast engine, asked about one case.
///
/// ```
/// use muffliato_conformance::{case::Case, engine::{Answer, Engine, FastEngine}};
/// use muffliato_reference::BigRational;
///
/// let text = "network Bg metropolis\nrounds 1\ngossip-steps 2\nobserver full:2\ngroup 0\nseed 1";
/// let case: Case = text.parse()?;
/// // All of the input of node 0 reaches node 2, and the engine proves it.
/// let one = Answer::exact(BigRational::from_integer(1.into()));
/// assert_eq!(FastEngine::new(&case).leakage().unwrap()[0].contradiction(&one), None);
/// # Ok::<(), muffliato_conformance::case::CaseError>(())
/// ```
pub struct FastEngine<'a> {
    case: &'a Case,
    view: OnceCell<Result<GramView, FastError>>,
    proved: OnceCell<Result<CertifiedView, FastError>>,
}

impl<'a> FastEngine<'a> {
    /// Nothing is computed before it is asked for.
    pub fn new(case: &'a Case) -> Self {
        Self {
            case,
            view: OnceCell::new(),
            proved: OnceCell::new(),
        }
    }

    fn bounds(&self) -> Result<PaperBounds, FastError> {
        PaperBounds::of(&self.case.protocol)
    }

    /// The numbers of the sources outside the observer.
    fn outside(&self, all: Vec<Enclosure>) -> Answers {
        let sources = self.case.sources().into_iter();
        Ok(sources.map(|u| sum(all[u])).collect())
    }

    fn gram(&self) -> Result<&GramView, Refusal> {
        let look = || GramView::of(&self.case.protocol, &self.case.observer, &());
        self.view
            .get_or_init(look)
            .as_ref()
            .map_err(|error| Refusal::Other(error.to_string()))
    }

    fn proved(&self) -> Result<&CertifiedView, Refusal> {
        let limits = MultiprecisionLimits::default();
        let look = || CertifiedView::of(&self.case.protocol, &self.case.observer, &limits, &());
        self.proved
            .get_or_init(look)
            .as_ref()
            .map_err(|error| error.clone().into())
    }

    /// The numbers of inputs of one source, and of the group.
    fn inputs_of(&self) -> (usize, usize) {
        let members: BTreeSet<usize> = self.case.group.iter().copied().collect();
        let rounds = self.case.protocol.rounds();
        (rounds, rounds * members.len())
    }

    fn view_losses(&self) -> Result<Vec<ViewLoss>, Refusal> {
        Ok(self.gram()?.losses(&())?.into_iter().flatten().collect())
    }

    /// The width that is claimed for the Gram form: [`TARGET_WIDTH`] where noise that is not tiny is drawn at every step, and nothing
    /// is accelerated, so that the Gram matrix is far from singular. Elsewhere only the ends themselves are claimed.
    fn width(&self) -> Result<Option<f64>, Refusal> {
        let protocol = &self.case.protocol;
        let drawn = match protocol.refresh() {
            Some(tau) => float(tau) >= 1e-3,
            None => protocol.gossip_steps() == 1,
        };
        let narrow = drawn && protocol.acceleration().is_none() && self.gram()?.is_certified();
        Ok(narrow.then_some(TARGET_WIDTH))
    }

    fn one_shot(&self) -> Result<OneShot<'a>, FastError> {
        OneShot::try_new(&self.case.protocol, OneShotOptions::default())
    }

    fn privacy(&self) -> Result<GaussianPrivacy, FastError> {
        let given = self.case.parameters();
        let root = float(given.root_leakage);
        let leakage = Enclosure::exact(root * root);
        GaussianPrivacy::of_leakage(&leakage, float(given.sensitivity), float(given.sigma))
    }

    /// The same, from the shift itself, which is a float: all its factors are dyadic.
    fn shifted(&self) -> Result<GaussianPrivacy, FastError> {
        let given = self.case.parameters();
        let scale = float(given.sensitivity) / float(given.sigma);
        GaussianPrivacy::of_mu(float(given.root_leakage) * scale)
    }

    /// A run on the inputs of the case, `width` coordinates that are all alike, and the given noise.
    fn run(
        &self,
        inputs: &[f64],
        width: usize,
        noise: impl Iterator<Item = (usize, Vec<f64>)>,
    ) -> Result<Outcome, FastError> {
        let given = GivenNoise::try_new(self.case.protocol.nodes(), width, noise)?;
        Simulation::new(&self.case.protocol)
            .recording_messages_to(self.case.observer.clone())
            .against(vec![0.0; width])
            .run(inputs, width, &given, &())
    }

    fn draw_times(&self) -> impl Iterator<Item = usize> {
        let protocol = &self.case.protocol;
        (0..protocol.steps()).filter(|&t| protocol.noise(t) != Noise::None)
    }

    fn inputs(&self) -> Vec<f64> {
        let protocol = &self.case.protocol;
        let count = protocol.rounds() * protocol.nodes();
        (0..count).map(|place| self.case.number(place)).collect()
    }

    fn simulated(&self) -> Result<Outcome, FastError> {
        let (inputs, nodes) = (self.inputs(), self.case.protocol.nodes());
        let first = inputs.len();
        let block = |t: usize| {
            let numbers = (0..nodes).map(|u| self.case.number(first + t * nodes + u));
            (t, numbers.collect())
        };
        self.run(&inputs, 1, self.draw_times().map(block))
    }
}

/// The nearest float: exact for dyadic parameters.
fn float(fraction: Fraction) -> f64 {
    fraction.numerator() as f64 / fraction.denominator() as f64
}

fn sum(enclosure: Enclosure) -> Answer {
    Answer::from(enclosure).claiming(SUMS)
}

fn single(answer: Answer) -> Answers {
    Ok(vec![answer])
}

/// The loss of k scalar inputs. Each of the `k^2` numbers `P_ij` is known to `width`, if there is one.
fn scalar_loss(loss: &ViewLoss, width: Option<f64>, inputs: usize) -> Answer {
    view_loss(loss.loss.certified, width.filter(|_| loss.coincide), inputs)
}

/// The upper bound for k vectors.
fn vector_loss(loss: &ViewLoss, width: Option<f64>, inputs: usize) -> Answer {
    let capped = loss.absolute_sum.certified.clamped_above(inputs as f64);
    view_loss(capped, width, inputs)
}

fn view_loss(loss: Enclosure, width: Option<f64>, inputs: usize) -> Answer {
    let answer = Answer::from(loss);
    match width {
        Some(width) => answer.claiming(Width::Absolute(width * (inputs * inputs) as f64)),
        None => answer,
    }
}

fn gap(found: Result<SpectralGap, FastError>) -> Answers {
    match found {
        Ok(found) => single(
            Answer::from(found.certified)
                .claiming(Width::Relative(1e-9))
                .guessed(Some((found.estimate, 1e-11))),
        ),
        Err(FastError::NoGap { .. }) => single(Answer::from(Enclosure::exact(0.0))),
        Err(FastError::BadParameter { .. }) => Err(Refusal::SingleNode),
        Err(other) => Err(other.into()),
    }
}

/// A number of steps that was rounded up, perhaps once too often.
fn steps(found: usize) -> Answer {
    let ends = Enclosure::try_new(found as f64 - 1.0, found as f64);
    Answer::from(ends.unwrap_or(Enclosure::exact(found as f64)))
}

impl Engine for FastEngine<'_> {
    fn theorem_1(&self) -> Answers {
        let all = self.bounds()?.pairwise_all(&self.case.observer, &())?;
        Ok(all.into_iter().map(sum).collect())
    }

    fn theorem_1_all_pairs(&self) -> Answers {
        let pairs = self.bounds()?.all_pairs(&())?;
        let nodes = 0..pairs.nodes();
        Ok(nodes.flat_map(|u| pairs.from_source(u)).map(sum).collect())
    }

    fn theorem_1_by_source(&self) -> Answers {
        let bounds = self.bounds()?;
        let mut all = Vec::new();
        for u in 0..self.case.protocol.nodes() {
            all.extend(bounds.from_source(u, &())?.into_iter().map(sum));
        }
        Ok(all)
    }

    fn mean_loss(&self) -> Answers {
        single(sum(self.bounds()?.mean_loss(&self.case.observer, &())?))
    }

    fn group_bound(&self) -> Answers {
        let bounds = self.bounds()?;
        single(sum(bounds.group(
            &self.case.group,
            &self.case.observer,
            &(),
        )?))
    }

    fn random_walk_bound(&self) -> Answers {
        let bounds = self.bounds()?;
        let sources = self.case.sources().into_iter();
        let found = sources.map(|u| bounds.random_walk(u, &self.case.observer, &()));
        found.map(|bound| Ok(sum(bound?))).collect()
    }

    fn erdos_renyi_bound(&self) -> Answers {
        let Case {
            protocol, observer, ..
        } = self.case;
        let given = self.case.parameters();
        let members = observer.members();
        let found = erdos_renyi_bound(
            protocol.nodes(),
            members.len(),
            protocol.step(0).senders_to(members).len(),
            protocol.steps(),
            given.edge_probability,
            Fraction::integer(64),
            given.alpha,
        );
        match found {
            Ok(found) => Ok(
                [found.neighbour_probability, found.neighbour, found.stranger]
                    .map(sum)
                    .to_vec(),
            ),
            Err(FastError::BadParameter { .. }) => Err(Refusal::NotApplicable),
            Err(error) => Err(error.into()),
        }
    }

    fn gd_bound_simple(&self) -> Answers {
        self.outside(self.bounds()?.gd_simple_all(&self.case.observer, &())?)
    }

    fn gd_bound_as_printed(&self) -> Answers {
        let exponent = RoundExponent::AsPrinted;
        let bounds = self.bounds()?;
        self.outside(bounds.gd_general_all(&self.case.observer, exponent, &())?)
    }

    fn gd_bound_full(&self) -> Answers {
        let bounds = self.bounds()?;
        self.outside(bounds.gd_general_all(&self.case.observer, RoundExponent::Full, &())?)
    }

    fn time_varying_coalition_gd(&self) -> Answers {
        let bounds = self.bounds()?;
        let sources = self.case.sources().into_iter();
        let found = sources.map(|u| bounds.time_varying_coalition_gd(u, &self.case.observer));
        found.map(|bound| Ok(sum(bound?))).collect()
    }

    fn spectral_gap(&self) -> Answers {
        match self.case.protocol.step(0) {
            Step::Network(network) => {
                let weights = SparseWeights::of_network(network)?;
                gap(spectral_gap(&weights, &GapOptions::default(), &()))
            }
            Step::EdgeAverage { .. } => Err(Refusal::NotApplicable),
        }
    }

    fn randomized_gap(&self) -> Answers {
        let (graph, intensity) = self.case.edge_intensity()?;
        let intensities = vec![intensity; graph.edge_count()];
        gap(randomized_gap(
            &graph,
            &intensities,
            &GapOptions::default(),
            &(),
        ))
    }

    fn acceleration(&self) -> Answers {
        let g = acceleration(float(self.case.parameters().gap))?;
        single(Answer::estimated(g, 1e-14))
    }

    fn steps_to_converge(&self) -> Answers {
        let given = self.case.parameters();
        let nodes = self.case.protocol.nodes();
        let (variance, sigma) = (float(given.variance), float(given.sigma));
        [Rate::Accelerated, Rate::Randomized]
            .map(|rate| {
                let found = steps_to_converge(rate, float(given.gap), nodes, variance, sigma);
                Ok(steps(found?))
            })
            .into_iter()
            .collect()
    }

    fn gossip_steps_per_round(&self) -> Answers {
        let given = self.case.parameters();
        let nodes = self.case.protocol.nodes();
        let found = gossip_steps_per_round(float(given.gap), nodes, float(given.variance))?;
        single(steps(found))
    }

    fn walk_bound(&self) -> Answers {
        let bounds = RefreshedBounds::of(&self.case.protocol)?;
        self.outside(bounds.walk_all(&self.case.observer, &())?)
    }

    fn first_passage_bound(&self) -> Answers {
        let protocol = &self.case.protocol;
        if protocol.refresh().is_some() && protocol.acceleration().is_some() {
            return Err(Refusal::NotOffered);
        }
        let bounds = RefreshedBounds::of(protocol)?;
        self.outside(bounds.first_passage_all(&self.case.observer, &())?)
    }

    fn leakage(&self) -> Answers {
        let (inputs, _) = self.inputs_of();
        let losses = self.proved()?.losses().iter().flatten();
        Ok(losses
            .map(|loss| scalar_loss(loss, Some(CERTIFIED), inputs))
            .collect())
    }

    fn vector_leakage(&self) -> Answers {
        let (inputs, _) = self.inputs_of();
        let losses = self.proved()?.losses().iter().flatten();
        Ok(losses
            .map(|loss| vector_loss(loss, Some(CERTIFIED), inputs))
            .collect())
    }

    fn group_leakage(&self) -> Answers {
        let proved = self.proved()?;
        if self.case.group.is_empty() {
            return Err(Refusal::NoSource);
        }
        let (_, inputs) = self.inputs_of();
        let found = proved.group_loss(&self.case.group)?;
        let width = Some(CERTIFIED);
        Ok(vec![
            scalar_loss(&found, width, inputs),
            vector_loss(&found, width, inputs),
        ])
    }

    fn rank(&self) -> Answers {
        single(Answer::from(Enclosure::exact(self.proved()?.rank() as f64)))
    }

    fn leakage_estimate(&self) -> Answers {
        let view = self.one_shot()?.leakage(&self.case.observer)?;
        let pivots = view.pivots();
        let clear = pivots.smallest_accepted.unwrap_or(1.0) > 1e-4
            && pivots.largest_rejected.unwrap_or(0.0) < 1e-11;
        let answer = |leakage: &muffliato_fast::Leakage| {
            let estimate = clear.then_some((leakage.estimate, ESTIMATE));
            Answer::from(leakage.certified).guessed(estimate)
        };
        Ok(view.leakages().iter().flatten().map(answer).collect())
    }

    fn losses(&self) -> Answers {
        let (width, (inputs, _)) = (self.width()?, self.inputs_of());
        let losses = self.view_losses()?;
        Ok(losses
            .iter()
            .map(|loss| scalar_loss(loss, width, inputs))
            .collect())
    }

    fn vector_losses(&self) -> Answers {
        let (width, (inputs, _)) = (self.width()?, self.inputs_of());
        let losses = self.view_losses()?;
        Ok(losses
            .iter()
            .map(|loss| vector_loss(loss, width, inputs))
            .collect())
    }

    fn group_loss(&self) -> Answers {
        if self.case.group.is_empty() {
            return Err(Refusal::NoSource);
        }
        let (width, (_, inputs)) = (self.width()?, self.inputs_of());
        let found = self.gram()?.group_loss(&self.case.group, &())?;
        Ok(vec![
            scalar_loss(&found, width, inputs),
            vector_loss(&found, width, inputs),
        ])
    }

    fn mu(&self) -> Answers {
        single(Answer::rounded_up(self.privacy()?.mu(), ROUNDED))
    }

    fn zcdp(&self) -> Answers {
        single(Answer::rounded_up(self.privacy()?.zcdp(), ROUNDED))
    }

    fn rdp(&self) -> Answers {
        let alpha = float(self.case.parameters().alpha);
        single(Answer::rounded_up(self.privacy()?.rdp(alpha)?, ROUNDED))
    }

    fn delta(&self) -> Answers {
        let found = self
            .shifted()?
            .delta(float(self.case.parameters().epsilon))?;
        single(Answer::from(found))
    }

    fn epsilon(&self) -> Answers {
        let found = self
            .shifted()?
            .epsilon(float(self.case.parameters().delta))?;
        single(Answer::from(found).claiming(Width::Absolute(1e-9)))
    }

    fn mironov_epsilon(&self) -> Answers {
        let given = self.case.parameters();
        let (loss, alpha) = (float(given.variance), float(given.alpha));
        let found = mironov_epsilon(loss, alpha, float(given.delta))?;
        single(Answer::rounded_up(found, 1e-13))
    }

    fn local_error(&self) -> Answers {
        let given = self.case.parameters();
        let (alpha, sensitivity) = (float(given.alpha), float(given.sensitivity));
        let nodes = self.case.protocol.nodes();
        let found = local_error(nodes, alpha, sensitivity, float(given.epsilon) + 1.0)?;
        single(Answer::estimated(found, 1e-14 * found))
    }

    fn central_error(&self) -> Answers {
        let given = self.case.parameters();
        let (alpha, sensitivity) = (float(given.alpha), float(given.sensitivity));
        let nodes = self.case.protocol.nodes();
        let found = central_error(nodes, alpha, sensitivity, float(given.epsilon) + 1.0)?;
        single(Answer::estimated(found, 1e-14 * found))
    }

    fn simulated_values(&self) -> Answers {
        let values = self.simulated()?.values;
        Ok(values
            .into_iter()
            .map(|value| Answer::estimated(value, RUN))
            .collect())
    }

    fn simulated_messages(&self) -> Answers {
        let messages = self.simulated()?.messages;
        let values = messages.into_iter().flat_map(|message| message.values);
        Ok(values.map(|value| Answer::estimated(value, RUN)).collect())
    }

    /// The bias by a run without noise; the noise by one run a draw, all at once, each with that draw alone.
    fn expected_error(&self) -> Answers {
        let protocol = &self.case.protocol;
        let nodes = protocol.nodes();
        let silent = self.draw_times().map(|t| (t, vec![0.0; nodes]));
        let bias = self.run(&self.inputs(), 1, silent)?.errors;

        let width = self.draw_times().count() * nodes;
        let drawn = self.draw_times().enumerate().map(|(block, t)| {
            let deviation = match protocol.noise(t) {
                Noise::Refresh(tau) => float(tau),
                _ => 1.0,
            };
            let mut draws = vec![0.0; nodes * width];
            for u in 0..nodes {
                draws[u * width + block * nodes + u] = deviation;
            }
            (t, draws)
        });
        let nothing = vec![0.0; protocol.rounds() * nodes * width];
        let noise = self.run(&nothing, width, drawn)?.errors;
        let last = |errors: Vec<(usize, f64)>| errors.last().map_or(f64::NAN, |&(_, error)| error);
        Ok([bias, noise]
            .map(last)
            .map(|error| Answer::estimated(error, RUN * error.max(1.0)))
            .to_vec())
    }
}

//! Choice of the method and the precision in which a view is assembled.
//!
//! f64 first; pairs if the defect of the whitening is too large; and with a small multiple of I
//! added to the Gram matrix if it is not regular in either.

use super::adjoint::GeneralView;
use super::loss::Reach;
use super::moments::{FixedView, Rounded};
use super::number::Number;
use super::pair::Pair;
use super::rows::{Gram, Messages, Rows};
use super::sums::Sums;
use super::whitening::{SMALL_DEFECT, Whitening};
use crate::{FastError, Progress, UNIT_ROUNDOFF, checks, memory};
use muffliato_model::{Draw, Observer, Protocol};

/// Assembles the view in one precision by the cheapest applicable method.
pub(crate) fn view<'a, N: Number>(
    protocol: &'a Protocol,
    messages: &'a Messages,
) -> Result<Box<dyn Rows + 'a>, FastError> {
    if let Some((summed, combination)) = messages.summed.as_deref() {
        let messages = view::<N>(protocol, summed)?;
        return Ok(Box::new(Sums { messages, combination, in_pairs: N::IN_PAIRS }));
    }
    Ok(if fixed_and_plain(protocol) {
        Box::new(FixedView::<N>::new(protocol, messages)?)
    } else {
        Box::new(GeneralView::<N>::new(protocol, messages)?)
    })
}

/// Number of messages from which whitening takes longer than assembly in any precision.
const MANY_MESSAGES: usize = 1024;

/// Part of the smallest variance from which roundings times messages make pairs likely.
const LIKELY_PAIRS: f64 = 4e-9;

/// Returns `true` if f64 probably has too many roundings for a view of `messages` messages.
pub(crate) fn likely_in_pairs(protocol: &Protocol, messages: usize) -> Result<bool, FastError> {
    let times = 0..protocol.steps().min(2); // at an input and, if there is one, at another time
    let draws = times.flat_map(|time| (0..protocol.nodes()).map(move |node| (time, node)));
    let least = draws
        .map(|(time, node)| checks::float(protocol.variance(Draw::Own { time, node })))
        .fold(1.0, f64::min);
    let roundings = 2 * protocol.steps() * (protocol.graph()?.max_degree() + 3);
    let lost = messages as f64 * roundings as f64 * UNIT_ROUNDOFF;
    Ok(lost > least * LIKELY_PAIRS)
}

/// Returns `true` if the view is assembled in pairs at once: f64 is unlikely to suffice, and
/// assembly is the smaller part of the work.
fn at_once_in_pairs(protocol: &Protocol, messages: &Messages) -> Result<bool, FastError> {
    let size = messages.size();
    let many = fixed_and_plain(protocol) && size >= MANY_MESSAGES && messages.summed.is_none();
    Ok(many && likely_in_pairs(protocol, size)?)
}

/// Assembles the columns of a view in floats, or in pairs that are then rounded.
pub(crate) fn in_floats<'a>(
    protocol: &'a Protocol,
    messages: &'a Messages,
) -> Result<Box<dyn Rows + 'a>, FastError> {
    if at_once_in_pairs(protocol, messages)? {
        Ok(Box::new(Rounded(FixedView::new(protocol, messages)?)))
    } else {
        view::<f64>(protocol, messages)
    }
}

/// Returns `true` if the view depends on a single symmetric matrix, and all nodes add the same
/// noise.
pub(crate) fn fixed_and_plain(protocol: &Protocol) -> bool {
    protocol.fixed_network().is_some()
        && protocol.uniform().is_ok()
        && protocol.acceleration().is_none()
        && protocol.masks().is_none()
        && (protocol.reaction().is_none() || protocol.rounds() == 1)
}

/// Computes the whitening of a view in the precision that it needs, and which ends it proves.
pub(crate) fn whiten(
    protocol: &Protocol,
    messages: &Messages,
    progress: &dyn Progress,
) -> Result<(Whitening, Reach), FastError> {
    let gram = || view::<f64>(protocol, messages)?.gram(progress);
    let single = if at_once_in_pairs(protocol, messages)? { None } else { Whitening::of(&gram()?) };
    if let Some(single) = single.as_ref()
        && single.defect <= SMALL_DEFECT / protocol.rounds() as f64
    {
        return Ok((single.clone(), Reach::Both));
    }
    let double = Whitening::of(&view::<Pair>(protocol, messages)?.gram(progress)?);
    if let Some(best) = double.or(single) {
        return Ok((best, Reach::Both));
    }
    Ok((enlarged(gram()?), Reach::LowerEnd))
}

/// Computes the whitening of `G + delta I` for a small delta that makes it regular; the zero
/// matrix, which proves only losses >= 0, if none does.
fn enlarged(mut gram: Gram) -> Whitening {
    let size = gram.size;
    let diagonal = |k: usize| k * (size + 1);
    let largest = (0..size).map(|k| gram.high[diagonal(k)]).fold(0.0, f64::max);
    let mut delta = largest * 2f64.powi(-48);
    for _ in 0..12 {
        for k in 0..size {
            let sum = gram.high[diagonal(k)] + delta;
            gram.error[diagonal(k)] += UNIT_ROUNDOFF * 1.01 * sum;
            gram.high[diagonal(k)] = sum;
        }
        if let Some(whitening) = Whitening::of(&gram) {
            return whitening;
        }
        delta *= 8.0;
    }
    Whitening { size, matrix: vec![0.0; size * size], correction: None, defect: 0.0, norm: 0.0 }
}

/// Errors if the view of `observer` needs more than [`crate::memory::limit`].
pub(crate) fn check_memory(protocol: &Protocol, observer: &Observer) -> Result<(), FastError> {
    observer.check(protocol.nodes())?;
    let senders = |t| protocol.step(t).senders_to(observer.members()).len() as u128;
    let steps = protocol.steps() as u128;
    let (size, width) = match protocol.fixed_network() {
        Some(_) => (steps.saturating_mul(senders(0)), senders(0)),
        None => (0..protocol.steps())
            .map(senders)
            .fold((0, 0), |(sum, most), at| (sum + at, most.max(at))),
    };
    let linear = (protocol.nodes() as u128).saturating_mul(width + steps);
    // Three blocks of pairs and the columns of some sources; thirteen square matrices.
    let bytes =
        size.saturating_mul(size).saturating_mul(104).saturating_add(linear.saturating_mul(64));
    memory::check(bytes, "take fewer steps or an observer with fewer neighbours")
}

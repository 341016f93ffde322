//! Choice of the method and the precision in which a view is assembled.
//!
//! f64 first; pairs if the defect of the whitening is too large; and with a small multiple of I
//! added to the Gram matrix if it is not regular in either.

use super::adjoint::GeneralView;
use super::cost::at_once_in_pairs;
use super::guess;
use super::loss::Reach;
use super::moments::FixedView;
use super::pair::Pair;
use super::regularized;
use super::rows::{Messages, Rows};
use super::sums::Sums;
use super::whitening::{SMALL_DEFECT, Whitening};
use crate::{FastError, Progress, arithmetic::Real};
use muffliato_model::{Network, Protocol};

/// Assembles the view in one precision by the cheapest applicable method.
pub(crate) fn view<'a, N: Real>(
    protocol: &'a Protocol,
    messages: &'a Messages,
) -> Result<Box<dyn Rows + 'a>, FastError> {
    if let Some((summed, combination)) = messages.summed.as_deref() {
        let messages = view::<N>(protocol, summed)?;
        return Ok(Box::new(Sums { messages, combination, in_pairs: N::IN_PAIRS }));
    }
    Ok(match fixed_and_plain(protocol) {
        Some(network) => Box::new(FixedView::<N>::new(protocol, network, messages)?),
        None => Box::new(GeneralView::<N>::new(protocol, messages)?),
    })
}

/// Assembles the columns of a view in floats, or in pairs that are then rounded.
pub(crate) fn in_floats<'a>(
    protocol: &'a Protocol,
    messages: &'a Messages,
) -> Result<Box<dyn Rows + 'a>, FastError> {
    match at_once_in_pairs(protocol, messages)? {
        Some(network) => {
            let mut view = FixedView::<Pair>::new(protocol, network, messages)?;
            view.rounded = true;
            Ok(Box::new(view))
        }
        None => view::<f64>(protocol, messages),
    }
}

/// Returns the network if the view depends on its symmetric matrix alone, and all nodes add the
/// same noise.
pub(crate) fn fixed_and_plain(protocol: &Protocol) -> Option<&Network> {
    let plain = protocol.uniform().is_ok()
        && protocol.acceleration().is_none()
        && protocol.masks().is_none()
        && (protocol.reaction().is_none() || protocol.rounds() == 1);
    protocol.fixed_network().filter(|_| plain)
}

/// Computes the whitening of a view in the precision that it needs, and which ends it proves.
pub(crate) fn whiten(
    protocol: &Protocol,
    messages: &Messages,
    progress: &dyn Progress,
) -> Result<(Whitening, Reach), FastError> {
    let gram = || view::<f64>(protocol, messages)?.gram(progress);
    let single = match at_once_in_pairs(protocol, messages)? {
        Some(_) => None,
        None => guess::whitening(&gram()?),
    };
    if let Some(single) = single.as_ref()
        && single.defect() <= SMALL_DEFECT / protocol.rounds() as f64
    {
        return Ok((single.clone(), Reach::Both));
    }
    let double = guess::whitening(&view::<Pair>(protocol, messages)?.gram(progress)?);
    if let Some(best) = double.or(single) {
        return Ok((best, Reach::Both));
    }
    Ok((regularized::enlarged(gram()?), Reach::LowerEnd))
}

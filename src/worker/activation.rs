//! The activation worker: activates ordered cards (decisions S9).
//!
//! The transaction of the order inserts a row, and the activation deletes it, so the row survives a crash in between. If two
//! replicas find it, the second one sees in the card's row that it is active.

use std::sync::Arc;
use std::time::Duration;

use super::{Step, Worker};
use crate::base::{ErrorChain, limits};
use crate::model::Actor;
use crate::operation::Failure;
use crate::operation::card::{self, CardStateError};
use crate::services::Services;

/// Starts the worker.
pub(crate) fn start(services: &Arc<Services>) -> Worker {
    let wake = services.store.signals().activations.clone();
    Worker::start_with(
        "activation",
        services,
        wake,
        limits::WORKER_POLL,
        |services| async move { step(&services).await },
    )
}

/// Activates a few cards that are due.
pub async fn step(services: &Services) -> Result<Step, Failure> {
    let now = services.clock.now();
    let due = services.store.activations_due(now, limits::ACTIVATIONS_PER_STEP).await?;
    let more = due.len() == limits::ACTIVATIONS_PER_STEP;
    for (card_id, attempts) in due {
        match card::activate(services, card_id, Actor::Service).await {
            Ok(_) => tracing::info!(%card_id, "an ordered card went online"),
            // Another replica or the operator has activated or deleted the card.
            Err(CardStateError::Transition(_) | CardStateError::NeverOnline | CardStateError::NotFound(_)) => {
                services.store.delete_activation(card_id).await?;
            }
            Err(CardStateError::Failed(failure)) => {
                let later = now.after(delay(attempts));
                tracing::warn!(%card_id, attempts, error = %ErrorChain(&failure), "an ordered card could not be put online; it will be tried again");
                services.store.postpone_activation(card_id, later, attempts + 1).await?;
            }
        }
    }
    Ok(if more { Step::More } else { Step::Done })
}

/// Returns the pause after an attempt: doubled each time, up to a limit.
fn delay(attempts: i64) -> Duration {
    let doubled = u32::try_from(attempts.clamp(0, 16)).unwrap_or(0);
    (limits::ACTIVATION_RETRY * 2_u32.pow(doubled)).min(limits::ACTIVATION_RETRY_MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn delay_doubles_up_to_its_limit() {
        assert_eq!(delay(0), limits::ACTIVATION_RETRY);
        assert_eq!(delay(1), limits::ACTIVATION_RETRY * 2);
        assert_eq!((delay(60), delay(i64::MAX)), (limits::ACTIVATION_RETRY_MAX, limits::ACTIVATION_RETRY_MAX));
    }
}

//! The challenge of a callback address, before it is subscribed (decisions W9).

use uuid::Uuid;

use super::callback::invalid;
use crate::base::{HttpUrl, limits};
use crate::model::{KeyMode, text};
use crate::operation::OperationError;
use crate::outbound::FetchError;
use crate::services::Services;
use crate::webhook::challenge_request;

/// Asks the address to repeat an unguessable text, if the operator wants that. The request is signed, so that a receiver
/// that checks signatures answers no other partner's challenge.
pub(super) async fn pass(
    services: &Services,
    partner_id: Uuid,
    mode: KeyMode,
    address: &HttpUrl,
) -> Result<(), OperationError> {
    if !services.policy.webhook_challenge {
        return Ok(());
    }
    let now = services.clock.now();
    let secrets = services.store.active_webhook_secrets(partner_id, mode, now).await?;
    if secrets.is_empty() {
        return Err(OperationError::refused(invalid(text::NO_SIGNING_SECRET)));
    }
    let challenge = services.entropy.unguessable();
    let request = challenge_request(services.entropy.uuid(now), &challenge, &secrets, now);
    let bytes_max = limits::CHALLENGE_ANSWER_BYTES_MAX;
    let cause = match services.outbound.ask(&address.url(), request.headers, request.body, bytes_max).await {
        Ok(answer) if answer.trim_ascii() == challenge.as_bytes() => return Ok(()),
        Ok(_) | Err(FetchError::TooLarge) => text::CHALLENGE_OTHER_ANSWER.to_owned(),
        Err(FetchError::Status(status)) => text::status(status),
        Err(FetchError::TimeOut) => text::TIME_OUT.to_owned(),
        // As for a portrait: what is refused reveals nothing about the internal network.
        Err(FetchError::NoConnection | FetchError::Refused) => text::NO_CONNECTION.to_owned(),
    };
    Err(OperationError::refused(invalid(text::challenge_failed(&cause))))
}

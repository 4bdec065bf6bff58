//! Fetches a portrait from the partner's URL, checks it and stores the service's own copy.
//!
//! Called when a card is created or updated, before the transaction. Source: specification, section 2.11; decisions, section
//! 7.

use super::quota;
use super::storage::keep;
use crate::base::HttpUrl;
use crate::media::{PhotoFormat, RenderError, Requester};
use crate::model::text::{self, Consequence};
use crate::model::{PhotoKey, UserError, UserErrorCode};
use crate::operation::{Caller, OperationError};
use crate::outbound::{FetchError, FetchLimits};
use crate::services::Services;

/// The field of every error.
const FIELD: &[&str] = &["input", "deceased", "photoUrl"];

/// Fetches the portrait, makes its renditions and stores a copy under an unguessable key.
///
/// The renditions are made now, so that a photo that cannot be decoded is refused while the partner can send another one.
pub(in crate::operation) async fn fetch(
    services: &Services,
    caller: &Caller,
    source: &HttpUrl,
    consequence: Consequence,
) -> Result<PhotoKey, OperationError> {
    let bytes = match services.outbound.fetch(source, FetchLimits::PHOTO).await {
        Ok(bytes) if bytes.is_empty() => {
            services.metrics.photo("status");
            let missing = UserError::new(UserErrorCode::Unprocessable, FIELD, text::photo_missing(consequence));
            return Err(OperationError::refused(missing));
        }
        Ok(bytes) => bytes,
        Err(error) => {
            services.metrics.photo(fetch_outcome(&error));
            return Err(OperationError::refused(not_fetched(&error, consequence)));
        }
    };
    let refused = |error| {
        services.metrics.photo(render_outcome(error));
        OperationError::refused(not_rendered(error, consequence))
    };
    let format = PhotoFormat::sniff(&bytes).ok_or_else(|| refused(RenderError::Format))?;
    let free_at = quota::take_bytes(services, caller.partner_id, caller.mode, bytes.len()).await?;
    if let Some(free_at) = free_at {
        services.metrics.photo("quota");
        let message = text::photo_quota(quota::bytes_max(caller.mode), free_at, consequence);
        return Err(OperationError::refused(UserError::new(UserErrorCode::Unprocessable, FIELD, message)));
    }
    let renditions = services.renderer.renditions(bytes.clone(), Requester::partner(caller.partner_id)).await;
    let renditions = renditions.map_err(refused)?;
    let key = keep(services, format, bytes, renditions).await?;
    services.metrics.photo("kept");
    Ok(key)
}

/// The label in metrics.
fn fetch_outcome(error: &FetchError) -> &'static str {
    match error {
        FetchError::TooLarge => "too_large",
        FetchError::Status(_) => "status",
        FetchError::TimeOut => "time_out",
        FetchError::NoConnection => "no_connection",
        FetchError::Refused => "refused",
    }
}

/// The label in metrics.
fn render_outcome(error: RenderError) -> &'static str {
    match error {
        RenderError::Format => "format",
        RenderError::Unreadable => "damaged",
        RenderError::TooManyPixels => "too_many_pixels",
        RenderError::TimeOut => "not_processed",
    }
}

/// The user error for a photo that could not be fetched.
fn not_fetched(error: &FetchError, consequence: Consequence) -> UserError {
    let cause = match error {
        FetchError::TooLarge => {
            return UserError::new(UserErrorCode::Invalid, FIELD, text::photo_too_large(consequence));
        }
        FetchError::Status(status) => text::status(*status),
        FetchError::TimeOut => text::TIME_OUT.to_owned(),
        FetchError::NoConnection => text::NO_CONNECTION.to_owned(),
        FetchError::Refused => {
            return UserError::new(UserErrorCode::Unprocessable, FIELD, text::photo_not_public(consequence));
        }
    };
    UserError::new(UserErrorCode::Unprocessable, FIELD, text::photo_not_fetched(&cause, consequence))
}

/// The user error for a fetched photo that cannot be used. It is INVALID only if the photo itself is at fault.
fn not_rendered(error: RenderError, consequence: Consequence) -> UserError {
    let (code, message) = match error {
        RenderError::Format => (UserErrorCode::Invalid, text::photo_wrong_format(consequence)),
        RenderError::Unreadable => (UserErrorCode::Invalid, text::photo_damaged(consequence)),
        RenderError::TooManyPixels => (UserErrorCode::Invalid, text::photo_too_many_pixels(consequence)),
        RenderError::TimeOut => (UserErrorCode::Unprocessable, text::photo_not_processed(consequence)),
    };
    UserError::new(code, FIELD, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn assert_error_names_consequence(refusal: impl Fn(Consequence) -> UserError, code: UserErrorCode, cause: &str) {
        let error = refusal(Consequence::NoCardCreated);
        assert_eq!(error.code, code, "{cause}");
        assert_eq!(error.field, FIELD);
        assert!(error.message.contains(cause), "{}", error.message);
        assert!(error.message.ends_with("Er is geen kaart aangemaakt."), "{}", error.message);
        let error = refusal(Consequence::CardUnchanged);
        assert!(error.message.ends_with("De kaart is niet gewijzigd."), "{}", error.message);
    }

    #[test]
    fn render_error_is_invalid_only_where_the_photo_is_at_fault() {
        for (error, code, cause) in [
            (RenderError::Format, UserErrorCode::Invalid, "formaat"),
            (RenderError::Unreadable, UserErrorCode::Invalid, "beschadigd"),
            (RenderError::TooManyPixels, UserErrorCode::Invalid, "pixels"),
            (RenderError::TimeOut, UserErrorCode::Unprocessable, "opnieuw"),
        ] {
            assert_error_names_consequence(|consequence| not_rendered(error, consequence), code, cause);
        }
    }
}

//! A portrait is fetched from the partner's address, checked, and kept as the service's own copy.
//!
//! Called by the operations that create and update a card, before their transaction opens.
//! Source: specification, section 2.11; decisions, section 7.

use super::keep::keep;
use crate::base::WebAddress;
use crate::media::PhotoFormat;
use crate::model::text::{self, Consequence};
use crate::model::{PhotoKey, UserError, UserErrorCode};
use crate::operation::{OperationError, Services};
use crate::outbound::{FetchError, FetchLimits};
use crate::store::Queue;

/// The input field that every refusal points to.
const FIELD: &[&str] = &["input", "deceased", "photoUrl"];

/// Fetches the portrait and keeps a copy under a name nobody can guess.
pub(in crate::operation) async fn fetch(
    services: &Services,
    source: &WebAddress,
    consequence: Consequence,
) -> Result<PhotoKey, OperationError> {
    let bytes = match services.outbound.fetch(source, FetchLimits::PHOTO).await {
        Ok(bytes) => bytes,
        Err(error) => {
            services.figures.photo(outcome(&error));
            return Err(OperationError::refused(not_fetched(&error, consequence)));
        }
    };
    let Some(format) = PhotoFormat::sniff(&bytes) else {
        services.figures.photo("format");
        let message = text::photo_wrong_format(consequence);
        return Err(OperationError::refused(UserError::new(UserErrorCode::Invalid, FIELD, message)));
    };

    let key = keep(services, format, bytes).await?;
    services.figures.photo("kept");
    // The partner gets its answer at once: the pages that need renditions are opened later.
    services.store.photo_to_render(key.clone(), services.clock.now()).await?;
    services.store.wake(Queue::Renderings);
    Ok(key)
}

/// As it is counted.
fn outcome(error: &FetchError) -> &'static str {
    match error {
        FetchError::TooLarge => "too_large",
        FetchError::Status(_) => "status",
        FetchError::TimeOut => "time_out",
        FetchError::NoConnection => "no_connection",
        FetchError::Refused => "refused",
    }
}

/// What a partner reads when its photo could not be had.
fn not_fetched(error: &FetchError, consequence: Consequence) -> UserError {
    let cause = match error {
        FetchError::TooLarge => {
            return UserError::new(UserErrorCode::Invalid, FIELD, text::photo_too_large(consequence));
        }
        FetchError::Status(status) => text::photo_status(*status),
        FetchError::TimeOut => text::PHOTO_TIME_OUT.to_owned(),
        // Why an address was refused is not told: the answer would say what our network looks like.
        FetchError::NoConnection | FetchError::Refused => text::PHOTO_NO_CONNECTION.to_owned(),
    };
    UserError::new(UserErrorCode::Unprocessable, FIELD, text::photo_not_fetched(&cause, consequence))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fetch_error_gives_its_code_and_names_its_cause() {
        let table = [
            (FetchError::Status(404), UserErrorCode::Unprocessable, "(status 404)"),
            (FetchError::Status(503), UserErrorCode::Unprocessable, "(status 503)"),
            (FetchError::NoConnection, UserErrorCode::Unprocessable, "(geen verbinding)"),
            (FetchError::Refused, UserErrorCode::Unprocessable, "(geen verbinding)"),
            (FetchError::TimeOut, UserErrorCode::Unprocessable, "(time-out)"),
            (FetchError::TooLarge, UserErrorCode::Invalid, "10 MB"),
        ];
        for (error, code, cause) in table {
            let told = not_fetched(&error, Consequence::NoCardCreated);
            assert_eq!(told.code, code, "{error:?}");
            assert_eq!(told.field, FIELD);
            assert!(told.message.contains(cause), "{}", told.message);
            assert!(told.message.ends_with("Er is geen kaart aangemaakt."), "{}", told.message);
            let told = not_fetched(&error, Consequence::CardUnchanged);
            assert!(told.message.ends_with("De kaart is niet gewijzigd."), "{}", told.message);
        }
    }
}

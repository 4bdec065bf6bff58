//! The portrait: fetched from the partner's address or sent by the family, checked, and kept as the service's own copy.
//!
//! Called by the operations that create and update a card, before their transaction opens, and by the customizer.
//! Source: specification, section 2.11; decisions, section 7.

use bytes::Bytes;

use super::{Failure, OperationError, Services};
use crate::base::{WebAddress, limits};
use crate::media::PhotoFormat;
use crate::model::text::{self, Consequence};
use crate::model::{PhotoKey, UserError, UserErrorCode};
use crate::outbound::{FetchError, FetchLimits};

/// The input field that every refusal points to.
const FIELD: &[&str] = &["input", "deceased", "photoUrl"];

/// Fetches the portrait and keeps a copy under a name nobody can guess.
pub(super) async fn fetch(
    services: &Services,
    source: &WebAddress,
    consequence: Consequence,
) -> Result<PhotoKey, OperationError> {
    let bytes = match services.outbound.fetch(source, FetchLimits::PHOTO).await {
        Ok(bytes) => bytes,
        Err(error) => return Err(OperationError::refused(not_fetched(&error, consequence))),
    };
    keep(services, bytes).await.map_err(|error| match error {
        KeepPhotoError::WrongFormat => {
            let message = text::photo_wrong_format(consequence);
            OperationError::refused(UserError::new(UserErrorCode::Invalid, FIELD, message))
        }
        KeepPhotoError::TooLarge => {
            let message = text::photo_too_large(consequence);
            OperationError::refused(UserError::new(UserErrorCode::Invalid, FIELD, message))
        }
        KeepPhotoError::Failed(failure) => OperationError::Failed(failure),
    })
}

/// Why bytes are not kept as a portrait.
#[derive(Debug, thiserror::Error)]
pub enum KeepPhotoError {
    #[error("the bytes are none of the five formats")]
    WrongFormat,
    #[error("the photo is too large")]
    TooLarge,
    #[error(transparent)]
    Failed(Failure),
}

/// Keeps bytes as a portrait that a card may show, under a name nobody can guess.
pub async fn keep(services: &Services, bytes: Bytes) -> Result<PhotoKey, KeepPhotoError> {
    if bytes.len() > limits::PHOTO_BYTES_MAX {
        return Err(KeepPhotoError::TooLarge);
    }
    let format = PhotoFormat::sniff(&bytes).ok_or(KeepPhotoError::WrongFormat)?;
    let key = PhotoKey::trusted(format!("{}.{}", services.entropy.unguessable(), format.extension()));
    // The row comes first: should the process die in between, the sweep finds a row without a photo, which it removes,
    // and never a photo without a row, which nobody would find.
    let failed = |failure| KeepPhotoError::Failed(failure);
    let noted = services.store.put_photo(key.clone(), bytes.len() as i64, services.clock.now()).await;
    noted.map_err(|error| failed(error.into()))?;
    let kept = services.media.put(&format!("photo/{}", key.as_str()), bytes).await;
    kept.map_err(|error| failed(error.into()))?;
    Ok(key)
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

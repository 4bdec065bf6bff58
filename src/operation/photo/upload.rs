//! The family uploads a portrait (decisions S5), by the rules of `photoUrl`.
//!
//! The stored photo is re-encoded as a JPEG, because a photo of a phone contains its location, which the partner must not
//! get.

use bytes::Bytes;

use super::quota;
use super::storage::keep;
use crate::base::{Timestamp, limits};
use crate::media::{PhotoFormat, RenderError, Requester};
use crate::model::{Card, KeyMode, PhotoKey};
use crate::operation::Failure;
use crate::services::Services;

/// Why a photo was refused; nothing was stored.
#[derive(Debug, thiserror::Error)]
pub enum UploadError {
    #[error("the photo has more bytes than may be")]
    TooLarge,
    #[error("the photo is of none of the five formats")]
    Format,
    #[error("the photo is damaged, or not what it says it is")]
    Unreadable,
    #[error("the photo has too many pixels")]
    TooManyPixels,
    /// May succeed later.
    #[error("the photo could not be looked into in time")]
    Busy,
    /// The browser session has reached its limit of an hour.
    #[error("the browser session has sent too many photos")]
    TooMany { free_at: Timestamp },
    /// The partner of the card has reached its limit of a day.
    #[error("too many bytes of photos are stored for the partner")]
    NoSpace { free_at: Timestamp },
    #[error(transparent)]
    Failed(Failure),
}

/// Stores a photo for this card, with its renditions.
pub async fn upload(
    services: &Services,
    card: &Card,
    session: &[u8; 32],
    photo: Bytes,
) -> Result<PhotoKey, UploadError> {
    if photo.len() > limits::PHOTO_BYTES_MAX {
        return Err(UploadError::TooLarge);
    }
    if let Some(free_at) = quota::take_upload(services, session).await? {
        return Err(UploadError::TooMany { free_at });
    }
    let requester = Requester::card(card.partner_id, card.id);
    let taken = services.renderer.reencode(photo, requester).await.map_err(|error| match error {
        RenderError::Format => UploadError::Format,
        RenderError::Unreadable => UploadError::Unreadable,
        RenderError::TooManyPixels => UploadError::TooManyPixels,
        RenderError::TimeOut => UploadError::Busy,
    })?;
    let mode = KeyMode::of(card.test);
    if let Some(free_at) = quota::take_bytes(services, card.partner_id, mode, taken.photo.len()).await? {
        return Err(UploadError::NoSpace { free_at });
    }
    Ok(keep(services, PhotoFormat::Jpeg, taken.photo, taken.renditions).await?)
}

impl<F: Into<Failure>> From<F> for UploadError {
    fn from(failure: F) -> Self {
        UploadError::Failed(failure.into())
    }
}

//! A family sends a portrait (decisions S5): by the rules of `photoUrl`, and looked into before anything is kept.
//!
//! What is kept is the picture made anew as a JPEG: a photo from a telephone says where it was taken, and the copy that
//! the partner sees has no business with that.

use bytes::Bytes;

use super::quota;
use super::storage::keep;
use crate::base::{Timestamp, limits};
use crate::media::{PhotoFormat, RenderError, Requester};
use crate::model::{Card, KeyMode, PhotoKey};
use crate::operation::{Failure, Services};

/// Why a photo was not taken; nothing was kept.
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
    /// Another time, perhaps.
    #[error("the photo could not be looked into in time")]
    Busy,
    /// The browser session has sent as many as it may in an hour.
    #[error("the browser session has sent too many photos")]
    TooMany { free_at: Timestamp },
    /// As many bytes are stored for the partner of the card as may be in a day.
    #[error("too many bytes of photos are stored for the partner")]
    NoSpace { free_at: Timestamp },
    #[error(transparent)]
    Failed(Failure),
}

/// Takes a photo in that is meant for this card, with its renditions: the card can show it at once.
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
    let taken = services.renderer.take_in(photo, requester).await.map_err(|error| match error {
        RenderError::Format => UploadError::Format,
        RenderError::Unreadable => UploadError::Unreadable,
        RenderError::TooManyPixels => UploadError::TooManyPixels,
        RenderError::TimeOut => UploadError::Busy,
    })?;
    let mode = if card.test { KeyMode::Test } else { KeyMode::Live };
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

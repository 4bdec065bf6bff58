//! A family sends a portrait (decisions S5): by the rules of `photoUrl`, and looked into before anything is kept.
//!
//! What is kept is the picture made anew as a JPEG: a photo from a telephone says where it was taken, and the copy that
//! the partner sees has no business with that.

use bytes::Bytes;

use super::keep::keep;
use crate::base::limits;
use crate::media::{PhotoFormat, RenderError};
use crate::model::PhotoKey;
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
    #[error(transparent)]
    Failed(Failure),
}

/// Takes a photo in, with its renditions: the card that gets its key can show it at once.
pub async fn upload(services: &Services, photo: Bytes) -> Result<PhotoKey, UploadError> {
    if photo.len() > limits::PHOTO_BYTES_MAX {
        return Err(UploadError::TooLarge);
    }
    let taken = services.renderer.take_in(photo).await.map_err(|error| match error {
        RenderError::Format => UploadError::Format,
        RenderError::Unreadable => UploadError::Unreadable,
        RenderError::TooManyPixels => UploadError::TooManyPixels,
        RenderError::TimeOut => UploadError::Busy,
    })?;
    Ok(keep(services, PhotoFormat::Jpeg, taken.photo, taken.renditions).await?)
}

impl<F: Into<Failure>> From<F> for UploadError {
    fn from(failure: F) -> Self {
        UploadError::Failed(failure.into())
    }
}

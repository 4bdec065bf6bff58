//! The errors of rendering a photo.

/// Why there are no renditions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RenderError {
    #[error("the photo is of none of the five formats")]
    Format,
    #[error("the photo is damaged, or not what it says it is")]
    Unreadable,
    /// Or it needs more memory or processor time than the limits allow.
    #[error("the photo has too many pixels")]
    TooManyPixels,
    /// Not the photo's fault; may succeed later.
    #[error("the photo could not be decoded in time")]
    TimeOut,
}

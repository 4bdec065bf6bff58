//! Renditions: pictures made anew from a photo, of which nothing but the picture is left (decisions, section 7).
//!
//! Called by the operation that takes a photo in and by the worker that renders what was fetched. A photo comes from
//! anybody: decoding is limited in pixels, in memory and in time, runs beside the requests on threads of its own, and a
//! decoder that panics is an unreadable photo. What comes out is a plain JPEG in sRGB: position and camera are gone,
//! orientation is applied, and whatever else lay in the file is not in it.

mod colour;
mod decode;
mod jpeg_end;
#[cfg(test)]
mod tests;

use std::io::Cursor;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use image::codecs::jpeg::JpegEncoder;
use image::imageops::FilterType;
use image::{DynamicImage, ImageEncoder as _};
use tokio::sync::Semaphore;

use self::decode::{Decoded, decode};
use crate::base::limits;
use crate::model::PixelSize;

/// What the pages show of a photo.
#[derive(Clone, PartialEq, Eq)]
pub struct Renditions {
    pub screen: Bytes,
    pub screen_size: PixelSize,
    pub preview: Bytes,
}

/// A photo that a family sent: itself made anew, so that not even the stored copy holds its position.
#[derive(Clone, PartialEq, Eq)]
pub struct TakenIn {
    /// A JPEG.
    pub photo: Bytes,
    pub renditions: Renditions,
}

/// Why there are no renditions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RenderError {
    #[error("the photo is of none of the five formats")]
    Format,
    #[error("the photo is damaged, or not what it says it is")]
    Unreadable,
    #[error("the photo has too many pixels")]
    TooManyPixels,
    /// Another time, perhaps.
    #[error("the photo could not be decoded in time")]
    TimeOut,
}

/// Makes renditions, a few at once; cheap to clone.
#[derive(Clone, Debug)]
pub struct Renderer {
    free: Arc<Semaphore>,
    /// How long one is waited for.
    patience: Duration,
}

impl Default for Renderer {
    fn default() -> Self {
        Self { free: Arc::new(Semaphore::new(limits::RENDERINGS_AT_ONCE)), patience: limits::RENDERING }
    }
}

impl Renderer {
    /// The renditions of a photo that was fetched.
    pub async fn renditions(&self, photo: Bytes) -> Result<Renditions, RenderError> {
        self.run(move || Ok(renditions_of(decode(&photo)?))).await
    }

    /// A photo that a family sent, made anew, with its renditions.
    pub async fn take_in(&self, photo: Bytes) -> Result<TakenIn, RenderError> {
        self.run(move || {
            let decoded = fit(decode(&photo)?, limits::TAKEN_IN_SIDE_PIXELS_MAX);
            let photo = encode(&decoded, limits::TAKEN_IN_QUALITY);
            Ok(TakenIn { photo, renditions: renditions_of(decoded) })
        })
        .await
    }

    /// Runs on a thread that may be busy for a while. One that takes too long is no longer waited for; it keeps its
    /// place until it ends, which its pixels bound, so that there are never more of them.
    async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Result<T, RenderError> + Send + 'static,
    ) -> Result<T, RenderError> {
        let worked = async {
            let place = Arc::clone(&self.free).acquire_owned().await.map_err(|_| RenderError::TimeOut)?;
            let done = tokio::task::spawn_blocking(move || {
                let _place = place;
                work()
            });
            done.await.unwrap_or(Err(RenderError::Unreadable)) // a decoder panicked, which the panic hook has told
        };
        tokio::time::timeout(self.patience, worked).await.unwrap_or(Err(RenderError::TimeOut))
    }
}

fn renditions_of(decoded: Decoded) -> Renditions {
    let screen = fit(decoded, limits::SCREEN_SIDE_PIXELS_MAX);
    let screen_size = PixelSize { width: screen.image.width(), height: screen.image.height() };
    let preview = fit(screen.clone(), limits::PREVIEW_SIDE_PIXELS_MAX);
    Renditions {
        screen: encode(&screen, limits::RENDITION_QUALITY),
        screen_size,
        preview: encode(&preview, limits::RENDITION_QUALITY),
    }
}

/// The picture with its longest side cut down to `side`; a smaller one stays as it is.
fn fit(decoded: Decoded, side: u32) -> Decoded {
    let Decoded { mut image, profile } = decoded;
    if image.width().max(image.height()) > side {
        if image.width().max(image.height()) > 3 * side {
            // Averaging whole pixels first is many times faster, and does not show after the finer step.
            image = image.thumbnail(2 * side, 2 * side);
        }
        image = image.resize(side, side, FilterType::CatmullRom);
    }
    Decoded { image, profile }
}

fn encode(decoded: &Decoded, quality: u8) -> Bytes {
    let mut rgb = DynamicImage::to_rgb8(&decoded.image);
    colour::to_srgb(&mut rgb, decoded.profile.as_deref());
    let mut bytes = Cursor::new(Vec::new());
    JpegEncoder::new_with_quality(&mut bytes, quality)
        .write_image(rgb.as_raw(), rgb.width(), rgb.height(), image::ExtendedColorType::Rgb8)
        .expect("memory takes what is written, and a decoded picture has a size that JPEG knows");
    bytes.into_inner().into()
}

//! Renditions: pictures re-encoded from a photo, without its metadata (decisions, section 7).
//!
//! Called by the operations that fetch or upload a photo, and by the worker. Photos are untrusted: each is decoded in a
//! process of its own with limits on pixels, memory and time (`program.rs`), a few at a time and in fair order (`queue.rs`).
//! The result is a plain JPEG in sRGB with the orientation applied.

mod colour;
mod decode;
mod jpeg_end;
mod program;
mod queue;
mod rlimit;
mod task;
#[cfg(test)]
mod tests;

use std::io::Cursor;

use bytes::Bytes;
use image::codecs::jpeg::JpegEncoder;
use image::imageops::FilterType;
use image::{DynamicImage, ImageEncoder as _};

use self::decode::Decoded;
pub use self::program::DecoderProgram;
use self::queue::Queue;
pub use self::queue::Requester;
use self::task::Pictures;
pub use self::task::{Task as DecodeTask, decode_stdin};
use super::PhotoFormat;
use crate::base::limits;
use crate::model::PixelSize;

/// The renditions of a photo.
#[derive(Clone, PartialEq, Eq)]
pub struct Renditions {
    pub screen: Bytes,
    pub screen_size: PixelSize,
    pub preview: Bytes,
}

/// An uploaded photo, re-encoded, so that the stored copy has no location either.
#[derive(Clone, PartialEq, Eq)]
pub struct Reencoded {
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
    /// Or it needs more memory or processor time than the limits allow.
    #[error("the photo has too many pixels")]
    TooManyPixels,
    /// Not the photo's fault; may succeed later.
    #[error("the photo could not be decoded in time")]
    TimeOut,
}

/// Makes renditions, a few at a time; cheap to clone.
#[derive(Clone, Debug)]
pub struct Renderer {
    queue: Queue,
    decoder: Decoder,
}

/// Where photos are decoded.
#[derive(Clone, Debug)]
enum Decoder {
    Program(DecoderProgram),
    /// In this process, for unit tests, which have no program to start.
    #[cfg(test)]
    Here,
}

impl Renderer {
    /// A renderer that starts this program for each photo.
    pub fn new(program: DecoderProgram) -> Self {
        Self { queue: Queue::new(), decoder: Decoder::Program(program) }
    }

    #[cfg(test)]
    pub fn in_this_process() -> Self {
        Self { queue: Queue::new(), decoder: Decoder::Here }
    }

    /// The renditions of a fetched photo.
    pub async fn renditions(&self, photo: Bytes, requester: Requester) -> Result<Renditions, RenderError> {
        Ok(self.run(DecodeTask::Renditions, photo, requester).await?.renditions)
    }

    /// An uploaded photo, re-encoded, with its renditions.
    pub async fn reencode(&self, photo: Bytes, requester: Requester) -> Result<Reencoded, RenderError> {
        self.run(DecodeTask::Reencode, photo, requester).await?.reencoded().ok_or(RenderError::TimeOut)
    }

    async fn run(&self, task: DecodeTask, photo: Bytes, requester: Requester) -> Result<Pictures, RenderError> {
        PhotoFormat::sniff(&photo).ok_or(RenderError::Format)?;
        let Ok(Some(_permit)) = tokio::time::timeout(limits::RENDERING_WAIT, self.queue.permit(requester)).await else {
            tracing::warn!("a photo was not decoded: too many others wait");
            return Err(RenderError::TimeOut);
        };
        match &self.decoder {
            Decoder::Program(program) => program.run(task, &photo).await,
            #[cfg(test)]
            Decoder::Here => {
                tokio::task::spawn_blocking(move || task.run(&photo)).await.unwrap_or(Err(RenderError::Unreadable))
            }
        }
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

/// The picture scaled down to a longest side of `side`; a smaller one is unchanged.
fn fit(decoded: Decoded, side: u32) -> Decoded {
    let Decoded { mut image, profile } = decoded;
    if image.width().max(image.height()) > side {
        if image.width().max(image.height()) > 3 * side {
            // Averaging whole pixels first is many times faster, and invisible after the finer step.
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

//! Renditions: pictures re-encoded from a photo, without its metadata (decisions, section 7).
//!
//! Called by the operations that fetch or upload a photo, and by the worker. Photos are untrusted: each is decoded in a
//! separate process with limits on pixels, memory and time (`program.rs`), a few at a time and in fair order (`queue.rs`).
//! The result is a plain JPEG in sRGB with the orientation applied. The same processes draw the pictures of messages
//! (`drawing.rs`).

mod decode;
mod drawing;
mod heic;
mod jpeg;
mod png;
mod program;
mod queue;
mod scale;
mod task;
#[cfg(test)]
mod tests;

pub use decode::{Reencoded, Renditions};
pub use program::DecoderProgram;
pub use queue::Requester;
pub use task::{Task as DecodeTask, decode_stdin};

use std::sync::Arc;

use bytes::Bytes;
use quick_cache::Weighter;
use quick_cache::sync::Cache;

use self::queue::Queue;
use self::task::{Pictures, Task};
use crate::base::limits;
use crate::media::PhotoFormat;

/// Makes renditions and drawings, a few at a time; cheap to clone.
#[derive(Clone, Debug)]
pub struct Renderer {
    queue: Queue,
    decoder: Decoder,
    /// Drawings by their names.
    drawings: Arc<Cache<String, Bytes, InBytes>>,
}

/// The weight of a drawing in the cache, in bytes.
#[derive(Clone, Debug)]
struct InBytes;

impl Weighter<String, Bytes> for InBytes {
    fn weight(&self, name: &String, picture: &Bytes) -> u64 {
        (name.len() + picture.len()) as u64
    }
}

/// The place where photos are decoded: another process, or this one.
#[derive(Clone, Debug)]
enum Decoder {
    Program(DecoderProgram),
    /// In this process, for tests, which have no program to start.
    Here,
}

impl Renderer {
    /// A renderer that starts this program for each photo.
    pub fn new(program: DecoderProgram) -> Self {
        Self::with_decoder(Decoder::Program(program))
    }

    /// A renderer that decodes photos in this process. For tests.
    pub fn in_this_process() -> Self {
        Self::with_decoder(Decoder::Here)
    }

    fn with_decoder(decoder: Decoder) -> Self {
        let drawings = Cache::with_weighter(limits::DRAWINGS_CACHED_MAX, limits::DRAWINGS_CACHED_BYTES_MAX, InBytes);
        Self { queue: Queue::new(), decoder, drawings: Arc::new(drawings) }
    }

    /// The renditions of a fetched photo.
    pub async fn renditions(&self, photo: Bytes, requester: Requester) -> Result<Renditions, RenderError> {
        PhotoFormat::sniff(&photo).ok_or(RenderError::Format)?;
        self.run(Task::Renditions, photo, requester).await?.renditions().ok_or(RenderError::TimeOut)
    }

    /// An uploaded photo, re-encoded, with its renditions.
    pub async fn reencode(&self, photo: Bytes, requester: Requester) -> Result<Reencoded, RenderError> {
        PhotoFormat::sniff(&photo).ok_or(RenderError::Format)?;
        self.run(Task::Reencode, photo, requester).await?.into_reencoded().ok_or(RenderError::TimeOut)
    }

    /// The drawing with this name, which only one content may have: from memory, or of the SVG. Concurrent requests for a
    /// name share one drawing.
    pub async fn drawing<E: From<RenderError>>(
        &self,
        name: &str,
        svg: impl Future<Output = Result<Bytes, E>>,
    ) -> Result<Bytes, E> {
        let draw = async {
            let drawn = self.run(Task::Draw, svg.await?, Requester::reader()).await?;
            Ok(drawn.into_drawing().ok_or(RenderError::TimeOut)?)
        };
        self.drawings.get_or_insert_async(name, draw).await
    }

    async fn run(&self, task: Task, photo: Bytes, requester: Requester) -> Result<Pictures, RenderError> {
        let Ok(Some(_permit)) = tokio::time::timeout(limits::RENDERING_WAIT, self.queue.permit(requester)).await else {
            tracing::warn!("a photo was not decoded: too many others wait");
            return Err(RenderError::Busy);
        };
        match &self.decoder {
            Decoder::Program(program) => program.run(task, &photo).await,
            Decoder::Here => {
                tokio::task::spawn_blocking(move || task.run(&photo)).await.unwrap_or(Err(RenderError::Unreadable))
            }
        }
    }
}

/// Why there are no renditions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RenderError {
    #[error("the photo is of none of the five formats")]
    Format,
    #[error("the photo is damaged, or its content does not match its type")]
    Unreadable,
    /// Or it needs more memory or processor time than the limits allow.
    #[error("the photo has too many pixels")]
    TooManyPixels,
    /// Too many other photos wait.
    #[error("the photo waited too long for a decoder")]
    Busy,
    /// Not the photo's fault; may succeed later.
    #[error("the photo could not be decoded in time")]
    TimeOut,
}

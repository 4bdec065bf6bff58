//! The renderer: decodes photos in processes of their own, behind a fair queue.

use bytes::Bytes;

use super::error::RenderError;
use super::picture::{Reencoded, Renditions};
use super::program::DecoderProgram;
use super::queue::{Queue, Requester};
use super::task::{Pictures, Task};
use crate::base::limits;
use crate::media::PhotoFormat;

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
    /// In this process, for tests, which have no program to start.
    Here,
}

impl Renderer {
    /// A renderer that starts this program for each photo.
    pub fn new(program: DecoderProgram) -> Self {
        Self { queue: Queue::new(), decoder: Decoder::Program(program) }
    }

    /// A renderer that decodes photos in this process. For tests.
    pub fn in_this_process() -> Self {
        Self { queue: Queue::new(), decoder: Decoder::Here }
    }

    /// The renditions of a fetched photo.
    pub async fn renditions(&self, photo: Bytes, requester: Requester) -> Result<Renditions, RenderError> {
        Ok(self.run(Task::Renditions, photo, requester).await?.renditions)
    }

    /// An uploaded photo, re-encoded, with its renditions.
    pub async fn reencode(&self, photo: Bytes, requester: Requester) -> Result<Reencoded, RenderError> {
        self.run(Task::Reencode, photo, requester).await?.reencoded().ok_or(RenderError::TimeOut)
    }

    async fn run(&self, task: Task, photo: Bytes, requester: Requester) -> Result<Pictures, RenderError> {
        PhotoFormat::sniff(&photo).ok_or(RenderError::Format)?;
        let Ok(Some(_permit)) = tokio::time::timeout(limits::RENDERING_WAIT, self.queue.permit(requester)).await else {
            tracing::warn!("a photo was not decoded: too many others wait");
            return Err(RenderError::TimeOut);
        };
        match &self.decoder {
            Decoder::Program(program) => program.run(task, &photo).await,
            Decoder::Here => {
                tokio::task::spawn_blocking(move || task.run(&photo)).await.unwrap_or(Err(RenderError::Unreadable))
            }
        }
    }
}

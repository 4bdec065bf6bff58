//! Renditions: pictures re-encoded from a photo, without its metadata (decisions, section 7).
//!
//! Called by the operations that fetch or upload a photo, and by the worker. Photos are untrusted: each is decoded in a
//! process of its own with limits on pixels, memory and time (`program.rs`), a few at a time and in fair order (`queue.rs`).
//! The result is a plain JPEG in sRGB with the orientation applied. The same processes draw the pictures of messages
//! (`drawing.rs`).

mod colour;
mod decode;
mod drawing;
mod error;
mod jpeg_end;
mod picture;
mod program;
mod queue;
mod renderer;
mod rlimit;
mod task;
#[cfg(test)]
mod tests;

pub use error::RenderError;
pub use picture::{Reencoded, Renditions};
pub use program::DecoderProgram;
pub use queue::Requester;
pub use renderer::Renderer;
pub use task::{Task as DecodeTask, decode_stdin};

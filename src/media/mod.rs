//! Stored pictures and videos: the object store, photo formats and renditions.
//!
//! Used by the operations on portraits, the import of themes and the routes that serve both (specification, sections 2.6 and
//! 2.11; decisions, section 7). Only this module names object_store.

mod content_type;
mod error;
mod key;
mod photo_format;
mod rendition;
mod s3;
mod store;

pub use content_type::content_type_of;
pub use error::MediaError;
pub use photo_format::PhotoFormat;
pub use rendition::{
    DecodeTask, DecoderProgram, Reencoded, RenderError, Renderer, Renditions, Requester, decode_stdin,
};
pub use store::{MediaObserver, MediaParts, MediaStore};

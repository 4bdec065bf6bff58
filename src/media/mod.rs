//! Pictures and films at rest: the object store, and what their bytes and names say about their format.
//!
//! Called by the operation that stores a portrait, the import of themes and the route that serves both
//! (specification, sections 2.6 and 2.11; decisions, section 7). The only place that names object_store.

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
pub use rendition::{DecodeTask, DecoderProgram, RenderError, Renderer, Renditions, Requester, TakenIn, decode_stdin};
pub use store::{MediaParts, MediaStore};

//! The portrait: where it comes from, how it is kept, and what of it the pages show (specification, section 2.11;
//! decisions, section 7).
//!
//! The partner API shows the service's copy of what the partner supplied, byte for byte. The pages show renditions alone:
//! a photo may hold the position where it was taken.

mod fetch;
mod keep;
mod quota;
mod render;
mod upload;

pub(in crate::operation) use fetch::fetch;
pub use keep::discard;
pub use render::render_next;
pub use upload::{UploadError, upload};

//! Portraits: fetched from a partner or uploaded by the family, stored, rendered and deleted (specification, section 2.11;
//! decisions, section 7).
//!
//! The partner API returns the photo byte for byte as the partner supplied it. The pages show renditions only, because a
//! photo may contain the location where it was taken.

mod fetch;
mod quota;
mod storage;
mod upload;

pub(in crate::operation) use fetch::fetch;
pub(in crate::operation) use storage::{delete_renditions, restore_renditions};
pub(crate) use storage::{delete_unused, render_next};
pub use upload::{UploadError, upload};

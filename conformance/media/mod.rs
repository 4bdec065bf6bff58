//! The object store, seen from outside (decisions, section 7).

mod decoder;
mod odd_photo;
mod quota;
mod s3;

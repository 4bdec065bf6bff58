//! The object store, seen from outside (decisions, section 7).

mod s3;

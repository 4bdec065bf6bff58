//! One-time sessions into the service's own pages (specification, section 2.7; decisions S1).

mod create;

pub use create::{CreatedSession, create};

use sha2::{Digest, Sha256};

/// What is stored of a link: SHA-256 of its unguessable part, by which the link is found when it is opened.
fn digest(token: &str) -> [u8; 32] {
    Sha256::digest(token.as_bytes()).into()
}

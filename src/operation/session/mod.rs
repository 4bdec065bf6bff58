//! Session links and browser sessions of the service's own pages (specification, section 2.7; decisions S1, S2).

mod create;
mod open_sessions;
mod redeem;

pub use create::{CreatedSession, create};
pub use open_sessions::{list_open, revoke};
pub use redeem::{LinkState, Redeemed, browser_session, link_state, redeem};

use sha2::{Digest, Sha256};

/// What is stored of a link or a cookie: SHA-256 of its unguessable text, by which it is found when it comes back.
pub(super) fn digest(token: &str) -> [u8; 32] {
    Sha256::digest(token.as_bytes()).into()
}

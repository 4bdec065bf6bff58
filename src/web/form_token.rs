//! The token that a form carries, so that no other site can send it in somebody's name (decisions S4).

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq as _;

/// The field of a form that holds it.
pub(super) const FIELD: &str = "form_token";

/// The token of the visit with this cookie: only who has the cookie's value can make it, and it gives nothing of it away.
pub(super) fn of(cookie: &str) -> String {
    URL_SAFE_NO_PAD.encode(Sha256::new().chain_update(b"form token\0").chain_update(cookie.as_bytes()).finalize())
}

/// Whether a form came from a page of this visit.
pub(super) fn is_right(cookie: &str, sent: &str) -> bool {
    of(cookie).as_bytes().ct_eq(sent.as_bytes()).into()
}

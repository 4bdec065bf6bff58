//! The cookie of a browser session, and the form token derived from it.
//!
//! Each environment of each card has a cookie of its own, so that two cards can be open in one browser (decisions S2). The
//! token keeps other sites from sending a form in the name of the user (decisions S4).

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use http::HeaderValue;
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq as _;
use uuid::Uuid;

use super::context::PageContext;
use crate::base::limits;
use crate::model::SessionTarget;

/// The form field that holds the token.
pub(super) const TOKEN_FIELD: &str = "form_token";

/// Returns the name of the cookie. `__Host-` binds it to this host and to https (RFC 6265bis, section 4.1.3.2).
pub(super) fn cookie_name(context: &PageContext, card_id: Uuid, target: SessionTarget) -> String {
    let prefix = if context.secure { "__Host-" } else { "" };
    let environment = match target {
        SessionTarget::Customizer => "kaart",
        SessionTarget::InviteeList => "gasten",
    };
    format!("{prefix}{environment}-{}", card_id.simple())
}

/// Returns the value of `Set-Cookie`.
pub(super) fn set_cookie(context: &PageContext, card_id: Uuid, target: SessionTarget, value: &str) -> HeaderValue {
    let name = cookie_name(context, card_id, target);
    let secure = if context.secure { "; Secure" } else { "" };
    let seconds = limits::BROWSER_SESSION_TOTAL.as_secs();
    let cookie = format!("{name}={value}; Path=/; Max-Age={seconds}; HttpOnly; SameSite=Lax{secure}");
    HeaderValue::try_from(cookie).expect("names and values of cookies are visible ASCII")
}

/// Returns the form token of the session with this cookie. It does not reveal the cookie.
pub(super) fn form_token(cookie: &str) -> String {
    URL_SAFE_NO_PAD.encode(Sha256::new().chain_update(b"form token\0").chain_update(cookie.as_bytes()).finalize())
}

/// Whether `sent` is the form token of the session with this cookie.
pub(super) fn is_form_token(cookie: &str, sent: &str) -> bool {
    form_token(cookie).as_bytes().ct_eq(sent.as_bytes()).into()
}

//! The cookie of a visit: one for each environment of each card, so that two cards open side by side stay apart
//! (decisions S2).

use http::HeaderValue;
use uuid::Uuid;

use super::site::Site;
use crate::base::limits;
use crate::model::SessionTarget;

/// The name of the cookie. `__Host-` binds it to this very host and to https (RFC 6265bis, section 4.1.3.2).
pub(super) fn name(site: &Site, card_id: Uuid, target: SessionTarget) -> String {
    let prefix = if site.is_secure() { "__Host-" } else { "" };
    let environment = match target {
        SessionTarget::Customizer => "kaart",
        SessionTarget::InviteeList => "gasten",
    };
    format!("{prefix}{environment}-{}", card_id.simple())
}

/// The header that gives a browser its cookie.
pub(super) fn set(site: &Site, card_id: Uuid, target: SessionTarget, value: &str) -> HeaderValue {
    let name = name(site, card_id, target);
    let secure = if site.is_secure() { "; Secure" } else { "" };
    let seconds = limits::VISIT_TOTAL.as_secs();
    let cookie = format!("{name}={value}; Path=/; Max-Age={seconds}; HttpOnly; SameSite=Lax{secure}");
    HeaderValue::try_from(cookie).expect("names and values of ours are visible ASCII")
}

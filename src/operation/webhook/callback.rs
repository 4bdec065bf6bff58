//! The rules of a callback address (decisions V3, V4, W5 and section 7).

use url::Url;

use crate::base::{HttpUrl, Parsed, limits};
use crate::model::{KeyMode, UserError, UserErrorCode, text};
use crate::outbound::CheckError;
use crate::services::Services;
use crate::store::Holder;

const CALLBACK_URL: &[&str] = &["webhookSubscription", "callbackUrl"];

/// Checks a callback URL and that notifications can be sent to it.
pub(super) async fn accept(services: &Services, sent: Parsed<HttpUrl>) -> Result<HttpUrl, Vec<UserError>> {
    let address = check(sent)?;
    // The DNS query comes last.
    let reachable = services.outbound.check(&address.url()).await;
    reachable.map_err(|error| vec![not_reachable(&error)])?;
    Ok(address)
}

/// Checks the text of a callback URL.
fn check(sent: Parsed<HttpUrl>) -> Result<HttpUrl, Vec<UserError>> {
    let address = match sent {
        Parsed::Value(address) => address,
        Parsed::Invalid(text) if text.trim().is_empty() => {
            return Err(vec![blank()]);
        }
        Parsed::Invalid(text) if is_too_long(&text) => return Err(vec![invalid(too_long())]),
        Parsed::Invalid(_) => return Err(vec![invalid(text::CALLBACK_NOT_HTTPS)]),
    };
    let url = address.url();
    let broken: Vec<_> = [
        is_too_long(address.as_str()).then(|| invalid(too_long())),
        (url.scheme() != "https").then(|| invalid(text::CALLBACK_NOT_HTTPS)),
        has_credentials(&url).then(|| invalid(text::CALLBACK_CREDENTIALS)),
        url.fragment().is_some().then(|| invalid(text::CALLBACK_FRAGMENT)),
    ]
    .into_iter()
    .flatten()
    .collect();
    if broken.is_empty() { Ok(address) } else { Err(broken) }
}

/// The user error for an address that the egress policy refuses.
fn not_reachable(error: &CheckError) -> UserError {
    invalid(match error {
        CheckError::NotPublic => text::CALLBACK_NOT_PUBLIC,
        CheckError::Unresolved => text::CALLBACK_UNRESOLVED,
    })
}

pub(super) fn blank() -> UserError {
    UserError::new(UserErrorCode::Blank, CALLBACK_URL, text::CALLBACK_BLANK)
}

/// The user error for an address that another subscription of the account has. It says whether that one is paused (decisions
/// W7). A test key learns nothing else about a live subscription.
pub(super) fn taken(mode: KeyMode, holder: Holder) -> UserError {
    let (message, pause) = match (mode, holder.test) {
        (KeyMode::Test, false) => (text::CALLBACK_TAKEN_LIVE, None),
        (KeyMode::Live, true) => (text::CALLBACK_TAKEN_TEST, holder.pause),
        (KeyMode::Live, false) | (KeyMode::Test, true) => (text::CALLBACK_TAKEN, holder.pause),
    };
    let message = pause.map_or(message.to_owned(), |pause| text::taken_and_paused(message, pause));
    UserError::new(UserErrorCode::Taken, CALLBACK_URL, message)
}

pub(super) fn invalid(message: impl Into<String>) -> UserError {
    UserError::new(UserErrorCode::Invalid, CALLBACK_URL, message)
}

fn is_too_long(text: &str) -> bool {
    text.chars().count() > limits::URL_CHARS_MAX
}

fn too_long() -> String {
    text::text_too_long(limits::URL_CHARS_MAX)
}

fn has_credentials(url: &Url) -> bool {
    !url.username().is_empty() || url.password().is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn callback_names_every_rule_it_breaks() {
        let sent = HttpUrl::parse("http://wie@voorbeeld.nl/#a").expect("an address");
        let errors = check(Parsed::Value(sent)).expect_err("it breaks three rules");
        let messages: Vec<_> = errors.iter().map(|error| error.message.as_str()).collect();
        assert_eq!(messages, [text::CALLBACK_NOT_HTTPS, text::CALLBACK_CREDENTIALS, text::CALLBACK_FRAGMENT]);
    }
}

//! Parsers of the settings. An error message does not repeat the value.

use std::fmt::Display;
use std::net::SocketAddr;
use std::num::NonZeroU32;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use url::Url;

use crate::base::{ErrorChain, limits};
use crate::mail::Mailer;
use crate::model::CardActivation;
use crate::outbound::EgressPolicy;
use crate::store::{OpenError, check_address};

pub(super) fn database_url(text: String) -> Result<String, String> {
    match check_address(&text) {
        Ok(()) => Ok(text),
        Err(OpenError::Scheme) => Err("must start with sqlite:// or postgres://".to_owned()),
        Err(OpenError::Address(reason)) => Err(reason),
        Err(error) => Err(ErrorChain(&error).to_string()),
    }
}

pub(super) fn media_url(text: String) -> Result<String, String> {
    let known = ["file://", "s3://"].iter().any(|start| text.starts_with(start));
    if known { Ok(text) } else { Err("must start with file:// or s3://".to_owned()) }
}

pub(super) fn listen(text: String) -> Result<SocketAddr, String> {
    text.parse().map_err(|_| "must be an address and a port, such as 127.0.0.1:8080 or [::]:8080".to_owned())
}

/// Parses the address of the administration. Its cookie opens every card, so it leaves this machine over TLS alone.
pub(super) fn admin_listen(text: String, has_tls: bool) -> Result<SocketAddr, String> {
    let address = listen(text)?;
    match address.ip().is_loopback() || has_tls {
        true => Ok(address),
        false => Err("must be on the loopback, such as 127.0.0.1:8081, without TLS_CERTIFICATE and TLS_KEY".to_owned()),
    }
}

pub(super) fn public_base_url(text: String) -> Result<String, String> {
    let wrong = || "must be an http or https address without user, query or fragment".to_owned();
    let url = Url::parse(&text).map_err(|_| wrong())?;
    let bare =
        url.username().is_empty() && url.password().is_none() && url.query().is_none() && url.fragment().is_none();
    if !bare || !matches!(url.scheme(), "http" | "https") || url.host().is_none() {
        return Err(wrong());
    }
    Ok(url.as_str().trim_end_matches('/').to_owned())
}

pub(super) fn egress_allow(text: String) -> Result<String, String> {
    EgressPolicy::parse(&text).map(|_| text).map_err(|error| error.to_string())
}

pub(super) fn readable_file(text: String) -> Result<PathBuf, String> {
    match std::fs::File::open(&text) {
        Ok(_) => Ok(text.into()),
        Err(error) => Err(format!("the file cannot be read: {error}")),
    }
}

pub(super) fn smtp_url(text: String) -> Result<String, String> {
    let right = Url::parse(&text).is_ok_and(|url| matches!(url.scheme(), "smtp" | "smtps") && url.has_host());
    if right { Ok(text) } else { Err("must be an address that starts with smtp:// or smtps://".to_owned()) }
}

pub(super) fn mail_from(text: String) -> Result<String, String> {
    let wrong = "must be an address, such as Gedenkkaart <post@voorbeeld.nl>";
    if Mailer::is_sender(&text) { Ok(text) } else { Err(wrong.to_owned()) }
}

/// Returns the default sender of mails. An IP address has no mailboxes, so it becomes `localhost`.
pub(super) fn sender_at(public_base_url: &str) -> String {
    let url = Url::parse(public_base_url).ok();
    let host = url.as_ref().and_then(Url::domain).unwrap_or("localhost");
    format!("Gedenkkaart <noreply@{host}>")
}

pub(super) fn card_activation(text: String) -> Result<CardActivation, String> {
    match text.as_str() {
        "automatic" => Ok(CardActivation::Automatic),
        "operator" => Ok(CardActivation::Operator),
        _ => Err("must be automatic or operator".to_owned()),
    }
}

pub(super) fn on_or_off(text: String) -> Result<bool, String> {
    match text.as_str() {
        "on" => Ok(true),
        "off" => Ok(false),
        _ => Err("must be on or off".to_owned()),
    }
}

/// Parses a number of days of at least `days_min`, such as 180d, or `off`: for ever.
pub(super) fn kept(text: &str, days_min: u32) -> Result<Option<Duration>, String> {
    if text == "off" {
        return Ok(None);
    }
    let max = limits::RETENTION_DAYS_MAX;
    let days = text.strip_suffix('d').and_then(|days| number_in(days, days_min..=max).ok());
    let days = days.ok_or_else(|| format!("must be off, or a number of days from {days_min}d to {max}d"))?;
    Ok(Some(Duration::from_secs(u64::from(days) * 24 * 60 * 60)))
}

/// Parses an integer within bounds.
pub(super) fn number_in<N>(text: &str, bounds: RangeInclusive<N>) -> Result<N, String>
where
    N: Display + FromStr + PartialOrd,
{
    let number = text.trim().parse().ok().filter(|number| bounds.contains(number));
    number.ok_or_else(|| format!("must be a whole number from {} to {}", bounds.start(), bounds.end()))
}

/// Parses a positive integer.
pub(super) fn points(text: String) -> Result<NonZeroU32, String> {
    let number = number_in(&text, 1..=limits::RATE_SETTING_MAX)?;
    NonZeroU32::new(number).ok_or_else(|| "must not be 0".to_owned())
}

pub(super) fn retry_schedule(text: String) -> Result<Vec<Duration>, String> {
    let delays: Vec<_> = text.split(',').map(|part| delay(part.trim())).collect::<Result<_, _>>()?;
    let count = delays.len();
    if delays.first() != Some(&Duration::ZERO) {
        return Err("must begin with 0s: the first attempt is made at once".to_owned());
    }
    if count > limits::DELIVERY_ATTEMPTS_SETTING_MAX {
        return Err(format!("holds {count} delays; at most {}", limits::DELIVERY_ATTEMPTS_SETTING_MAX));
    }
    Ok(delays)
}

fn delay(text: &str) -> Result<Duration, String> {
    let wrong = || "must be delays such as 0s, 5m, 2h, with commas between them and none over 7d".to_owned();
    let seconds: u64 = match text.chars().last() {
        Some('s') => 1,
        Some('m') => 60,
        Some('h') => 60 * 60,
        Some('d') => 24 * 60 * 60,
        _ => return Err(wrong()),
    };
    let number: u64 = text[..text.len() - 1].parse().map_err(|_| wrong())?;
    let delay = Duration::from_secs(number.saturating_mul(seconds));
    if delay <= limits::DELIVERY_DELAY_SETTING_MAX { Ok(delay) } else { Err(wrong()) }
}

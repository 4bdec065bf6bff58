//! Parsers of the settings. An error message does not repeat the value.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::io::ErrorKind;
use std::net::SocketAddr;
use std::num::NonZeroU32;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;

use toml::Value;
use url::Url;

use super::{SettingError, register};
use crate::base::{ErrorChain, HttpUrl, email_address, limits, trim_invisible};
use crate::mail::{Mailer, SmtpUrl};
use crate::media::MediaStore;
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
    MediaStore::check_address(&text).map(|()| text)
}

/// Parses a variable of the object store. `http` says whether its address may be http.
pub(super) fn media_access(name: &str, text: String, http: bool) -> Result<String, String> {
    match name {
        "AWS_ENDPOINT" => return media_endpoint(text, http),
        "AWS_ALLOW_HTTP" if !matches!(text.as_str(), "true" | "false") => {
            return Err("must be true or false".to_owned());
        }
        "AWS_REGION" if !text.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_')) => {
            return Err("must be a region, such as eu-west-1".to_owned());
        }
        // Everything else is sent in headers.
        _ if !text.bytes().all(|b| b.is_ascii_graphic()) => {
            return Err("must be visible ASCII characters without blanks".to_owned());
        }
        _ => {}
    }
    Ok(text)
}

/// Parses the address of a provider of S3. The bucket is added to its path.
fn media_endpoint(text: String, http: bool) -> Result<String, String> {
    let wrong = || "must be an address that starts with https://, such as https://s3.example.nl:9000".to_owned();
    let starts = |start: &str| text.get(..start.len()).is_some_and(|found| found.eq_ignore_ascii_case(start));
    let url = Url::parse(&text).ok().filter(|url| url.has_host() && (starts("https://") || starts("http://")));
    let url = url.ok_or_else(wrong)?;
    if url.scheme() == "http" && !http {
        return Err("must start with https://; for a store on this machine set AWS_ALLOW_HTTP to true".to_owned());
    }
    let bare = url.username().is_empty() && url.password().is_none();
    match bare && url.query().is_none() && url.fragment().is_none() {
        true => Ok(url.as_str().trim_end_matches('/').to_owned()),
        false => Err("must hold no user, query or fragment; access belongs in the other AWS_ variables".to_owned()),
    }
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
    let wrong = "must be an http or https address of a host alone, without path, user, query or fragment, such as \
                 https://kaarten.example: the service answers at the root of its host";
    let address = HttpUrl::parse(&text).filter(|address| !address.has_credentials()).ok_or(wrong)?;
    let url = address.url();
    if url.path() != "/" || url.query().is_some() || url.fragment().is_some() || url.port() == Some(0) {
        return Err(wrong.to_owned());
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
    SmtpUrl::parse(&text).map(|_| text)
}

pub(super) fn mail_from(text: String) -> Result<String, String> {
    let wrong = "must be an address to which mail can be sent, or a name and an address, such as Gedenkkaart \
                 <post@voorbeeld.nl>; a name with a comma or brackets is written between double quotes";
    if Mailer::is_sender(&text) { Ok(text) } else { Err(wrong.to_owned()) }
}

/// Returns the default sender of mails. An IP address or a name without a domain has no mailboxes: it becomes `localhost`.
pub(super) fn sender_at(public_base_url: &str) -> String {
    let url = Url::parse(public_base_url).ok();
    let host = url.as_ref().and_then(Url::domain).unwrap_or_default();
    let address = format!("noreply@{host}");
    let address = email_address::parse(&address).unwrap_or("noreply@localhost");
    format!("Gedenkkaart <{address}>")
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
pub(super) fn retention(text: &str, days_min: u32) -> Result<Option<Duration>, String> {
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

/// The settings of a file.
#[derive(Clone, Debug, Default)]
pub struct ConfigFile {
    values: BTreeMap<String, String>,
    /// The path of the file, and its origin: `option`, `environment` or `default`.
    source: Option<(PathBuf, &'static str)>,
}

impl ConfigFile {
    /// Reads the file of the option, or of the variable CONFIG, or the default file. Only the default file may be missing.
    pub fn find(
        option: Option<PathBuf>,
        variable: Option<String>,
        default: Option<&Path>,
    ) -> (Self, Vec<SettingError>) {
        let variable = variable.as_deref().map(trim_invisible).filter(|path| !path.is_empty()).map(PathBuf::from);
        let (path, origin) = match (option, variable, default) {
            (Some(path), _, _) => (path, "option"),
            (None, Some(path), _) => (path, "environment"),
            (None, None, Some(path)) if is_missing(path) => return Default::default(),
            (None, None, Some(path)) => (path.to_owned(), "default"),
            (None, None, None) => return Default::default(),
        };
        let (file, errors) = Self::read(&path);
        (Self { source: Some((path, origin)), ..file }, errors)
    }

    /// Reads a file. Returns its valid settings and all errors.
    pub fn read(path: &Path) -> (Self, Vec<SettingError>) {
        let wrong = |reason: String| vec![SettingError { name: register::CONFIG.name.into(), reason }];
        let text = match std::fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) => {
                let what_to_do = match error.kind() {
                    ErrorKind::PermissionDenied => {
                        ": run the command as the user of the service, sudo -u card-service card-service …"
                    }
                    _ => "",
                };
                let reason = format!("the file {} cannot be read: {error}{what_to_do}", path.display());
                return (Self::default(), wrong(reason));
            }
        };
        match text.parse::<toml::Table>() {
            Ok(table) => Self::from_table(table),
            // The line may contain a secret: only its number and the name of its setting are reported.
            Err(error) => {
                let line = error.span().map_or(1, |span| text[..span.start].matches('\n').count() + 1);
                let (path, quotes) = (path.display(), missing_quotes(text.lines().nth(line - 1).unwrap_or_default()));
                (
                    Self::default(),
                    wrong(format!("the file {path} is not TOML: line {line}: {}{quotes}", error.message())),
                )
            }
        }
    }

    fn from_table(table: toml::Table) -> (Self, Vec<SettingError>) {
        let (mut values, mut errors) = (BTreeMap::new(), Vec::new());
        for (key, value) in table {
            let Some(name) = known_name(&key) else {
                let reason = unknown(&key, &value);
                errors.push(SettingError { name: key.into(), reason });
                continue;
            };
            let text = match value {
                Value::String(text) => text,
                Value::Integer(number) => number.to_string(),
                Value::Boolean(truth) => truth.to_string(),
                _ => {
                    let reason = "must be a text or a whole number (in the file)".to_owned();
                    errors.push(SettingError { name: name.into(), reason });
                    continue;
                }
            };
            values.insert(name, text);
        }
        (Self { values, source: None }, errors)
    }

    /// Returns the path of the file and its origin.
    pub fn source(&self) -> Option<(String, &'static str)> {
        self.source.as_ref().map(|(path, origin)| (path.display().to_string(), *origin))
    }

    /// Returns the value of a setting.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.values.get(name).map(String::as_str)
    }
}

/// The variable of this name in lower case: a setting, or the file of a secret.
fn known_name(key: &str) -> Option<String> {
    names().find(|name| name.to_ascii_lowercase() == key)
}

fn names() -> impl Iterator<Item = String> {
    let settings = register::all().filter(|setting| setting.name != register::CONFIG.name);
    settings.flat_map(|setting| [Some(setting.name.to_owned()), setting.file_name()]).flatten()
}

/// Returns the error for an unknown setting, with the most similar name.
fn unknown(key: &str, value: &Value) -> String {
    let name = key.to_ascii_lowercase();
    let known: Vec<_> = names().map(|known| known.to_ascii_lowercase()).collect();
    match dated_graphql_schema::nearest(&name, known.iter().map(|known| &**known)) {
        _ if value.is_table() => {
            format!("is a section, and the file has none: write the settings without the line [{key}]")
        }
        Some(near) if near == name => format!("is written in lower case in the file: {near}"),
        Some(near) => format!("is no setting (in the file): did you mean {near}?"),
        None => "is no setting (in the file): docs/settings.md lists them, here in lower case".to_owned(),
    }
}

/// Says that a text needs quotes, if a line gives a setting a text without them.
fn missing_quotes(line: &str) -> String {
    let Some((key, value)) = line.split_once('=').map(|(key, value)| (key.trim(), value.trim())) else {
        return String::new();
    };
    match known_name(key) {
        Some(_) if !value.starts_with(['"', '\'']) => format!(": a text stands between quotes, as in {key} = \"…\""),
        _ => String::new(),
    }
}

/// Whether the file does not exist. An unreadable file exists: ignoring it would select another database.
fn is_missing(path: &Path) -> bool {
    std::fs::metadata(path).is_err_and(|error| matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory))
}

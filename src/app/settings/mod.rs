//! The settings of the service: read from the environment and an optional file, and checked (decisions, section 9).
//!
//! Called by the commands and by the tests. `register.rs` lists every setting; all errors are reported together.

mod parse;
mod register;
#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::fmt::{Display, Write as _};
use std::net::{SocketAddr, TcpListener};
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use url::Url;

use self::register::{GROUPS, Secrecy, Setting};
use crate::base::{FrontLimits, Policy, RateLimit, Retention, RetrySchedule, limits};
use crate::http::TlsFiles;
use crate::media::DecoderProgram;
use crate::model::CardActivation;

pub use self::parse::ConfigFile;

/// The checked settings.
#[derive(Clone, Debug)]
pub struct Settings {
    /// May contain a password: do not log.
    pub database_url: String,
    pub data_dir: PathBuf,
    pub listen: SocketAddr,
    /// The certificate and key of the server; `None` without TLS.
    pub tls: Option<TlsFiles>,
    /// Without a slash at the end.
    pub public_base_url: String,
    pub egress_allow: String,
    pub egress_ca: Option<PathBuf>,
    /// May contain a password: do not log.
    pub smtp_url: Option<String>,
    pub mail_from: String,
    pub card_activation: CardActivation,
    pub postgres_pool_size: usize,
    /// The object store for portraits; `None` for the data folder.
    pub media_url: Option<String>,
    /// The credentials of the object store, by their usual names.
    pub media_access: Vec<(&'static str, String)>,
    /// The address of `/metrics`; `None` to disable it.
    pub metrics_listen: Option<SocketAddr>,
    /// The address of the administration; `None` to disable it. Outside the loopback only with TLS.
    pub admin_listen: Option<SocketAddr>,
    pub policy: Policy,
    /// How long a stopping server still serves requests while it reports that it is not ready.
    pub drain_delay: Duration,
    /// Whether to create a missing database. Set by commands, not by the operator.
    pub create_database: bool,
    /// Whether to run pending migrations; otherwise they are an error. Set by commands, not by the operator.
    pub migrate_database: bool,
    /// Whether to look for damage in an SQLite file. Set by commands, not by the operator.
    pub examine_database: bool,
    /// The socket to listen on instead of `listen`. Set by `serve`, not by the operator.
    pub inherited: Option<Arc<TcpListener>>,
    /// The program that decodes photos. Set by tests, not by the operator.
    pub decoder: DecoderProgram,
}

/// An invalid setting. The message does not repeat its value, which may be a secret.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{name}: {reason}")]
pub struct SettingError {
    pub name: Cow<'static, str>,
    pub reason: String,
}

/// Reads variables and collects the errors.
struct Reader<F> {
    environment: F,
    errors: Vec<SettingError>,
}

impl Settings {
    /// The path of the default settings file.
    pub const CONFIG_DEFAULT: &str = register::CONFIG_DEFAULT;

    /// Reads the settings from an environment, or returns all errors.
    pub fn from_env(environment: impl Fn(&str) -> Option<String>) -> Result<Self, Vec<SettingError>> {
        let (settings, errors) = Self::read(environment);
        if errors.is_empty() { Ok(settings) } else { Err(errors) }
    }

    /// Reads the settings from an environment, with the defaults in place of wrong ones. Returns all errors.
    pub fn read(environment: impl Fn(&str) -> Option<String>) -> (Self, Vec<SettingError>) {
        let mut reader = Reader { environment, errors: Vec::new() };
        let data_dir = PathBuf::from(reader.text(register::DATA_DIR).unwrap_or_default());
        let embedded = format!("sqlite://{}/card-service.db", data_dir.display());
        // In the order of the register, so that errors are reported in that order.
        let database_url = reader.read_optional(register::DATABASE_URL, parse::database_url).unwrap_or(embedded);
        let pool_size = reader.number(register::POSTGRES_POOL_SIZE, 1_000);
        let media_url = reader.read_optional(register::MEDIA_URL, parse::media_url);
        let http = reader.text(register::AWS_ALLOW_HTTP).is_some_and(|text| text == "true");
        let access = register::AWS.iter().map(|setting| (setting, setting.name));
        let mut read = |(setting, name): (&Setting, _)| {
            Some((name, reader.read_optional(*setting, |text| parse::media_access(name, text, http))?))
        };
        let media_access = access.filter_map(&mut read).collect();
        let listen = reader.read(register::LISTEN, parse::listen).unwrap_or_else(|| ([127, 0, 0, 1], 0).into());
        let tls = reader.tls();
        let public_base_url = reader.read(register::PUBLIC_BASE_URL, parse::public_base_url).unwrap_or_default();
        let settings = Self {
            metrics_listen: reader.read_optional(register::METRICS_LISTEN, parse::listen),
            admin_listen: reader.read_optional(register::ADMIN_LISTEN, |text| parse::admin_listen(text, tls.is_some())),
            egress_allow: reader.read_optional(register::EGRESS_ALLOW, parse::egress_allow).unwrap_or_default(),
            egress_ca: reader.read_optional(register::EGRESS_CA, parse::readable_file),
            smtp_url: reader.read_optional(register::SMTP_URL, parse::smtp_url),
            mail_from: reader
                .read_optional(register::MAIL_FROM, parse::mail_from)
                .unwrap_or_else(|| parse::sender_at(&public_base_url)),
            card_activation: reader
                .read(register::CARD_ACTIVATION, parse::card_activation)
                .unwrap_or(CardActivation::Automatic),
            policy: reader.policy(),
            drain_delay: reader.drain_delay(),
            create_database: false,
            migrate_database: true,
            examine_database: false,
            inherited: None,
            decoder: DecoderProgram::current(),
            postgres_pool_size: pool_size.unwrap_or(1),
            database_url,
            data_dir,
            media_url,
            media_access,
            listen,
            tls,
            public_base_url,
        };
        // The log, which starts first, uses this setting and ignores an error in it.
        let _ = reader.read(register::RUST_LOG, |text| super::log::filter(&text).map_err(|e| e.to_string()));
        (settings, reader.errors)
    }

    /// Returns the start of every address of the administration: http on the loopback, otherwise https under the public name.
    pub fn admin_base(&self) -> Option<String> {
        let address = self.admin_listen?;
        if address.ip().is_loopback() {
            return Some(format!("http://{address}"));
        }
        let public = Url::parse(&self.public_base_url).ok()?;
        Some(format!("https://{}:{}", public.host()?, address.port()))
    }
}

impl<F: Fn(&str) -> Option<String>> Reader<F> {
    /// Returns a variable or its default.
    fn text(&mut self, setting: Setting) -> Option<String> {
        let given = (self.environment)(setting.name).filter(|value| !value.is_empty());
        let stored = self.stored_secret(setting, given.is_some());
        given.or(stored).or_else(|| setting.default.map(str::to_owned))
    }

    /// Returns the content of the file that `<name>_FILE` names, without the line break at its end.
    fn stored_secret(&mut self, setting: Setting, is_given: bool) -> Option<String> {
        let name = setting.file_name()?;
        let path = (self.environment)(&name).filter(|path| !path.is_empty())?;
        let reason = match std::fs::read_to_string(&path) {
            _ if is_given => format!("is given beside {}: one of them is enough", setting.name),
            Ok(text) if text.trim_end().is_empty() => format!("the file {path} is empty"),
            Ok(text) => return Some(text.trim_end_matches(['\r', '\n']).to_owned()),
            Err(error) => format!("the file {path} cannot be read: {error}"),
        };
        self.errors.push(SettingError { name: name.into(), reason });
        None
    }

    /// Parses a variable or its default; `None` if it is invalid.
    fn read<T>(&mut self, setting: Setting, parse: impl FnOnce(String) -> Result<T, String>) -> Option<T> {
        let text = self.text(setting)?;
        match parse(text) {
            Ok(value) => Some(value),
            Err(reason) => {
                self.errors.push(SettingError { name: setting.name.into(), reason });
                None
            }
        }
    }

    /// Parses a variable without its default; `None` if it is missing or invalid.
    fn read_optional<T>(&mut self, setting: Setting, parse: impl FnOnce(String) -> Result<T, String>) -> Option<T> {
        self.read(Setting { default: None, ..setting }, parse)
    }

    /// Reads the certificate and the key, which require each other.
    fn tls(&mut self) -> Option<TlsFiles> {
        let (certificate, key) = (register::TLS_CERTIFICATE, register::TLS_KEY);
        for (given, missing) in [(certificate, key), (key, certificate)] {
            if self.text(given).is_some() && self.text(missing).is_none() {
                let reason = format!("is missing: {} is nothing without it", given.name);
                self.errors.push(SettingError { name: missing.name.into(), reason });
            }
        }
        let certificate = self.read_optional(certificate, parse::readable_file);
        let key = self.read_optional(key, parse::readable_file);
        Some(TlsFiles { certificate: certificate?, key: key? })
    }

    /// Reads how long a server drains before it stops. Without the setting: not at all, unless Kubernetes runs it.
    fn drain_delay(&mut self) -> Duration {
        let is_orchestrated = (self.environment)("KUBERNETES_SERVICE_HOST").is_some();
        let default = if is_orchestrated { limits::DRAIN_DELAY } else { Duration::ZERO };
        let max = limits::DRAIN_DELAY_SETTING_MAX.as_secs();
        self.read_optional(register::DRAIN_DELAY, |text| parse::number_in(&text, 0..=max))
            .map_or(default, Duration::from_secs)
    }

    /// Reads the limits and schedules that the operator may choose.
    fn policy(&mut self) -> Policy {
        let default = Policy::default();
        let rate = RateLimit {
            points: self.read(register::RATE_LIMIT_POINTS, parse::points).unwrap_or(default.rate.points),
            restored_per_second: self
                .read(register::RATE_LIMIT_RESTORE, parse::points)
                .unwrap_or(default.rate.restored_per_second),
        };
        let connections = self.number(register::CONNECTIONS_PER_ADDRESS, limits::CONNECTIONS_MAX);
        let retry = RetrySchedule {
            delays: self.read(register::WEBHOOK_RETRY_SCHEDULE, parse::retry_schedule).unwrap_or(default.retry.delays),
            ..default.retry
        };
        let mut kept = |setting, days_min| self.read(setting, |text| parse::retention(&text, days_min)).flatten();
        let retention = Retention {
            drafts: kept(register::RETENTION_DRAFTS, limits::RETENTION_DAYS_MIN),
            cards: kept(register::RETENTION_CARDS, limits::RETENTION_DAYS_MIN),
            invitees: kept(register::RETENTION_INVITEES, limits::RETENTION_DAYS_MIN),
            events: kept(register::RETENTION_EVENTS, limits::EVENTS_KEPT_DAYS_MIN),
            audit: kept(register::RETENTION_AUDIT, limits::RETENTION_DAYS_MIN),
        };
        let challenge = self.read(register::WEBHOOK_CHALLENGE, parse::on_or_off);
        let invitations = self.number(register::INVITATIONS_PER_DAY, limits::INVITATIONS_PER_DAY_SETTING_MAX);
        Policy {
            invitations_per_partner_and_day: invitations.unwrap_or(default.invitations_per_partner_and_day),
            retry,
            retention,
            webhook_challenge: challenge.unwrap_or(default.webhook_challenge),
            rate,
            front: FrontLimits {
                connections_per_address: connections.unwrap_or(default.front.connections_per_address),
                ..default.front
            },
        }
    }

    /// Reads a whole number from 1 to `max`.
    fn number<N: Display + From<u8> + FromStr + PartialOrd>(&mut self, setting: Setting, max: N) -> Option<N> {
        self.read(setting, |text| parse::number_in(&text, N::from(1)..=max))
    }
}

/// An effective setting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShownSetting {
    pub name: &'static str,
    /// `None` if it is not set.
    pub value: Option<String>,
    /// `environment`, `file`, `secret file` (of `<name>_FILE`) or `default`; for CONFIG also `option`.
    pub origin: &'static str,
}

impl Settings {
    /// Returns every setting with its value and origin; secrets are hidden.
    pub fn describe(environment: impl Fn(&str) -> Option<String>, file: &ConfigFile) -> Vec<ShownSetting> {
        let of = |setting: &'static register::Setting| {
            if setting.name == register::CONFIG.name {
                let (value, origin) = file.source().map_or((None, "default"), |(path, origin)| (Some(path), origin));
                return ShownSetting { name: setting.name, value, origin };
            }
            let given = |text: Option<String>| text.filter(|text| !text.is_empty());
            let of_file = |name: &str| file.get(name).map(str::to_owned);
            let is_stored =
                setting.file_name().is_some_and(|name| given(environment(&name).or(of_file(&name))).is_some());
            let (value, origin) = match (given(environment(setting.name)), given(of_file(setting.name))) {
                (Some(value), _) => (Some(hide(value, setting.secrecy)), "environment"),
                (None, Some(value)) => (Some(hide(value, setting.secrecy)), "file"),
                (None, None) if is_stored => (Some(HIDDEN.to_owned()), "secret file"),
                (None, None) => (setting.default.map(str::to_owned), "default"),
            };
            ShownSetting { name: setting.name, value, origin }
        };
        register::all().map(of).collect()
    }

    /// Returns the text of `docs/settings.md`.
    pub fn document() -> String {
        let mut text = String::from(HEAD);
        for (group, settings) in GROUPS {
            let _ = write!(text, "\n## {group}\n\n| setting | default | meaning |\n|---|---|---|\n");
            for setting in *settings {
                let default = setting.default.map_or("none".to_owned(), |default| format!("`{default}`"));
                let secret = if setting.secrecy == Secrecy::Open { "" } else { " Secret." };
                let description = setting.description.replace('|', "\\|");
                let _ = writeln!(text, "| `{}` | {default} | {description}{secret} |", setting.name);
            }
        }
        text
    }
}

const HEAD: &str = "# Settings

Written from the register in `src/app/settings/register.rs`; `UPDATE_DOCS=1 cargo test --all-features --lib settings`
updates it, and a test fails when it is not current.

Each setting is a variable of the environment. A TOML file may hold them too, their names in lower case
(`database_url = \"postgres://…\"`): `/etc/card-service.toml`, which every command reads where it is there, or the file that
`--config <file>` or `CONFIG` names. The environment wins over it. All mistakes are reported at once, and
nothing starts. `card-service serve --print-config` shows the values in force and their sources, with secrets hidden.

A setting that is marked Secret may stand in a separate file, which `<name>_FILE` names: `DATABASE_URL_FILE=/run/secrets/db`,
for LoadCredential= of systemd and secrets of containers. A line break at its end does not count.
";

fn hide(value: String, secrecy: Secrecy) -> String {
    match secrecy {
        Secrecy::Open => value,
        Secrecy::Secret => HIDDEN.to_owned(),
        Secrecy::Password => match Url::parse(&value) {
            // An invalid URL may contain a password anywhere, and a parameter may be one.
            Ok(mut url) if url.password().is_some() || url.query().is_some() => {
                let kept = url.password().is_none() || url.set_password(Some(HIDDEN)).is_ok();
                if url.query().is_some() {
                    url.set_query(Some(HIDDEN));
                }
                if kept { url.into() } else { HIDDEN.to_owned() }
            }
            Ok(_) => value,
            Err(_) => HIDDEN.to_owned(),
        },
    }
}

const HIDDEN: &str = "hidden";

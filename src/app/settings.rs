//! Every setting of the service: its name, its default, what it means, and how it is read (decisions, section 9).
//!
//! Called by the commands and by the tests. All that is wrong is reported at once.

use std::net::SocketAddr;
use std::path::PathBuf;

use url::Url;

use crate::mail::Mailer;
use crate::model::CardActivation;
use crate::outbound::EgressPolicy;

/// A setting as the operator knows it.
#[derive(Clone, Copy, Debug)]
pub struct Setting {
    /// The variable of the environment. An empty variable counts as one that is not there.
    pub name: &'static str,
    /// What holds without it; `None`: nothing.
    pub default: Option<&'static str>,
    pub description: &'static str,
}

/// The register of all settings.
pub const SETTINGS: &[Setting] = &[
    DATABASE_URL,
    DATA_DIR,
    LISTEN,
    PUBLIC_BASE_URL,
    EGRESS_ALLOW,
    EGRESS_CA,
    SMTP_URL,
    MAIL_FROM,
    CARD_ACTIVATION,
    RUST_LOG,
];

const DATABASE_URL: Setting = Setting {
    name: "DATABASE_URL",
    default: Some("sqlite://<DATA_DIR>/card-service.db"),
    description: "The database: sqlite://<file> or postgres://<user>:<password>@<host>/<database>.",
};
const DATA_DIR: Setting = Setting {
    name: "DATA_DIR",
    default: Some("./data"),
    description: "The folder for the embedded database and for portraits and theme pictures.",
};
const LISTEN: Setting = Setting {
    name: "LISTEN",
    default: Some("127.0.0.1:8080"),
    description: "The address and port to listen on, without TLS: put a balancer or proxy in front.",
};
const PUBLIC_BASE_URL: Setting = Setting {
    name: "PUBLIC_BASE_URL",
    default: Some("http://127.0.0.1:8080"),
    description: "Where the world reaches the service: the start of every link that it hands out.",
};
const EGRESS_ALLOW: Setting = Setting {
    name: "EGRESS_ALLOW",
    default: None,
    description: "Non-public addresses that may be reached, for development and tests: address-or-CIDR[:port], …",
};
const EGRESS_CA: Setting = Setting {
    name: "EGRESS_CA",
    default: None,
    description: "A PEM file of roots to trust for outbound https, beside the usual ones.",
};
const SMTP_URL: Setting = Setting {
    name: "SMTP_URL",
    default: None,
    description: "The mail server: smtp:// or smtps://; without it mail is written into the data folder.",
};
const MAIL_FROM: Setting = Setting {
    name: "MAIL_FROM",
    default: Some("Gedenkkaart <noreply@host-of-PUBLIC_BASE_URL>"),
    description: "The sender of mails: an address, or a name with an address between angle brackets.",
};
const CARD_ACTIVATION: Setting = Setting {
    name: "CARD_ACTIVATION",
    default: Some("automatic"),
    description: "Who activates an ordered card: automatic, or operator.",
};
const RUST_LOG: Setting = Setting {
    name: "RUST_LOG",
    default: Some("info"),
    description: "What is logged, as in info or info,card_service::http=debug (which logs every query too).",
};

/// The settings, read and checked.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Holds a password, maybe: not to be logged.
    pub database_url: String,
    pub data_dir: PathBuf,
    pub listen: SocketAddr,
    /// Without a slash at the end.
    pub public_base_url: String,
    pub egress_allow: String,
    pub egress_ca: Option<PathBuf>,
    /// Holds a password, maybe: not to be logged.
    pub smtp_url: Option<String>,
    pub mail_from: String,
    pub card_activation: CardActivation,
}

/// A setting that cannot be used. Its value is not repeated: it may be a secret.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{name}: {reason}")]
pub struct SettingError {
    pub name: &'static str,
    pub reason: String,
}

/// The variables of an environment, and what turned out wrong with them.
struct Reader<F> {
    environment: F,
    errors: Vec<SettingError>,
}

impl Settings {
    /// Reads the settings from an environment; reports everything that is wrong with them.
    pub fn from_env(environment: impl Fn(&str) -> Option<String>) -> Result<Self, Vec<SettingError>> {
        let mut reader = Reader { environment, errors: Vec::new() };
        let data_dir = PathBuf::from(reader.text(DATA_DIR).unwrap_or_default());
        let embedded = format!("sqlite://{}/card-service.db", data_dir.display());
        // In the order of the registry, in which the mistakes are reported.
        let database_url = reader.given(DATABASE_URL, database_url).unwrap_or(embedded);
        let listen = reader.read(LISTEN, listen).unwrap_or_else(|| SocketAddr::from(([127, 0, 0, 1], 0)));
        let public_base_url = reader.read(PUBLIC_BASE_URL, public_base_url).unwrap_or_default();
        let settings = Self {
            database_url,
            data_dir,
            listen,
            mail_from: reader.given(MAIL_FROM, mail_from).unwrap_or_else(|| sender_at(&public_base_url)),
            public_base_url,
            egress_allow: reader.given(EGRESS_ALLOW, egress_allow).unwrap_or_default(),
            egress_ca: reader.given(EGRESS_CA, readable_file),
            smtp_url: reader.given(SMTP_URL, smtp_url),
            card_activation: reader.read(CARD_ACTIVATION, card_activation).unwrap_or(CardActivation::Automatic),
        };
        // Read by the telemetry, which starts first and on its own; a mistake in it belongs in the one report.
        let _ = reader.read(RUST_LOG, |text| super::telemetry::filter(&text).map_err(|error| error.to_string()));
        if reader.errors.is_empty() { Ok(settings) } else { Err(reader.errors) }
    }

    /// Whether links are handed out that anybody on their way can read: http to anything but this machine.
    pub fn public_base_is_exposed(&self) -> bool {
        let Ok(url) = Url::parse(&self.public_base_url) else { return true };
        let is_loopback = match url.host() {
            Some(url::Host::Domain(name)) => name == "localhost",
            Some(url::Host::Ipv4(ip)) => ip.is_loopback(),
            Some(url::Host::Ipv6(ip)) => ip.is_loopback(),
            None => false,
        };
        url.scheme() == "http" && !is_loopback
    }
}

impl<F: Fn(&str) -> Option<String>> Reader<F> {
    /// A variable, or its default.
    fn text(&self, setting: Setting) -> Option<String> {
        let given = (self.environment)(setting.name).filter(|value| !value.is_empty());
        given.or_else(|| setting.default.map(str::to_owned))
    }

    /// Reads a variable or its default; `None` when it was wrong.
    fn read<T>(&mut self, setting: Setting, parse: impl FnOnce(String) -> Result<T, String>) -> Option<T> {
        let text = self.text(setting)?;
        match parse(text) {
            Ok(value) => Some(value),
            Err(reason) => {
                self.errors.push(SettingError { name: setting.name, reason });
                None
            }
        }
    }

    /// Reads a variable whose absence the caller deals with; `None` also when it was wrong.
    fn given<T>(&mut self, setting: Setting, parse: impl FnOnce(String) -> Result<T, String>) -> Option<T> {
        self.read(Setting { default: None, ..setting }, parse)
    }
}

fn database_url(text: String) -> Result<String, String> {
    let known = ["sqlite://", "postgres://", "postgresql://"].iter().any(|start| text.starts_with(start));
    if known { Ok(text) } else { Err("must start with sqlite:// or postgres://".to_owned()) }
}

fn listen(text: String) -> Result<SocketAddr, String> {
    text.parse().map_err(|_| "must be an address and a port, such as 127.0.0.1:8080 or [::]:8080".to_owned())
}

fn public_base_url(text: String) -> Result<String, String> {
    let wrong = || "must be an http or https address without user, query or fragment".to_owned();
    let url = Url::parse(&text).map_err(|_| wrong())?;
    let bare =
        url.username().is_empty() && url.password().is_none() && url.query().is_none() && url.fragment().is_none();
    if !bare || !matches!(url.scheme(), "http" | "https") || url.host().is_none() {
        return Err(wrong());
    }
    Ok(url.as_str().trim_end_matches('/').to_owned())
}

fn egress_allow(text: String) -> Result<String, String> {
    EgressPolicy::parse(&text).map(|_| text).map_err(|error| error.to_string())
}

fn readable_file(text: String) -> Result<PathBuf, String> {
    match std::fs::File::open(&text) {
        Ok(_) => Ok(text.into()),
        Err(error) => Err(format!("the file cannot be read: {error}")),
    }
}

fn smtp_url(text: String) -> Result<String, String> {
    let right = Url::parse(&text).is_ok_and(|url| matches!(url.scheme(), "smtp" | "smtps") && url.has_host());
    if right { Ok(text) } else { Err("must be an address that starts with smtp:// or smtps://".to_owned()) }
}

fn mail_from(text: String) -> Result<String, String> {
    let wrong = "must be an address, such as Gedenkkaart <post@voorbeeld.nl>";
    if Mailer::is_sender(&text) { Ok(text) } else { Err(wrong.to_owned()) }
}

/// The sender of mails where none is set. An IP address has no mailboxes: a developer's machine is `localhost`.
fn sender_at(public_base_url: &str) -> String {
    let url = Url::parse(public_base_url).ok();
    let host = url.as_ref().and_then(Url::domain).unwrap_or("localhost");
    format!("Gedenkkaart <noreply@{host}>")
}

fn card_activation(text: String) -> Result<CardActivation, String> {
    match text.as_str() {
        "automatic" => Ok(CardActivation::Automatic),
        "operator" => Ok(CardActivation::Operator),
        _ => Err("must be automatic or operator".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(variables: &[(&str, &str)]) -> Result<Settings, Vec<SettingError>> {
        Settings::from_env(|name| {
            variables.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned())
        })
    }

    #[test]
    fn empty_environment_gives_the_defaults() {
        for variables in [&[][..], &[("DATABASE_URL", ""), ("LISTEN", ""), ("SMTP_URL", ""), ("EGRESS_ALLOW", "")]] {
            let settings = read(variables).expect("defaults are right");
            assert_eq!(settings.database_url, "sqlite://./data/card-service.db");
            assert_eq!(settings.listen, "127.0.0.1:8080".parse().unwrap());
            assert_eq!(settings.public_base_url, "http://127.0.0.1:8080");
            assert_eq!((settings.egress_allow.as_str(), settings.egress_ca, settings.smtp_url), ("", None, None));
            assert_eq!(settings.card_activation, CardActivation::Automatic);
        }
    }

    #[test]
    fn embedded_database_lies_in_the_data_folder() {
        assert_eq!(read(&[("DATA_DIR", "/srv/cards")]).unwrap().database_url, "sqlite:///srv/cards/card-service.db");
    }

    #[test]
    fn every_mistake_is_reported_at_once_and_no_value_is_repeated() {
        let errors = read(&[
            ("DATABASE_URL", "mysql://root:hemelsblauw@db"),
            ("LISTEN", "hemelsblauw"),
            ("PUBLIC_BASE_URL", "ftp://hemelsblauw"),
            ("EGRESS_ALLOW", "10.0.0.0/99"),
            ("EGRESS_CA", "/does/not/exist.pem"),
            ("SMTP_URL", "hemelsblauw"),
            ("CARD_ACTIVATION", "hemelsblauw"),
            ("RUST_LOG", "info,=,"),
        ])
        .expect_err("all of them are wrong");
        let names: Vec<_> = errors.iter().map(|error| error.name).collect();
        let all =
            ["DATABASE_URL", "LISTEN", "PUBLIC_BASE_URL", "EGRESS_ALLOW", "EGRESS_CA", "SMTP_URL", "CARD_ACTIVATION"];
        assert_eq!(names, [&all[..], &["RUST_LOG"]].concat());
        assert!(errors.iter().all(|error| !error.to_string().contains("hemelsblauw")), "{errors:?}");
    }

    #[test]
    fn public_base_is_normalised_and_exposed_only_over_http_to_other_machines() {
        for (given, kept, exposed) in [
            ("https://Kaarten.example/", "https://kaarten.example", false),
            ("https://kaarten.example/a/", "https://kaarten.example/a", false),
            ("http://kaarten.example", "http://kaarten.example", true),
            ("http://10.0.0.1:8080", "http://10.0.0.1:8080", true),
            ("http://localhost:8080", "http://localhost:8080", false),
            ("http://[::1]:8080", "http://[::1]:8080", false),
        ] {
            let settings = read(&[("PUBLIC_BASE_URL", given)]).expect("a right address");
            assert_eq!((settings.public_base_url.as_str(), settings.public_base_is_exposed()), (kept, exposed));
        }
        for wrong in ["kaarten.example", "https://user@kaarten.example", "https://kaarten.example/?a", "https://a/#b"] {
            assert!(read(&[("PUBLIC_BASE_URL", wrong)]).is_err(), "{wrong}");
        }
    }

    #[test]
    fn register_names_every_setting_once_and_describes_it() {
        for (index, setting) in SETTINGS.iter().enumerate() {
            assert!(SETTINGS[..index].iter().all(|other| other.name != setting.name), "{}", setting.name);
            assert!(setting.description.ends_with('.') || setting.description.ends_with('…'), "{}", setting.name);
        }
    }
}

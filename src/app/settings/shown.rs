//! Shows the settings in `docs/settings.md` and in `serve --print-config`, which hides secrets.

use std::fmt::Write as _;

use url::Url;

use super::register::{GROUPS, Secrecy};
use super::{ConfigFile, Settings, register};

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
    pub fn shown(environment: impl Fn(&str) -> Option<String>, file: &ConfigFile) -> Vec<ShownSetting> {
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
                (Some(value), _) => (Some(hidden(value, setting.secrecy)), "environment"),
                (None, Some(value)) => (Some(hidden(value, setting.secrecy)), "file"),
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
`--config <file>` or `CONFIG` names. The environment wins over it. All that is wrong with them is reported at once, and
nothing starts then. `card-service serve --print-config` shows what holds and where it comes from, with secrets hidden.

A setting that is marked Secret may stand in a file of its own, which `<name>_FILE` names: `DATABASE_URL_FILE=/run/secrets/db`,
for LoadCredential= of systemd and secrets of containers. A line break at its end does not count.
";

fn hidden(value: String, secrecy: Secrecy) -> String {
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

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
    /// `environment`, `file` or `default`; for CONFIG also `option`.
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
            let (value, origin) = match given(environment(setting.name)) {
                Some(value) => (Some(value), "environment"),
                None => match given(file.get(setting.name).map(str::to_owned)) {
                    Some(value) => (Some(value), "file"),
                    None => (setting.default.map(str::to_owned), "default"),
                },
            };
            let value = value.map(|value| if origin == "default" { value } else { hidden(value, setting.secrecy) });
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

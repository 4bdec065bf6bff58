//! The optional TOML file: a flat list of settings, their names in lower case.

use std::collections::BTreeMap;
use std::path::Path;

use toml::Value;

use super::{SettingError, register};

/// What a file says.
#[derive(Clone, Debug, Default)]
pub struct ConfigFile {
    values: BTreeMap<String, String>,
}

impl ConfigFile {
    /// Reads a file. What can be read of it counts, beside everything that is wrong with it.
    pub fn read(path: &Path) -> (Self, Vec<SettingError>) {
        let wrong = |reason: String| vec![SettingError { name: register::CONFIG.name.into(), reason }];
        let text = match std::fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) => return (Self::default(), wrong(format!("the file cannot be read: {error}"))),
        };
        match text.parse::<toml::Table>() {
            Ok(table) => Self::of(table),
            // The line of a mistake may hold a secret: its place is told, and not its text.
            Err(error) => {
                let line = error.span().map_or(1, |span| text[..span.start].matches('\n').count() + 1);
                (Self::default(), wrong(format!("the file is not TOML: line {line}: {}", error.message())))
            }
        }
    }

    fn of(table: toml::Table) -> (Self, Vec<SettingError>) {
        let (mut values, mut errors) = (BTreeMap::new(), Vec::new());
        for (key, value) in table {
            let known = register::all().find(|setting| setting.name.to_ascii_lowercase() == key);
            let known = known.filter(|setting| setting.name != register::CONFIG.name);
            let Some(setting) = known else {
                errors.push(SettingError { name: key.into(), reason: "is no setting (in the file)".to_owned() });
                continue;
            };
            let text = match value {
                Value::String(text) => text,
                Value::Integer(number) => number.to_string(),
                Value::Boolean(truth) => truth.to_string(),
                _ => {
                    let reason = "must be a text or a whole number (in the file)".to_owned();
                    errors.push(SettingError { name: setting.name.into(), reason });
                    continue;
                }
            };
            values.insert(setting.name.to_owned(), text);
        }
        (Self { values }, errors)
    }

    /// What it says of a setting.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.values.get(name).map(String::as_str)
    }
}

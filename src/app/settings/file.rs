//! The optional TOML file: a flat list of settings, their names in lower case.
//!
//! Every command reads `/etc/card-service.toml` unless another file is named, so that it uses the same database as the server.

use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use toml::Value;

use super::{SettingError, register};

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
        let variable = variable.filter(|path| !path.is_empty()).map(PathBuf::from);
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
                return (Self::default(), wrong(format!("the file {} cannot be read: {error}", path.display())));
            }
        };
        match text.parse::<toml::Table>() {
            Ok(table) => Self::of(table),
            // The line may contain a secret: only its number is reported.
            Err(error) => {
                let line = error.span().map_or(1, |span| text[..span.start].matches('\n').count() + 1);
                let path = path.display();
                (Self::default(), wrong(format!("the file {path} is not TOML: line {line}: {}", error.message())))
            }
        }
    }

    fn of(table: toml::Table) -> (Self, Vec<SettingError>) {
        let (mut values, mut errors) = (BTreeMap::new(), Vec::new());
        for (key, value) in table {
            let Some(name) = known_name(&key) else {
                errors.push(SettingError { name: key.into(), reason: "is no setting (in the file)".to_owned() });
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
    let settings = register::all().filter(|setting| setting.name != register::CONFIG.name);
    let mut names = settings.flat_map(|setting| [Some(setting.name.to_owned()), setting.file_name()]).flatten();
    names.find(|name| name.to_ascii_lowercase() == key)
}

/// Whether the file does not exist. An unreadable file exists: ignoring it would select another database.
fn is_missing(path: &Path) -> bool {
    std::fs::metadata(path).is_err_and(|error| matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory))
}

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
            Ok(table) => Self::of(table),
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

    fn of(table: toml::Table) -> (Self, Vec<SettingError>) {
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

/// Says what is wrong with the name of a setting, and names the nearest one.
fn unknown(key: &str, value: &Value) -> String {
    let name = key.to_ascii_lowercase();
    let near = names()
        .map(|known| known.to_ascii_lowercase())
        .max_by(|a, b| likeness(a, &name).total_cmp(&likeness(b, &name)));
    match near {
        _ if value.is_table() => {
            format!("is a section, and the file has none: write the settings without the line [{key}]")
        }
        Some(near) if near == name => format!("is written in lower case in the file: {near}"),
        Some(near) if likeness(&near, &name) > LIKE => format!("is no setting (in the file): did you mean {near}?"),
        _ => "is no setting (in the file): docs/settings.md lists them, here in lower case".to_owned(),
    }
}

/// How much a misspelt name has to be like a known one: 1 is equal.
const LIKE: f64 = 0.8;

fn likeness(a: &str, b: &str) -> f64 {
    strsim::jaro_winkler(a, b)
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

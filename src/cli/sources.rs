//! The sources of settings: the environment, then a file.

use std::fs::File;
use std::path::{Path, PathBuf};

use super::failure::{CliError, CliFailure};
use crate::app::{ConfigFile, SettingError, Settings};

/// The environment and the settings file.
pub(super) struct Sources {
    pub file: ConfigFile,
    /// The mistakes in the file.
    errors: Vec<SettingError>,
}

impl Sources {
    pub(super) fn read(named: Option<PathBuf>, default: Option<&Path>) -> Self {
        let (file, errors) = ConfigFile::find(named, environment("CONFIG"), default);
        Self { file, errors }
    }

    /// The text of a setting.
    pub(super) fn get(&self, name: &str) -> Option<String> {
        environment(name).filter(|text| !text.is_empty()).or_else(|| self.file.get(name).map(str::to_owned))
    }

    /// Parses the settings of a command that sends no mail: the file with SMTP_URL may be there only while the service runs.
    pub(super) fn settings_without_mail(&self) -> Result<Settings, CliFailure> {
        let is_readable = |path: &String| File::open(path).is_ok();
        self.settings(|name| match name {
            "SMTP_URL_FILE" => self.get(name).filter(is_readable),
            _ => self.get(name),
        })
    }

    /// Parses the settings with the defaults in place of wrong ones. Returns all mistakes.
    pub(super) fn any_settings(&self) -> (Settings, Vec<SettingError>) {
        let (settings, errors) = Settings::read(|name| self.get(name));
        (settings, self.errors.iter().cloned().chain(errors).collect())
    }

    /// Parses the settings that `text` returns, or returns all their mistakes.
    pub(super) fn settings(&self, text: impl Fn(&str) -> Option<String>) -> Result<Settings, CliFailure> {
        let mut errors = self.errors.clone();
        match Settings::from_env(text) {
            Ok(settings) if errors.is_empty() => return Ok(settings),
            Ok(_) => {}
            Err(more) => errors.extend(more),
        }
        Err(CliError::Settings(errors).into())
    }
}

/// The value of an environment variable.
#[allow(clippy::disallowed_methods)] // the only place that reads the environment
pub(super) fn environment(name: &str) -> Option<String> {
    std::env::var_os(name).map(|value| value.to_string_lossy().into_owned())
}

//! The sources of settings: the environment, then a file.

use std::path::{Path, PathBuf};

use super::failure::CliFailure;
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

    /// Parses the settings that `text` returns, or returns all their mistakes.
    pub(super) fn settings(&self, text: impl Fn(&str) -> Option<String>) -> Result<Settings, CliFailure> {
        let mut errors = self.errors.clone();
        match Settings::from_env(text) {
            Ok(settings) if errors.is_empty() => return Ok(settings),
            Ok(_) => {}
            Err(more) => errors.extend(more),
        }
        Err(CliFailure::Settings(errors))
    }
}

/// The value of an environment variable.
#[allow(clippy::disallowed_methods)] // the only place that reads the environment
pub(super) fn environment(name: &str) -> Option<String> {
    std::env::var_os(name).map(|value| value.to_string_lossy().into_owned())
}

//! Retires a theme: cards that have it keep it, other cards cannot choose it.

use crate::base::Timestamp;
use crate::model::{Theme, ThemeRef};
use crate::operation::Failure;
use crate::services::Services;

/// Why no theme was retired.
#[derive(Debug, thiserror::Error)]
pub(crate) enum RetireThemeError {
    #[error("There is no theme \"{0}\". Name one by its bare number, its handle or its global id.")]
    Unknown(String),
    #[error("The theme could not be changed.")]
    Failed(#[source] Failure),
}

impl<F: Into<Failure>> From<F> for RetireThemeError {
    fn from(failure: F) -> Self {
        RetireThemeError::Failed(failure.into())
    }
}

/// Retires a theme, or restores it with `back`. Repeating it changes nothing.
pub(crate) async fn retire(services: &Services, which: &str, back: bool) -> Result<Theme, RetireThemeError> {
    let which = which.trim();
    let found = match ThemeRef::parse(which) {
        Some(ThemeRef::Id(id)) => services.store.theme(id).await?,
        Some(ThemeRef::Number(number)) => services.store.theme_by_number(number).await?,
        None => services.store.theme_by_handle(which).await?,
    };
    let theme = found.ok_or_else(|| RetireThemeError::Unknown(which.to_owned()))?;
    services.store.retire_theme(theme.id, (!back).then(|| services.clock.now())).await?;
    Ok(theme)
}

/// Every theme, with the time of its retirement.
pub(crate) async fn all(services: &Services) -> Result<Vec<(Theme, Option<Timestamp>)>, Failure> {
    Ok(services.store.all_themes().await?)
}

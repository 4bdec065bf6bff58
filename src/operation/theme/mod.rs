//! Themes: read from folders, checked as a whole and imported by the operator (specification, section 2.6).
//!
//! Called by the command `theme import` and by the demo. A folder contains themes as sub-folders, or is a theme itself. A
//! theme is a `theme.toml` with its pictures:
//!
//! ```toml
//! handle = "linde"                      # names the theme for good; a second import of it changes that theme
//! title = "Linde"
//! description = "Een rustig landschap."
//! position = 10                         # its position in the list
//! videos = []                           # addresses; may be left out
//! demo_url = "https://kaarten.example/voorbeeld"    # may be left out
//!
//! [[images]]
//! file = "omslag.svg"                   # svg, png, jpeg, webp or gif
//! alt = "Een lindeboom op een heuvel."  # may be left out
//! ```
//!
//! The first picture is the cover, 1200 by 800, and the second is shown instead of a portrait. A picture whose name ends in
//! `-breed`, such as `omslag-breed.svg`, is the cover of wide screens, 2400 by 800, with its subject at the left or the right.

mod import;
mod manifest;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use uuid::Uuid;

use super::Failure;
use crate::base::{Patch, Timestamp};
use crate::model::{Theme, ThemeRef};
use crate::services::Services;

pub(super) use import::check_content;
pub(crate) use import::{BundledTheme, ImportedTheme, import, read_bundled, read_folder};

/// The theme that an input names; `Value(None)` if there is no such theme.
pub(in crate::operation) type ThemeChoice = Patch<Option<FoundTheme>>;

/// An existing theme. A retired theme stays on the cards that have it; no other card can choose it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::operation) struct FoundTheme {
    pub id: Uuid,
    pub is_retired: bool,
}

/// Returns the theme with this name, or `None` if the name is unknown, malformed or the id of another kind of object.
pub(crate) async fn find_theme(services: &Services, name: &str) -> Result<Option<Arc<Theme>>, Failure> {
    Ok(match ThemeRef::parse(name) {
        Some(ThemeRef::Id(id)) => services.store.theme(id).await?,
        Some(ThemeRef::Number(number)) => services.store.theme_by_number(number).await?.map(Arc::new),
        None => None,
    })
}

/// Resolves the theme of an input, before the input is checked.
pub(in crate::operation) async fn resolve_theme(
    services: &Services,
    theme_id: &Patch<String>,
) -> Result<ThemeChoice, Failure> {
    let name = match theme_id {
        Patch::Absent => return Ok(Patch::Absent),
        Patch::Null => return Ok(Patch::Null),
        Patch::Value(name) => name,
    };
    let Some(name) = ThemeRef::parse(name) else { return Ok(Patch::Value(None)) };
    let found = services.store.theme_to_choose(name).await?;
    Ok(Patch::Value(found.map(|(id, is_retired)| FoundTheme { id, is_retired })))
}

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
        Some(ThemeRef::Id(id)) => services.store.theme(id).await?.map(Arc::unwrap_or_clone),
        Some(ThemeRef::Number(number)) => services.store.theme_by_number(number).await?,
        None => services.store.theme_by_handle(which).await?,
    };
    let theme = found.ok_or_else(|| RetireThemeError::Unknown(which.to_owned()))?;
    services.store.retire_theme(theme.id, (!back).then(|| services.clock.now())).await?;
    Ok(theme)
}

/// Every theme, with the time of its retirement.
pub(crate) async fn list(services: &Services) -> Result<Vec<(Theme, Option<Timestamp>)>, Failure> {
    Ok(services.store.all_themes().await?)
}

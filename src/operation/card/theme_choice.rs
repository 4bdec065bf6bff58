//! Looks up the theme that an input names, before the input is checked (decisions K4).

use uuid::Uuid;

use crate::base::Patch;
use crate::operation::{Failure, Services, find_theme};

/// The theme that an input names. `Value(None)`: there is no such theme.
pub(super) type ThemeChoice = Patch<Option<FoundTheme>>;

/// A theme that exists. A retired theme stays on the cards that have it; no other card can choose it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FoundTheme {
    pub id: Uuid,
    pub is_retired: bool,
}

/// Looks up the theme of an input.
pub(super) async fn look_up(services: &Services, theme_id: &Patch<String>) -> Result<ThemeChoice, Failure> {
    Ok(match theme_id {
        Patch::Absent => Patch::Absent,
        Patch::Null => Patch::Null,
        Patch::Value(name) => Patch::Value(found_theme(services, name).await?),
    })
}

async fn found_theme(services: &Services, name: &str) -> Result<Option<FoundTheme>, Failure> {
    let Some(theme) = find_theme(services, name).await? else { return Ok(None) };
    let is_retired = services.store.theme_is_retired(theme.id).await?;
    Ok(Some(FoundTheme { id: theme.id, is_retired }))
}

//! Resolves the name of a theme, a global id or a bare number, to the theme (decisions K4).

use uuid::Uuid;

use crate::base::Patch;
use crate::model::{Theme, ThemeRef};
use crate::operation::Failure;
use crate::services::Services;

/// The theme that an input names; `Value(None)` if there is no such theme.
pub(in crate::operation) type ThemeChoice = Patch<Option<FoundTheme>>;

/// An existing theme. A retired theme stays on the cards that have it; no other card can choose it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::operation) struct FoundTheme {
    pub id: Uuid,
    pub is_retired: bool,
}

/// Returns the theme with this name, or `None` if the name is unknown, malformed or the id of another kind of object.
pub(crate) async fn find_theme(services: &Services, name: &str) -> Result<Option<Theme>, Failure> {
    Ok(match ThemeRef::parse(name) {
        Some(ThemeRef::Id(id)) => services.store.theme(id).await?,
        Some(ThemeRef::Number(number)) => services.store.theme_by_number(number).await?,
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

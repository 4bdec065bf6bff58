//! What an input says about the theme of a card, looked up before the input is checked (decisions K4).

use uuid::Uuid;

use crate::base::Patch;
use crate::operation::{Failure, Services, find_theme};

/// The chosen theme; `Value(None)` is a theme that does not exist.
pub(super) type ThemeChoice = Patch<Option<Uuid>>;

pub(super) async fn look_up(services: &Services, theme_id: &Patch<String>) -> Result<ThemeChoice, Failure> {
    Ok(match theme_id {
        Patch::Absent => Patch::Absent,
        Patch::Null => Patch::Null,
        Patch::Value(name) => Patch::Value(open_theme(services, name).await?),
    })
}

/// A theme that can be chosen: one that is retired is as good as none.
async fn open_theme(services: &Services, name: &str) -> Result<Option<Uuid>, Failure> {
    match find_theme(services, name).await? {
        Some(theme) if !services.store.theme_is_retired(theme.id).await? => Ok(Some(theme.id)),
        _ => Ok(None),
    }
}

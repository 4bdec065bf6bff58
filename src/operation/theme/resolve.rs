//! Finds the theme that a partner names, by global id or by bare number (decisions K4).

use super::{Failure, Services};
use crate::model::{Theme, ThemeRef};

/// The theme called `name`; `None` when it is unknown, of another kind or malformed.
pub async fn find_theme(services: &Services, name: &str) -> Result<Option<Theme>, Failure> {
    Ok(match ThemeRef::parse(name) {
        Some(ThemeRef::Id(id)) => services.store.theme(id).await?,
        Some(ThemeRef::Number(number)) => services.store.theme_by_number(number).await?,
        None => None,
    })
}

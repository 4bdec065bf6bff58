//! Themes (specification, section 2.6).

use uuid::Uuid;

use super::StoreError;
use super::engine::store_methods;
use crate::base::Timestamp;
use crate::model::{Page, PageRequest, Theme, ThemeRef};

store_methods! {
    /// Returns the theme with this id.
    pub lookup theme(id: Uuid) -> Result<Option<Theme>, StoreError>;
    /// Returns the theme with this number of the operator's administration.
    pub lookup theme_by_number(number: i64) -> Result<Option<Theme>, StoreError>;
    /// Returns the theme with this handle.
    pub lookup theme_by_handle(handle: &str) -> Result<Option<Theme>, StoreError>;
    /// Returns a page of themes in the operator's order. The page key is position and number.
    pub lookup themes_page(request: &PageRequest<(i64, i64)>) -> Result<Page<Theme>, StoreError>;
    /// Returns every theme in the operator's order, and when it was retired.
    pub read all_themes() -> Result<Vec<(Theme, Option<Timestamp>)>, StoreError>;
    /// Returns the id of the theme with this name, and whether it is retired.
    pub lookup theme_to_choose(name: ThemeRef) -> Result<Option<(Uuid, bool)>, StoreError>;
    /// Retires a theme at this time, or undoes that (`None`). Returns false if nothing changed.
    pub write retire_theme(id: Uuid, at: Option<Timestamp>) -> Result<bool, StoreError>;
    /// Adds a theme, or changes the one with its handle, and returns the stored theme. An existing theme keeps its id
    /// and number; a new one gets the next number instead of `number`.
    pub transaction put_theme(theme: Theme) -> Result<Theme, StoreError>;
}

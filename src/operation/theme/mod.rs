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

mod folder;
mod import;
mod manifest;
mod picture;
mod resolve;
mod retire;
#[cfg(test)]
mod tests;

pub(crate) use folder::{BundledTheme, ReadThemesError, ThemeDraft, read_bundled, read_folder};
pub(crate) use import::{ImportedTheme, import};
pub(super) use picture::check_content;
#[cfg(test)]
pub(super) use resolve::FoundTheme;
pub(crate) use resolve::find_theme;
pub(super) use resolve::{ThemeChoice, resolve_theme};
pub(crate) use retire::{RetireThemeError, all, retire};

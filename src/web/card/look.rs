//! Which style sheet a theme has. The four that are shipped have their own; a theme that the operator made wears the
//! quiet one, under its own pictures.

use crate::web::asset::{Asset, THEME_AVONDROOD, THEME_LINDE, THEME_WINTERLICHT, THEME_ZEE};

/// The style of a theme.
#[derive(Clone, Copy)]
pub(in crate::web) struct Look {
    pub style: Option<&'static Asset>,
    /// The colour of the browser's own frame around the page.
    pub frame: &'static str,
    pub scheme: &'static str,
}

const QUIET: Look = Look { style: None, frame: "#f7f5f1", scheme: "light" };

/// The look of the theme with this handle.
pub(super) fn of(handle: Option<&str>) -> Look {
    match handle {
        Some("linde") => Look { style: Some(&THEME_LINDE), frame: "#edf1e2", ..QUIET },
        Some("zee") => Look { style: Some(&THEME_ZEE), frame: "#e6edf1", ..QUIET },
        Some("winterlicht") => Look { style: Some(&THEME_WINTERLICHT), frame: "#eef1f5", ..QUIET },
        Some("avondrood") => Look { style: Some(&THEME_AVONDROOD), frame: "#241c2c", scheme: "dark" },
        _ => QUIET,
    }
}

//! The themes that come inside the binary, so that the demo works from anywhere. Their source is the folder `themes/`.

use crate::operation::theme::ShippedTheme;

macro_rules! shipped {
    ($($name:literal: $($file:literal),+;)+) => {
        &[$(ShippedTheme {
            name: $name,
            files: &[$(($file, include_bytes!(concat!("../../themes/", $name, "/", $file)))),+],
        }),+]
    };
}

/// Every theme of the folder `themes/`.
pub(super) const SHIPPED_THEMES: &[ShippedTheme] = shipped! {
    "avondrood": "theme.toml", "omslag.svg", "detail.svg";
    "linde": "theme.toml", "omslag.svg", "detail.svg";
    "winterlicht": "theme.toml", "omslag.svg", "detail.svg";
    "zee": "theme.toml", "omslag.svg", "detail.svg";
};

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::Path;

    use super::SHIPPED_THEMES;
    use crate::operation::theme::{read_folder, read_shipped};

    fn folder() -> &'static Path {
        Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/themes"))
    }

    #[test]
    fn shipped_themes_have_no_mistakes() {
        let read = read_shipped(SHIPPED_THEMES).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(read.len(), SHIPPED_THEMES.len());
    }

    #[test]
    fn shipped_themes_are_those_of_the_folder() {
        let read = read_folder(folder()).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(read.len(), SHIPPED_THEMES.len());
        for theme in SHIPPED_THEMES {
            let files: BTreeSet<String> = std::fs::read_dir(folder().join(theme.name))
                .expect("the theme has a folder")
                .map(|entry| entry.expect("the folder can be read").file_name().into_string().expect("plain names"))
                .collect();
            assert_eq!(files, theme.files.iter().map(|(name, _)| (*name).to_owned()).collect(), "{}", theme.name);
        }
    }
}

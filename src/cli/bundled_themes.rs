//! The themes that are part of the binary, for the demo. Their source is the folder `themes/`.

use crate::operation::theme::BundledTheme;

macro_rules! bundled {
    ($($name:literal: $($file:literal),+;)+) => {
        &[$(BundledTheme {
            name: $name,
            files: &[$(($file, include_bytes!(concat!("../../themes/", $name, "/", $file)))),+],
        }),+]
    };
}

/// Every theme of the folder `themes/`.
pub(super) const BUNDLED_THEMES: &[BundledTheme] = bundled! {
    "avondrood": "theme.toml", "omslag.svg", "omslag-breed.svg", "detail.svg";
    "eenvoud": "theme.toml", "omslag.svg", "omslag-breed.svg", "detail.svg";
    "linde": "theme.toml", "omslag.svg", "omslag-breed.svg", "detail.svg";
    "tak": "theme.toml", "omslag.svg", "omslag-breed.svg", "detail.svg";
    "winterlicht": "theme.toml", "omslag.svg", "omslag-breed.svg", "detail.svg";
    "zee": "theme.toml", "omslag.svg", "omslag-breed.svg", "detail.svg";
};

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::Path;

    use super::BUNDLED_THEMES;
    use crate::operation::theme::{read_bundled, read_folder};

    fn folder() -> &'static Path {
        Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/themes"))
    }

    #[test]
    fn bundled_themes_have_no_mistakes() {
        let read = read_bundled(BUNDLED_THEMES).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(read.len(), BUNDLED_THEMES.len());
    }

    #[test]
    fn bundled_themes_are_those_of_the_folder() {
        let read = read_folder(folder()).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(read.len(), BUNDLED_THEMES.len());
        for theme in BUNDLED_THEMES {
            let files: BTreeSet<String> = std::fs::read_dir(folder().join(theme.name))
                .expect("the theme has a folder")
                .map(|entry| entry.expect("the folder can be read").file_name().into_string().expect("plain names"))
                .collect();
            assert_eq!(files, theme.files.iter().map(|(name, _)| (*name).to_owned()).collect(), "{}", theme.name);
        }
    }
}

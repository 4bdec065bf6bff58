//! Themes: the designs of a card (specification, section 2.6).

use uuid::Uuid;

use crate::base::{GlobalId, HttpUrl, Kind};

/// A design of a card.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Theme {
    pub id: Uuid,
    /// The bare number, which is `legacyResourceId`.
    pub number: i64,
    pub handle: String,
    pub title: String,
    pub description: String,
    pub images: Vec<ThemeImage>,
    pub videos: Vec<HttpUrl>,
    pub demo_url: Option<HttpUrl>,
    /// The order of the list; themes of one position are ordered by number.
    pub position: i64,
}

/// A picture of a theme.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ThemeImage {
    /// The key in the object store, below `theme/`.
    pub key: String,
    pub alt_text: Option<String>,
}

impl Theme {
    /// The picture at the top of a card.
    pub fn cover(&self) -> Option<&ThemeImage> {
        self.images.iter().find(|image| !image.is_wide())
    }
}

impl ThemeImage {
    /// Whether the picture is the cover for wide screens: its file name ends in `-breed`. It is not counted as a picture of
    /// the card.
    pub fn is_wide(&self) -> bool {
        self.key.rsplit_once('.').is_some_and(|(stem, _)| stem.ends_with("-breed"))
    }
}

/// The name of a theme in an input: a global id or a bare number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ThemeRef {
    Id(Uuid),
    Number(i64),
}

impl ThemeRef {
    /// Parses an input; `None` if no such theme can exist.
    pub fn parse(text: &str) -> Option<Self> {
        if let Some(uuid) = GlobalId::uuid_of(text, Kind::Theme) {
            return Some(ThemeRef::Id(uuid));
        }
        let number = !text.is_empty() && text.len() <= 18 && text.bytes().all(|b| b.is_ascii_digit());
        number.then(|| text.parse().ok().map(ThemeRef::Number))?
    }
}

//! Themes: the looks of a card (specification, section 2.6).

use uuid::Uuid;

use crate::base::{GlobalId, HttpUrl, Kind};

/// The look of a card.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Theme {
    pub id: Uuid,
    /// The bare number of the operator's administration: `legacyResourceId`.
    pub number: i64,
    pub handle: String,
    pub title: String,
    pub description: String,
    pub images: Vec<ThemeImage>,
    pub videos: Vec<HttpUrl>,
    pub demo_url: Option<HttpUrl>,
    /// The operator's order; themes of the same position follow their number.
    pub position: i64,
}

/// A picture of a theme.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ThemeImage {
    /// Where the picture lies in the object store, below `theme/`.
    pub key: String,
    pub alt_text: Option<String>,
}

/// How a partner names a theme: by global id or by bare number (decisions K4).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ThemeRef {
    Id(Uuid),
    Number(i64),
}

impl ThemeRef {
    /// Reads what a partner sent; `None` is a theme that does not exist.
    pub fn parse(text: &str) -> Option<Self> {
        if let Some(uuid) = GlobalId::uuid_of(text, Kind::Theme) {
            return Some(ThemeRef::Id(uuid));
        }
        let number = !text.is_empty() && text.len() <= 18 && text.bytes().all(|b| b.is_ascii_digit());
        number.then(|| text.parse().ok().map(ThemeRef::Number))?
    }
}

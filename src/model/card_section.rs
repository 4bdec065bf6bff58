//! The sections of a card that the family fills in one by one, and the version of their contents, so that two people cannot
//! overwrite each other's changes.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest, Sha256};

use super::Card;

/// A part of the card that is one form in the customizer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CardSection {
    Theme,
    Layout,
    Visibility,
    Names,
    Dates,
    Portrait,
    Text,
    Farewell,
    Broadcast,
    Contact,
}

impl CardSection {
    pub const ALL: [CardSection; 10] = [
        CardSection::Theme,
        CardSection::Layout,
        CardSection::Visibility,
        CardSection::Names,
        CardSection::Dates,
        CardSection::Portrait,
        CardSection::Text,
        CardSection::Farewell,
        CardSection::Broadcast,
        CardSection::Contact,
    ];
}

/// A digest of the contents of some sections: equal versions mean equal contents.
///
/// A form carries the version that its page was rendered with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SectionVersion(String);

impl SectionVersion {
    /// The version of these sections of the card.
    pub fn of(card: &Card, sections: &[CardSection]) -> Self {
        let mut digest = Sha256::new();
        for value in sections.iter().flat_map(|section| card.section_values(*section)) {
            // The length before the text keeps different lists of texts different.
            let length = value.as_ref().map_or(u64::MAX, |text| text.len() as u64);
            digest.update(length.to_be_bytes());
            digest.update(value.unwrap_or_default().as_bytes());
        }
        Self(URL_SAFE_NO_PAD.encode(&digest.finalize()[..16]))
    }

    /// The version that a form sent back.
    pub fn sent(text: &str) -> Self {
        Self(text.to_owned())
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

//! The parts of a card that are filled in one by one, and what each holds, so that nobody overwrites what another person
//! has filled in meanwhile (decisions S5).

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest, Sha256};

use super::Card;

/// A part of the card that is filled in at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CardSection {
    Theme,
    Layout,
    Visibility,
    Names,
    Dates,
    Portrait,
    Text,
    Broadcast,
    Contact,
}

impl CardSection {
    pub const ALL: [CardSection; 9] = [
        CardSection::Theme,
        CardSection::Layout,
        CardSection::Visibility,
        CardSection::Names,
        CardSection::Dates,
        CardSection::Portrait,
        CardSection::Text,
        CardSection::Broadcast,
        CardSection::Contact,
    ];

    /// What the part holds in this card, as texts.
    fn held(self, card: &Card) -> Vec<Option<String>> {
        let (deceased, contact) = (&card.deceased, &card.family_contact);
        match self {
            CardSection::Theme => vec![card.theme_id.map(|id| id.to_string())],
            CardSection::Layout => vec![Some(card.layout.as_str().to_owned())],
            CardSection::Visibility => vec![Some(card.visibility.as_str().to_owned())],
            CardSection::Names => vec![deceased.first_name.clone(), deceased.last_name.clone()],
            CardSection::Dates => {
                vec![deceased.date_of_birth.map(|d| d.to_string()), deceased.date_of_death.map(|d| d.to_string())]
            }
            CardSection::Portrait => vec![deceased.photo.as_ref().map(|photo| photo.as_str().to_owned())],
            CardSection::Text => vec![card.text.clone()],
            CardSection::Broadcast => vec![card.livestream_url.as_ref().map(|url| url.as_str().to_owned())],
            CardSection::Contact => vec![contact.name.clone(), contact.email.clone()],
        }
    }
}

/// What some parts of a card held at a moment: two that are the same mean that nothing in them has changed.
///
/// A form carries the one that its page was made with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SectionVersion(String);

impl SectionVersion {
    /// What these parts hold now.
    pub fn of(card: &Card, parts: &[CardSection]) -> Self {
        let mut digest = Sha256::new();
        for text in parts.iter().flat_map(|part| part.held(card)) {
            // Length and text: no two lists of texts look the same.
            let length = text.as_ref().map_or(u64::MAX, |text| text.len() as u64);
            digest.update(length.to_be_bytes());
            digest.update(text.unwrap_or_default().as_bytes());
        }
        Self(URL_SAFE_NO_PAD.encode(&digest.finalize()[..16]))
    }

    /// As a form sent it back.
    pub fn sent(text: &str) -> Self {
        Self(text.to_owned())
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

//! The online memorial card (specification, sections 2.3 to 2.5).

use chrono::NaiveDate;
use uuid::Uuid;

use super::{CardStatus, Layout, TransitionError, Visibility};
use crate::base::{HttpUrl, Timestamp};

/// A card as it is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Card {
    pub id: Uuid,
    pub partner_id: Uuid,
    /// Unique within the partner account; never changes.
    pub external_dossier_id: String,
    pub external_funeral_director_id: Option<String>,
    /// Absent while the family has yet to choose.
    pub theme_id: Option<Uuid>,
    pub deceased: Deceased,
    pub livestream_url: Option<HttpUrl>,
    pub family_contact: FamilyContact,
    pub layout: Layout,
    pub visibility: Visibility,
    /// What the family wrote; its line breaks are meant.
    pub text: Option<String>,
    pub status: CardStatus,
    /// The unguessable end of the card's public address; there once the card is active.
    pub slug: Option<String>,
    /// Created with a test key.
    pub test: bool,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    /// There once the family ordered the card.
    pub ordered_at: Option<Timestamp>,
    /// There once the public card is online.
    pub activated_at: Option<Timestamp>,
    /// How many events the card has had: the `sequence` of the last one (decisions W1).
    pub event_count: i64,
}

/// The person a card remembers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Deceased {
    pub first_name: Option<String>,
    pub last_name: Option<String>,
    pub date_of_birth: Option<NaiveDate>,
    pub date_of_death: Option<NaiveDate>,
    /// The service's own copy of the portrait.
    pub photo: Option<PhotoKey>,
}

impl Deceased {
    /// First and last name, as far as they are known; none where neither is.
    pub fn full_name(&self) -> Option<String> {
        let parts = [&self.first_name, &self.last_name].into_iter().flatten().map(|part| part.trim());
        let name = parts.filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ");
        (!name.is_empty()).then_some(name)
    }
}

/// The family member who receives the order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FamilyContact {
    pub name: Option<String>,
    pub email: Option<String>,
}

/// The name of a portrait in the object store: 43 unguessable characters, a dot and its format, such as `….jpeg`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PhotoKey(String);

impl PhotoKey {
    /// A key that the service itself made.
    pub fn trusted(key: impl Into<String>) -> Self {
        Self(key.into())
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Card {
    /// The family ordered the card (section 3).
    pub fn order(&mut self, now: Timestamp) -> Result<(), TransitionError> {
        self.status = self.status.advance_to(CardStatus::Ordered)?;
        self.ordered_at = Some(now);
        Ok(())
    }

    /// The public card goes online under `slug` (section 3).
    pub fn activate(&mut self, slug: String, now: Timestamp) -> Result<(), TransitionError> {
        self.status = self.status.advance_to(CardStatus::Active)?;
        self.activated_at = Some(now);
        self.slug = Some(slug);
        Ok(())
    }
}

//! The online memorial card (specification, sections 2.3 to 2.5).
//!
//! [`Card::fields`] is the one list of a card's fields. Events, section versions, forms and the export read it.

use std::borrow::Cow;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use chrono::{NaiveDate, NaiveTime};
use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::FocalPoint;
use crate::base::{HttpUrl, Patch, Timestamp, text_enum};

/// A card as it is stored. The default is an empty draft.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Card {
    pub id: Uuid,
    pub partner_id: Uuid,
    /// Unique within the partner account; never changes.
    pub external_dossier_id: String,
    pub external_funeral_director_id: Option<String>,
    /// `None` until a theme is chosen.
    pub theme_id: Option<Uuid>,
    pub deceased: Deceased,
    pub livestream_url: Option<HttpUrl>,
    pub family_contact: FamilyContact,
    pub layout: Layout,
    pub visibility: Visibility,
    pub lead_in: LeadIn,
    /// The text of the family; line breaks are kept.
    pub text: Option<String>,
    pub farewell: Farewell,
    pub status: CardStatus,
    /// The unguessable end of the card's public address; set when the card becomes active.
    pub slug: Option<String>,
    /// Created with a test key.
    pub test: bool,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    /// Set when the card is ordered.
    pub ordered_at: Option<Timestamp>,
    /// Set when the card becomes active.
    pub activated_at: Option<Timestamp>,
    /// Since when the operator keeps the card from being seen; its status stays.
    pub offline_since: Option<Timestamp>,
    /// The number of events, which is the `sequence` of the last one.
    pub event_count: i64,
}

/// The deceased person.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Deceased {
    pub first_name: Option<String>,
    pub last_name: Option<String>,
    pub date_of_birth: Option<NaiveDate>,
    pub date_of_death: Option<NaiveDate>,
    /// The service's own copy of the portrait.
    pub photo: Option<PhotoKey>,
    /// The point that stays visible where the portrait is cropped; `None` if the family chose none.
    pub focal_point: Option<FocalPoint>,
}

impl Deceased {
    /// Changes the portrait. The focal point goes with the photo that it was chosen for.
    pub fn change_photo(&mut self, photo: Patch<PhotoKey>) {
        let before = self.photo.clone();
        photo.apply_to(&mut self.photo);
        self.focal_point = self.focal_point.filter(|_| self.photo == before);
    }

    /// Returns first and last name, or `None` if both are missing or blank.
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

/// The key of a photo in the object store: 43 unguessable characters, a dot and its format, such as `….jpeg`.
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

/// A field of a card and its value as text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CardField<'a> {
    /// The path in the schema, or a path of the same form.
    pub path: &'static str,
    /// Whether the schema has the field. Only such a field is a changed field of an event.
    pub is_in_schema: bool,
    /// The section of the customizer that sets the field.
    pub section: Option<CardSection>,
    pub value: Option<Cow<'a, str>>,
}

/// The path of a card's field, its section and its value.
type PathSectionValue<'a> = (&'static str, Option<CardSection>, Option<Cow<'a, str>>);

impl Card {
    /// Lists the fields that can change, in the order of the schema.
    pub fn fields(&self) -> impl Iterator<Item = CardField<'_>> {
        use CardSection::{Contact, Farewell as FarewellSection, Look, Person, Text};
        let known = |word: &'static str| Some(Cow::Borrowed(word));
        // Patterns without `..`: a new field does not compile until it is listed here, or named as one that is not.
        let Self {
            id: _,
            partner_id: _,
            external_dossier_id: _,
            test: _,
            created_at: _,
            updated_at: _,
            ordered_at: _,
            activated_at: _,
            offline_since: _,
            event_count: _,
            external_funeral_director_id,
            theme_id,
            deceased,
            livestream_url,
            family_contact,
            layout,
            visibility,
            lead_in,
            text,
            farewell,
            status,
            slug,
        } = self;
        let Deceased { first_name, last_name, date_of_birth, date_of_death, photo, focal_point } = deceased;
        let FamilyContact { name, email } = family_contact;
        let Farewell { date, time, until, place, address, note } = farewell;
        let schema: [PathSectionValue<'_>; 12] = [
            ("theme", Some(Look), theme_id.map(|id| id.to_string().into())),
            ("externalFuneralDirectorId", None, external_funeral_director_id.as_deref().map(Cow::from)),
            ("deceased.firstName", Some(Person), first_name.as_deref().map(Cow::from)),
            ("deceased.lastName", Some(Person), last_name.as_deref().map(Cow::from)),
            ("deceased.dateOfBirth", Some(Person), date_of_birth.map(|day| day.to_string().into())),
            ("deceased.dateOfDeath", Some(Person), date_of_death.map(|day| day.to_string().into())),
            ("deceased.photoUrl", Some(Person), photo.as_ref().map(|key| key.as_str().into())),
            ("livestreamUrl", Some(FarewellSection), livestream_url.as_ref().map(|url| url.as_str().into())),
            ("familyContact.name", Some(Contact), name.as_deref().map(Cow::from)),
            ("familyContact.email", Some(Contact), email.as_deref().map(Cow::from)),
            ("status", None, known(status.as_str())),
            ("cardUrl", None, slug.as_deref().map(Cow::from)),
        ];
        let other: [PathSectionValue<'_>; 11] = [
            ("deceased.focalPoint", Some(Person), focal_point.map(|point| point.to_string().into())),
            ("layout", Some(Look), known(layout.as_str())),
            ("visibility", Some(Look), known(visibility.as_str())),
            ("leadIn", Some(Text), known(lead_in.as_str())),
            ("text", Some(Text), text.as_deref().map(Cow::from)),
            ("farewell.date", Some(FarewellSection), date.map(|day| day.to_string().into())),
            ("farewell.time", Some(FarewellSection), time.map(|time| time_text(time).into())),
            ("farewell.until", Some(FarewellSection), until.map(|time| time_text(time).into())),
            ("farewell.place", Some(FarewellSection), place.as_deref().map(Cow::from)),
            ("farewell.address", Some(FarewellSection), address.as_deref().map(Cow::from)),
            ("farewell.note", Some(FarewellSection), note.as_deref().map(Cow::from)),
        ];
        let schema = schema.into_iter().map(|field| (true, field));
        let other = other.into_iter().map(|field| (false, field));
        schema.chain(other).map(|(is_in_schema, (path, section, value))| CardField {
            path,
            is_in_schema,
            section,
            value,
        })
    }

    /// The values of the fields of a section.
    pub fn section_values(&self, section: CardSection) -> impl Iterator<Item = Option<Cow<'_, str>>> {
        self.fields().filter(move |field| field.section == Some(section)).map(|field| field.value)
    }

    /// The paths of the schema's fields in which this card differs from `before`, in the order of the schema.
    pub fn changed_fields(&self, before: &Card) -> Vec<&'static str> {
        let pairs = before.fields().zip(self.fields()).filter(|(_, after)| after.is_in_schema);
        pairs.filter(|(before, after)| before.value != after.value).map(|(_, after)| after.path).collect()
    }

    /// The slug of the public address while the card can be seen there.
    pub fn online_slug(&self) -> Option<&str> {
        self.slug.as_deref().filter(|_| self.offline_since.is_none())
    }

    /// Changes the status to ordered (section 3).
    pub fn order(&mut self, now: Timestamp) -> Result<(), TransitionError> {
        self.status = self.status.advance_to(CardStatus::Ordered)?;
        self.ordered_at = Some(now);
        Ok(())
    }

    /// Puts the public card online under `slug` (section 3).
    pub fn activate(&mut self, slug: String, now: Timestamp) -> Result<(), TransitionError> {
        self.status = self.status.advance_to(CardStatus::Active)?;
        self.activated_at = Some(now);
        self.slug = Some(slug);
        Ok(())
    }
}

/// The status of a card.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum CardStatus {
    /// Can be edited; not online.
    #[default]
    Draft,
    /// Ordered, and waiting for its activation.
    Ordered,
    /// Online.
    Active,
}

/// A transition that is not in the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a card that is {} cannot become {}", from.as_str(), to.as_str())]
pub struct TransitionError {
    pub from: CardStatus,
    pub to: CardStatus,
}

text_enum!(CardStatus { Draft => "DRAFT", Ordered => "ORDERED", Active => "ACTIVE" });

impl CardStatus {
    /// The transition table: DRAFT to ORDERED and ORDERED to ACTIVE.
    pub fn advance_to(self, to: CardStatus) -> Result<CardStatus, TransitionError> {
        match (self, to) {
            (CardStatus::Draft, CardStatus::Ordered) | (CardStatus::Ordered, CardStatus::Active) => Ok(to),
            (from, to) => Err(TransitionError { from, to }),
        }
    }

    /// Whether the theme can be changed: only until the card is ordered (section 3, rule 2).
    pub fn theme_is_open(self) -> bool {
        self == CardStatus::Draft
    }
}

/// A part of the card that is one form in the customizer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CardSection {
    /// Theme, layout, and who can see the card.
    Look,
    /// Names, dates and portrait.
    Person,
    /// The words above the name, and the text.
    Text,
    /// The farewell and its broadcast.
    Farewell,
    /// The family contact.
    Contact,
}

impl CardSection {
    pub const ALL: [CardSection; 5] =
        [CardSection::Look, CardSection::Person, CardSection::Text, CardSection::Farewell, CardSection::Contact];
}

/// A digest of the contents of some sections: equal versions mean equal contents.
///
/// A form carries the version that its page was rendered with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SectionVersion(String);

impl SectionVersion {
    /// The version of these sections of the card.
    pub fn compute(card: &Card, sections: &[CardSection]) -> Self {
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
    pub fn from_form(text: &str) -> Self {
        Self(text.to_owned())
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// The layout of portrait and text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Layout {
    /// A large portrait above the text.
    #[default]
    Portrait,
    /// The portrait next to the text, if the screen is wide enough.
    SideBySide,
    /// The text first, then a small portrait.
    Text,
}

text_enum!(Layout { Portrait => "PORTRAIT", SideBySide => "BESIDE", Text => "TEXT" });

/// Who can open the public card.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Visibility {
    /// Everyone who has the address.
    #[default]
    Open,
    /// Only people with a personal link.
    Invitation,
}

text_enum!(Visibility { Open => "OPEN", Invitation => "INVITATION" });

/// The words above the name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LeadIn {
    #[default]
    InMemory,
    Remembrance,
    WithLove,
    /// No words: the name stands alone.
    NameAlone,
}

text_enum!(LeadIn { InMemory => "IN_MEMORY", Remembrance => "REMEMBRANCE", WithLove => "WITH_LOVE", NameAlone => "NAME_ALONE" });

/// When and where the farewell is. Every part may be missing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Farewell {
    pub date: Option<NaiveDate>,
    /// In the Netherlands. Only with a date.
    pub time: Option<NaiveTime>,
    /// When it ends. Only with a time.
    pub until: Option<NaiveTime>,
    /// Such as the name of a church.
    pub place: Option<String>,
    pub address: Option<String>,
    pub note: Option<String>,
}

impl Farewell {
    /// Whether no part is known.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Place and address in one line, for calendars and maps.
    pub fn location(&self) -> Option<String> {
        let lines = [&self.place, &self.address].into_iter().flatten().flat_map(|text| text.lines());
        let parts: Vec<_> = lines.map(str::trim).filter(|part| !part.is_empty()).collect();
        (!parts.is_empty()).then(|| parts.join(", "))
    }
}

/// The time as it is stored: `09:05`.
pub fn time_text(time: NaiveTime) -> String {
    time.format("%H:%M").to_string()
}

/// Parses a stored time.
pub fn parse_time(text: &str) -> Option<NaiveTime> {
    NaiveTime::parse_from_str(text, "%H:%M").ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn status_changes_only_along_the_table() {
        let allowed: Vec<_> = CardStatus::ALL
            .into_iter()
            .flat_map(|from| CardStatus::ALL.map(|to| (from, to)))
            .filter(|(from, to)| from.advance_to(*to).is_ok())
            .collect();
        assert_eq!(allowed, [(CardStatus::Draft, CardStatus::Ordered), (CardStatus::Ordered, CardStatus::Active)]);
    }
}

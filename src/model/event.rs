//! Outbox events: what happened to a card, for those who follow it (specification, section 6; decisions W1).

use uuid::Uuid;

use super::Card;
use crate::base::Timestamp;

/// What a subscription can follow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Topic {
    CardsCreate,
    CardsUpdate,
    CardsOrdered,
    CardsActivated,
}

impl Topic {
    pub const ALL: [Topic; 4] = [Topic::CardsCreate, Topic::CardsUpdate, Topic::CardsOrdered, Topic::CardsActivated];

    /// As it stands in rows and in the schema.
    pub const fn as_str(self) -> &'static str {
        match self {
            Topic::CardsCreate => "CARDS_CREATE",
            Topic::CardsUpdate => "CARDS_UPDATE",
            Topic::CardsOrdered => "CARDS_ORDERED",
            Topic::CardsActivated => "CARDS_ACTIVATED",
        }
    }

    /// Reads what [`Topic::as_str`] writes.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|topic| topic.as_str() == text)
    }
}

/// Who changed the card.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Actor {
    Partner,
    Family,
    Operator,
    /// The service itself, such as the activation job.
    Service,
}

impl Actor {
    /// As it stands in rows and in notifications.
    pub const fn as_str(self) -> &'static str {
        match self {
            Actor::Partner => "PARTNER",
            Actor::Family => "FAMILY",
            Actor::Operator => "OPERATOR",
            Actor::Service => "SERVICE",
        }
    }

    /// Reads what [`Actor::as_str`] writes.
    pub fn parse(text: &str) -> Option<Self> {
        [Actor::Partner, Actor::Family, Actor::Operator, Actor::Service]
            .into_iter()
            .find(|actor| actor.as_str() == text)
    }
}

/// A field of `Card`, by its path in the schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CardField(pub &'static str);

impl CardField {
    /// The fields visible on `Card` in which `before` and `after` differ, in the order of the schema.
    pub fn changed(before: &Card, after: &Card) -> Vec<CardField> {
        let (old, new) = (&before.deceased, &after.deceased);
        let (from, to) = (&before.family_contact, &after.family_contact);
        [
            ("theme", before.theme_id != after.theme_id),
            ("externalFuneralDirectorId", before.external_funeral_director_id != after.external_funeral_director_id),
            ("deceased.firstName", old.first_name != new.first_name),
            ("deceased.lastName", old.last_name != new.last_name),
            ("deceased.dateOfBirth", old.date_of_birth != new.date_of_birth),
            ("deceased.dateOfDeath", old.date_of_death != new.date_of_death),
            ("deceased.photoUrl", old.photo != new.photo),
            ("livestreamUrl", before.livestream_url != after.livestream_url),
            ("familyContact.name", from.name != to.name),
            ("familyContact.email", from.email != to.email),
            ("status", before.status != after.status),
            ("cardUrl", before.slug != after.slug),
        ]
        .into_iter()
        .filter_map(|(path, differs)| differs.then_some(CardField(path)))
        .collect()
    }
}

/// An event that a change asks for; the store gives it its place in the card's sequence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventDraft {
    pub id: Uuid,
    pub topic: Topic,
    pub actor: Actor,
    pub changed_fields: Vec<CardField>,
}

impl EventDraft {
    /// The event, as the one with this number among those of `card`, which is as the event left it.
    pub fn happened(self, card: &Card, sequence: i64) -> Event {
        Event {
            id: self.id,
            partner_id: card.partner_id,
            card_id: card.id,
            topic: self.topic,
            sequence,
            actor: self.actor,
            changed_fields: self.changed_fields.into_iter().map(|field| field.0.to_owned()).collect(),
            test: card.test,
            occurred_at: card.updated_at,
        }
    }
}

/// An event as it is stored, with the card as it was right after it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// Shown as `evt_<ulid>`.
    pub id: Uuid,
    pub partner_id: Uuid,
    pub card_id: Uuid,
    pub topic: Topic,
    /// Counts per card from 1, without gaps.
    pub sequence: i64,
    pub actor: Actor,
    pub changed_fields: Vec<String>,
    pub test: bool,
    pub occurred_at: Timestamp,
}

//! Events of a card, kept in the outbox, and the notifications about them (specification, section 6; decisions W1). A body is
//! rendered once, when the event happens, in the transaction that writes the event.

use serde::{Serialize, Serializer};
use serde_json::Value;
use uuid::Uuid;

use super::{Card, KeyMode, SubscriptionHealth, path};
use crate::base::{GlobalId, HttpUrl, Kind, Timestamp, limits, text_enum};

/// The topic of a subscription.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Topic {
    /// A card was created.
    CardsCreate,
    /// Fields of a card changed.
    CardsUpdate,
    /// A card was ordered.
    CardsOrdered,
    /// A card went online.
    CardsActivated,
}

text_enum!(Topic {
    CardsCreate => "CARDS_CREATE",
    CardsUpdate => "CARDS_UPDATE",
    CardsOrdered => "CARDS_ORDERED",
    CardsActivated => "CARDS_ACTIVATED",
});

/// Who changed the card.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Actor {
    /// A mutation of the partner API.
    Partner,
    /// The family, in the customizer.
    Family,
    /// A command of the operator.
    Operator,
    /// The service itself, such as the activation worker.
    Service,
}

text_enum!(Actor { Partner => "PARTNER", Family => "FAMILY", Operator => "OPERATOR", Service => "SERVICE" });

/// A new event. The store assigns its sequence number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventDraft {
    pub id: Uuid,
    pub topic: Topic,
    pub actor: Actor,
    /// Paths of the schema.
    pub changed_fields: Vec<&'static str>,
}

impl EventDraft {
    /// Returns the event of a change, or none if no field of the schema changed.
    pub fn of_change(id: Uuid, topic: Topic, actor: Actor, before: &Card, after: &Card) -> Vec<Self> {
        match after.changed_fields(before) {
            fields if fields.is_empty() => Vec::new(),
            changed_fields => vec![Self { id, topic, actor, changed_fields }],
        }
    }

    /// The event with this sequence number, of `card` as the event left it.
    pub fn into_event(self, card: &Card, sequence: i64) -> Event {
        Event {
            id: self.id,
            partner_id: card.partner_id,
            card_id: card.id,
            topic: self.topic,
            sequence,
            actor: self.actor,
            changed_fields: self.changed_fields.into_iter().map(str::to_owned).collect(),
            test: card.test,
            occurred_at: card.updated_at,
        }
    }
}

/// An event as it is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// Shown as `evt_<ulid>`.
    pub id: Uuid,
    pub partner_id: Uuid,
    pub card_id: Uuid,
    pub topic: Topic,
    /// Counts from 1 for each card, without gaps.
    pub sequence: i64,
    pub actor: Actor,
    pub changed_fields: Vec<String>,
    pub test: bool,
    pub occurred_at: Timestamp,
}

/// A subscription of a URL to a topic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WebhookSubscription {
    pub id: Uuid,
    pub partner_id: Uuid,
    pub topic: Topic,
    /// As the partner wrote it. Unique for each partner and topic in its normalised form.
    pub callback_url: HttpUrl,
    /// The API version of the request that created the subscription, in which its notifications are rendered.
    pub api_version: String,
    /// Created with a test key: receives notifications of test cards only.
    pub test: bool,
    pub created_at: Timestamp,
    /// When it was last changed by its partner, paused or resumed.
    pub updated_at: Timestamp,
    /// The partner's own name for it (version 2027-01).
    pub name: Option<String>,
    pub health: SubscriptionHealth,
}

impl WebhookSubscription {
    /// The mode of the key that made it, whose signing secrets sign its notifications (decisions W10).
    pub fn mode(&self) -> KeyMode {
        KeyMode::from_test(self.test)
    }
}

/// Crockford's base 32, which has no I, L, O and U.
pub(super) const CROCKFORD: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/// The id of an event in notifications: `evt_` and the 128 bits of its uuid as a ULID of 26 characters.
pub fn event_name(id: Uuid) -> String {
    let bits = id.as_u128();
    let digits = (0..limits::EVENT_ID_DIGITS).rev().map(|place| CROCKFORD[(bits >> (5 * place)) as usize & 31] as char);
    "evt_".chars().chain(digits).collect()
}

/// Parses the result of [`event_name`].
pub fn event_id(name: &str) -> Option<Uuid> {
    let is_id = |digits: &&str| digits.len() == limits::EVENT_ID_DIGITS && *digits <= "7ZZZZZZZZZZZZZZZZZZZZZZZZZ";
    let digits = name.strip_prefix("evt_").filter(is_id)?;
    let value = |digit: u8| CROCKFORD.iter().position(|known| *known == digit);
    let bits = digits.bytes().try_fold(0_u128, |bits, digit| Some(bits << 5 | value(digit)? as u128))?;
    Some(Uuid::from_u128(bits))
}

/// The URL of the public page of an active card.
pub fn card_address(public_base: &str, slug: &str) -> HttpUrl {
    HttpUrl::trusted([public_base, &path::card(slug)].concat())
}

/// A field of a card in a notification: its name in the schema, and how its value is read from the card and the public base URL.
type CardField = (&'static str, fn(&Card, &str) -> Value);

/// The fields of a card in a notification, in their order. The JSON Schemas of notifications have the same fields.
pub const CARD_FIELDS: [CardField; 8] = [
    ("id", |card, _| GlobalId::new(Kind::Card, card.id).to_string().into()),
    ("externalDossierId", |card, _| card.external_dossier_id.as_str().into()),
    ("externalFuneralDirectorId", |card, _| card.external_funeral_director_id.as_deref().into()),
    ("status", |card, _| card.status.as_str().into()),
    ("cardUrl", |card, public_base| {
        card.slug.as_deref().map(|slug| card_address(public_base, slug).to_string()).into()
    }),
    ("test", |card, _| card.test.into()),
    ("createdAt", |card, _| card.created_at.to_string().into()),
    ("updatedAt", |card, _| card.updated_at.to_string().into()),
];

/// Renders the body of a notification about `event` in the API version of a subscription. `card` is the card after the event.
///
/// `docs/webhooks` has its JSON Schemas, which tests compare with every body. All versions so far differ only in their name. The body has
/// no names, mail addresses, dates of life or photo: a receiver that needs more queries the API.
pub fn render(event: &Event, card: &Card, api_version: &str, public_base: &str) -> String {
    let body = Body {
        id: event_name(event.id),
        r#type: event.topic.as_type(),
        topic: event.topic.as_str(),
        api_version,
        timestamp: event.occurred_at.to_string(),
        test: event.test,
        sequence: event.sequence,
        actor: event.actor.as_str(),
        changed_fields: &event.changed_fields,
        data: Data { card: CardFields { card, public_base } },
    };
    serde_json::to_string(&body).expect("texts, numbers and lists become JSON")
}

impl Topic {
    /// The topic as in `type`, such as `cards/ordered`.
    pub const fn as_type(self) -> &'static str {
        match self {
            Topic::CardsCreate => "cards/create",
            Topic::CardsUpdate => "cards/update",
            Topic::CardsOrdered => "cards/ordered",
            Topic::CardsActivated => "cards/activated",
        }
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Body<'a> {
    id: String,
    r#type: &'static str,
    topic: &'static str,
    api_version: &'a str,
    timestamp: String,
    test: bool,
    sequence: i64,
    actor: &'static str,
    changed_fields: &'a [String],
    data: Data<'a>,
}

#[derive(Serialize)]
struct Data<'a> {
    card: CardFields<'a>,
}

/// The fields in [`CARD_FIELDS`] of a card.
struct CardFields<'a> {
    card: &'a Card,
    public_base: &'a str,
}

impl Serialize for CardFields<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(CARD_FIELDS.iter().map(|(name, read)| (name, read(self.card, self.public_base))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{CardStatus, Deceased, FamilyContact};

    #[test]
    fn event_name_is_the_ulid_of_the_same_bits() {
        // The least and the greatest; a UUIDv7, computed with another program; a carry between digits.
        for (id, name) in [
            ("00000000-0000-0000-0000-000000000000", "evt_00000000000000000000000000"),
            ("ffffffff-ffff-ffff-ffff-ffffffffffff", "evt_7ZZZZZZZZZZZZZZZZZZZZZZZZZ"),
            ("0191d8a4-3c00-7abc-8def-0123456789ab", "evt_01J7CA8F00FAY8VVR14D2PF2DB"),
            ("00000000-0000-0000-0000-000000000021", "evt_00000000000000000000000011"),
        ] {
            assert_eq!(event_name(id.parse().expect("a uuid")), name, "{id}");
            assert_eq!(event_id(name), id.parse().ok(), "{name}");
        }
        for name in ["", "evt_", "evt_8ZZZZZZZZZZZZZZZZZZZZZZZZZ", "evt_0000000000000000000000000U", "evt_é"] {
            assert_eq!(event_id(name), None, "{name}");
        }
    }

    #[test]
    fn body_is_what_the_decisions_show_and_no_more() {
        let at = |ms| Timestamp::from_millis(ms).expect("within the calendar");
        let card = Card {
            id: Uuid::from_u128(1),
            partner_id: Uuid::from_u128(2),
            external_dossier_id: "2026-0142 \"é\"".to_owned(),
            theme_id: Some(Uuid::from_u128(3)),
            deceased: Deceased { first_name: Some("Johanna".to_owned()), ..Deceased::default() },
            family_contact: FamilyContact { email: Some("a@b.nl".to_owned()), ..FamilyContact::default() },
            text: Some("Dank u wel.".to_owned()),
            status: CardStatus::Active,
            slug: Some("abc".to_owned()),
            test: true,
            created_at: at(1_732_044_535_000),
            updated_at: at(1_732_044_536_001),
            event_count: 4,
            ..Card::default()
        };
        let event = Event {
            id: Uuid::from_u128(5),
            partner_id: card.partner_id,
            card_id: card.id,
            topic: Topic::CardsActivated,
            sequence: 4,
            actor: Actor::Service,
            changed_fields: vec!["status".to_owned(), "cardUrl".to_owned()],
            test: true,
            occurred_at: at(1_732_044_536_001),
        };
        assert_eq!(
            render(&event, &card, "2026-10", "https://kaarten.example"),
            concat!(
                r#"{"id":"evt_00000000000000000000000005","type":"cards/activated","topic":"CARDS_ACTIVATED","#,
                r#""apiVersion":"2026-10","timestamp":"2024-11-19T19:28:56.001Z","test":true,"sequence":4,"#,
                r#""actor":"SERVICE","changedFields":["status","cardUrl"],"data":{"card":{"#,
                r#""id":"gid://service/Card/00000000-0000-0000-0000-000000000001","#,
                r#""externalDossierId":"2026-0142 \"é\"","externalFuneralDirectorId":null,"status":"ACTIVE","#,
                r#""cardUrl":"https://kaarten.example/kaart/abc","test":true,"#,
                r#""createdAt":"2024-11-19T19:28:55.000Z","updatedAt":"2024-11-19T19:28:56.001Z"}}}"#
            )
        );
    }
}

//! Events of a card, kept in the outbox (specification, section 6; decisions W1).

use uuid::Uuid;

use super::{Card, KeyMode, SubscriptionHealth};
use crate::base::{HttpUrl, Timestamp, text_enum};

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
    /// The event with this sequence number, of `card` as the event left it.
    pub fn happened(self, card: &Card, sequence: i64) -> Event {
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
    /// The API version of the request that created the subscription, in which its notifications are rendered (decisions W1).
    pub api_version: String,
    /// Created with a test key: receives notifications of test cards only (decisions K3).
    pub test: bool,
    pub created_at: Timestamp,
    /// When it was last changed by its partner, paused or resumed (decisions W7).
    pub updated_at: Timestamp,
    /// The partner's own name for it (version 2027-01).
    pub name: Option<String>,
    pub health: SubscriptionHealth,
}

impl WebhookSubscription {
    /// The mode of the key that made it, whose signing secrets sign its notifications (decisions W10).
    pub fn mode(&self) -> KeyMode {
        KeyMode::of(self.test)
    }
}

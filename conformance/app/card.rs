//! Creates, updates and reads cards over HTTP, and reads their rows from the store.

use std::sync::Arc;

use card_service::base::{GlobalId, Kind};
use card_service::model::{Card, Event};
use serde_json::{Value, json};
use uuid::Uuid;

use super::answer::{codes_of, user_faults};
use super::{Answer, Caller, TestApp, UserFault};

/// Every field of a card.
pub const CARD_FIELDS: &str = "fragment CardFields on Card {
    id externalDossierId externalFuneralDirectorId livestreamUrl status cardUrl test createdAt updatedAt
    theme { id handle }
    deceased { firstName lastName dateOfBirth dateOfDeath photoUrl }
    familyContact { name email }
}";

/// The payload of a card mutation.
#[derive(Clone, Debug)]
pub struct Payload {
    pub card: Value,
    pub faults: Vec<UserFault>,
    pub answer: Answer,
}

impl Payload {
    #[track_caller]
    fn from_answer(answer: Answer, field: &str) -> Self {
        let mut data = answer.data();
        let payload = data[field].take();
        let faults = user_faults(&payload);
        // Section 7: with a user error the main object is null, and only then.
        assert_eq!(payload["card"].is_null(), !faults.is_empty(), "{payload}");
        Self { card: payload["card"].clone(), faults, answer }
    }

    /// The global id of the card.
    #[track_caller]
    pub fn gid(&self) -> String {
        assert_eq!(self.faults, [], "no user errors");
        self.card["id"].as_str().expect("a card has an id").to_owned()
    }

    /// Asserts the one user error; returns its message.
    #[track_caller]
    pub fn fault(&self, code: &str, field: &str) -> &str {
        assert_eq!(codes_of(&self.faults), [(code, field)]);
        &self.faults[0].message
    }
}

/// The document of [`Caller::create`]: a request repeats its key with the same text.
pub fn create_document() -> String {
    format!(
        "mutation Create($input: CardCreateInput!) {{
            cardCreate(input: $input) {{ card {{ ...CardFields }} userErrors {{ code field message }} }}
        }} {CARD_FIELDS}"
    )
}

impl Caller {
    /// `cardCreate`, with every field of the card read back.
    pub async fn create(&self, input: Value) -> Payload {
        Payload::from_answer(self.graphql(&create_document(), json!({ "input": input })).await, "cardCreate")
    }

    /// A draft card with this dossier number and nothing else; its global id.
    pub async fn draft(&self, dossier: &str) -> String {
        self.create(json!({ "externalDossierId": dossier })).await.gid()
    }

    /// `cardUpdate`, with every field of the card read back.
    pub async fn update(&self, id: &str, input: Value) -> Payload {
        let document = format!(
            "mutation Update($id: ID!, $input: CardUpdateInput!) {{
                cardUpdate(id: $id, input: $input) {{ card {{ ...CardFields }} userErrors {{ code field message }} }}
            }} {CARD_FIELDS}"
        );
        Payload::from_answer(self.graphql(&document, json!({ "id": id, "input": input })).await, "cardUpdate")
    }

    /// The query `card`, with every field.
    pub async fn card(&self, id: &str) -> Value {
        let document = format!("query Read($id: ID!) {{ card(id: $id) {{ ...CardFields }} }} {CARD_FIELDS}");
        self.data(&document, json!({ "id": id })).await["card"].take()
    }
}

impl TestApp {
    /// The row of a card.
    pub async fn row(&self, gid: &str) -> Card {
        let card = self.store().any_card(card_id(gid)).await.expect("the store answers");
        Arc::unwrap_or_clone(card.expect("the card has a row"))
    }

    /// The events of a card, oldest first.
    pub async fn events(&self, gid: &str) -> Vec<Event> {
        self.store().events_of(card_id(gid)).await.expect("the store answers")
    }

    /// The topics of a card's events, oldest first.
    pub async fn topics(&self, gid: &str) -> Vec<&'static str> {
        self.events(gid).await.into_iter().map(|event| event.topic.as_str()).collect()
    }
}

/// The uuid in a card's global id.
#[track_caller]
pub fn card_id(gid: &str) -> Uuid {
    GlobalId::uuid_of(gid, Kind::Card).unwrap_or_else(|| panic!("{gid} is not the id of a card"))
}

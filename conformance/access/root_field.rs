//! Every root field, with questions that name an object by id or by value. `house` keeps the list complete: a field
//! that is added to the schema fails the tests until it is asked about here.

use serde_json::{Value, json};

use crate::schema::fields_of;

/// The objects that a question names.
#[derive(Clone, Debug)]
pub struct Target {
    pub card: String,
    pub subscription: String,
    pub delivery: String,
    pub theme: String,
    pub dossier: String,
    pub callback: String,
}

/// A question to a root field.
pub struct Question {
    pub field: &'static str,
    pub document: &'static str,
    /// The object that it names.
    pub names: fn(&Target) -> Value,
}

impl Question {
    /// Whether what it names is an id, which may be malformed.
    pub fn names_id(&self) -> bool {
        self.document.contains("$id: ID!")
    }

    /// Whether it asks for an object that may be another partner's, and so is hidden.
    pub fn names_object(&self) -> bool {
        self.names_id() || self.field == "cardByExternalDossierId"
    }
}

/// The questions; `$own` is a card of the caller's own.
pub const QUESTIONS: &[Question] = &[
    question("node", "query ($id: ID!) { answer: node(id: $id) { __typename id } }", |it| json!(it.card)),
    question("node", "query ($id: ID!) { answer: node(id: $id) { __typename id } }", |it| json!(it.subscription)),
    question("node", "query ($id: ID!) { answer: node(id: $id) { __typename id } }", |it| json!(it.delivery)),
    question("theme", "query ($id: ID!) { answer: theme(id: $id) { id title } }", |it| json!(it.theme)),
    question("card", "query ($id: ID!) { answer: card(id: $id) { id externalDossierId theme { id } } }", |it| {
        json!(it.card)
    }),
    question(
        "cardByExternalDossierId",
        "query ($value: String!) { answer: cardByExternalDossierId(externalDossierId: $value) { id } }",
        |it| json!(it.dossier),
    ),
    question(
        "webhookSubscription",
        "query ($id: ID!) {
            answer: webhookSubscription(id: $id) { id status webhookDeliveries { nodes { id } } }
        }",
        |it| json!(it.subscription),
    ),
    question("themes", "{ answer: themes { nodes { id } pageInfo { hasNextPage hasPreviousPage } } }", |_| Value::Null),
    question(
        "webhookSubscriptions",
        "{ answer: webhookSubscriptions { nodes { id } pageInfo { hasNextPage hasPreviousPage } } }",
        |_| Value::Null,
    ),
    question(
        "webhookDeliveries",
        "{ answer: webhookDeliveries { nodes { id body } pageInfo { hasNextPage hasPreviousPage } } }",
        |_| Value::Null,
    ),
    question(
        "cardCreate",
        "mutation ($value: String!) {
            answer: cardCreate(input: { externalDossierId: $value }) {
                card { status } userErrors { code field message }
            }
        }",
        |it| json!(it.dossier),
    ),
    question(
        "cardCreate",
        "mutation ($id: ID!) {
            answer: cardCreate(input: { externalDossierId: \"new\", themeId: $id }) {
                card { id } userErrors { code field message }
            }
        }",
        |it| json!(it.theme),
    ),
    question(
        "cardUpdate",
        "mutation ($id: ID!) {
            answer: cardUpdate(id: $id, input: { deceased: { firstName: \"X\" } }) {
                card { id } userErrors { code field message }
            }
        }",
        |it| json!(it.card),
    ),
    question(
        "cardUpdate",
        "mutation ($id: ID!) {
            answer: cardUpdate(id: $id, input: { livestreamUrl: \"no address\" }) {
                card { id } userErrors { code field message }
            }
        }",
        |it| json!(it.card),
    ),
    question(
        "cardUpdate",
        "mutation ($own: ID!, $id: ID!) {
            answer: cardUpdate(id: $own, input: { themeId: $id }) { card { id } userErrors { code field message } }
        }",
        |it| json!(it.theme),
    ),
    question(
        "cardSessionCreate",
        "mutation ($id: ID!) {
            answer: cardSessionCreate(cardId: $id, target: CUSTOMIZER) {
                cardSession { url } userErrors { code field message }
            }
        }",
        |it| json!(it.card),
    ),
    question(
        "webhookSubscriptionCreate",
        "mutation ($value: URL!) {
            answer: webhookSubscriptionCreate(topic: CARDS_CREATE, webhookSubscription: { callbackUrl: $value }) {
                webhookSubscription { topic } userErrors { code field message }
            }
        }",
        |it| json!(it.callback),
    ),
    question(
        "webhookSubscriptionUpdate",
        "mutation ($id: ID!) {
            answer: webhookSubscriptionUpdate(
                id: $id, webhookSubscription: { callbackUrl: \"https://hooks.example/elsewhere\" }
            ) { webhookSubscription { id } userErrors { code field message } }
        }",
        |it| json!(it.subscription),
    ),
    question(
        "webhookSubscriptionUpdate",
        "mutation ($id: ID!) {
            answer: webhookSubscriptionUpdate(id: $id, webhookSubscription: { callbackUrl: \"no address\" }) {
                webhookSubscription { id } userErrors { code field message }
            }
        }",
        |it| json!(it.subscription),
    ),
    question(
        "webhookDeliveryRedeliver",
        "mutation ($id: ID!) {
            answer: webhookDeliveryRedeliver(id: $id) {
                webhookDelivery { id } userErrors { code field message }
            }
        }",
        |it| json!(it.delivery),
    ),
    question(
        "webhookSubscriptionTest",
        "mutation ($id: ID!) {
            answer: webhookSubscriptionTest(id: $id) {
                body userErrors { code field message }
            }
        }",
        |it| json!(it.subscription),
    ),
    question(
        "webhookSubscriptionSecretRotate",
        "mutation { answer: webhookSubscriptionSecretRotate { overlapEndsAt userErrors { code field message } } }",
        |_| Value::Null,
    ),
    question(
        "webhookDeliveriesRecover",
        "mutation {
            answer: webhookDeliveriesRecover(since: \"2026-01-01T00:00:00Z\") {
                recoveredCount userErrors { code field message }
            }
        }",
        |_| Value::Null,
    ),
    question(
        "webhookSubscriptionDelete",
        "mutation ($id: ID!) {
            answer: webhookSubscriptionDelete(id: $id) {
                deletedWebhookSubscriptionId userErrors { code field message }
            }
        }",
        |it| json!(it.subscription),
    ),
];

const fn question(field: &'static str, document: &'static str, names: fn(&Target) -> Value) -> Question {
    Question { field, document, names }
}

/// Returns the questions about the root fields of a version.
pub fn questions_of(sdl: &str) -> impl Iterator<Item = &'static Question> {
    let mut fields = fields_of(sdl, "Query");
    fields.extend(fields_of(sdl, "Mutation"));
    QUESTIONS.iter().filter(move |question| fields.iter().any(|field| field == question.field))
}

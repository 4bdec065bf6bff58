//! Every root field, with questions that name an object by id or by value. `house` keeps the list complete: a field
//! that is added to the schema fails the tests until it is asked about here.

use serde_json::{Value, json};

/// The objects that a question names.
#[derive(Clone, Debug)]
pub struct Target {
    pub card: String,
    pub subscription: String,
    pub theme: String,
    pub dossier: String,
    pub callback: String,
}

/// A question to a root field.
pub struct Question {
    pub field: &'static str,
    pub document: &'static str,
    /// What it names.
    pub names: fn(&Target) -> Value,
}

impl Question {
    /// Whether what it names is an id, which may be malformed.
    pub fn names_id(&self) -> bool {
        self.document.contains("$id: ID!")
    }
}

/// The questions; `$own` is a card of the caller's own.
pub const QUESTIONS: &[Question] = &[
    Question {
        field: "node",
        document: "query ($id: ID!) { answer: node(id: $id) { __typename id } }",
        names: |target| json!(target.card),
    },
    Question {
        field: "node",
        document: "query ($id: ID!) { answer: node(id: $id) { __typename id } }",
        names: |target| json!(target.subscription),
    },
    Question {
        field: "theme",
        document: "query ($id: ID!) { answer: theme(id: $id) { id title } }",
        names: |target| json!(target.theme),
    },
    Question {
        field: "card",
        document: "query ($id: ID!) { answer: card(id: $id) { id externalDossierId theme { id } } }",
        names: |target| json!(target.card),
    },
    Question {
        field: "themes",
        document: "{ answer: themes { nodes { id } pageInfo { hasNextPage hasPreviousPage } } }",
        names: |_| Value::Null,
    },
    Question {
        field: "webhookSubscriptions",
        document: "{ answer: webhookSubscriptions { nodes { id } pageInfo { hasNextPage hasPreviousPage } } }",
        names: |_| Value::Null,
    },
    Question {
        field: "cardCreate",
        document: "mutation ($value: String!) {
            answer: cardCreate(input: { externalDossierId: $value }) {
                card { status } userErrors { code field message }
            }
        }",
        names: |target| json!(target.dossier),
    },
    Question {
        field: "cardCreate",
        document: "mutation ($id: ID!) {
            answer: cardCreate(input: { externalDossierId: \"new\", themeId: $id }) {
                card { id } userErrors { code field message }
            }
        }",
        names: |target| json!(target.theme),
    },
    Question {
        field: "cardUpdate",
        document: "mutation ($id: ID!) {
            answer: cardUpdate(id: $id, input: { deceased: { firstName: \"X\" } }) {
                card { id } userErrors { code field message }
            }
        }",
        names: |target| json!(target.card),
    },
    Question {
        field: "cardUpdate",
        document: "mutation ($id: ID!) {
            answer: cardUpdate(id: $id, input: { livestreamUrl: \"no address\" }) {
                card { id } userErrors { code field message }
            }
        }",
        names: |target| json!(target.card),
    },
    Question {
        field: "cardUpdate",
        document: "mutation ($own: ID!, $id: ID!) {
            answer: cardUpdate(id: $own, input: { themeId: $id }) { card { id } userErrors { code field message } }
        }",
        names: |target| json!(target.theme),
    },
    Question {
        field: "cardSessionCreate",
        document: "mutation ($id: ID!) {
            answer: cardSessionCreate(cardId: $id, target: CUSTOMIZER) {
                cardSession { url } userErrors { code field message }
            }
        }",
        names: |target| json!(target.card),
    },
    Question {
        field: "webhookSubscriptionCreate",
        document: "mutation ($value: URL!) {
            answer: webhookSubscriptionCreate(topic: CARDS_CREATE, webhookSubscription: { callbackUrl: $value }) {
                webhookSubscription { topic } userErrors { code field message }
            }
        }",
        names: |target| json!(target.callback),
    },
    Question {
        field: "webhookSubscriptionDelete",
        document: "mutation ($id: ID!) {
            answer: webhookSubscriptionDelete(id: $id) {
                deletedWebhookSubscriptionId userErrors { code field message }
            }
        }",
        names: |target| json!(target.subscription),
    },
];

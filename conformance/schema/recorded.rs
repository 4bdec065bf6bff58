//! Recorded responses of 2026-10, which stay the same byte for byte next to 2027-01 (specification,
//! section 9, rule 2). The snapshot was written by the build before 2027-01 was begun; a change in it is a change for
//! partners.

use std::fmt::Write as _;

use serde_json::{Value, json};

use crate::app::{Answer, TestApp};

/// Every root field with everything it can answer, and every way in which a request goes wrong.
const REQUESTS: &[(&str, &str)] = &[
    (
        "create",
        "mutation ($input: CardCreateInput!) {
        cardCreate(input: $input) { card { ...Card } userErrors { __typename code field message } }
    }",
    ),
    (
        "create again",
        "mutation ($input: CardCreateInput!) {
        cardCreate(input: $input) { card { ...Card } userErrors { __typename code field message } }
    }",
    ),
    (
        "create what is wrong in many ways",
        "mutation { cardCreate(input: {
        externalDossierId: \" \", themeId: \"77\", livestreamUrl: \"nergens\",
        deceased: { dateOfBirth: \"2020-02-30\", dateOfDeath: \"2099-01-01\" }, familyContact: { email: \"geen\" }
    }) { card { id } userErrors { code field message } } }",
    ),
    (
        "update",
        "mutation ($card: ID!) { cardUpdate(id: $card, input: {
        deceased: { lastName: \"de Boer\", dateOfDeath: null }, externalFuneralDirectorId: null
    }) { card { ...Card } userErrors { code field message } } }",
    ),
    (
        "update what is not there",
        "mutation { cardUpdate(id: \"1\", input: {}) {
        card { id } userErrors { code field message }
    } }",
    ),
    (
        "session",
        "mutation ($card: ID!) { cardSessionCreate(cardId: $card, target: INVITEE_LIST) {
        cardSession { __typename url target expiresAt } userErrors { code field message }
    } }",
    ),
    (
        "subscribe",
        "mutation { webhookSubscriptionCreate(
        topic: CARDS_ORDERED, webhookSubscription: { callbackUrl: \"https://hooks.example/in\" }
    ) { webhookSubscription { ...Subscription } userErrors { code field message } } }",
    ),
    (
        "subscribe again",
        "mutation { webhookSubscriptionCreate(
        topic: CARDS_ORDERED, webhookSubscription: { callbackUrl: \"https://HOOKS.example/in\", format: JSON }
    ) { webhookSubscription { id } userErrors { code field message } } }",
    ),
    ("card", "query ($card: ID!) { card(id: $card) { ...Card } }"),
    ("card that is not there", "{ card(id: \"gid://service/Card/00000000-0000-7000-8000-000000000000\") { id } }"),
    ("theme by number", "{ theme(id: \"1\") { ...Theme } }"),
    (
        "themes",
        "{ themes(first: 1) {
        __typename edges { __typename cursor node { ...Theme } } nodes { id } pageInfo { __typename ...Page }
    } }",
    ),
    (
        "subscriptions",
        "{ webhookSubscriptions(topics: [CARDS_ORDERED]) {
        __typename edges { cursor node { ...Subscription } } nodes { id } pageInfo { ...Page }
    } }",
    ),
    (
        "nodes",
        "query ($card: ID!, $subscription: ID!) {
        a: node(id: $card) { __typename id ...Card } b: node(id: $subscription) { __typename ...Subscription }
        c: node(id: \"gid://service/WebhookDelivery/00000000-0000-7000-8000-000000000000\") { id }
    }",
    ),
    (
        "two fields that wait",
        "query ($card: ID!) { a: card(id: $card) { theme { title } } b: card(id: $card) { status } }",
    ),
    (
        "cancel",
        "mutation ($subscription: ID!) { webhookSubscriptionDelete(id: $subscription) {
        deletedWebhookSubscriptionId userErrors { code field message }
    } }",
    ),
    (
        "cancel again",
        "mutation ($subscription: ID!) { webhookSubscriptionDelete(id: $subscription) {
        deletedWebhookSubscriptionId userErrors { code field message }
    } }",
    ),
    ("page too large", "{ themes(first: 251) { nodes { id } } }"),
    ("no GraphQL", "{ card("),
    ("unknown field", "{ cardByExternalDossierId(externalDossierId: \"1\") { id } }"),
    ("field of a later version", "query ($card: ID!) { card(id: $card) { orderedAt } }"),
    (
        "unknown argument",
        "mutation ($card: ID!) { cardUpdate(id: $card, input: { externalDossierId: \"2\" }) {
        userErrors { code }
    } }",
    ),
    ("value of the wrong kind", "{ card(id: 1.5) { id } }"),
    ("two operations", "query A { __typename } query B { __typename }"),
    ("type of a later version", "{ __type(name: \"WebhookDelivery\") { name } }"),
    ("types", "{ __schema { types { name kind } queryType { name } mutationType { name } } }"),
];

const FRAGMENTS: &[(&str, &str)] = &[
    ("Card", "fragment Card on Card {
        __typename id theme { ...Theme } externalDossierId externalFuneralDirectorId
        deceased { __typename firstName lastName dateOfBirth dateOfDeath photoUrl } livestreamUrl
        familyContact { __typename name email } status cardUrl test createdAt updatedAt
    }"),
    ("Theme", "fragment Theme on Theme {
        __typename id legacyResourceId title handle description images { __typename url altText }
        videos { __typename url } demoUrl
    }"),
    ("Subscription", "fragment Subscription on WebhookSubscription {
        __typename id topic endpoint { __typename ... on WebhookHttpEndpoint { callbackUrl } } format createdAt updatedAt
    }"),
    ("Page", "fragment Page on PageInfo { hasNextPage hasPreviousPage startCursor endCursor }"),
];

/// A document with the fragments it uses, directly or through other fragments.
fn whole(document: &str) -> String {
    let mut text = document.to_owned();
    for (name, fragment) in FRAGMENTS {
        if text.contains(&format!("...{name} ")) || text.contains(&format!("...{name}\n")) {
            text.push('\n');
            text.push_str(fragment);
        }
    }
    text
}

/// Ids, links and cursors are random, and shown by when they first appear.
#[derive(Default)]
struct Masks(Vec<String>);

impl Masks {
    fn mask(&mut self, text: &str) -> String {
        let mut masked = String::new();
        let mut rest = text;
        let is_part = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
        while let Some(start) = rest.find(is_part) {
            let length = rest[start..].find(|c| !is_part(c)).unwrap_or(rest.len() - start);
            let word = &rest[start..start + length];
            masked.push_str(&rest[..start]);
            if word.len() >= 22 && word.contains(|c: char| c.is_ascii_digit()) {
                let known = self.0.iter().position(|known| known == word);
                let number = known.unwrap_or_else(|| {
                    self.0.push(word.to_owned());
                    self.0.len() - 1
                });
                write!(masked, "<{number}>").expect("a text can be written");
            } else {
                masked.push_str(word);
            }
            rest = &rest[start + length..];
        }
        masked + rest
    }
}

fn describe(name: &str, answer: &Answer) -> String {
    let header = |name| answer.header(name).unwrap_or("none").to_owned();
    let [kind, version, store] = ["content-type", "x-service-api-version", "cache-control"].map(header);
    format!("## {name}\n{} · {kind} · {version} · {store}\n{}\n\n", answer.status, answer.text())
}

on_sqlite! {
    async fn answers_of_2026_10_stay_byte_for_byte(app: TestApp) {
        let live = app.live().await;
        app.theme("linnen", 1).await;
        let input = json!({
            "externalDossierId": "2026-0142",
            "externalFuneralDirectorId": "UV-88",
            "themeId": "1",
            "deceased": { "firstName": "Aaltje \"é\"", "dateOfBirth": "1940-02-29", "dateOfDeath": "2026-11-01" },
            "livestreamUrl": "https://live.example/1?a=b&c",
            "familyContact": { "name": "Jan", "email": "jan@voorbeeld.nl" },
        });
        let (mut text, mut masks) = (String::new(), Masks::default());
        let (mut card, mut subscription) = (Value::Null, Value::Null);
        for (name, document) in REQUESTS {
            if *name == "card" {
                app.order(card.as_str().expect("a card")).await;
                app.activate(card.as_str().expect("a card")).await;
            }
            let given = [("input", &input), ("card", &card), ("subscription", &subscription)];
            let used = given.into_iter().filter(|(name, _)| document.contains(&format!("${name}")));
            let variables: Value = used.map(|(name, value)| (name.to_owned(), value.clone())).collect();
            let answer = live.graphql(&whole(document), variables).await;
            let data = answer.json();
            match *name {
                "create" => card = data["data"]["cardCreate"]["card"]["id"].clone(),
                "subscribe" => {
                    subscription = data["data"]["webhookSubscriptionCreate"]["webhookSubscription"]["id"].clone();
                }
                _ => {}
            }
            text.push_str(&masks.mask(&describe(name, &answer)));
        }
        insta::with_settings!({
            snapshot_path => "../snapshots/2026-10",
            prepend_module_to_snapshot => false,
            omit_expression => true,
        }, {
            insta::assert_snapshot!("answers", text);
        });
    }
}

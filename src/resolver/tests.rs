//! The translation, through the engine: what each root field answers, and what the context tells afterwards.

use std::sync::Arc;

use serde_json::{Value, json};

use super::Context;
use crate::generated::engines;
use crate::graphql::{AnyEngine, Limits, Request};
use crate::model::Actor;
use crate::operation::card;
use crate::operation::fixture::Fixture;

/// One partner and one engine.
struct Desk {
    fixture: Fixture,
    engine: Arc<dyn AnyEngine<Context>>,
}

impl Desk {
    async fn new() -> Self {
        let engine = engines(Limits::default()).into_iter().next().expect("a version");
        Self { fixture: Fixture::new().await, engine }
    }

    /// The answer to a request, and the context it ran in.
    async fn run(&self, query: &str, variables: Value) -> (Value, Context) {
        let body = json!({ "query": query, "variables": variables }).to_string();
        let request = Request::parse(body.as_bytes()).expect("a request");
        let prepared = self.engine.prepare(&request).expect("a document of the schema");
        let context = Context::new(Arc::clone(&self.fixture.services), self.fixture.caller.clone());
        let reply = self.engine.execute(&prepared, &context).await;
        (serde_json::from_slice(&reply.body).expect("JSON"), context)
    }

    /// The data of an answer without errors.
    async fn data(&self, query: &str, variables: Value) -> Value {
        let (mut answer, _) = self.run(query, variables).await;
        assert_eq!(answer.get("errors"), None, "{answer}");
        answer["data"].take()
    }

    async fn create(&self, input: Value) -> Value {
        let mut data = self.data(CREATE, json!({ "input": input })).await;
        data["cardCreate"].take()
    }

    /// The global id of a new card.
    async fn card(&self, dossier: &str) -> String {
        let payload = self.create(json!({ "externalDossierId": dossier })).await;
        payload["card"]["id"].as_str().expect("a card").to_owned()
    }

    async fn subscription(&self, topic: &str, path: &str) -> String {
        let variables = json!({ "topic": topic, "url": format!("https://hooks.voorbeeld.nl/{path}") });
        let data = self.data(SUBSCRIBE, variables).await;
        let made = &data["webhookSubscriptionCreate"]["webhookSubscription"];
        made["id"].as_str().expect("a subscription").to_owned()
    }

    async fn as_another_partner(&mut self) {
        self.fixture.caller = Fixture::partner(&self.fixture.services, "ander").await;
    }
}

const CREATE: &str = "mutation ($input: CardCreateInput!) { cardCreate(input: $input) { \
    card { id theme { handle } externalDossierId externalFuneralDirectorId \
        deceased { firstName lastName dateOfBirth dateOfDeath photoUrl } livestreamUrl familyContact { name email } \
        status cardUrl test createdAt updatedAt } \
    userErrors { code field message } } }";
const UPDATE: &str = "mutation ($id: ID!, $input: CardUpdateInput!) { cardUpdate(id: $id, input: $input) { \
    card { deceased { firstName lastName } livestreamUrl familyContact { name email } } \
    userErrors { code field message } } }";
const SUBSCRIBE: &str = "mutation ($topic: WebhookSubscriptionTopic!, $url: URL!) { \
    webhookSubscriptionCreate(topic: $topic, webhookSubscription: { callbackUrl: $url }) { \
        webhookSubscription { id topic format endpoint { ... on WebhookHttpEndpoint { callbackUrl } } createdAt } \
        userErrors { code field message } } }";

#[tokio::test]
async fn card_create_answers_with_every_field_of_the_card() {
    let desk = Desk::new().await;
    let theme = desk.fixture.theme("zee").await;
    let payload = desk
        .create(json!({
            "externalDossierId": "2026-0142",
            "themeId": theme.number.to_string(),
            "externalFuneralDirectorId": "De Linde",
            "deceased": {
                "firstName": "Anna", "lastName": "de Vries", "dateOfBirth": "1940-05-01", "dateOfDeath": "2026-10-01",
                "photoUrl": desk.fixture.photos.address_of("/photo"),
            },
            "livestreamUrl": "https://live.voorbeeld.nl/1",
            "familyContact": { "name": "Bram", "email": "bram@voorbeeld.nl" },
        }))
        .await;
    let card = &payload["card"];
    let id = card["id"].as_str().expect("an id");
    assert!(id.starts_with("gid://service/Card/"), "{id}");
    let photo = card["deceased"]["photoUrl"].as_str().expect("a photo");
    assert!(photo.starts_with("https://kaarten.example/media/photo/") && photo.ends_with(".gif"), "{photo}");
    let expected = json!({
        "id": id,
        "theme": { "handle": "zee" },
        "externalDossierId": "2026-0142",
        "externalFuneralDirectorId": "De Linde",
        "deceased": {
            "firstName": "Anna", "lastName": "de Vries", "dateOfBirth": "1940-05-01", "dateOfDeath": "2026-10-01",
            "photoUrl": photo,
        },
        "livestreamUrl": "https://live.voorbeeld.nl/1",
        "familyContact": { "name": "Bram", "email": "bram@voorbeeld.nl" },
        "status": "DRAFT",
        "cardUrl": null,
        "test": false,
        "createdAt": "2026-10-15T12:00:00.000Z",
        "updatedAt": "2026-10-15T12:00:00.000Z",
    });
    assert_eq!(payload, json!({ "card": expected, "userErrors": [] }));
}

#[tokio::test]
async fn wrong_values_of_string_shaped_scalars_are_user_errors_with_their_path() {
    let desk = Desk::new().await;
    let input = json!({
        "externalDossierId": "1",
        "deceased": { "dateOfBirth": "2026-02-30", "photoUrl": "foto" },
        "livestreamUrl": "ftp://voorbeeld.nl",
    });
    let (answer, context) = desk.run(CREATE, json!({ "input": input })).await;
    let payload = &answer["data"]["cardCreate"];
    assert_eq!(payload["card"], Value::Null);
    let errors: Vec<_> =
        payload["userErrors"].as_array().expect("errors").iter().map(|e| (&e["code"], &e["field"])).collect();
    let invalid = json!("INVALID");
    let fields = [
        json!(["input", "deceased", "dateOfBirth"]),
        json!(["input", "deceased", "photoUrl"]),
        json!(["input", "livestreamUrl"]),
    ];
    assert_eq!(errors, fields.iter().map(|field| (&invalid, field)).collect::<Vec<_>>());
    assert!(context.user_errors() && !context.replayed());
}

#[tokio::test]
async fn card_update_tells_absent_null_and_value_apart() {
    let desk = Desk::new().await;
    let input = json!({
        "externalDossierId": "1",
        "deceased": { "firstName": "Anna", "lastName": "de Vries" },
        "livestreamUrl": "https://live.voorbeeld.nl/1",
        "familyContact": { "name": "Bram", "email": "bram@voorbeeld.nl" },
    });
    let created = desk.create(input).await;
    let input = json!({ "deceased": { "firstName": "Annie" }, "livestreamUrl": null, "familyContact": null });
    let data = desk.data(UPDATE, json!({ "id": created["card"]["id"], "input": input })).await;
    let expected = json!({
        "deceased": { "firstName": "Annie", "lastName": "de Vries" },
        "livestreamUrl": null,
        "familyContact": { "name": null, "email": null },
    });
    assert_eq!(data["cardUpdate"], json!({ "card": expected, "userErrors": [] }));
    // A variable that is not sent inside an input is an absent field.
    let document = "mutation ($id: ID!, $name: String) { \
        cardUpdate(id: $id, input: { deceased: { firstName: $name } }) { card { deceased { firstName } } } }";
    let data = desk.data(document, json!({ "id": created["card"]["id"] })).await;
    assert_eq!(data["cardUpdate"]["card"]["deceased"]["firstName"], "Annie");
    let data = desk.data(document, json!({ "id": created["card"]["id"], "name": null })).await;
    assert_eq!(data["cardUpdate"]["card"]["deceased"]["firstName"], Value::Null);
}

#[tokio::test]
async fn node_finds_every_kind_for_its_owner_alone() {
    let mut desk = Desk::new().await;
    let theme = desk.fixture.theme("zee").await;
    let (card, subscription) = (desk.card("1").await, desk.subscription("CARDS_CREATE", "a").await);
    let theme_id = format!("gid://service/Theme/{}", theme.id);
    let node = "query ($id: ID!) { node(id: $id) { __typename id ... on Theme { legacyResourceId } } }";
    let found = async |desk: &Desk, id: &str| desk.data(node, json!({ "id": id })).await["node"].take();
    assert_eq!(found(&desk, &card).await, json!({ "__typename": "Card", "id": card }));
    let kind = json!({ "__typename": "WebhookSubscription", "id": subscription });
    assert_eq!(found(&desk, &subscription).await, kind);
    let kind = json!({ "__typename": "Theme", "id": theme_id, "legacyResourceId": theme.number.to_string() });
    assert_eq!(found(&desk, &theme_id).await, kind);
    for wrong in ["", "1", "gid://service/Card/1", "gid://service/Partner/00000000-0000-0000-0000-000000000001", "\0"] {
        assert_eq!(found(&desk, wrong).await, Value::Null, "{wrong:?}");
    }
    desk.as_another_partner().await;
    assert_eq!((found(&desk, &card).await, found(&desk, &subscription).await), (Value::Null, Value::Null));
    assert_ne!(found(&desk, &theme_id).await, Value::Null, "themes are everybody's");
}

#[tokio::test]
async fn foreign_card_reads_as_if_it_did_not_exist() {
    let mut desk = Desk::new().await;
    let card = desk.card("1").await;
    desk.as_another_partner().await;
    let unknown = "gid://service/Card/00000000-0000-0000-0000-000000000001";
    for id in [card.as_str(), unknown, "geen id"] {
        let read = desk.data("query ($id: ID!) { card(id: $id) { id } }", json!({ "id": id })).await;
        assert_eq!(read, json!({ "card": null }), "{id}");
        let error =
            |field| json!([{ "code": "NOT_FOUND", "field": [field], "message": "Deze kaart is niet gevonden." }]);
        let updated = desk.data(UPDATE, json!({ "id": id, "input": { "livestreamUrl": "fout" } })).await;
        assert_eq!(updated["cardUpdate"], json!({ "card": null, "userErrors": error("id") }), "{id}");
        let document = "mutation ($id: ID!) { cardSessionCreate(cardId: $id, target: CUSTOMIZER) { \
            cardSession { url } userErrors { code field message } } }";
        let session = desk.data(document, json!({ "id": id })).await;
        assert_eq!(session["cardSessionCreate"], json!({ "cardSession": null, "userErrors": error("cardId") }), "{id}");
    }
}

#[tokio::test]
async fn card_url_is_there_once_the_card_is_active() {
    let desk = Desk::new().await;
    let id = desk.fixture.complete_card("1").await.id;
    let gid = format!("gid://service/Card/{id}");
    let read = "query ($id: ID!) { card(id: $id) { status cardUrl } }";
    card::order(&desk.fixture.services, id, Actor::Operator).await.expect("a draft");
    let data = desk.data(read, json!({ "id": gid })).await;
    assert_eq!(data["card"], json!({ "status": "ORDERED", "cardUrl": null }));
    let active = card::activate(&desk.fixture.services, id, Actor::Operator).await.expect("an ordered card");
    let url = format!("https://kaarten.example/kaart/{}", active.slug.expect("an address"));
    let data = desk.data(read, json!({ "id": gid })).await;
    assert_eq!(data["card"], json!({ "status": "ACTIVE", "cardUrl": url }));
}

#[tokio::test]
async fn theme_is_found_by_global_id_and_by_bare_number() {
    let desk = Desk::new().await;
    let theme = desk.fixture.theme("zee").await;
    let read = "query ($id: ID!) { theme(id: $id) { handle title images { url altText } videos { url } demoUrl } }";
    let expected = json!({ "handle": "zee", "title": "zee", "images": [], "videos": [], "demoUrl": null });
    for id in [format!("gid://service/Theme/{}", theme.id), theme.number.to_string()] {
        assert_eq!(desk.data(read, json!({ "id": id })).await["theme"], expected, "{id}");
    }
    for id in ["0", "-1", "1.0", "99999999999999999999", "gid://service/Card/1", ""] {
        assert_eq!(desk.data(read, json!({ "id": id })).await["theme"], Value::Null, "{id}");
    }
}

#[tokio::test]
async fn themes_are_paged_both_ways_by_their_cursors() {
    let desk = Desk::new().await;
    for handle in ["a", "b", "c"] {
        desk.fixture.theme(handle).await;
    }
    let read = "query ($first: Int, $after: String, $last: Int, $before: String) { \
        themes(first: $first, after: $after, last: $last, before: $before) { \
            nodes { handle } edges { cursor node { handle } } \
            pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }";
    let page = async |variables| desk.data(read, variables).await["themes"].take();
    let first = page(json!({ "first": 2 })).await;
    assert_eq!(first["nodes"], json!([{ "handle": "a" }, { "handle": "b" }]));
    let info = &first["pageInfo"];
    assert_eq!((&info["hasNextPage"], &info["hasPreviousPage"]), (&json!(true), &json!(false)));
    assert_eq!(info["startCursor"], first["edges"][0]["cursor"]);
    assert_eq!(info["endCursor"], first["edges"][1]["cursor"]);
    let rest = page(json!({ "first": 2, "after": info["endCursor"] })).await;
    assert_eq!((&rest["nodes"], &rest["pageInfo"]["hasNextPage"]), (&json!([{ "handle": "c" }]), &json!(false)));
    let back = page(json!({ "last": 1, "before": rest["pageInfo"]["startCursor"] })).await;
    assert_eq!((&back["nodes"], &back["pageInfo"]["hasPreviousPage"]), (&json!([{ "handle": "b" }]), &json!(true)));
    let none = page(json!({ "first": 0 })).await;
    assert_eq!((&none["edges"], &none["pageInfo"]["startCursor"]), (&json!([]), &Value::Null));
}

#[tokio::test]
async fn wrong_page_is_an_error_of_the_caller() {
    let desk = Desk::new().await;
    for arguments in ["first: 251", "first: -1", "first: 1, last: 1", "after: \"x\""] {
        for field in ["themes", "webhookSubscriptions"] {
            let (answer, _) = desk.run(&format!("{{ {field}({arguments}) {{ nodes {{ id }} }} }}"), json!({})).await;
            assert_eq!(answer["data"], Value::Null, "{field} {arguments}");
            assert_eq!(answer["errors"][0]["extensions"]["code"], "BAD_USER_INPUT", "{field} {arguments}");
        }
    }
}

#[tokio::test]
async fn session_is_answered_with_its_link() {
    let desk = Desk::new().await;
    let id = desk.card("1").await;
    let document = "mutation ($id: ID!) { cardSessionCreate(cardId: $id, target: INVITEE_LIST) { \
        cardSession { url target expiresAt } userErrors { code } } }";
    let data = desk.data(document, json!({ "id": id })).await;
    let session = &data["cardSessionCreate"]["cardSession"];
    assert_eq!(
        (&session["target"], &session["expiresAt"]),
        (&json!("INVITEE_LIST"), &json!("2026-10-15T12:10:00.000Z"))
    );
    let url = session["url"].as_str().expect("a link");
    assert!(url.starts_with("https://kaarten.example/s/") && url.len() == "https://kaarten.example/s/".len() + 43);
}

#[tokio::test]
async fn subscriptions_are_made_listed_newest_first_and_deleted() {
    let desk = Desk::new().await;
    let first = desk.subscription("CARDS_CREATE", "a").await;
    desk.fixture.wait();
    let second = desk.subscription("CARDS_UPDATE", "b").await;
    let list = "query ($topics: [WebhookSubscriptionTopic!]) { webhookSubscriptions(topics: $topics) { \
        nodes { id topic format endpoint { ... on WebhookHttpEndpoint { callbackUrl } } } } }";
    let ids = async |topics: Value| {
        let data = desk.data(list, json!({ "topics": topics })).await;
        let nodes = data["webhookSubscriptions"]["nodes"].as_array().expect("nodes").clone();
        nodes.into_iter().map(|node| node["id"].as_str().expect("an id").to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(ids(Value::Null).await, [second.clone(), first.clone()]);
    assert_eq!(ids(json!([])).await, [second.clone(), first.clone()]);
    assert_eq!(ids(json!(["CARDS_CREATE", "CARDS_CREATE"])).await, std::slice::from_ref(&first));
    assert_eq!(ids(json!(["CARDS_ORDERED"])).await, Vec::<String>::new());

    let delete = "mutation ($id: ID!) { webhookSubscriptionDelete(id: $id) { \
        deletedWebhookSubscriptionId userErrors { code field message } } }";
    let data = desk.data(delete, json!({ "id": first })).await;
    let expected = json!({ "deletedWebhookSubscriptionId": first, "userErrors": [] });
    assert_eq!(data["webhookSubscriptionDelete"], expected);
    let (answer, context) = desk.run(delete, json!({ "id": first })).await;
    let error = json!({ "code": "NOT_FOUND", "field": ["id"], "message": "Dit abonnement is niet gevonden." });
    let expected = json!({ "deletedWebhookSubscriptionId": null, "userErrors": [error] });
    assert_eq!(answer["data"]["webhookSubscriptionDelete"], expected);
    assert!(context.user_errors());
    assert_eq!(ids(Value::Null).await, [second]);
}

#[tokio::test]
async fn request_sent_again_under_its_key_gets_the_same_cards_one_by_one() {
    let mut desk = Desk::new().await;
    desk.fixture.under_key("sleutel", 1);
    let document = "mutation { \
        a: cardCreate(input: { externalDossierId: \"1\" }) { card { id } userErrors { code } } \
        b: cardCreate(input: { externalDossierId: \"2\" }) { card { id } userErrors { code } } }";
    let (first, context) = desk.run(document, json!({})).await;
    assert!(!context.replayed() && !context.user_errors());
    assert_ne!(first["data"]["a"], first["data"]["b"]);
    let (second, context) = desk.run(document, json!({})).await;
    assert_eq!(second, first);
    assert!(context.replayed() && !context.user_errors());
}

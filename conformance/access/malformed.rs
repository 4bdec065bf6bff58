//! Ids that are none: read as null or NOT_FOUND, never an internal error.

use card_service::model::DeliveryState;
use serde_json::{Value, json};

use super::root_field::{Question, questions_of};
use crate::app::TestApp;
use crate::schema::versions;

/// Texts in the place of an id; `uuid` belongs to an object that exists.
fn corpus(kind: &str, uuid: &str) -> Vec<String> {
    let gid = format!("gid://service/{kind}/{uuid}");
    #[rustfmt::skip]
    let mut ids: Vec<String> = [
        "", " ", "\u{0}", "a\u{0}b", "%", "%%", "_", "'", "\"", "\\", "';--", "🕯", "e\u{301}", "\u{feff}", "\u{202e}", "\n",
        "null", "true", "-1", "0", "1e9", "NaN", "9223372036854775807", "9223372036854775808",
        "99999999999999999999999999999999", "٣", "gid://", "gid://service", "gid://service/", "gid://service/Card",
        "gid://service/Card/", "gid://service//", "gid://service/Card/1", "../../etc/passwd", "http://service/Card/1",
        "gid://service/Card/zzzzzzzz-zzzz-7zzz-8zzz-zzzzzzzzzzzz",
        "gid://service/Card/00000000-0000-0000-0000-000000000000",
        "gid://service/Card/ffffffff-ffff-ffff-ffff-ffffffffffff",
    ]
    .map(str::to_owned)
    .into();
    ids.extend([
        "x".repeat(10_000),
        "🕯".repeat(10_000),
        "9".repeat(10_000),
        uuid.to_owned(),
        format!("{gid}\u{0}"),
        format!("{gid}/"),
        format!("{gid}?a=b"),
        format!("{gid}%00"),
        format!("gid://service/{kind}/{{{uuid}"),
        format!("gid://service/{kind}/({uuid})"),
        format!("gid://service/{kind}/{}", uuid.replacen('-', "", 1)),
        format!("gid://service/{}/{uuid}", kind.to_lowercase()),
        format!("gid://Service/{kind}/{uuid}"),
        format!("GID://service/{kind}/{uuid}"),
        format!("gid://other/{kind}/{uuid}"),
        format!("gid://service//{uuid}"),
    ]);
    if kind != "Theme" {
        ids.push("1".to_owned()); // the number of a theme
    }
    for other in ["Card", "Theme", "WebhookSubscription", "WebhookDelivery", "Order", "Node"] {
        if other != kind {
            ids.push(format!("gid://service/{other}/{uuid}"));
        }
    }
    ids
}

/// The kind of what a question asks for.
fn kind_of(question: &Question) -> &'static str {
    match question.field {
        "theme" => "Theme",
        _ if question.document.contains("themeId") => "Theme",
        "webhookSubscription"
        | "webhookSubscriptionUpdate"
        | "webhookSubscriptionDelete"
        | "webhookSubscriptionTest" => "WebhookSubscription",
        "webhookDeliveryRedeliver" => "WebhookDelivery",
        _ => "Card",
    }
}

on_sqlite! {
    async fn id_in_the_spelling_of_another_system_is_found(app: TestApp) {
        let live = app.live().await;
        let gid = live.draft("1").await;
        let (start, uuid) = gid.rsplit_once('/').expect("a uuid");
        for id in [
            format!("{start}/{}", uuid.to_uppercase()),           // RFC 9562, section 4; SQL Server, .NET's "D" in upper case
            format!("{start}/{{{uuid}}}"),                         // .NET's "B", COM
            format!("{start}/urn:uuid:{uuid}"),                    // RFC 9562, section 4
            format!("{start}/{}", uuid.replace('-', "")),          // .NET's "N", Python's hex
            format!(" {gid}  \n"),                                 // columns of fixed width
        ] {
            let data = live.data("query ($id: ID!) { card(id: $id) { id } node(id: $id) { id } }", json!({ "id": id })).await;
            assert_eq!(data, json!({ "card": { "id": gid }, "node": { "id": gid } }), "{id}");
            live.update(&id, json!({ "deceased": { "firstName": "Jo" } })).await.gid();
        }
    }
}

on_both_databases! {
    async fn id_malformed_reads_null_or_not_found_by_every_root_field(app: TestApp) {
        let partner = app.partner("Uitvaart Noord").await;
        // With a test key: everything that exists is within its reach.
        let test = partner.test().await;
        let subscription = test.subscribe("CARDS_CREATE", "https://hooks.example/in").await;
        app.revoke_secrets().await;
        let own = test.draft("own").await;
        let theme = app.theme("linnen", 1).await.id.to_string();
        let [delivery] = app.deliveries(&subscription, DeliveryState::Due).await.try_into().expect("one");
        let uuid_in = |gid: &str| gid.rsplit('/').next().expect("a uuid").to_owned();
        let (card, subscription, delivery) = (uuid_in(&own), uuid_in(&subscription), delivery.id.to_string());
        for (version, sdl) in versions() {
            let caller = partner.test().await.on_version(&version);
            for question in questions_of(&sdl).filter(|question| question.names_id()) {
                let kind = kind_of(question);
                let uuid = match kind {
                    "Theme" => &theme,
                    "WebhookSubscription" => &subscription,
                    "WebhookDelivery" => &delivery,
                    _ => &card,
                };
                for id in corpus(kind, uuid) {
                    let answer = caller.graphql(question.document, json!({ "id": id, "own": own })).await;
                    let shown: String = id.chars().take(80).collect();
                    let body = answer.json();
                    assert_eq!(answer.status, 200, "{version} {} {shown:?}: {body}", question.field);
                    assert_eq!(body.get("errors"), None, "{version} {} {shown:?}", question.field);
                    let found = &body["data"]["answer"];
                    let missing = found.is_null() || found["userErrors"][0]["code"] == "NOT_FOUND";
                    assert!(missing, "{version} {} {shown:?}: {body}", question.field);
                }
                for id in [json!([]), json!({}), json!(true), json!(1.5), json!(null)] {
                    let answer = caller.graphql(question.document, json!({ "id": id, "own": own })).await;
                    answer.expect_error(400, "BAD_USER_INPUT");
                }
            }
        }
        assert_eq!(app.row(&own).await.event_count, 1);
        assert_ne!(test.card(&own).await, Value::Null);
    }
}

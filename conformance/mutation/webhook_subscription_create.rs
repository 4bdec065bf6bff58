//! `webhookSubscriptionCreate` (specification, sections 2.10, 6 and 7.2; decisions W5).

use card_service::base::limits::{SUBSCRIPTIONS_PER_TOPIC_MAX, URL_CHARS_MAX};
use card_service::base::{GlobalId, Kind};
use card_service::model::{KeyMode, Scope};
use serde_json::{Value, json};

use super::photo_address::{hosts, refused_hosts};
use crate::app::{Caller, TestApp, codes_of};

const FIELD: &str = "webhookSubscription.callbackUrl";

/// Asserts that the address is refused on its own field; returns the message.
async fn expect_refusal(caller: &Caller, code: &str, url: &str) -> String {
    let (_, faults) = caller.try_subscribe("CARDS_CREATE", url).await;
    assert_eq!(codes_of(&faults), [(code, FIELD)], "{url}");
    faults[0].message.clone()
}

on_both_databases! {
    async fn subscription_is_stored_and_answered(app: TestApp) {
        let partner = app.partner("Noord").await;
        let live = partner.live().await;
        let (made, faults) = live.try_subscribe("CARDS_ACTIVATED", "https://hooks.example/in?a=1").await;
        assert_eq!(faults, []);
        let id = made["id"].as_str().expect("an id").to_owned();
        assert_eq!(made, json!({
            "id": id,
            "topic": "CARDS_ACTIVATED",
            "format": "JSON",
            "createdAt": "2026-11-10T08:30:00.000Z",
            "updatedAt": "2026-11-10T08:30:00.000Z",
            "endpoint": { "__typename": "WebhookHttpEndpoint", "callbackUrl": "https://hooks.example/in?a=1" },
        }));
        let uuid = GlobalId::uuid_of(&id, Kind::WebhookSubscription).expect("a global id");
        let row = app.store().subscription(Scope::account(partner.id), uuid).await.expect("the store answers").expect("a row");
        assert_eq!((row.topic.as_str(), row.api_version.as_str()), ("CARDS_ACTIVATED", "2026-10"));
        assert_eq!(row.callback_url.as_str(), "https://hooks.example/in?a=1");
        assert_eq!((row.created_at, row.updated_at), (app.now(), app.now()));
    }

    async fn subscription_of_each_topic_and_format_spelling_is_created(app: TestApp) {
        let live = app.live().await;
        for (number, (topic, format)) in [
            ("CARDS_CREATE", ""),
            ("CARDS_UPDATE", ", format: JSON"),
            ("CARDS_ORDERED", ", format: null"),
            ("CARDS_ACTIVATED", ""),
        ].into_iter().enumerate() {
            let document = format!(
                "mutation {{ webhookSubscriptionCreate(
                    topic: {topic}, webhookSubscription: {{ callbackUrl: \"https://hooks.example/{number}\"{format} }}
                ) {{ webhookSubscription {{ topic format }} userErrors {{ code }} }} }}"
            );
            let data = live.data(&document, json!({})).await;
            let expected = json!({ "webhookSubscription": { "topic": topic, "format": "JSON" }, "userErrors": [] });
            assert_eq!(data["webhookSubscriptionCreate"], expected);
        }
    }

    async fn subscription_of_the_same_normalised_address_is_taken(app: TestApp) {
        let live = app.live().await;
        live.subscribe("CARDS_CREATE", "https://hooks.example/in?a=1").await;
        for same in [
            "https://hooks.example/in?a=1",
            "HTTPS://HOOKS.EXAMPLE/in?a=1",
            "https://hooks.example:443/in?a=1",
            "https://hooks.example/./x/../in?a=1",
        ] {
            let message = expect_refusal(&live, "TAKEN", same).await;
            assert_eq!(message, "Er is al een abonnement op dit onderwerp voor dit adres.");
        }
        for other in [
            "https://hooks.example/in?a=2",
            "https://hooks.example/IN?a=1",
            "https://hooks.example:8443/in?a=1",
            "https://other.example/in?a=1",
        ] {
            live.subscribe("CARDS_CREATE", other).await;
        }
        live.subscribe("CARDS_UPDATE", "https://hooks.example/in?a=1").await;
        let theirs = app.partner("Zuid").await.live().await;
        theirs.subscribe("CARDS_CREATE", "https://hooks.example/in?a=1").await;
    }

    async fn subscription_made_by_many_at_once_is_made_once(app: TestApp) {
        let live = app.live().await;
        let tries = (0..12).map(|_| live.try_subscribe("CARDS_CREATE", "https://hooks.example/in"));
        let made = futures_util::future::join_all(tries).await;
        assert_eq!(made.iter().filter(|(_, faults)| faults.is_empty()).count(), 1);
        assert!(made.iter().flat_map(|(_, faults)| faults).all(|fault| fault.code == "TAKEN"));
    }

    async fn subscription_without_an_active_secret_is_invalid(app: TestApp) {
        let partner = app.partner("Noord").await;
        let live = partner.live().await;
        app.revoke_secrets().await;
        let message = expect_refusal(&live, "INVALID", "https://hooks.example/in").await;
        assert!(message.contains("ondertekeningssleutel") && message.contains("Vraag de beheerder"), "{message}");
        assert_eq!(app.store().active_webhook_secrets(partner.id, KeyMode::Live, app.now()).await.expect("the store answers"), []);
        let listed = live.data("{ webhookSubscriptions { nodes { id } } }", json!({})).await;
        assert_eq!(listed["webhookSubscriptions"]["nodes"], json!([]));
        app.secret(partner.id).await;
        live.subscribe("CARDS_CREATE", "https://hooks.example/in").await;
    }

    async fn subscription_above_twenty_a_topic_is_invalid(app: TestApp) {
        let live = app.live().await;
        let mut ids = Vec::new();
        for number in 0..SUBSCRIPTIONS_PER_TOPIC_MAX {
            ids.push(live.subscribe("CARDS_CREATE", &format!("https://hooks.example/{number}")).await);
        }
        let message = expect_refusal(&live, "INVALID", "https://hooks.example/more").await;
        assert!(message.contains("20"), "{message}");
        live.subscribe("CARDS_UPDATE", "https://hooks.example/more").await;
        live.unsubscribe(&ids[7]).await;
        live.subscribe("CARDS_CREATE", "https://hooks.example/more").await;
    }

    async fn subscriptions_at_once_never_pass_the_maximum(app: TestApp) {
        let live = app.live().await;
        let urls: Vec<_> =
            (0..SUBSCRIPTIONS_PER_TOPIC_MAX + 6).map(|number| format!("https://hooks.example/{number}")).collect();
        let tries = urls.iter().map(|url| live.try_subscribe("CARDS_CREATE", url));
        let made = futures_util::future::join_all(tries).await;
        let count = made.iter().filter(|(_, faults)| faults.is_empty()).count();
        assert_eq!(count, SUBSCRIPTIONS_PER_TOPIC_MAX);
    }

    async fn callback_url_that_breaks_a_rule_is_refused_by_name(app: TestApp) {
        let live = app.live().await;
        // Characters that are twelve bytes long when encoded, and do not compress well.
        let path: String = (0..).filter_map(|n| char::from_u32(0x10000 + n * 37)).take(URL_CHARS_MAX - 22).collect();
        let longest = format!("https://hooks.example/{path}");
        assert_eq!(longest.chars().count(), URL_CHARS_MAX);
        live.subscribe("CARDS_CREATE", &longest).await;
        let too_long = format!("{longest}a");
        for (url, code, named) in [
            ("", "BLANK", "Vul het adres in"),
            ("hooks.example", "INVALID", "https://"),
            ("//hooks.example/in", "INVALID", "https://"),
            ("http://hooks.example/in", "INVALID", "https://"),
            ("ftp://hooks.example/in", "INVALID", "https://"),
            ("https://", "INVALID", "https://"),
            ("https://hooks .example/in", "INVALID", "webadres"),
            ("https://a:b@hooks.example/in", "INVALID", "wachtwoord"),
            ("https://a@hooks.example/in", "INVALID", "gebruikersnaam"),
            ("https://hooks.example/in#deel", "INVALID", "fragment"),
            ("https://inside.example/in", "INVALID", "openbaar"),
            ("https://half.example/in", "INVALID", "openbaar"),
            ("https://mapped.example/in", "INVALID", "openbaar"),
            ("https://unknown.example/in", "INVALID", "niet worden gevonden"),
            (too_long.as_str(), "INVALID", "2048"),
            (&"a".repeat(URL_CHARS_MAX + 1), "INVALID", "2048"),
        ] {
            let message = expect_refusal(&live, code, url).await;
            let plain = message.replace('.', "");
            assert!(message.contains(named) || plain.contains(named), "{url}: {message}");
        }
        let (_, faults) = live.try_subscribe("CARDS_CREATE", "http://a@hooks.example/in#deel").await;
        assert_eq!(codes_of(&faults), [("INVALID", FIELD); 3], "one error for each rule");
    }

    async fn callback_address_of_the_corpus_is_refused_or_allowed(app: TestApp) {
        let live = app.live().await;
        for host in refused_hosts() {
            for port in ["", ":8443"] {
                let message = expect_refusal(&live, "INVALID", &format!("https://{host}{port}/in")).await;
                assert!(!message.is_empty());
            }
        }
        for host in hosts(include_str!("../data/ssrf-allowed.txt")) {
            live.subscribe("CARDS_CREATE", &format!("https://{host}/in")).await;
        }
    }

    async fn subscription_without_url_or_topic_is_bad_user_input(app: TestApp) {
        let live = app.live().await;
        let document = "mutation ($topic: WebhookSubscriptionTopic!, $input: WebhookSubscriptionInput!) {
            webhookSubscriptionCreate(topic: $topic, webhookSubscription: $input) { userErrors { code } }
        }";
        let url = "https://hooks.example/in";
        for variables in [
            json!({ "topic": "CARDS_CREATE", "input": {} }),
            json!({ "topic": "CARDS_CREATE", "input": { "callbackUrl": null } }),
            json!({ "topic": "CARDS_CREATE", "input": { "callbackUrl": 7 } }),
            json!({ "topic": "CARDS_CREATE", "input": { "callbackUrl": url, "format": "XML" } }),
            json!({ "topic": "CARDS_CREATE", "input": { "callbackUrl": url, "uri": url } }),
            json!({ "topic": "cards/create", "input": { "callbackUrl": url } }),
            json!({ "topic": null, "input": { "callbackUrl": url } }),
            json!({ "topic": "CARDS_CREATE", "input": Value::Null }),
        ] {
            live.graphql(document, variables).await.expect_error(400, "BAD_USER_INPUT");
        }
    }
}

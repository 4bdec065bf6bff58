//! `Idempotency-Key` (specification, section 4.3; decisions, section 4). A crash half-way is in `crash`.

use std::sync::Arc;

use chrono::Duration;
use futures_util::future::join_all;
use serde_json::{Value, json};
use tokio::sync::Notify;

use crate::app::family::{Browser, path_of};
use crate::app::mock_server::Reply;
use crate::app::{Answer, Caller, FreshDatabase, TestApp, tamper};

const CREATE: &str = "mutation Create($input: CardCreateInput!) {
    cardCreate(input: $input) { card { id externalDossierId createdAt } userErrors { code field message } }
}";

/// `cardCreate` of a dossier number.
async fn create(caller: &Caller, dossier: &str) -> Answer {
    caller.graphql(CREATE, json!({ "input": { "externalDossierId": dossier } })).await
}

fn is_replay(answer: &Answer) -> bool {
    match answer.header("x-service-idempotent-replay") {
        None => false,
        Some("true") => true,
        Some(other) => panic!("{other} is not a value of the header"),
    }
}

/// The card's id, of an answer without errors.
#[track_caller]
fn card_of(answer: &Answer) -> String {
    let data = answer.data();
    assert_eq!(data["cardCreate"]["userErrors"], json!([]), "{data}");
    data["cardCreate"]["card"]["id"].as_str().expect("an id").to_owned()
}

on_both_databases! {
    async fn request_repeated_gets_the_first_response_byte_for_byte(app: TestApp) {
        let live = app.live().await;
        let keyed = live.with_key("k-1");
        let first = create(&keyed, "1").await;
        assert!(!is_replay(&first));
        // Also after a change of the card.
        live.update(&card_of(&first), json!({ "deceased": { "firstName": "Aaltje" } })).await.gid();
        for _ in 0..2 {
            app.pass(Duration::minutes(5));
            let again = create(&keyed, "1").await;
            assert!(is_replay(&again));
            assert_eq!((again.status, &again.body), (200, &first.body));
            assert_ne!(again.header("x-request-id"), first.header("x-request-id"), "every answer has its own");
            assert_eq!(again.header("content-type"), first.header("content-type"));
        }
        assert_eq!(app.topics(&card_of(&first)).await, ["CARDS_CREATE", "CARDS_UPDATE"]);
    }

    async fn key_on_another_request_is_422_and_does_nothing(app: TestApp) {
        let live = app.live().await;
        let keyed = live.with_key("k-1");
        let first = create(&keyed, "1").await;
        let other = json!({ "input": { "externalDossierId": "2" } });
        let same = json!({ "input": { "externalDossierId": "1" } });
        let other_document = CREATE.replace("createdAt", "");
        let named = json!({ "query": CREATE, "operationName": "Create", "variables": same }).to_string();
        let more = json!({ "input": { "externalDossierId": "1", "deceased": null } });
        for answer in [
            keyed.graphql(CREATE, other).await,
            keyed.graphql(CREATE, more).await,
            keyed.graphql(&other_document, same).await,
            keyed.send(named).await,
        ] {
            let error = answer.expect_error(422, "IDEMPOTENCY_KEY_REUSED");
            assert_eq!(error["message"], "Deze Idempotency-Key is al gebruikt voor een ander verzoek.");
        }
        live.draft("2").await;
        assert_eq!(create(&keyed, "1").await.body, first.body, "the first answer is still remembered");
    }

    async fn variables_in_another_order_or_spacing_are_the_same_request(app: TestApp) {
        let keyed = app.live().await.with_key("k-1");
        let document = json!(CREATE);
        let first = keyed.send(format!(
            r#"{{"query":{document},"variables":{{"input":{{"externalDossierId":"1","livestreamUrl":null}}}}}}"#
        )).await;
        let again = keyed.send(format!(
            r#"{{ "variables": {{"input": {{"livestreamUrl": null, "external\u0044ossierId": "1"}}}},
                "query": {document} }}"#
        )).await;
        assert_eq!((is_replay(&again), again.body), (true, first.body));
    }

    async fn request_with_a_user_error_may_be_corrected_under_its_key(app: TestApp) {
        let keyed = app.live().await.with_key("k-1");
        for dossier in ["", " ", &"x".repeat(256)] {
            let wrong = create(&keyed, dossier).await;
            assert_eq!(wrong.data()["cardCreate"]["card"], Value::Null);
        }
        let right = create(&keyed, "1").await;
        assert!(!is_replay(&right));
        assert_eq!(create(&keyed, "1").await.body, right.body);
        // From now on the key belongs to the request that succeeded.
        create(&keyed, "").await.expect_error(422, "IDEMPOTENCY_KEY_REUSED");
    }

    async fn answer_with_a_top_level_error_is_not_remembered(app: TestApp) {
        let keyed = app.live().await.with_key("k-1");
        keyed.graphql(CREATE, json!({ "input": {} })).await.expect_error(400, "BAD_USER_INPUT");
        keyed.graphql("mutation { cardCreate }", json!({})).await.expect_error(400, "GRAPHQL_VALIDATION_FAILED");
        keyed.send("not JSON").await.expect_error(400, "BAD_REQUEST");
        card_of(&create(&keyed, "1").await);
    }

    async fn twenty_requests_at_once_make_one_card(app: TestApp) {
        let keyed = app.live().await.with_key("k-1");
        let answers = join_all((0..20).map(|_| create(&keyed, "1"))).await;
        let mut ids = Vec::new();
        let mut fresh = 0;
        for answer in &answers {
            if answer.status == 409 {
                answer.expect_error(409, "IDEMPOTENCY_KEY_IN_PROGRESS");
                assert_eq!(answer.header("retry-after"), Some("1"));
            } else {
                fresh += usize::from(!is_replay(answer));
                ids.push(card_of(answer));
            }
        }
        ids.sort();
        ids.dedup();
        assert_eq!((ids.len(), fresh), (1, 1), "one card, made once; all others are replays or in progress");
        assert_eq!(app.topics(&ids[0]).await, ["CARDS_CREATE"]);
        let after = create(&keyed, "1").await;
        assert_eq!((is_replay(&after), card_of(&after)), (true, ids[0].clone()));
    }

    async fn two_replicas_with_one_key_return_one_card(database: FreshDatabase) {
        let [one, other] = [TestApp::start(&database, "one").await, TestApp::start(&database, "other").await];
        let live = one.live().await;
        let elsewhere = Caller::new(other, live.token.clone());
        for number in 0..10 {
            let key = format!("k-{number}");
            let (here, there) = (live.with_key(&key), elsewhere.with_key(&key));
            let dossier = number.to_string();
            let (first, second) = tokio::join!(create(&here, &dossier), create(&there, &dossier));
            assert_eq!(card_of(&first), card_of(&second));
            assert_eq!(one.topics(&card_of(&first)).await, ["CARDS_CREATE"]);
            create(&there, "other").await.expect_error(422, "IDEMPOTENCY_KEY_REUSED");
        }
    }

    async fn request_while_the_first_still_runs_is_in_progress(app: TestApp) {
        let live = app.live().await;
        let release = Arc::new(Notify::new());
        let url = app.mock_server().reply("/slow.png", Reply::Held { release: release.clone() });
        let keyed = live.with_key("k-1");
        let input = json!({ "externalDossierId": "1", "deceased": { "photoUrl": url } });
        let first = tokio::spawn({
            let (keyed, input) = (keyed.clone(), input.clone());
            async move { keyed.create(input).await }
        });
        while app.mock_server().requests().is_empty() {
            tokio::task::yield_now().await;
        }
        let second = keyed.graphql(&crate::app::create_document(), json!({ "input": input })).await;
        let error = second.expect_error(409, "IDEMPOTENCY_KEY_IN_PROGRESS");
        assert_eq!(second.header("retry-after"), Some("1"));
        assert!(error["message"].as_str().is_some_and(|text| text.contains("loopt nog")), "{error}");
        create(&live.with_key("k-2"), "2").await.data();
        release.notify_one();
        let made = first.await.expect("the first request ends").gid();
        assert_eq!(keyed.create(input).await.gid(), made);
    }

    async fn key_of_another_partner_is_another_key(app: TestApp) {
        let ours = app.partner("Noord").await.live().await.with_key("k-1");
        let theirs = app.partner("Zuid").await.live().await.with_key("k-1");
        let (a, b) = (create(&ours, "1").await, create(&theirs, "1").await);
        assert!(!is_replay(&a) && !is_replay(&b));
        assert_ne!(card_of(&a), card_of(&b));
        create(&theirs, "2").await.expect_error(422, "IDEMPOTENCY_KEY_REUSED");
    }

    async fn key_is_remembered_for_24_hours(app: TestApp) {
        let keyed = app.live().await.with_key("k-1");
        let first = create(&keyed, "1").await;
        app.response_is_stored().await;
        app.pass(Duration::hours(24) - Duration::seconds(1));
        assert_eq!(create(&keyed, "1").await.body, first.body);
        app.pass(Duration::seconds(2));
        let second = create(&keyed, "2").await;
        assert!(!is_replay(&second), "the key is free again");
        assert_ne!(card_of(&second), card_of(&first));
    }

    async fn key_must_have_1_to_255_visible_ascii_characters(app: TestApp) {
        let live = app.live().await;
        let longest = "k".repeat(255);
        for (number, key) in ["k", "!~", "\"'%;--", "a,b", &longest].into_iter().enumerate() {
            card_of(&create(&live.with_key(key), &number.to_string()).await);
        }
        let too_long = "k".repeat(256);
        for key in ["", "a b", "a\tb", "é", "🕯", &too_long] {
            let answer = create(&live.with_key(key), "new").await;
            let error = answer.expect_error(400, "IDEMPOTENCY_KEY_INVALID");
            assert!(error["message"].as_str().is_some_and(|text| text.contains("255")), "{error}");
        }
        let body = json!({ "query": CREATE, "variables": { "input": { "externalDossierId": "new" } } }).to_string();
        let twice = live.with_key("k-1").request(body).header("idempotency-key", "k-1").send().await;
        Answer::read(twice.expect("an answer")).await.expect_error(400, "IDEMPOTENCY_KEY_INVALID");
        live.draft("new").await;
    }

    async fn key_without_a_card_create_is_ignored(app: TestApp) {
        let (live, id) = app.live_draft("1").await;
        for key in ["k-1", &"k".repeat(256), "é"] {
            let keyed = live.with_key(key);
            for name in ["A", "B"] {
                let updated = keyed.update(&id, json!({ "deceased": { "firstName": name } })).await;
                assert_eq!(updated.card["deceased"]["firstName"], name);
                assert!(!is_replay(&updated.answer));
                assert_eq!(keyed.card(&id).await["deceased"]["firstName"], name);
            }
            let skipped = r#"mutation {
                cardCreate(input: { externalDossierId: "x" }) @skip(if: true) { card { id } }
                __typename
            }"#;
            assert_eq!(keyed.data(skipped, json!({})).await, json!({ "__typename": "Mutation" }));
        }
        card_of(&create(&live.with_key("k-1"), "2").await);
    }

    async fn failed_card_of_several_may_be_corrected_under_their_key(app: TestApp) {
        let live = app.live().await;
        let keyed = live.with_key("k-1");
        live.draft("taken").await;
        let document = r#"mutation ($b: String!) {
            a: cardCreate(input: { externalDossierId: "1" }) { card { id } userErrors { code } }
            b: cardCreate(input: { externalDossierId: $b }) { card { id } userErrors { code } }
        }"#;
        let first = keyed.graphql(document, json!({ "b": "taken" })).await.data();
        assert_eq!(first["b"]["userErrors"], json!([{ "code": "TAKEN" }]));
        // The same request again: still no second card of the first, and never TAKEN for it.
        let again = keyed.graphql(document, json!({ "b": "taken" })).await;
        assert!(!is_replay(&again), "no answer of it is remembered");
        let again = again.data();
        assert_eq!(again["a"], first["a"]);
        assert_eq!(again["b"]["userErrors"], json!([{ "code": "TAKEN" }]));
        // Corrected: the card of the first field, and the new one of the second.
        let corrected = keyed.graphql(document, json!({ "b": "2" })).await;
        let data = corrected.data();
        assert!(!is_replay(&corrected), "a card was created");
        assert_eq!((&data["a"], &data["b"]["userErrors"]), (&first["a"], &json!([])));
        let first_card = first["a"]["card"]["id"].as_str().expect("an id");
        assert_eq!(app.topics(first_card).await, ["CARDS_CREATE"]);
        // That request succeeded as a whole: the key belongs to it.
        let replayed = keyed.graphql(document, json!({ "b": "2" })).await;
        assert_eq!((is_replay(&replayed), replayed.body), (true, corrected.body));
        keyed.graphql(document, json!({ "b": "taken" })).await.expect_error(422, "IDEMPOTENCY_KEY_REUSED");
    }

    async fn card_is_found_under_its_key_after_its_theme_is_retired(app: TestApp) {
        let theme = app.theme("zee", 1).await.number.to_string();
        let live = app.live().await;
        let keyed = live.with_key("k-1");
        live.draft("taken").await;
        let document = r#"mutation ($input: CardCreateInput!) {
            a: cardCreate(input: $input) { card { id } userErrors { code } }
            b: cardCreate(input: { externalDossierId: "taken" }) { card { id } userErrors { code } }
        }"#;
        let variables = json!({ "input": { "externalDossierId": "1", "themeId": theme } });
        let first = keyed.graphql(document, variables.clone()).await.data();
        app.operator().json(&["theme", "retire", "zee"]);
        let again = keyed.graphql(document, variables).await.data();
        assert_eq!((&again["a"], &again["b"]["userErrors"]), (&first["a"], &json!([{ "code": "TAKEN" }])));
        assert_eq!(app.topics(first["a"]["card"]["id"].as_str().expect("an id")).await, ["CARDS_CREATE"]);
    }

    async fn card_with_a_failed_update_is_not_created_twice(app: TestApp) {
        let live = app.live().await;
        let keyed = live.with_key("k-1");
        let other = live.draft("1").await;
        let document = r#"mutation ($id: ID!, $email: String!) {
            update: cardUpdate(id: $id, input: { familyContact: { email: $email } }) { userErrors { code } }
            create: cardCreate(input: { externalDossierId: "2" }) { card { id } userErrors { code } }
        }"#;
        let first = keyed.data(document, json!({ "id": other, "email": "x" })).await;
        assert_eq!(first["update"]["userErrors"], json!([{ "code": "INVALID" }]));
        let card = first["create"]["card"]["id"].as_str().expect("an id");
        let corrected = keyed.data(document, json!({ "id": other, "email": "jan@voorbeeld.nl" })).await;
        assert_eq!((&corrected["update"]["userErrors"], &corrected["create"]), (&json!([]), &first["create"]));
        assert_eq!(live.card(&other).await["familyContact"]["email"], "jan@voorbeeld.nl");
        assert_eq!(app.topics(card).await, ["CARDS_CREATE"]);
        keyed.graphql(document, json!({ "id": other, "email": "x" })).await.expect_error(422, "IDEMPOTENCY_KEY_REUSED");
    }

    async fn succeeded_field_repeated_with_other_input_is_refused(app: TestApp) {
        let live = app.live().await;
        let keyed = live.with_key("k-1");
        let document = r#"mutation ($name: String, $b: String!) {
            a: cardCreate(input: { externalDossierId: "1", deceased: { firstName: $name } }) { card { id } }
            b: cardCreate(input: { externalDossierId: $b }) { card { id } userErrors { code } }
        }"#;
        let first = keyed.data(document, json!({ "name": "Aal", "b": "" })).await;
        let answer = keyed.graphql(document, json!({ "name": "Bet", "b": "2" })).await;
        let body = answer.json();
        assert_eq!((answer.status, &body["data"]["a"]), (200, &Value::Null), "{body}");
        assert_eq!(body["errors"][0]["path"], json!(["a"]), "{body}");
        assert_eq!(answer.error_code(), "IDEMPOTENCY_KEY_REUSED");
        assert_eq!(body["data"]["b"]["userErrors"], json!([]), "the other field runs");
        let gid = first["a"]["card"]["id"].as_str().expect("an id");
        assert_eq!(live.card(gid).await["deceased"]["firstName"], "Aal");
        // With its own input it answers with its card, and the request succeeds.
        let right = keyed.data(document, json!({ "name": "Aal", "b": "2" })).await;
        assert_eq!((&right["a"], &right["b"]), (&first["a"], &body["data"]["b"]));
    }

    async fn key_with_a_test_token_and_with_a_live_token_is_two_keys(app: TestApp) {
        let partner = app.partner("Noord").await;
        let (test, live) = (partner.test().await.with_key("k-1"), partner.live().await.with_key("k-1"));
        let rehearsed = create(&test, "1").await;
        let refused = create(&live, "1").await;
        assert!(!is_replay(&refused));
        assert_eq!(refused.data()["cardCreate"]["userErrors"][0]["code"], "TAKEN");
        let made = create(&live, "2").await;
        assert!(!is_replay(&made));
        assert_ne!(card_of(&made), card_of(&rehearsed));
        for (caller, dossier, first, is_test) in [(&test, "1", &rehearsed, true), (&live, "2", &made, false)] {
            let again = create(caller, dossier).await;
            assert_eq!((is_replay(&again), &again.body), (true, &first.body));
            assert_eq!(app.row(&card_of(&again)).await.test, is_test);
        }
        create(&test, "2").await.expect_error(422, "IDEMPOTENCY_KEY_REUSED");
    }

    /// The remembered answer has no link; a resend makes the link alone.
    async fn link_of_a_repeated_request_is_made_anew_and_nothing_else_runs(app: TestApp) {
        let live = app.live().await;
        let keyed = live.with_key("k-1");
        let other = live.draft("1").await;
        let sent = json!({ "id": other, "dossier": "2" });
        let first = keyed.graphql(WITH_LINK, sent.clone()).await;
        live.update(&other, json!({ "externalFuneralDirectorId": "nieuw" })).await.gid();
        let again = keyed.graphql(WITH_LINK, sent).await;
        assert_eq!((is_replay(&first), is_replay(&again)), (false, false), "the link is another one");
        assert_eq!(live.card(&other).await["externalFuneralDirectorId"], "nieuw", "the update did not run again");
        let without_link = |answer: &Answer| {
            let mut body = answer.json();
            body["data"]["link"]["cardSession"]["url"].take();
            serde_json::to_string(&body).expect("JSON can be written")
        };
        assert_eq!(without_link(&first), without_link(&again));
        let order = ["cardCreate", "id", "externalDossierId", "cardUpdate", "link"];
        let positions = |answer: &Answer| order.map(|key| answer.text().find(&format!("\"{key}\":")).expect("it is there"));
        assert!(positions(&again).is_sorted(), "in the order of the document: {}", again.text());
        assert_eq!(app.topics(&card_of(&first)).await, ["CARDS_CREATE"]);

        let link = |answer: &Answer| path_of(answer.data()["link"]["cardSession"]["url"].as_str().expect("a link"));
        let links = [link(&first), link(&again)];
        assert_ne!(links[0], links[1]);
        let dump = app.dump().await;
        assert!(dump.iter().any(|line| line.starts_with("idempotency_keys: ")), "the dump holds the record");
        for path in &links {
            let token = path.strip_prefix("/s/").expect("a session link");
            let found: Vec<_> = dump.iter().filter(|line| line.contains(token)).collect();
            assert!(found.is_empty(), "{found:?}");
            assert_eq!(Browser::new(&app).get(path).await.status, 303, "each link opens");
        }
        keyed.graphql(WITH_LINK, json!({ "id": other, "dossier": "3" })).await.expect_error(422, "IDEMPOTENCY_KEY_REUSED");
    }

    async fn link_that_cannot_be_made_anew_is_a_user_error_beside_the_remembered_answer(app: TestApp) {
        let live = app.live().await;
        let keyed = live.with_key("k-1");
        let other = live.draft("1").await;
        let document = "mutation ($id: ID!, $dossier: String!) {
            cardCreate(input: { externalDossierId: $dossier }) { card { id } userErrors { code } }
            link: cardSessionCreate(cardId: $id, target: CUSTOMIZER) { cardSession { url } userErrors { code } }
        }";
        let sent = json!({ "id": other, "dossier": "2" });
        let first = keyed.graphql(document, sent.clone()).await;
        app.operator().json(&["card", "delete", &other, "--yes"]);
        let again = keyed.graphql(document, sent).await;
        assert!(!is_replay(&again));
        assert_eq!(card_of(&again), card_of(&first));
        let link = json!({ "cardSession": null, "userErrors": [{ "code": "NOT_FOUND" }] });
        assert_eq!(again.data()["link"], link);
    }

    /// A client that has the answer may change the card. So the answer is stored before it is sent, unless a repeated
    /// request would only find cards.
    async fn answer_with_other_mutations_is_stored_before_it_is_sent(app: TestApp) {
        let (live, other) = app.live_draft("1").await;
        for dossier in ["2", "3", "4", "5"] {
            let keyed = live.with_key(&format!("k-{dossier}"));
            keyed.graphql(WITH_LINK, json!({ "id": other, "dossier": dossier })).await.data();
            let unanswered = tamper(app.database_url(), "UPDATE idempotency_keys SET key = key WHERE response IS NULL");
            assert_eq!(unanswered.await, 0);
        }
    }
}

/// A request with a session link and another mutation beside its `cardCreate`.
const WITH_LINK: &str = "mutation ($id: ID!, $dossier: String!) {
    cardCreate(input: { externalDossierId: $dossier }) { card { id externalDossierId } userErrors { code } }
    cardUpdate(id: $id, input: { externalFuneralDirectorId: \"oud\" }) { userErrors { code } }
    link: cardSessionCreate(cardId: $id, target: CUSTOMIZER) { cardSession { url } userErrors { code } }
}";

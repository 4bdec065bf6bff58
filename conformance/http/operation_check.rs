//! `/partner/api/<version>/check`, and the documents that the service stores for it (decisions H11 and H12).

use card_service::base::limits::{
    CHECK_BODY_BYTES_MAX, CHECK_CAUSES_MAX, CHECK_STEPS_MAX, CHECKED_DOCUMENT_NAME_CHARS_MAX, CHECKED_DOCUMENTS_MAX,
    CHECKED_OPERATIONS_MAX, STORED_DOCUMENTS_MAX,
};
use card_service::model::{KeyMode, UsageDocument};
use card_service::worker::{housekeeping, usage};
use chrono::{Duration, NaiveDate};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::app::{Answer, Caller, FreshDatabase, TestApp};

/// Uses what only 2027-01 has.
const NEWER: &str = "query Uses { deprecatedUses { ...Use } }";
const USE: &str = "fragment Use on DeprecatedUse { version }";
/// Sends an input that has another field in 2027-01.
const SUBSCRIBE: &str = "mutation Follow($input: WebhookSubscriptionInput!) {\n  # a comment\n  \
    webhookSubscriptionCreate(topic: CARDS_CREATE, webhookSubscription: $input) { userErrors { message } }\n}";
const READ: &str = "query Read { themes(first: 3) { nodes { id } } }";

impl Caller {
    /// Checks documents against a version.
    async fn check(&self, version: &str, body: Value) -> Answer {
        self.check_body(version, body.to_string()).await
    }

    async fn check_body(&self, version: &str, body: String) -> Answer {
        let request = self.app.http().post(self.app.url(&format!("/partner/api/{version}/check")));
        let request = request.header("content-type", "application/json").header("x-service-access-token", &self.token);
        Answer::read(request.body(body).send().await.expect("the server answers")).await
    }

    /// Checks the stored documents against a version, after those in memory are written.
    async fn check_stored(&self, version: &str) -> Answer {
        usage::step(self.app.services()).await.expect("the database takes the documents");
        self.app
            .asked("GET", &format!("/partner/api/{version}/check"), &[("x-service-access-token", &self.token)])
            .await
    }
}

fn documents(texts: &[&str]) -> Value {
    texts
        .iter()
        .enumerate()
        .map(|(number, text)| json!({ "name": format!("{number}.graphql"), "text": text }))
        .collect()
}

/// The operation, the version it is from, and the verdict, of each checked operation.
fn verdicts(answer: &Answer) -> Vec<(String, String, String)> {
    assert_eq!(answer.status, 200, "{}", answer.text());
    let text = |value: &Value| value.as_str().unwrap_or("-").to_owned();
    let operations = answer.json()["operations"].as_array().expect("a list").clone();
    operations.iter().map(|one| (text(&one["operation"]), text(&one["from"]), text(&one["verdict"]))).collect()
}

fn verdict(operation: &str, from: &str, verdict: &str) -> (String, String, String) {
    (operation.to_owned(), from.to_owned(), verdict.to_owned())
}

fn sent(partner_id: Uuid, mode: KeyMode, number: u16, day: NaiveDate) -> UsageDocument {
    let mut digest = [0; 32];
    digest[..2].copy_from_slice(&number.to_be_bytes());
    let (version, document) = ("2026-10".to_owned(), format!("query Number{number} {{\n  __typename\n}}\n"));
    UsageDocument { partner_id, mode, version, digest, document, count: 1, first_day: day, last_day: day }
}

async fn storing(database: &FreshDatabase, name: &str) -> TestApp {
    TestApp::start_with(database, name, &[("USAGE_DOCUMENTS", "on")]).await
}

on_both_databases! {
    async fn sent_operation_is_broken_affected_or_unaffected(app: TestApp) {
        let test = app.partner("Noord").await.test().await;
        // Back from the candidate, which has what the published version has not. The fragment is in a document of its own.
        let answer = test.check("2026-10", json!({ "from": "2027-01", "documents": documents(&[NEWER, USE, READ]) })).await;
        assert_eq!(answer.header("content-type"), Some("application/json; charset=utf-8"));
        assert_eq!((answer.header("cache-control"), answer.header("x-service-api-version")), (Some("no-store"), Some("2026-10")));
        let body = answer.json();
        assert_eq!((&body["version"], &body["broken"], &body["unaffected"]), (&json!("2026-10"), &json!(1), &json!(1)));
        let cause = json!({
            "verdict": "BROKEN", "coordinate": "Query.deprecatedUses", "message": "field `Query.deprecatedUses` was removed",
            "reason": body["operations"][0]["causes"][0]["reason"], "line": 1, "column": 14,
        });
        assert_eq!(body["operations"][0]["causes"][0], cause);
        assert_eq!((&body["operations"][0]["document"], &body["operations"][0]["column"]), (&json!("0.graphql"), &json!(7)));
        assert_eq!(body["operations"][1]["causes"], json!([]));

        // Forward: `from` is the newest published version, if it is not sent.
        let answer = test.check("2027-01", json!({ "documents": documents(&[SUBSCRIBE, READ]) })).await;
        let expected = [verdict("Follow", "2026-10", "AFFECTED"), verdict("Read", "2026-10", "UNAFFECTED")];
        assert_eq!(verdicts(&answer), expected);
        let body = answer.json();
        assert_eq!(body["operations"][0]["causes"][0]["coordinate"], "WebhookSubscriptionInput.name");
        let counts = ["broken", "affected", "unaffected", "invalid", "leftOut"].map(|name| body[name].clone());
        assert_eq!(counts, [0, 1, 1, 0, 0].map(|count| json!(count)));
    }

    async fn document_that_cannot_be_read_is_invalid(app: TestApp) {
        let test = app.partner("Noord").await.test().await;
        let deep = format!("{{ {} a {} }}", "...{".repeat(400), "}".repeat(400));
        let lists = format!("query L($a: {}Int{}) {{ themes {{ nodes {{ id }} }} }}", "[".repeat(40), "]".repeat(40));
        let wide = format!("{{ themes {{ nodes {{ {} }} }} }}", "id ".repeat(CHECK_STEPS_MAX / 2));
        let chain: String = (0..2_000).map(|n| format!("fragment F{n} on Query {{ ...F{} }} ", n + 1)).collect();
        let chain = format!("{{ ...F0 }} {chain} fragment F2000 on Query {{ __typename }}");
        for (text, said) in [
            ("query {", "the file ends in the middle of a definition"),
            ("", "the document has no operation"),
            ("{ nothing }", "`Query` has no field `nothing`"),
            ("{ ...Nowhere }", "there is no fragment `Nowhere`"),
            ("subscription { a }", "there are no operations of this kind"),
            ("type A { a: Int }", "unexpected `type`"),
            (&deep, "more than 64 brackets"),
            (&lists, "more than 15 lists"),
            (&chain, "nests too deeply"),
        ] {
            let answer = test.check("2027-01", json!({ "documents": documents(&[text, READ]) })).await;
            let body = answer.json();
            assert_eq!((&body["invalid"], &body["unaffected"]), (&json!(1), &json!(1)), "{text}: {body}");
            let cause = &body["operations"][0]["causes"][0];
            assert!(cause["message"].as_str().is_some_and(|message| message.contains(said)), "{said}: {cause}");
        }
        // What comes after too much is not checked either.
        let answer = test.check("2027-01", json!({ "documents": documents(&[READ, &wide, READ]) })).await;
        let expected = [
            verdict("Read", "2026-10", "UNAFFECTED"),
            verdict("-", "2026-10", "INVALID"),
            verdict("Read", "2026-10", "INVALID"),
        ];
        assert_eq!(verdicts(&answer), expected);
        let message = answer.json()["operations"][2]["causes"][0]["message"].clone();
        assert!(message.as_str().is_some_and(|message| message.starts_with("not checked: ")), "{message}");
        // Valid GraphQL: emoji, block strings, a byte order mark.
        let text = "\u{feff}# 🌹\nquery Rose { card(id: \"\"\"🌹\"\"\") { id } }";
        let answer = test.check("2027-01", json!({ "documents": documents(&[text]) })).await;
        assert_eq!(verdicts(&answer), [verdict("Rose", "2026-10", "UNAFFECTED")]);
    }

    async fn wrong_check_is_refused_and_says_why(app: TestApp) {
        let test = app.partner("Noord").await.test().await;
        let many = |count: usize, text: &str| json!({ "documents": documents(&vec![text; count]) }).to_string();
        let one = json!({ "documents": documents(&[READ]) });
        for (body, said) in [
            ("", "EOF while parsing"),
            ("[]", "documents"),
            ("{}", "missing field `documents`"),
            ("{\"documents\": []}", "at least one document"),
            ("{\"documents\": [\"{ a }\"]}", "not a check"),
            ("{\"documents\": [], \"froom\": \"\"}", "unknown field `froom`"),
            (&*json!({ "documents": documents(&["fragment A on Query { __typename }"]) }).to_string(), "hold no operation"),
            (&many(CHECKED_DOCUMENTS_MAX + 1, READ), "1001 documents; at most 1000"),
            (&many(CHECKED_OPERATIONS_MAX / 4 + 1, "query A{a}query B{a}query C{a}query D{a}"), "1004 operations"),
        ] {
            let error = test.check_body("2027-01", body.to_owned()).await.refused(400, "BAD_REQUEST");
            let detail = error["extensions"]["detail"].as_str().expect("a detail");
            assert!(detail.contains(said), "{said}: {detail}");
            assert_eq!(error["message"], "Het verzoek om documenten te controleren klopt niet.");
        }
        let name = "n".repeat(CHECKED_DOCUMENT_NAME_CHARS_MAX + 1);
        let error = test.check("2027-01", json!({ "documents": [{ "name": name, "text": READ }] })).await;
        let error = error.refused(400, "BAD_REQUEST");
        assert_eq!(error["extensions"]["detail"], "A name of a document has more than 255 characters.");
        let none_before = test.check("2026-10", one.clone()).await.refused(400, "BAD_REQUEST");
        assert_eq!(none_before["extensions"]["detail"], "Name the version of the documents in \"from\".");
        let large = "x".repeat(CHECK_BODY_BYTES_MAX + 1);
        let error = test.check_body("2027-01", large).await.refused(413, "BAD_REQUEST");
        assert_eq!(error["message"], "Het verzoek is te groot. Gebruik hoogstens 1024 KiB.");
        test.check("2025-01", one.clone()).await.refused(404, "VERSION_NOT_FOUND");
        test.check("2027-01", json!({ "from": "2025-01", "documents": documents(&[READ]) })).await.refused(404, "VERSION_NOT_FOUND");
        Caller::new(app.clone(), "nonsense").check("2027-01", one.clone()).await.refused(401, "UNAUTHENTICATED");
        let headers = [("x-service-access-token", &*test.token)];
        let answer = app.asked("PUT", "/partner/api/2027-01/check", &headers).await;
        answer.refused(405, "BAD_REQUEST");
        assert_eq!(answer.header("allow"), Some("GET, HEAD, POST"));
        let text = app.asked("GET", "/partner/api/2027-01/check", &[headers[0], ("accept", "text/html")]).await;
        text.refused(406, "BAD_REQUEST");
        let request = app.http().post(app.url("/partner/api/2027-01/check")).header("x-service-access-token", &test.token);
        Answer::read(request.body("{}").send().await.expect("an answer")).await.refused(415, "BAD_REQUEST");
        // Nothing of this is a use of the schema.
        usage::step(app.services()).await.expect("the database takes the counts");
        let day = |text: &str| text.parse::<NaiveDate>().expect("a day");
        assert_eq!(app.store().usage_between(day("2026-01-01"), day("2027-12-31"), None).await.expect("rows"), []);
    }

    async fn candidate_is_hidden_from_checks_of_a_live_key(app: TestApp) {
        let live = app.live().await;
        live.check("2027-01", json!({ "documents": documents(&[READ]) })).await.refused(404, "VERSION_NOT_FOUND");
        let back = json!({ "from": "2027-01", "documents": documents(&[READ]) });
        live.check("2026-10", back).await.refused(404, "VERSION_NOT_FOUND");
        let same = live.check("2026-10", json!({ "from": "2026-10", "documents": documents(&[READ, "{ nothing }"]) })).await;
        assert_eq!(verdicts(&same), [verdict("Read", "2026-10", "UNAFFECTED"), verdict("-", "2026-10", "INVALID")]);
    }

    async fn check_costs_a_point_for_each_operation(database: FreshDatabase) {
        let app = TestApp::start_with(&database, "check_points", &[("RATE_LIMIT_POINTS", "10")]).await;
        let test = app.partner("Noord").await.test().await;
        let check = async |count: usize| test.check("2027-01", json!({ "documents": documents(&vec![READ; count]) })).await;
        assert_eq!(check(7).await.status, 200);
        let error = check(4).await;
        error.refused(429, "THROTTLED");
        assert_eq!(error.json()["extensions"]["cost"]["requestedQueryCost"], 4);
        let error = check(11).await.refused(400, "BAD_REQUEST");
        assert_eq!(error["extensions"]["detail"], "The documents hold 11 operations; at most 10 are allowed.");
        // Each of the two refusals took the minimum.
        assert_eq!(check(1).await.status, 200);
        check(1).await.refused(429, "THROTTLED");
    }

    async fn causes_of_one_operation_are_bounded(app: TestApp) {
        let test = app.partner("Noord").await.test().await;
        let card = "cardByExternalDossierId(externalDossierId: \"1\") { activatedAt orderedAt visibility }";
        let delivery = "webhookDeliveries { edges { node { state attempts { outcome } } } }";
        let own = format!("webhookSubscription(id: \"1\") {{ name pauseReason pausedAt status {delivery} }}");
        let all = format!("{{ {card} deprecatedUses {{ version }} {delivery} {own} }}");
        let answer = test.check("2026-10", json!({ "from": "2027-01", "documents": documents(&[&all]) })).await;
        let causes = answer.json()["operations"][0]["causes"].as_array().expect("a list").clone();
        assert_eq!(causes.len(), CHECK_CAUSES_MAX, "{causes:?}");
        assert!(causes.iter().any(|cause| cause["coordinate"] == "WebhookSubscription.status"), "{causes:?}");
    }

    async fn stored_documents_are_checked_without_their_values(database: FreshDatabase) {
        let app = storing(&database, "stored_documents").await;
        let (account, other) = (app.partner("Noord").await, app.partner("Zuid").await);
        let (live, test, foreign) = (account.live().await, account.test().await, other.test().await);
        let read = |word: &str| format!("query Read {{ {word}: card(id: \"{word}\") {{ id # {word}\n }} }}");
        for caller in [&live, &test] {
            caller.data(&read("Zilvervosje"), json!({})).await;
            caller.data(&read("Bosuil"), json!({})).await;
            app.pass(Duration::hours(24));
        }
        let input = json!({ "callbackUrl": app.mock_server().secure_url("/hook") });
        foreign.data(SUBSCRIBE, json!({ "input": input })).await;
        test.on_version("2027-01").data("query New { deprecatedUses { version } }", json!({})).await;
        foreign.graphql("{ nothing }", json!({})).await;

        let answer = test.check_stored("2027-01").await;
        assert_eq!(verdicts(&answer), [verdict("Read", "2026-10", "UNAFFECTED")]);
        let stored = json!({
            "test": true, "count": 2, "firstUsedOn": "2026-11-11", "lastUsedOn": "2026-11-11",
            "text": "query Read {\n  card(id: \"\") {\n    id\n  }\n}\n",
        });
        assert_eq!(answer.json()["operations"][0]["stored"], stored);
        assert_eq!(verdicts(&foreign.check_stored("2027-01").await), [verdict("Follow", "2026-10", "AFFECTED")]);
        // Against the published version: what was sent to the candidate. A live key sees what both kinds of key sent.
        assert_eq!(verdicts(&test.check_stored("2026-10").await), [verdict("New", "2027-01", "BROKEN")]);
        assert_eq!(verdicts(&live.check_stored("2026-10").await), [verdict("New", "2027-01", "BROKEN")]);
        live.check_stored("2027-01").await.refused(404, "VERSION_NOT_FOUND");
        let dump = app.dump().await.join("\n");
        assert!(dump.contains("query Read") && !dump.contains("Zilvervosje") && !dump.contains("Bosuil"), "{dump}");

        // A later use is added to the same document.
        test.data(&read("Das"), json!({})).await;
        let answer = test.check_stored("2027-01").await;
        let stored = &answer.json()["operations"][0]["stored"];
        assert_eq!((&stored["count"], &stored["lastUsedOn"]), (&json!(3), &json!("2026-11-12")));
    }

    async fn documents_are_not_stored_unless_switched_on(app: TestApp) {
        let test = app.partner("Noord").await.test().await;
        test.data(READ, json!({})).await;
        let error = test.check_stored("2027-01").await.refused(404, "BAD_REQUEST");
        assert_eq!(error["message"], "Deze dienst bewaart geen documenten. Stuur ze mee met het verzoek.");
        assert_eq!(app.store().usage_documents(None).await.expect("the store answers"), []);
    }

    async fn documents_beyond_the_maximum_go_oldest_use_first(database: FreshDatabase) {
        let app = storing(&database, "document_maximum").await;
        let (account, other) = (app.partner("Noord").await, app.partner("Zuid").await);
        let day = |text: &str| text.parse::<NaiveDate>().expect("a day");
        let max = u16::try_from(STORED_DOCUMENTS_MAX).expect("it is small");
        let stored = async || {
            let found = app.store().usage_documents(None).await.expect("the store answers");
            let of = |document: &UsageDocument| (document.partner_id, document.mode, document.document.clone());
            found.iter().map(of).collect::<Vec<_>>()
        };
        let add = async |documents: Vec<UsageDocument>| {
            app.store().add_usage_documents(documents).await.expect("the store answers");
        };
        add((0..max).map(|number| sent(account.id, KeyMode::Test, number, day("2026-11-02"))).collect()).await;
        add(vec![
            sent(other.id, KeyMode::Test, 0, day("2026-11-01")),
            sent(account.id, KeyMode::Live, 0, day("2026-11-01")),
        ])
        .await;
        // Used again a day later; then one that is new, and one that was last used before all.
        add(vec![sent(account.id, KeyMode::Test, max - 1, day("2026-11-03"))]).await;
        add(vec![
            sent(account.id, KeyMode::Test, max, day("2026-11-03")),
            sent(account.id, KeyMode::Test, max + 1, day("2026-11-01")),
        ])
        .await;
        let found = stored().await;
        let is_there = |mode, number| found.contains(&(account.id, mode, sent(account.id, mode, number, day("2026-11-01")).document));
        assert_eq!(found.len(), usize::from(max) + 2);
        assert!(is_there(KeyMode::Test, max) && is_there(KeyMode::Test, max - 1) && is_there(KeyMode::Test, 0));
        assert!(!is_there(KeyMode::Test, max - 2) && !is_there(KeyMode::Test, max + 1) && is_there(KeyMode::Live, 0));
    }

    async fn document_goes_ninety_days_after_its_last_use(database: FreshDatabase) {
        let app = storing(&database, "document_expiry").await;
        let test = app.partner("Noord").await.test().await;
        test.data(READ, json!({})).await;
        test.data("query Once { themes { nodes { title } } }", json!({})).await;
        let deleted = async || housekeeping::step(app.services()).await.expect("a round").usage_documents;
        usage::step(app.services()).await.expect("the database takes the documents");
        app.pass(Duration::days(90));
        test.data(READ, json!({})).await;
        usage::step(app.services()).await.expect("the database takes the documents");
        assert_eq!(deleted().await, 0);
        app.pass(Duration::days(1));
        assert_eq!(deleted().await, 1);
        assert_eq!(verdicts(&test.check_stored("2027-01").await), [verdict("Read", "2026-10", "UNAFFECTED")]);
        // A partner that is gone.
        let gone = vec![sent(Uuid::from_u128(7), KeyMode::Live, 0, "2027-02-09".parse().expect("a day"))];
        app.store().add_usage_documents(gone).await.expect("the store answers");
        assert_eq!((deleted().await, deleted().await), (1, 0));
    }
}

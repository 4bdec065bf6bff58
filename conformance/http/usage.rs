//! Usage counts of executed operations: the coordinates of a document and of its variables.

use card_service::model::Usage;
use card_service::worker::upkeep;
use chrono::Duration;
use serde_json::json;

use crate::app::{Caller, TestApp};

const READ: &str = "query Read($id: ID!, $with: Boolean!) {
    card(id: $id) { status ...More @include(if: $with) }
}
fragment More on Card { deceased { firstName } }";

const CREATE: &str = "mutation Create($input: CardCreateInput!) {
    cardCreate(input: $input) { card { id } userErrors { message } }
}";

/// Returns every count in the database, after the counts in memory are written.
async fn count_usage(app: &TestApp) -> Vec<Usage> {
    upkeep::write_usage(app.services()).await.expect("the database takes the counts");
    app.store().usage_from("2026-01-01".parse().expect("a day"), None).await.expect("the store answers")
}

fn named(usage: &[Usage]) -> Vec<(&str, i64)> {
    usage.iter().map(|one| (one.coordinate.as_str(), one.count)).collect()
}

async fn create(caller: &Caller, dossier: &str) {
    let input = json!({ "externalDossierId": dossier, "deceased": { "firstName": "Johanna", "lastName": null } });
    caller.data(CREATE, json!({ "input": input })).await;
}

on_both_databases! {
    async fn operation_counts_what_it_names_and_what_its_variables_hold(app: TestApp) {
        let live = app.live().await;
        for with in [true, false] {
            // What a condition leaves out is named all the same: without it the document would be wrong.
            live.data(READ, json!({ "id": "gid://service/Card/1", "with": with })).await;
        }
        assert_eq!(
            named(&count_usage(&app).await),
            [
                ("Card", 2),
                ("Card.deceased", 2),
                ("Card.status", 2),
                ("Deceased.firstName", 2),
                ("Query", 2),
                ("Query.card", 2),
                ("Query.card(id:)", 2),
            ]
        );

        create(&live, "1").await;
        let session = "mutation Open($id: ID!, $target: CardSessionTarget!) {
            cardSessionCreate(cardId: $id, target: $target) { userErrors { message } }
        }";
        live.data(session, json!({ "id": "gid://service/Card/1", "target": "INVITEE_LIST" })).await;
        let literal = "mutation { cardSessionCreate(cardId: \"1\", target: CUSTOMIZER) { __typename } }";
        live.data(literal, json!({})).await;
        let usage = count_usage(&app).await;
        let of = |coordinate: &str| {
            let found = usage.iter().find(|one| one.coordinate == coordinate);
            found.map_or(0, |one| one.count)
        };
        for (coordinate, count) in [
            ("Mutation.cardCreate", 1),
            ("CardCreateInput", 1),
            ("CardCreateInput.externalDossierId", 1),
            ("CardCreateInput.deceased", 1),
            ("DeceasedInput.firstName", 1),
            ("DeceasedInput.lastName", 1),
            ("DeceasedInput.photoUrl", 0),
            ("CardCreateInput.themeId", 0),
            ("CardSessionTarget.INVITEE_LIST", 1),
            ("CardSessionTarget.CUSTOMIZER", 1),
            ("Mutation.cardSessionCreate(target:)", 2),
            ("Query.card", 2),
        ] {
            assert_eq!(of(coordinate), count, "{coordinate}: {:?}", named(&usage));
        }
    }

    async fn use_is_counted_by_partner_key_mode_and_day(app: TestApp) {
        let (one, two) = (app.partner("Een").await, app.partner("Twee").await);
        let (live, test, other) = (one.live().await, one.test().await, two.live().await);
        let ping = async |caller: &Caller| drop(caller.data("{ __typename }", json!({})).await);
        for caller in [&live, &live, &test, &other] {
            ping(caller).await;
        }
        // Past midnight in UTC, with yesterday's counts not written yet.
        app.pass(Duration::hours(24));
        ping(&live).await;
        let mut rows: Vec<_> = count_usage(&app)
            .await
            .into_iter()
            .map(|one| (one.day.to_string(), one.partner_id, one.mode.as_str(), one.version, one.coordinate, one.count))
            .collect();
        rows.sort();
        let row = |day: &str, partner, mode, count| {
            (day.to_owned(), partner, mode, "2026-10".to_owned(), "Query".to_owned(), count)
        };
        let mut expected = vec![
            row("2026-11-10", one.id, "live", 2),
            row("2026-11-10", one.id, "test", 1),
            row("2026-11-10", two.id, "live", 1),
            row("2026-11-11", one.id, "live", 1),
        ];
        expected.sort();
        assert_eq!(rows, expected);

        // What another replica, or a later minute, counts is added.
        app.pass(Duration::minutes(5));
        ping(&live).await;
        ping(&live).await;
        let usage = count_usage(&app).await;
        let last = usage.iter().max_by_key(|one| (one.day, one.count)).expect("a row");
        assert_eq!((last.day.to_string().as_str(), last.count), ("2026-11-11", 3));
    }

    async fn request_that_is_refused_or_replayed_counts_nothing(app: TestApp) {
        let live = app.live().await;
        let unknown = Caller::new(app.clone(), "nonsense");
        let blocked = app.blocked_partner("Geblokkeerd").await.live().await;
        for (caller, query) in [
            (&live, "{ nothing }"),
            (&live, "{"),
            (&live, "query($id: ID!) { card(id: $id) { id } }"),
            (&unknown, "{ __typename }"),
            (&blocked, "{ __typename }"),
        ] {
            let answer = caller.graphql(query, json!({})).await;
            assert!(answer.json().get("data").is_none(), "{query}");
        }
        assert_eq!(named(&count_usage(&app).await), []);

        let keyed = live.with_key("eens");
        create(&keyed, "1").await;
        let once = count_usage(&app).await;
        create(&keyed, "1").await;
        assert_eq!(count_usage(&app).await, once, "the answer was sent again, and nothing ran");
        // A field that fails, and a user error, are uses like any other.
        create(&live, "1").await;
        let created = |usage: &[Usage]| usage.iter().find(|one| one.coordinate == "Mutation.cardCreate").map(|u| u.count);
        assert_eq!((created(&once), created(&count_usage(&app).await)), (Some(1), Some(2)));
    }

    async fn counts_older_than_their_time_are_swept(app: TestApp) {
        let live = app.live().await;
        for _ in 0..2 {
            live.data("{ __typename }", json!({})).await;
            upkeep::write_usage(app.services()).await.expect("the database takes the counts");
            app.pass(Duration::days(250));
        }
        assert_eq!(card_service::worker::housekeeping::step(app.services()).await.expect("a round").usage, 1);
        assert_eq!(count_usage(&app).await.len(), 1);
    }
}

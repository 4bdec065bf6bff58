//! `cardUpdate` (specification, sections 2.10, 3 and 7.1; decisions V4, W4). The states of its fields are in
//! `three_states`, values that are refused in `card_value`, portraits in `photo`.

use card_service::model::Actor;
use chrono::Duration;
use serde_json::{Value, json};

use super::card_value::{nested, value_at};
use crate::app::TestApp;

on_both_databases! {
    async fn update_writes_the_row_and_one_event_of_the_partner(app: TestApp) {
        let partner = app.partner("Noord").await;
        let test = partner.test().await;
        let id = test.draft("1").await;
        app.pass(Duration::milliseconds(90_042));
        let updated = test.update(&id, json!({ "livestreamUrl": "https://live.example/1" })).await;
        assert_eq!(updated.card["createdAt"], "2026-11-10T08:30:00.000Z");
        assert_eq!(updated.card["updatedAt"], "2026-11-10T08:31:30.042Z");
        let row = app.row(&id).await;
        assert_eq!((row.updated_at, row.event_count), (app.now(), 2));
        let event = app.events(&id).await.pop().expect("an event");
        assert_eq!((event.topic.as_str(), event.actor, event.sequence), ("CARDS_UPDATE", Actor::Partner, 2));
        assert_eq!((event.partner_id, event.test, event.occurred_at), (partner.id, true, app.now()));
        assert_eq!(event.changed_fields, ["livestreamUrl"]);
    }

    async fn update_that_changes_nothing_writes_nothing(app: TestApp) {
        let live = app.live().await;
        let input = json!({ "externalFuneralDirectorId": "u-1", "deceased": { "dateOfBirth": "1940-02-29" } });
        let mut new = input.clone();
        new["externalDossierId"] = json!("1");
        let created = live.create(new).await;
        let id = created.gid();
        let before = app.row(&id).await;
        app.pass(Duration::hours(1));
        let empty = json!({ "deceased": {}, "familyContact": {} });
        for same in [input, json!({}), empty, json!({ "familyContact": null })] {
            assert_eq!(live.update(&id, same).await.card, created.card);
        }
        assert_eq!(app.row(&id).await, before);
        assert_eq!(app.topics(&id).await, ["CARDS_CREATE"]);
    }

    async fn update_of_a_live_card_with_a_test_key_is_not_found(app: TestApp) {
        let partner = app.partner("Noord").await;
        let id = partner.live().await.draft("1").await;
        let before = app.row(&id).await;
        let test = partner.test().await;
        // As for a card that is not there, also where something else is wrong.
        for input in [json!({ "deceased": { "firstName": "X" } }), json!({ "livestreamUrl": "no address" }), json!({})] {
            let refused = test.update(&id, input).await;
            assert_eq!(refused.fault("NOT_FOUND", "id"), "Deze kaart is niet gevonden.");
        }
        assert_eq!(app.row(&id).await, before);
    }

    async fn update_of_a_test_card_with_a_live_key_keeps_it_a_test_card(app: TestApp) {
        let partner = app.partner("Noord").await;
        let id = partner.test().await.draft("1").await;
        let updated = partner.live().await.update(&id, json!({ "livestreamUrl": "https://live.example/" })).await;
        assert_eq!(updated.card["test"], true);
        assert!(app.events(&id).await.iter().all(|event| event.test));
    }

    async fn ordered_card_theme_is_immutable_and_other_fields_are_not(app: TestApp) {
        let live = app.live().await;
        let [one, other] = [app.theme("linnen", 1).await, app.theme("eik", 2).await];
        let themed = live.create(json!({ "externalDossierId": "1", "themeId": one.number.to_string() })).await.gid();
        let bare = live.draft("2").await;
        for step in ["ORDERED", "ACTIVE"] {
            for id in [&themed, &bare] {
                app.advance(id, step).await;
                let before = app.row(id).await;
                let refused = live.update(id, json!({ "themeId": other.number.to_string() })).await;
                let message = refused.fault("IMMUTABLE", "input.themeId");
                assert_eq!(message, "Het thema kan niet meer worden gewijzigd, omdat de kaart al is besteld.");
                // The error refuses the whole update.
                live.update(id, json!({ "themeId": other.number.to_string(), "livestreamUrl": null })).await
                    .fault("IMMUTABLE", "input.themeId");
                assert_eq!(app.row(id).await, before);

                let changed = live.update(id, json!({
                    "externalFuneralDirectorId": step,
                    "deceased": { "firstName": step, "lastName": step, "dateOfBirth": "1940-02-29",
                        "dateOfDeath": "2026-11-01" },
                    "livestreamUrl": format!("https://live.example/{step}"),
                    "familyContact": { "name": step, "email": "jan@voorbeeld.nl" },
                })).await;
                assert_eq!(changed.card["livestreamUrl"], format!("https://live.example/{step}"));
                assert_eq!(changed.card["status"], step);
            }
        }
        let cleared = live.update(&themed, json!({ "themeId": null })).await;
        cleared.fault("IMMUTABLE", "input.themeId");
    }

    async fn own_theme_that_was_retired_never_blocks_an_update(app: TestApp) {
        let live = app.live().await;
        let [own, other] = [app.theme("linnen", 1).await, app.theme("eik", 2).await];
        let id = live.create(json!({ "externalDossierId": "1", "themeId": own.number.to_string() })).await.gid();
        for theme in [&own, &other] {
            app.operator().json(&["theme", "retire", &theme.number.to_string()]);
        }
        let gid = format!("gid://service/Theme/{}", own.id);
        for (status, refusal) in [("DRAFT", "NOT_FOUND"), ("ORDERED", "IMMUTABLE"), ("ACTIVE", "IMMUTABLE")] {
            app.advance(&id, status).await;
            for name in [json!(gid), json!(own.number.to_string())] {
                let url = format!("https://live.example/{status}");
                let updated = live.update(&id, json!({ "themeId": name, "livestreamUrl": url })).await;
                assert_eq!(updated.gid(), id);
                assert_eq!((&updated.card["status"], &updated.card["livestreamUrl"]), (&json!(status), &json!(url)));
                assert_eq!(updated.card["theme"]["id"], gid);
            }
            let refused = live.update(&id, json!({ "themeId": other.number.to_string() })).await;
            refused.fault(refusal, "input.themeId");
        }
    }

    async fn death_and_birth_are_compared_with_the_stored_dates(app: TestApp) {
        let live = app.live().await;
        let id = live.create(json!({
            "externalDossierId": "1", "deceased": { "dateOfBirth": "1940-02-29", "dateOfDeath": "2026-11-01" }
        })).await.gid();
        let refused = live.update(&id, json!({ "deceased": { "dateOfDeath": "1940-02-28" } })).await;
        let message = refused.fault("INVALID", "input.deceased.dateOfDeath");
        assert_eq!(message, "De overlijdensdatum ligt vóór de geboortedatum.");
        let refused = live.update(&id, json!({ "deceased": { "dateOfBirth": "2026-11-02" } })).await;
        assert_eq!((refused.faults.len(), refused.faults[0].code.as_str()), (1, "INVALID"));
        // Both at once, or one of them cleared, is judged by what would be stored.
        let moved = json!({ "dateOfBirth": "2026-11-02", "dateOfDeath": "2026-11-03" });
        live.update(&id, json!({ "deceased": moved })).await.gid();
        live.update(&id, json!({ "deceased": { "dateOfBirth": null, "dateOfDeath": "1900-01-01" } })).await.gid();
    }

    async fn dossier_number_in_an_update_is_bad_user_input(app: TestApp) {
        let (live, id) = app.live_draft("1").await;
        let document = "mutation ($id: ID!, $input: CardUpdateInput!) {
            cardUpdate(id: $id, input: $input) { card { id } }
        }";
        for value in [json!("2"), json!("1"), Value::Null] {
            let variables = json!({ "id": id, "input": { "externalDossierId": value } });
            let error = live.graphql(document, variables).await.expect_error(400, "BAD_USER_INPUT");
            assert!(error.to_string().contains("externalDossierId"), "{error}");
        }
    }

    async fn updates_of_one_request_run_one_after_the_other(app: TestApp) {
        let (live, id) = app.live_draft("1").await;
        let document = r#"mutation ($id: ID!) {
            a: cardUpdate(id: $id, input: { deceased: { firstName: "A" } }) { card { ...Names } }
            b: cardUpdate(id: $id, input: { deceased: { lastName: "B" } }) { card { ...Names } }
            c: cardUpdate(id: $id, input: { deceased: { firstName: null } }) { card { ...Names } }
        }
        fragment Names on Card { deceased { firstName lastName } }"#;
        let data = live.data(document, json!({ "id": id })).await;
        let deceased = |first: Value, last: Value| {
            json!({ "card": { "deceased": { "firstName": first, "lastName": last } } })
        };
        assert_eq!(data["a"], deceased(json!("A"), json!(null)));
        assert_eq!(data["b"], deceased(json!("A"), json!("B")));
        assert_eq!(data["c"], deceased(json!(null), json!("B")));
        assert_eq!(app.row(&id).await.event_count, 4);
    }

    async fn updates_at_the_same_moment_lose_nothing(app: TestApp) {
        let (live, id) = app.live_draft("1").await;
        let values = [
            ("externalFuneralDirectorId", "u-1"),
            ("deceased.firstName", "Aaltje"),
            ("deceased.lastName", "de Vries"),
            ("deceased.dateOfBirth", "1940-02-29"),
            ("livestreamUrl", "https://live.example/1"),
            ("familyContact.name", "Jan"),
            ("familyContact.email", "jan@voorbeeld.nl"),
        ];
        futures_util::future::join_all(values.map(|(path, value)| live.update(&id, nested(path, json!(value))))).await;
        let card = live.card(&id).await;
        for (path, value) in values {
            assert_eq!(value_at(&card, path), value, "{path}");
        }
        let sequences: Vec<_> = app.events(&id).await.iter().map(|event| event.sequence).collect();
        assert_eq!(sequences, (1..=8).collect::<Vec<_>>());
    }
}

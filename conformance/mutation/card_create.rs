//! `cardCreate` (specification, sections 2.10, 3 and 7.1; decisions K3, V1 to V4). Values that are refused are in
//! `card_value`, portraits in `photo`, idempotency in `http::idempotency`.

use card_service::model::Actor;
use serde_json::{Value, json};

use crate::app::mock_server::PNG;
use crate::app::{TestApp, codes_of};

on_both_databases! {
    async fn card_with_every_field_is_stored_and_answered(app: TestApp) {
        let partner = app.partner("Noord").await;
        let live = partner.live().await;
        let theme = app.theme("linnen", 1).await;
        let created = live.create(json!({
            "externalDossierId": "2026-0142",
            "themeId": format!("gid://service/Theme/{}", theme.id),
            "externalFuneralDirectorId": "u-7",
            "deceased": {
                "firstName": "Aaltje", "lastName": "de Vries",
                "dateOfBirth": "1940-02-29", "dateOfDeath": "2026-11-09",
            },
            "livestreamUrl": "http://live.example/7?a=b#c",
            "familyContact": { "name": "Jan de Vries", "email": "jan@voorbeeld.nl" },
        })).await;
        let id = created.gid();
        assert_eq!(created.card, json!({
            "id": id,
            "externalDossierId": "2026-0142",
            "externalFuneralDirectorId": "u-7",
            "livestreamUrl": "http://live.example/7?a=b#c",
            "status": "DRAFT",
            "cardUrl": null,
            "test": false,
            "createdAt": "2026-11-10T08:30:00.000Z",
            "updatedAt": "2026-11-10T08:30:00.000Z",
            "theme": { "id": format!("gid://service/Theme/{}", theme.id), "handle": "linnen" },
            "deceased": {
                "firstName": "Aaltje", "lastName": "de Vries",
                "dateOfBirth": "1940-02-29", "dateOfDeath": "2026-11-09", "photoUrl": null
            },
            "familyContact": { "name": "Jan de Vries", "email": "jan@voorbeeld.nl" },
        }));
        assert_eq!(live.card(&id).await, created.card);

        let row = app.row(&id).await;
        assert_eq!((row.partner_id, row.theme_id, row.event_count), (partner.id, Some(theme.id), 1));
        assert_eq!((row.created_at, row.updated_at), (app.now(), app.now()));
        let [event] = app.events(&id).await.try_into().expect("one event");
        assert_eq!((event.topic.as_str(), event.actor, event.sequence), ("CARDS_CREATE", Actor::Partner, 1));
        assert_eq!((event.partner_id, event.card_id, event.test), (partner.id, row.id, false));
        assert_eq!(event.occurred_at, app.now());
    }

    async fn card_with_null_optional_fields_is_a_card_without_them(app: TestApp) {
        let live = app.live().await;
        let created = live.create(json!({
            "externalDossierId": "1", "themeId": null, "externalFuneralDirectorId": null, "deceased": null,
            "livestreamUrl": null, "familyContact": null,
        })).await;
        let inner = live.create(json!({
            "externalDossierId": "2",
            "deceased": {
                "firstName": null, "lastName": null, "dateOfBirth": null, "dateOfDeath": null, "photoUrl": null
            },
            "familyContact": { "name": null, "email": null },
        })).await;
        for payload in [created, inner] {
            let row = app.row(&payload.gid()).await;
            assert_eq!((row.theme_id, row.external_funeral_director_id, row.livestream_url), (None, None, None));
            assert_eq!((row.deceased, row.family_contact), Default::default());
        }
    }

    async fn dossier_number_of_a_live_or_test_card_is_taken_for_every_key(app: TestApp) {
        for (name, kind) in [("Noord", "kaart"), ("Zuid", "testkaart")] {
            let partner = app.partner(name).await;
            let (live, test) = (partner.live().await, partner.test().await);
            let holder = if kind == "kaart" { &live } else { &test };
            let first = holder.draft("2026-0142").await;
            for caller in [&live, &test, &live.with_key("k-1")] {
                for other in [json!({}), json!({ "email": "x" })] {
                    let input = json!({ "externalDossierId": "2026-0142", "familyContact": other });
                    let again = caller.create(input).await;
                    let message = format!("Dossiernummer 2026-0142 is al in gebruik voor een {kind} in uw account.");
                    assert_eq!((again.faults[0].code.as_str(), &again.faults[0].message), ("TAKEN", &message));
                    assert!(!again.answer.text().contains("gid://"), "nothing else of the holder: {}", again.answer.text());
                }
            }
            assert_eq!(app.topics(&first).await, ["CARDS_CREATE"], "a refused card leaves no event");
        }
    }

    async fn dossier_number_is_taken_in_each_status_and_with_other_errors(app: TestApp) {
        let live = app.live().await;
        let far = app.mock_server();
        let photo = far.photo("/a.png", "image/png", PNG);
        let id = live.draft("1").await;
        let missing = "gid://service/Theme/00000000-0000-7000-8000-000000000000";
        let wrong = [
            (json!({}), &[][..]),
            (json!({ "deceased": { "photoUrl": photo } }), &[]),
            (json!({ "familyContact": { "email": "x" } }), &[("INVALID", "input.familyContact.email")]),
            (
                json!({ "themeId": missing, "deceased": { "photoUrl": "foto", "dateOfBirth": "gisteren" } }),
                &[
                    ("NOT_FOUND", "input.themeId"),
                    ("INVALID", "input.deceased.dateOfBirth"),
                    ("INVALID", "input.deceased.photoUrl"),
                ],
            ),
            (
                json!({ "deceased": { "photoUrl": photo }, "livestreamUrl": "x" }),
                &[("INVALID", "input.livestreamUrl")],
            ),
        ];
        for status in ["DRAFT", "ORDERED", "ACTIVE"] {
            app.advance(&id, status).await;
            for (input, others) in &wrong {
                let mut input = input.clone();
                input["externalDossierId"] = json!("1");
                let refused = live.create(input).await;
                assert_eq!(codes_of(&refused.faults), [&[("TAKEN", "input.externalDossierId")], *others].concat(), "{status}");
            }
        }
        assert!(far.requests().is_empty(), "no photo is fetched for a number that is taken");
        // A number that cannot be one is not looked up.
        for (dossier, code) in [("", "BLANK"), ("a\0b", "INVALID")] {
            let input = json!({ "externalDossierId": dossier, "familyContact": { "email": "x" } });
            let faults = live.create(input).await.faults;
            assert_eq!(faults.iter().map(|fault| fault.code.as_str()).collect::<Vec<_>>(), [code, "INVALID"]);
        }
    }

    async fn dossier_number_is_free_for_other_partners_and_spellings(app: TestApp) {
        let ours = app.partner("Noord").await.live().await;
        let theirs = app.partner("Zuid").await.live().await;
        let mut ids = vec![ours.draft("Zaak-1").await, theirs.draft("Zaak-1").await];
        for spelling in ["zaak-1", "Zaak-01", "Zaak_1", "Zaak%1", "Zaak-1 b"] {
            ids.push(ours.draft(spelling).await);
        }
        ids.sort();
        ids.dedup();
        assert_eq!(ids.len(), 7);
    }

    async fn dossier_number_taken_by_one_of_many_at_once_makes_one_card(app: TestApp) {
        let live = app.live().await;
        let creates = (0..12).map(|_| live.create(json!({ "externalDossierId": "1" })));
        let payloads = futures_util::future::join_all(creates).await;
        let (made, refused): (Vec<_>, Vec<_>) = payloads.iter().partition(|payload| payload.faults.is_empty());
        assert_eq!(made.len(), 1);
        for payload in refused {
            payload.fault("TAKEN", "input.externalDossierId");
        }
    }

    async fn theme_by_global_id_or_number_is_found_and_others_are_not(app: TestApp) {
        let live = app.live().await;
        let theme = app.theme("linnen", 1).await;
        let gid = format!("gid://service/Theme/{}", theme.id);
        for (dossier, id) in [("1", json!(gid)), ("2", json!(theme.number.to_string())), ("3", json!(theme.number))] {
            let created = live.create(json!({ "externalDossierId": dossier, "themeId": id })).await;
            assert_eq!(created.card["theme"]["id"], *gid);
        }
        let elsewhere = live.draft("4").await;
        let missing = "gid://service/Theme/00000000-0000-7000-8000-000000000000";
        for id in ["", "0", "linnen", "999999", &elsewhere, missing] {
            let refused = live.create(json!({ "externalDossierId": "5", "themeId": id })).await;
            let message = refused.fault("NOT_FOUND", "input.themeId");
            assert_eq!(message, "Dit thema is niet gevonden.");
        }
        live.draft("5").await;
    }

    async fn dossier_number_missing_or_not_text_is_bad_user_input(app: TestApp) {
        let live = app.live().await;
        for (input, named) in [
            (json!({}), "externalDossierId"),
            (json!({ "externalDossierId": null }), "externalDossierId"),
            (json!({ "externalDossierId": 1 }), "externalDossierId"),
            (json!({ "externalDossierId": ["1"] }), "externalDossierId"),
            (json!({ "externalDossierId": "1", "unknown": 1 }), "unknown"),
            (json!({ "externalDossierId": "1", "deceased": { "dateOfBirth": 1940 } }), "deceased"),
            (json!({ "externalDossierId": "1", "livestreamUrl": false }), "livestreamUrl"),
            (json!({ "externalDossierId": "1", "familyContact": "Jan" }), "familyContact"),
            (json!(null), "input"),
            (json!("1"), "input"),
        ] {
            let document = "mutation ($input: CardCreateInput!) { cardCreate(input: $input) { card { id } } }";
            let answer = live.graphql(document, json!({ "input": input })).await;
            let error = answer.expect_error(400, "BAD_USER_INPUT");
            assert!(error.to_string().contains(named), "{input}: {error}");
            let message = error["message"].as_str().expect("a text");
            let path = if named == "deceased" { "input.deceased.dateOfBirth" } else { "input" };
            assert!(message.starts_with(&format!("De waarde van {path}")), "{input}: {message}");
        }
    }

    async fn cards_of_one_request_are_created_in_order_independently(app: TestApp) {
        let live = app.live().await;
        let data = live.data(
            r#"mutation {
                a: cardCreate(input: { externalDossierId: "1" }) { card { id } userErrors { code } }
                b: cardCreate(input: { externalDossierId: "1" }) { card { id } userErrors { code } }
                c: cardCreate(input: { externalDossierId: "2" }) { card { id } userErrors { code } }
            }"#,
            json!({}),
        ).await;
        assert_eq!(data["a"]["userErrors"], json!([]));
        assert_eq!(data["b"], json!({ "card": null, "userErrors": [{ "code": "TAKEN" }] }));
        assert_eq!(data["c"]["userErrors"], json!([]));
        assert_ne!(data["a"]["card"]["id"], Value::Null);
        assert_ne!(data["a"]["card"]["id"], data["c"]["card"]["id"]);
    }
}

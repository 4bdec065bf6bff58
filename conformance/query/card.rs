//! The query `card` (specification, sections 2.3 to 2.5, 3 and 4.1; decisions K3, K4), with the timestamps and the visibility
//! that version 2027-01 adds.

use card_service::model::Visibility;
use chrono::Duration;
use serde_json::{Value, json};

use crate::app::family::{Browser, customizer, path_of};
use crate::app::{Caller, PUBLIC_BASE, TestApp};

/// The status of a card and its timestamps.
async fn moments(caller: &Caller, id: &str) -> Value {
    let document = "query ($id: ID!) { card(id: $id) { status orderedAt activatedAt updatedAt } }";
    caller.data(document, json!({ "id": id })).await["card"].take()
}

on_both_databases! {
    async fn card_with_only_a_dossier_number_reads_every_field(app: TestApp) {
        let (live, id) = app.live_draft("2026-0142").await;
        assert_eq!(live.card(&id).await, json!({
            "id": id,
            "externalDossierId": "2026-0142",
            "externalFuneralDirectorId": null,
            "livestreamUrl": null,
            "status": "DRAFT",
            "cardUrl": null,
            "test": false,
            "createdAt": "2026-11-10T08:30:00.000Z",
            "updatedAt": "2026-11-10T08:30:00.000Z",
            "theme": null,
            "deceased": {
                "firstName": null, "lastName": null, "dateOfBirth": null, "dateOfDeath": null, "photoUrl": null
            },
            "familyContact": { "name": null, "email": null },
        }));
        let uuid = id.strip_prefix("gid://service/Card/").expect("the shape of section 2.2");
        assert_eq!(uuid.len(), 36, "{uuid}");
    }

    async fn card_url_is_filled_only_when_the_card_is_active(app: TestApp) {
        let (live, id) = app.live_draft("1").await;
        let seen = |card: Value| (card["status"].clone(), card["cardUrl"].clone());
        assert_eq!(seen(live.card(&id).await), (json!("DRAFT"), json!(null)));
        app.order(&id).await;
        assert_eq!(seen(live.card(&id).await), (json!("ORDERED"), json!(null)));
        app.activate(&id).await;
        let (status, url) = seen(live.card(&id).await);
        assert_eq!(status, "ACTIVE");
        let slug = url.as_str().and_then(|url| url.strip_prefix(&format!("{PUBLIC_BASE}/kaart/"))).map(str::to_owned);
        let slug = slug.unwrap_or_else(|| panic!("{url} is below the public base"));
        assert!(slug.len() >= 16, "{slug} cannot be guessed");
        assert_eq!(app.row(&id).await.slug, Some(slug));
        assert_eq!(app.topics(&id).await, ["CARDS_CREATE", "CARDS_ORDERED", "CARDS_ACTIVATED"]);
    }

    async fn card_by_invitation_says_so_to_the_partner_and_the_visitor(app: TestApp) {
        let caller = app.on_2027_01().await;
        let id = caller.draft("1").await;
        let read = async || {
            let document = "query ($id: ID!) { card(id: $id) { visibility cardUrl } }";
            caller.data(document, json!({ "id": id })).await["card"].take()
        };
        assert_eq!(read().await["visibility"], "OPEN");
        let mut browser = Browser::at_customizer(&caller, &id).await;
        let saved = browser.submit(&customizer(&id, "thema"), &[("visibility", "INVITATION"), ("naar", "overzicht")]).await;
        assert_eq!(saved.status, 303, "{}", saved.text());
        app.online(&id).await;
        let card = read().await;
        assert_eq!(card["visibility"], "INVITATION");
        let visitor = app.get(&path_of(card["cardUrl"].as_str().expect("an address"))).await;
        assert_eq!(visitor.status, 200);
        for piece in ["Deze kaart is alleen voor genodigden", "Open dan de link in die uitnodiging", "de familie om een uitnodiging vragen"] {
            assert!(visitor.text().contains(piece), "{piece}: {}", visitor.text());
        }
        app.set_visibility(&id, Visibility::Open).await;
        assert_eq!(read().await["visibility"], "OPEN");
        assert!(!app.topics(&id).await.contains(&"CARDS_UPDATE"), "the schema of 2026-10 has no such field");
    }

    async fn card_moments_are_null_until_they_come_and_then_stay(app: TestApp) {
        let caller = app.on_2027_01().await;
        let id = caller.draft("1").await;
        assert_eq!(moments(&caller, &id).await, json!({
            "status": "DRAFT", "orderedAt": null, "activatedAt": null, "updatedAt": "2026-11-10T08:30:00.000Z",
        }));
        app.pass(Duration::minutes(1));
        app.order(&id).await;
        assert_eq!(moments(&caller, &id).await, json!({
            "status": "ORDERED",
            "orderedAt": "2026-11-10T08:31:00.000Z",
            "activatedAt": null,
            "updatedAt": "2026-11-10T08:31:00.000Z",
        }));
        app.pass(Duration::minutes(1));
        app.activate(&id).await;
        app.pass(Duration::minutes(1));
        caller.update(&id, json!({ "livestreamUrl": "https://live.example/1" })).await.gid();
        assert_eq!(moments(&caller, &id).await, json!({
            "status": "ACTIVE",
            "orderedAt": "2026-11-10T08:31:00.000Z",
            "activatedAt": "2026-11-10T08:32:00.000Z",
            "updatedAt": "2026-11-10T08:33:00.000Z",
        }));
        let order = app.store().order_of(app.row(&id).await.id).await.expect("the store answers").expect("an order");
        assert_eq!(Some(order.ordered_at), app.row(&id).await.ordered_at);
    }
}

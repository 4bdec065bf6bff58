//! The query `cardByExternalDossierId` (version 2027-01): after TAKEN, the card that is there.

use serde_json::{Value, json};

use crate::app::{Caller, TestApp};

async fn find(caller: &Caller, dossier: &str) -> Value {
    let document = "query ($dossier: String!) {
        cardByExternalDossierId(externalDossierId: $dossier) { id externalDossierId status test }
    }";
    caller.data(document, json!({ "dossier": dossier })).await["cardByExternalDossierId"].take()
}

on_both_databases! {
    async fn card_that_took_the_number_is_read_after_taken(app: TestApp) {
        let caller = app.on_2027_01().await;
        let id = caller.draft("2026-0142").await;
        caller.create(json!({ "externalDossierId": "2026-0142" })).await.fault("TAKEN", "input.externalDossierId");
        let card = json!({ "id": id, "externalDossierId": "2026-0142", "status": "DRAFT", "test": true });
        assert_eq!(find(&caller, "2026-0142").await, card);
    }

    async fn card_of_a_live_key_reads_null_for_a_test_key(app: TestApp) {
        let partner = app.partner("Noord").await;
        partner.live().await.draft("1").await;
        let id = partner.test().await.draft("2").await;
        let test = partner.test().await.on_version("2027-01");
        assert_eq!(find(&test, "1").await, Value::Null);
        assert_eq!(find(&test, "2").await["id"], json!(id), "another test key made it");
        assert_eq!(find(&test, "2").await["test"], true);
    }

    async fn number_is_taken_as_it_was_sent(app: TestApp) {
        let caller = app.on_2027_01().await;
        let longest = "é".repeat(255);
        for dossier in ["Ab-1", " 7 ", "%", "🕯", &longest] {
            let id = caller.draft(dossier).await;
            assert_eq!(find(&caller, dossier).await["id"], json!(id), "{dossier}");
        }
        let longer = format!("{longest}é");
        for other in ["ab-1", "Ab-1 ", "7", "", " ", "%%", "_", "\0", "Ab-1\0", "🕯\0", &longer, &"9".repeat(10_000)] {
            assert_eq!(find(&caller, other).await, Value::Null, "{other:?}");
        }
    }
}

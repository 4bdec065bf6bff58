//! Global ids: what is written reads back, nothing else reads, and a made-up one is as one that is not there.

use card_service::base::{GlobalId, Kind};
use proptest::prelude::*;
use serde_json::{Value, json};
use uuid::Uuid;

use super::seed::{changed_text, for_all};
use super::{any_text, assert_sound, seeds, wait};
use crate::app::TestApp;

const SEEDS: &[&[u8]] = &[
    b"gid://service/Card/{0192f0c8-7c1b-7a55-9c3e-1f5a2b3c4d5e}",
    b"gid://service/Card/0192f0c8-7c1b-7a55-9c3e-1f5a2b3c4d5e",
    b"99999999999999999999",
    b"gid://shop/Card/1",
    b"gid://service/Card/0192f0c87c1b7a559c3e1f5a2b3c4d5e",
    b"gid://service/Theme/00000000-0000-0000-0000-000000000000",
    b"gid://service/Card/0192F0C8-7C1B-7A55-9C3E-1F5A2B3C4D5E",
    b"gid://service/Card/urn:uuid:0192f0c8-7c1b-7a55-9c3e-1f5a2b3c4d5e",
];
const KINDS: [Kind; 4] = [Kind::Card, Kind::Theme, Kind::WebhookSubscription, Kind::WebhookDelivery];

#[test]
fn global_id_that_is_written_reads_back() {
    for_all(2_000, (prop::sample::select(&KINDS[..]), any::<u128>()), |(kind, number)| {
        let id = GlobalId::new(kind, Uuid::from_u128(number));
        assert_eq!(GlobalId::parse(&id.to_string()), Some(id));
        for other in KINDS {
            assert_eq!(GlobalId::uuid_of(&id.to_string(), other).is_some(), other == kind);
        }
    });
}

#[test]
fn text_that_reads_as_a_global_id_is_one_letter_for_letter() {
    for_all(4_000, prop_oneof![changed_text(seeds(SEEDS)), any_text(60)], |text| {
        if let Some(id) = GlobalId::parse(&text) {
            assert_eq!(id.to_string(), text);
        }
    });
}

on_both_databases! {
    async fn id_that_is_made_up_reads_null_and_changes_nothing(app: TestApp) {
        let live = app.live().await;
        let gid = live.draft("1").await;
        let seeds: Vec<_> = seeds(SEEDS).into_iter().chain([gid.clone().into_bytes()]).collect();
        let document = "mutation ($id: ID!) { cardUpdate(id: $id, input: { externalFuneralDirectorId: \"x\" }) {
            card { id } userErrors { code }
        } }";
        let read = "query ($id: ID!) { node(id: $id) { id } card(id: $id) { id } theme(id: $id) { id } }";
        for_all(150, prop_oneof![changed_text(seeds), any_text(60)], |id| wait(async {
            let answer = live.graphql(read, json!({ "id": id })).await;
            assert_sound(&answer);
            let data = answer.data();
            let found = if id == gid { json!({ "id": gid }) } else { Value::Null };
            assert_eq!((&data["node"], &data["card"], &data["theme"]), (&found, &found, &Value::Null), "{id:?}");
            if id != gid {
                let data = live.data(document, json!({ "id": id })).await;
                assert_eq!(data["cardUpdate"]["userErrors"], json!([{ "code": "NOT_FOUND" }]), "{id:?}");
            }
        }));
        assert_eq!(app.events(&gid).await.len(), 1);
    }
}

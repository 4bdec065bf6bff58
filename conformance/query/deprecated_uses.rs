//! `deprecatedUses` (version 2027-01; decisions H10).

use card_service::model::{KeyMode, Usage};
use card_service::worker::usage;
use chrono::{Duration, NaiveDate};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::app::{Caller, TestApp};

const USES: &str = "{ deprecatedUses { version coordinate test lastUsedOn deprecatedIn reason replacements } }";
const READ: &str = "{ themes { nodes { title legacyResourceId } } }";

/// What the caller reads, after the counts in memory are written.
async fn uses(app: &TestApp, caller: &Caller) -> Value {
    usage::step(app.services()).await.expect("the database takes the counts");
    caller.data(USES, json!({})).await["deprecatedUses"].take()
}

/// The version, the day and the mode of each use.
fn days(uses: &Value) -> Vec<(&str, &str, bool)> {
    let text = |value: &'_ Value| -> &'static str { value.as_str().expect("a text").to_owned().leak() };
    let uses = uses.as_array().expect("a list").iter();
    uses.map(|used| (text(&used["version"]), text(&used["lastUsedOn"]), used["test"] == true)).collect()
}

on_both_databases! {
    async fn deprecated_use_names_its_last_day_and_replacement(app: TestApp) {
        let account = app.partner("Noord").await;
        let test = account.test().await;
        let caller = test.on_version("2027-01");
        assert_eq!(uses(&app, &caller).await, json!([]), "nothing was used");
        caller.data("{ themes { nodes { id title } } }", json!({})).await;
        assert_eq!(uses(&app, &caller).await, json!([]), "nothing of it is deprecated");
        test.data(READ, json!({})).await;
        app.pass(Duration::hours(24));
        test.data(READ, json!({})).await;
        let older = json!({
            "version": "2026-10",
            "coordinate": "Theme.legacyResourceId",
            "test": true,
            "lastUsedOn": "2026-11-11",
            "deprecatedIn": "2027-01",
            "reason": "A number of the operator's own administration, which goes. Use `id`, which every argument takes.",
            "replacements": ["Theme.id"],
        });
        assert_eq!(uses(&app, &caller).await, json!([older]));
        app.pass(Duration::hours(24));
        caller.data(READ, json!({})).await;
        let listed = uses(&app, &caller).await;
        assert_eq!(days(&listed), [("2027-01", "2026-11-12", true), ("2026-10", "2026-11-11", true)], "the latest first");
        assert_eq!(listed[0]["deprecatedIn"], "2027-01");
    }

    async fn deprecated_use_of_others_and_of_live_keys_is_hidden(app: TestApp) {
        let (account, other) = (app.partner("Noord").await, app.partner("Zuid").await);
        for caller in [account.live().await, other.live().await, other.test().await] {
            caller.data(READ, json!({})).await;
        }
        let caller = account.test().await.on_version("2027-01");
        assert_eq!(uses(&app, &caller).await, json!([]), "a test key sees what test keys used");
        let theirs = other.test().await.on_version("2027-01");
        assert_eq!(days(&uses(&app, &theirs).await), [("2026-10", "2026-11-10", true)]);
        // A live key, which sees no candidate version yet, would see both modes of its own account.
        let scope = card_service::model::Scope::account(other.id);
        let last = app.store().last_uses(scope, "Theme.legacyResourceId").await.expect("the store answers");
        let modes: Vec<_> = last.iter().map(|one| one.mode).collect();
        assert_eq!(modes, [KeyMode::Live, KeyMode::Test]);
    }

    async fn deprecated_use_of_400_days_is_one_item(app: TestApp) {
        let account = app.partner("Noord").await;
        let first: NaiveDate = "2025-11-01".parse().expect("a day");
        let used = |day, partner_id: Uuid, version: &str| Usage {
            day,
            version: version.to_owned(),
            partner_id,
            mode: KeyMode::Test,
            coordinate: "Theme.legacyResourceId".to_owned(),
            count: 3,
        };
        // The version that is not of this release is one that was taken out since.
        let rows = first.iter_days().take(370).flat_map(|day| {
            [used(day, account.id, "2026-10"), used(day, account.id, "2024-01"), used(day, Uuid::nil(), "2026-10")]
        });
        app.store().add_usage(rows.collect()).await.expect("the store answers");
        let caller = account.test().await.on_version("2027-01");
        assert_eq!(days(&uses(&app, &caller).await), [("2024-01", "2026-11-05", true), ("2026-10", "2026-11-05", true)]);
    }
}

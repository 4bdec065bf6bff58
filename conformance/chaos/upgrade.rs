//! A newer binary migrates the database while older ones serve, and they keep working (docs/operating.md, "Upgrade").
//!
//! `source_rules/migration.rs` checks what a migration may do. These tests extend the schema under running servers in that way;
//! `.ci/rolling` runs an older binary and the current one at the same time, and the older one again after the current one.

use std::path::PathBuf;
use std::time::Duration;

use serde_json::json;
use tokio::time::sleep;

use super::check::{check_cards, check_links};
use super::crowd::Crowd;
use super::fleet::Fleet;
use crate::app::{Database, FreshDatabase, Program, run_alone, tamper, wait_for};
use crate::webhook::follow::Followed;

/// Additions of a newer binary: columns in tables that every request uses, an index, a table that refers to cards, and the
/// record of the migration.
const NEWER: &str = "
    ALTER TABLE cards ADD COLUMN added_later TEXT;
    ALTER TABLE events ADD COLUMN added_later TEXT;
    ALTER TABLE deliveries ADD COLUMN added_later TEXT;
    ALTER TABLE sessions ADD COLUMN added_later TEXT;
    ALTER TABLE visits ADD COLUMN added_later TEXT;
    ALTER TABLE photos ADD COLUMN added_later TEXT DEFAULT 'x';
    ALTER TABLE partners ADD COLUMN added_later TEXT;
    ALTER TABLE access_keys ADD COLUMN added_later TEXT;
    ALTER TABLE idempotency_keys ADD COLUMN added_later TEXT;
    ALTER TABLE webhook_subscriptions ADD COLUMN added_later TEXT;
    CREATE INDEX cards_added_later ON cards (added_later);
    CREATE TABLE later (id TEXT PRIMARY KEY, note TEXT NOT NULL);
    INSERT INTO __diesel_schema_migrations (version) VALUES ('99991231000000');
";

on_both_databases! {
    async fn server_runs_and_starts_on_a_newer_schema(database: FreshDatabase) {
        let replicas = if database.url.starts_with("sqlite") { 1 } else { 2 };
        let followed = Followed::new(database.clone()).await;
        let fleet = Fleet::start(&followed.program, replicas).await;
        let crowd = Crowd::start(&fleet, &followed);
        sleep(Duration::from_secs(2)).await;
        // Each in a transaction of its own: one that locks many tables meets requests half-way (docs/operating.md).
        for statement in NEWER.split_terminator(";\n") {
            tamper(&database.url, statement).await;
        }
        sleep(Duration::from_secs(3)).await;
        crowd.enough().await;
        let ledger = crowd.rest().await;
        ledger.assert_faultless();
        assert!(!ledger.counts().contains_key("503 UNAVAILABLE"), "{:?}", ledger.counts());
        check_cards(&fleet, &ledger, &followed).await;
        check_links(&fleet, &ledger).await;
        // An older binary starts on it, so that a replica can be replaced by an older one.
        assert!(followed.program.serve().terminate());
        fleet.terminate();
    }
}

/// The binary of an earlier commit, which `.ci/rolling` builds.
fn old_binary() -> PathBuf {
    PathBuf::from(std::env::var_os("OLD_BINARY").expect("OLD_BINARY names a binary of an earlier commit"))
}

/// Replaces one replica after the other, under load.
async fn replace_all(fleet: &Fleet, replicas: usize, program: &Program, crowd: &Crowd) {
    for slot in 0..replicas {
        fleet.kill(slot).await;
        fleet.raise(slot, program).await;
        println!("replica {slot} is replaced; so far {:?}", crowd.ledger().counts());
        sleep(Duration::from_secs(6)).await;
    }
}

#[test]
#[ignore = "needs a binary of an earlier commit: bash .ci/rolling"]
fn old_and_new_binary_serve_side_by_side_on_one_database() {
    run_alone(Database::Postgres, |database: FreshDatabase| async move {
        let old = Program::with(&database.url, database.folder.path()).of(&old_binary());
        let _ = old.run(&["init"]); // which a binary from before this command does without
        let followed = Followed::with(database.clone(), old).await;
        let program = followed.program.clone();
        let new = program.clone().of(env!("CARGO_BIN_EXE_card-service").as_ref());
        let fleet = Fleet::start(&program, 3).await;
        let crowd = Crowd::start(&fleet, &followed);
        sleep(Duration::from_secs(4)).await;
        // The first new one migrates beneath the two old ones.
        replace_all(&fleet, 3, &new, &crowd).await;
        let ledger = crowd.rest().await;
        ledger.assert_faultless();
        assert!(!ledger.counts().contains_key("503 UNAVAILABLE"), "{:?}", ledger.counts());
        check_cards(&fleet, &ledger, &followed).await;
        check_links(&fleet, &ledger).await;
        fleet.terminate();
    });
}

/// The release is taken back under load, and installed again.
async fn go_back(database: FreshDatabase) {
    let replicas = if database.url.starts_with("sqlite") { 1 } else { 2 };
    let followed = Followed::new(database.clone()).await; // the new binary migrates
    let new = followed.program.clone();
    let old = new.clone().of(&old_binary());
    let fleet = Fleet::start(&new, replicas).await;
    let crowd = Crowd::start(&fleet, &followed);
    sleep(Duration::from_secs(4)).await;
    replace_all(&fleet, replicas, &old, &crowd).await;
    replace_all(&fleet, replicas, &new, &crowd).await;
    crowd.enough().await;
    let ledger = crowd.rest().await;
    ledger.assert_faultless();
    assert!(!ledger.counts().contains_key("503 UNAVAILABLE"), "{:?}", ledger.counts());
    check_cards(&fleet, &ledger, &followed).await;
    check_links(&fleet, &ledger).await;
    fleet.terminate();

    // Cards that one binary creates, and the other orders; the commands too.
    new.json(&["theme", "import", concat!(env!("CARGO_MANIFEST_DIR"), "/themes")]);
    for (number, (first, second)) in [(&new, &old), (&old, &new)].into_iter().enumerate() {
        let whole = json!({
            "externalDossierId": format!("{number}"), "themeId": "1", "deceased": { "lastName": "van der Meer" },
            "familyContact": { "email": "pieter@voorbeeld.nl" },
        });
        let serving = first.serve();
        let id = serving.create(&followed.token, whole).await;
        assert!(serving.terminate());
        let serving = second.serve();
        assert_eq!(second.json(&["card", "order", &id])["card"]["status"], "ORDERED");
        let active = || async {
            let read = "query ($id: ID!) { card(id: $id) { status } }";
            let data = serving.data(&followed.token, read, json!({ "id": id })).await;
            (data["card"]["status"] == "ACTIVE").then_some(())
        };
        wait_for("the other binary activates the card", active).await;
        assert!(serving.terminate());
        let events = first.json(&["card", "show", &id])["card"]["events"].as_array().map(Vec::len);
        assert_eq!(events, Some(3), "it is created, ordered and activated");
    }
}

#[test]
#[ignore = "needs a binary of an earlier commit: bash .ci/rolling"]
fn old_binary_serves_what_the_new_one_migrated_and_back() {
    run_alone(Database::Sqlite, go_back);
    run_alone(Database::Postgres, go_back);
}

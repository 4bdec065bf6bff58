//! A newer binary migrates the database while older ones serve, and they keep working (docs/operating.md, "Upgrade").
//!
//! `source_rules/migration.rs` checks what a migration may do. This test extends the schema under running servers in that way.

use std::time::Duration;

use tokio::time::sleep;

use super::check::{check_cards, check_links};
use super::crowd::Crowd;
use super::fleet::Fleet;
use crate::app::{FreshDatabase, tamper};
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

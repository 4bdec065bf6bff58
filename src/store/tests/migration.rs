//! Migrations: up, down, up again, and started by several at once.

use std::collections::BTreeSet;

use diesel::Connection as _;
use diesel::connection::SimpleConnection as _;
use diesel::migration::{Migration, MigrationSource};
use diesel_async::{AsyncConnection as _, AsyncMigrationHarness, AsyncPgConnection, SimpleAsyncConnection as _};
use diesel_migrations::{EmbeddedMigrations, MigrationHarness};
use futures_util::future::join_all;
use uuid::Uuid;

use super::database::{postgres_place, settings, sqlite_place};
use crate::base::Timestamp;
use crate::model::KeyMode;
use crate::store::{IdempotencyClaim, IdempotencyKey, IdempotencyRecord, Store, postgres, sqlite};

fn names<DB: diesel::backend::Backend>(source: &impl MigrationSource<DB>) -> BTreeSet<String> {
    source.migrations().unwrap().iter().map(|migration| migration.name().to_string()).collect()
}

#[test]
fn migrations_of_both_engines_have_the_same_names() {
    let sqlite = names::<diesel::sqlite::Sqlite>(&sqlite::MIGRATIONS);
    let postgres = names::<diesel::pg::Pg>(&postgres::MIGRATIONS);
    assert_eq!(sqlite, postgres);
    // What is embedded is what lies in the folder: a build that missed a new file would fail here.
    for (engine, embedded) in [("sqlite", sqlite), ("postgres", postgres)] {
        let folder = format!("{}/migrations/{engine}", env!("CARGO_MANIFEST_DIR"));
        let files = std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap());
        assert_eq!(files.collect::<BTreeSet<_>>(), embedded, "{engine}");
    }
}

#[test]
fn sqlite_goes_up_down_and_up() {
    let (url, _folder) = sqlite_place();
    let mut connection = diesel::SqliteConnection::establish(url.trim_start_matches("sqlite://")).unwrap();
    up_down_up(&mut connection, || sqlite::MIGRATIONS);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn postgres_goes_up_down_and_up() {
    let (url, _database) = postgres_place().await;
    let connection = AsyncPgConnection::establish(&url).await.unwrap();
    let run = move || up_down_up(&mut AsyncMigrationHarness::new(connection), || postgres::MIGRATIONS);
    tokio::task::spawn_blocking(run).await.unwrap();
}

fn up_down_up<DB: diesel::backend::Backend>(
    database: &mut impl MigrationHarness<DB>,
    migrations: impl Fn() -> EmbeddedMigrations,
) {
    let all = MigrationSource::<DB>::migrations(&migrations()).unwrap().len();
    assert_eq!(database.run_pending_migrations(migrations()).unwrap().len(), all);
    assert_eq!(database.revert_all_migrations(migrations()).unwrap().len(), all);
    // A table that a down.sql forgot would now be in the way.
    assert_eq!(database.run_pending_migrations(migrations()).unwrap().len(), all);
    assert_eq!(database.run_pending_migrations(migrations()).unwrap().len(), 0);
}

/// Reverts the last migrations, down to the one that begins with `version`.
fn revert_to<DB: diesel::backend::Backend>(
    database: &mut impl MigrationHarness<DB>,
    migrations: impl Fn() -> EmbeddedMigrations,
    version: &str,
) {
    while !database.revert_last_migration(migrations()).unwrap().to_string().starts_with(version) {}
}

/// The records of a release that knew no mode: of a live card, and of a test card with a session link in the answer.
/// `id` and `digest` write a literal, `moment` is one.
fn records_without_mode(id: impl Fn(u128) -> String, digest: &str, moment: &str) -> String {
    let (partner, live, test) = (id(1), id(2), id(3));
    format!(
        "INSERT INTO partners (id, name, blocked, created_at) VALUES ({partner}, 'p', false, {moment});
         INSERT INTO cards (id, partner_id, external_dossier_id, status, test, created_at, updated_at, event_count)
             VALUES ({live}, {partner}, '1', 'DRAFT', false, {moment}, {moment}, 0),
                    ({test}, {partner}, '2', 'DRAFT', true, {moment}, {moment}, 0);
         INSERT INTO idempotency_keys (partner_id, key, fingerprint, response, created_at)
             VALUES ({partner}, 'a', {digest}, 'an answer', {moment}),
                    ({partner}, 'b', {digest}, 'https://example.org/s/abc', {moment});
         INSERT INTO idempotency_cards (partner_id, key, ordinal, card_id)
             VALUES ({partner}, 'a', 0, {live}), ({partner}, 'b', 0, {test});"
    )
}

/// Each record has the mode of its card, is bound, and holds no session link.
async fn records_have_their_mode(url: &str) {
    let (store, closer) = Store::open(&settings(url)).await.expect("the store opens");
    let partner_id = Uuid::from_u128(1);
    let not_before = Timestamp::from_millis(0).expect("within the calendar");
    let (live, test) = (KeyMode::Live, KeyMode::Test);
    let found = [(live, "a", Some(2)), (live, "b", None), (test, "a", None), (test, "b", Some(3))];
    for (mode, text, card_id) in found {
        let key = IdempotencyKey { partner_id, mode, text: text.to_owned() };
        let record = store.idempotency_record(&key, not_before).await.unwrap();
        let response = (text == "a").then(|| "an answer".to_owned());
        let expected =
            card_id.map(|_| IdempotencyRecord { fingerprint: [3; 32], bound: true, response, created_at: not_before });
        assert_eq!(record, expected, "{key:?}");
        let claim = IdempotencyClaim { key, ordinal: 0, fingerprint: [3; 32], input: [4; 32], not_before };
        let bound = store.bound_card(&claim).await.unwrap();
        assert_eq!(bound.map(|card| card.id), card_id.map(Uuid::from_u128), "{claim:?}");
    }
    drop(store);
    closer.close().await;
}

/// The migration that gave idempotency records a mode.
const IDEMPOTENCY_MODE: &str = "20261122000013";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sqlite_records_without_mode_get_the_mode_of_their_card() {
    let (url, _folder) = sqlite_place();
    let mut connection = diesel::SqliteConnection::establish(url.trim_start_matches("sqlite://")).unwrap();
    connection.batch_execute("PRAGMA foreign_keys = ON").unwrap();
    connection.run_pending_migrations(sqlite::MIGRATIONS).unwrap();
    revert_to(&mut connection, || sqlite::MIGRATIONS, IDEMPOTENCY_MODE);
    let digest = format!("x'{}'", "03".repeat(32));
    connection.batch_execute(&records_without_mode(|n| format!("x'{n:032x}'"), &digest, "0")).unwrap();
    connection.run_pending_migrations(sqlite::MIGRATIONS).unwrap();
    records_have_their_mode(&url).await;
    revert_to(&mut connection, || sqlite::MIGRATIONS, IDEMPOTENCY_MODE);
    connection.run_pending_migrations(sqlite::MIGRATIONS).unwrap();
    drop(connection);
    records_have_their_mode(&url).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn postgres_records_without_mode_get_the_mode_of_their_card() {
    let (url, _database) = postgres_place().await;
    let connect = async || AsyncPgConnection::establish(&url).await.unwrap();
    let connection = connect().await;
    let down = move || {
        let mut harness = AsyncMigrationHarness::new(connection);
        harness.run_pending_migrations(postgres::MIGRATIONS).unwrap();
        revert_to(&mut harness, || postgres::MIGRATIONS, IDEMPOTENCY_MODE);
    };
    tokio::task::spawn_blocking(down).await.unwrap();
    let digest = format!("'\\x{}'", "03".repeat(32));
    let records = records_without_mode(|n| format!("'{}'", Uuid::from_u128(n)), &digest, "'1970-01-01T00:00:00Z'");
    connect().await.batch_execute(&records).await.unwrap();
    records_have_their_mode(&url).await; // opening it migrates
    let connection = connect().await;
    let down_and_up = move || {
        let mut harness = AsyncMigrationHarness::new(connection);
        revert_to(&mut harness, || postgres::MIGRATIONS, IDEMPOTENCY_MODE);
        harness.run_pending_migrations(postgres::MIGRATIONS).unwrap();
    };
    tokio::task::spawn_blocking(down_and_up).await.unwrap();
    records_have_their_mode(&url).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn postgres_opened_by_4_at_once_is_migrated_once() {
    let (url, _database) = postgres_place().await;
    opened_by_4_at_once(url).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn sqlite_opened_by_4_at_once_is_migrated_once() {
    let (url, _folder) = sqlite_place();
    opened_by_4_at_once(url).await;
}

async fn opened_by_4_at_once(url: String) {
    let open = |_| {
        let url = url.clone();
        tokio::spawn(async move { Store::open(&settings(&url)).await })
    };
    for opened in join_all((0..4).map(open)).await {
        let (store, closer) = opened.unwrap().expect("each of them opens");
        store.ping().await.unwrap();
        drop(store);
        closer.close().await;
    }
}

//! Migrations: up, down, up again, and run by several stores at once.

use std::collections::BTreeSet;

use diesel::Connection as _;
use diesel::migration::{Migration, MigrationSource};
use diesel_async::{AsyncConnection as _, AsyncMigrationHarness, AsyncPgConnection};
use diesel_migrations::{EmbeddedMigrations, MigrationHarness};
use futures_util::future::join_all;

use super::database::{postgres_place, settings, sqlite_place};
use crate::store::{Store, postgres, sqlite};

fn names<DB: diesel::backend::Backend>(source: &impl MigrationSource<DB>) -> BTreeSet<String> {
    source.migrations().unwrap().iter().map(|migration| migration.name().to_string()).collect()
}

#[test]
fn migrations_of_both_engines_have_the_same_names() {
    let sqlite = names::<diesel::sqlite::Sqlite>(&sqlite::MIGRATIONS);
    let postgres = names::<diesel::pg::Pg>(&postgres::MIGRATIONS);
    assert_eq!(sqlite, postgres);
    // The embedded migrations are those in the folder: fails if the build missed a new file.
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
    // Fails if a down.sql leaves a table.
    assert_eq!(database.run_pending_migrations(migrations()).unwrap().len(), all);
    assert_eq!(database.run_pending_migrations(migrations()).unwrap().len(), 0);
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

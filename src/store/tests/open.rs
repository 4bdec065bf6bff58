//! Databases that cannot be opened, and their errors.

use std::error::Error;

use super::database::{Place, TestDatabase, settings, sqlite_place};
use crate::store::{Store, StoreError};

on_both_engines! {
    database_that_lost_a_column_is_refused,
}

/// Returns the error of opening a database, and its text with all sources.
async fn refusal(url: &str) -> (StoreError, String) {
    let error = match Store::open(&settings(url)).await {
        Ok(_) => panic!("{url} was opened"),
        Err(error) => error,
    };
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(beneath) = cause {
        text = format!("{text}: {beneath}");
        cause = beneath.source();
    }
    (error, text)
}

async fn database_that_lost_a_column_is_refused(db: &TestDatabase) {
    db.run("ALTER TABLE themes DROP COLUMN demo_url").await.unwrap();
    let (error, text) = refusal(&db.url).await;
    assert!(matches!(error, StoreError::Failed(_)));
    assert!(text.contains("lacks a table or column") && text.contains("demo_url"), "{text}");
}

#[tokio::test]
async fn sqlite_file_that_is_none_is_refused() {
    let (url, place) = sqlite_place();
    let Place::Folder(folder) = &place else { unreachable!() };
    std::fs::write(folder.path().join("test.db"), "This is no database, but it is longer than a header.".repeat(99))
        .unwrap();
    let (error, text) = refusal(&url).await;
    assert!(matches!(error, StoreError::Failed(_)));
    assert!(text.contains("test.db") && text.contains("file is not a database"), "{text}");

    let (_, text) = refusal(&format!("sqlite://{}", folder.path().display())).await;
    assert!(text.contains("cannot be opened"), "{text}");
    let (_, text) = refusal(&format!("sqlite://{}/test.db/below/x.db", folder.path().display())).await;
    assert!(text.contains("the folder"), "{text}");
}

#[tokio::test]
async fn sqlite_file_with_tables_of_another_program_is_refused() {
    let (url, _place) = sqlite_place();
    let other = rusqlite::Connection::open(url.trim_start_matches("sqlite://")).unwrap();
    other.execute_batch("CREATE TABLE cards (rank TEXT, suit TEXT)").unwrap();
    let (error, text) = refusal(&url).await;
    assert!(matches!(error, StoreError::Failed(_)));
    assert!(text.contains("test.db is not a database of this service"), "{text}");
    // The file is unchanged.
    let tables: i64 = other.query_row("SELECT COUNT(*) FROM sqlite_master", [], |row| row.get(0)).unwrap();
    assert_eq!(tables, 1);
    let mode: String = other.query_row("PRAGMA journal_mode", [], |row| row.get(0)).unwrap();
    assert_eq!(mode, "delete");
}

#[tokio::test]
async fn sqlite_database_replaces_leftovers_of_a_killed_process() {
    let (url, place) = sqlite_place();
    let Place::Folder(folder) = &place else { unreachable!() };
    std::fs::write(folder.path().join("test.db.new"), "half of a page").unwrap();
    let (store, closer) = Store::open(&settings(&url)).await.unwrap();
    assert!(closer.created());
    let partner = crate::model::Partner::new(uuid::Uuid::nil(), "Noord".to_owned(), super::database::now());
    let entropy = crate::base::Entropy::seeded(1);
    let secret = crate::model::WebhookSecret::generate(partner.id, &entropy, partner.created_at);
    assert!(store.add_partner(partner, secret).await.unwrap());
    let entries = std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name());
    let mut names: Vec<_> = entries.map(|name| name.into_string().unwrap()).collect();
    names.sort_unstable();
    assert_eq!(names, ["test.db", "test.db-id", "test.db-shm", "test.db-wal"]);
    drop(store);
    closer.close().await;
}

#[tokio::test]
async fn sqlite_path_may_be_relative_to_the_working_directory() {
    let folder = tempfile::tempdir_in("target").or_else(|_| tempfile::tempdir_in(".")).unwrap();
    let relative = std::path::Path::new(folder.path().file_name().unwrap());
    let parent = folder.path().parent().unwrap().strip_prefix(std::env::current_dir().unwrap()).unwrap().to_owned();
    let path = parent.join(relative).join("made/on/the/way.db");
    let (store, closer) = Store::open(&settings(&format!("sqlite://{}", path.display()))).await.unwrap();
    store.ping().await.unwrap();
    drop(store);
    closer.close().await;
    assert!(folder.path().join("made/on/the/way.db").exists());
}

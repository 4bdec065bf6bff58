//! Databases that cannot be opened, and their errors.

use std::error::Error;
use std::os::unix::fs::PermissionsExt as _;

use super::database::{Place, TestDatabase, postgres_place, settings, sqlite_place};
use crate::store::{Store, StoreError, StoreSettings};

on_both_engines! {
    database_of_a_newer_program_is_refused,
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

async fn database_of_a_newer_program_is_refused(db: &TestDatabase) {
    db.run("INSERT INTO __diesel_schema_migrations (version) VALUES ('20991231000000')").await.unwrap();
    let (error, text) = refusal(&db.url).await;
    assert!(matches!(error, StoreError::Failed(_)));
    assert!(text.contains("newer version") && text.contains("20991231000000"), "{text}");
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
    assert!(text.contains("test.db is no database of this service"), "{text}");
    // The file is unchanged.
    let tables: i64 = other.query_row("SELECT COUNT(*) FROM sqlite_master", [], |row| row.get(0)).unwrap();
    assert_eq!(tables, 1);
    let mode: String = other.query_row("PRAGMA journal_mode", [], |row| row.get(0)).unwrap();
    assert_eq!(mode, "delete");
}

#[tokio::test]
async fn sqlite_database_is_created_only_where_that_is_asked_for_and_for_its_owner_alone() {
    let (url, place) = sqlite_place();
    let Place::Folder(folder) = &place else { unreachable!() };
    let existing = StoreSettings { create: false, ..settings(&url) };
    let missing = Store::open(&existing).await.map(|_| ()).unwrap_err().to_string();
    assert!(missing.contains("there is no database") && missing.contains("test.db"), "{missing}");
    let names = || {
        let entries = std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name());
        let mut names: Vec<_> = entries.map(|name| name.into_string().unwrap()).collect();
        names.sort_unstable();
        names
    };
    assert_eq!(names(), [""; 0]);
    // The leftovers of a process that was killed while it created the database.
    std::fs::write(folder.path().join("test.db.new"), "half of a page").unwrap();
    let (store, closer) = Store::open(&settings(&url)).await.unwrap();
    assert!(closer.created());
    let partner = crate::model::Partner::new(uuid::Uuid::nil(), "Noord".to_owned(), super::database::now());
    assert!(store.add_partner(partner).await.unwrap());
    assert_eq!(names(), ["test.db", "test.db-shm", "test.db-wal"]);
    for name in names() {
        let mode = std::fs::metadata(folder.path().join(&name)).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "{name}");
    }
    drop(store);
    closer.close().await;
    let (store, closer) = Store::open(&existing).await.unwrap();
    assert!(!closer.created() && store.partner_by_name("Noord").await.unwrap().is_some());
    drop(store);
    closer.close().await;
}

#[tokio::test]
async fn empty_sqlite_file_is_refused_even_where_one_may_be_created() {
    let (url, _place) = sqlite_place();
    let path = url.trim_start_matches("sqlite://");
    for create in [true, false] {
        std::fs::write(path, "").unwrap();
        let refused = Store::open(&StoreSettings { create, ..settings(&url) }).await.map(|_| ()).unwrap_err();
        assert!(refused.to_string().contains("backup that was cut off"), "{refused}");
        assert_eq!(std::fs::metadata(path).unwrap().len(), 0);
        // A header without tables, as a truncated copy leaves.
        rusqlite::Connection::open(path).unwrap().execute_batch("PRAGMA user_version = 1").unwrap();
        let refused = Store::open(&StoreSettings { create, ..settings(&url) }).await.map(|_| ()).unwrap_err();
        assert!(refused.to_string().contains("backup that was cut off"), "{refused}");
        std::fs::remove_file(path).unwrap();
    }
}

#[tokio::test]
async fn empty_postgres_database_is_refused_by_name_and_left_empty_unless_one_may_be_created() {
    let (url, _place) = postgres_place().await;
    let existing = StoreSettings { create: false, ..settings(&url) };
    for _ in 0..2 {
        let refused = Store::open(&existing).await.map(|_| ()).unwrap_err().to_string();
        let name = url.rsplit_once('@').map_or(url.as_str(), |(_, name)| name);
        assert!(refused.contains(name.split('?').next().unwrap()) && refused.contains("is empty"), "{refused}");
    }
    for created in [true, false] {
        let (store, closer) = Store::open(&settings(&url)).await.unwrap();
        assert_eq!(closer.created(), created);
        drop(store);
        closer.close().await;
    }
    let (store, closer) = Store::open(&existing).await.unwrap();
    store.ping().await.unwrap();
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

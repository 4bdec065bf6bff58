//! Migrations: the same for both engines, and run once by several stores.

use std::collections::BTreeSet;

use diesel::migration::{Migration, MigrationSource};
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

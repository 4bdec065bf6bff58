//! `move`: every row and file gets to the other kind of database, and back (docs/operating.md, "Move to PostgreSQL").

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use serde_json::{Value, json};

use super::backup_media::{Backup, count_audit_records};
use crate::app::{Database, FreshDatabase, Program, TestApp, tamper, wait_for};

/// The digests of the tables that a move printed, without the audit, to which the move adds its record.
fn digests(report: &Value) -> BTreeMap<String, (u64, String)> {
    let tables = report["moved"].as_array().unwrap_or_else(|| panic!("{report}")).iter();
    let digest =
        |table: &Value| (table["rows"].as_u64().expect("rows"), table["digest"].as_str().expect("a digest").to_owned());
    let mut digests: BTreeMap<_, _> =
        tables.map(|table| (table["table"].as_str().expect("a name").to_owned(), digest(table))).collect();
    assert!(digests.remove("audit").is_some(), "{report}");
    digests
}

/// Returns the names of the tables in the sources, sorted.
fn declared_tables() -> Vec<&'static str> {
    let schema = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/store/schema.rs"));
    let declared = schema.lines().filter_map(|line| line.strip_prefix("    ")?.strip_suffix(") {")?.split_once(" ("));
    let mut names: Vec<_> = declared.map(|(name, _)| name).collect();
    names.sort_unstable();
    names
}

/// A place of the other kind for a database that does not exist yet.
async fn place_for(database: Database, folder: &Path, name: &str) -> (Option<FreshDatabase>, String) {
    match database {
        Database::Postgres => {
            let fresh = Database::Postgres.fresh().await;
            let url = fresh.url.clone();
            (Some(fresh), url)
        }
        Database::Sqlite => (None, format!("sqlite://{}", folder.join(name).display())),
    }
}

on_both_databases! {
    async fn database_moved_there_and_back_has_equal_digests(app: TestApp) {
        let backup = Backup::new(&app).await;
        let (own, other) = match app.database_url().starts_with("sqlite") {
            true => (Database::Sqlite, Database::Postgres),
            false => (Database::Postgres, Database::Sqlite),
        };
        let slug = app.row(&backup.gid).await.slug.expect("it is online");
        let folder = tempfile::tempdir().expect("a folder");
        let data = folder.path();
        let source = backup.source();
        tamper(&source, "INSERT INTO attempts SELECT id, 2, created_at, 5, 500, NULL, NULL FROM deliveries").await;
        let program = |url: &str| Program::with(url, data);
        let (kept_there, there) = place_for(other, data, "there.db").await;
        let (kept_back, back) = place_for(own, data, "back.db").await;

        // A server that runs would go on to write into the old database.
        let serving = program(&source).serve();
        let said = program(&source).expect_failure(&["move", "--to", &there]);
        assert!(said.contains("in use"), "{said}");
        assert!(serving.terminate());
        let name = program(&source).json(&["partner", "list"])["partners"][0]["name"].as_str().expect("a name").to_owned();
        program(&source).json(&["partner", "set", &name, "phone=020 123 45 67"]);

        let media = data.join("copy").display().to_string();
        let origin = program(&source).set("MEDIA_URL", &format!("file://{}", backup.media()));
        let report = origin.json(&["move", "--to", &there, "--media-to", &media]);
        let moved = digests(&report);
        for table in ["partners", "access_keys", "cards", "events", "deliveries", "attempts", "mails", "invitees", "photos", "themes"] {
            assert!(moved.get(table).is_some_and(|(rows, _)| *rows > 0), "{table}: {report}");
        }
        let mut tables: Vec<_> = moved.keys().map(String::as_str).chain(["audit"]).collect();
        tables.sort_unstable();
        assert_eq!(tables, declared_tables(), "every table of src/store/schema.rs");
        // No server, and no other command, opens the old database.
        for command in [&["serve"][..], &["partner", "list"], &["move", "--to", &back]] {
            let said = program(&source).expect_failure(command);
            assert!(said.contains("was moved"), "{command:?}: {said}");
        }
        // Back, into a third database.
        let report = program(&there).json(&["move", "--to", &back]);
        assert_eq!(digests(&report), moved);
        assert_eq!(program(&back).json(&["partner", "show", &name])["partner"]["phone"], "020 123 45 67");
        assert_eq!(count_audit_records(&program(&back), "move"), 2, "one record for each move");
        let serving = program(&back).set("MEDIA_URL", &format!("file://{media}")).serve();
        let page = serving.get(&format!("/kaart/{slug}")).await;
        assert_eq!(page.status, 200, "{}", page.text());
        let text = page.text();
        let picture = text.split('"').find(|word| word.contains("/media/rendition/")).expect("a portrait on the page");
        assert_eq!(serving.get(&picture[picture.find("/media/").expect("a path")..]).await.status, 200);
        assert!(serving.terminate());

        // The old database again; a database that is not empty is not overwritten.
        assert_eq!(program(&source).json(&["move", "--undo"])["undone"], true);
        assert_eq!(program(&source).json(&["move", "--undo"])["undone"], false);
        program(&source).json(&["partner", "list"]);
        program(&there).json(&["move", "--undo"]);
        let said = program(&source).expect_failure(&["move", "--to", &there]);
        assert!(said.contains("not empty") || said.contains("exists already"), "{said}");
        program(&source).json(&["partner", "list"]); // a refused move marks nothing
        for kept in [kept_there, kept_back].into_iter().flatten() {
            kept.drop().await;
        }
        backup.drop().await;
    }
}

/// A database with one partner, and so many records in its audit.
async fn with_records(database: &FreshDatabase, count: u32) -> Program {
    let program = Program::new(database);
    program.json(&["partner", "add", "Noord"]);
    let fill = format!(
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {count})
         INSERT INTO audit SELECT randomblob(16), 1700000000000 + i, 'a', 'b', 'c', '[]' FROM n"
    );
    tamper(&database.url, &fill).await;
    program
}

on_sqlite! {
    async fn killed_move_leaves_nothing_and_is_repeated(database: FreshDatabase) {
        let program = with_records(&database, 300_000).await;
        let target = Database::Postgres.fresh().await;
        let other = Program::with(&target.url, database.folder.path()).create_database();
        for wait in [300, 900] {
            let mut child = program.command(&["move", "--to", &target.url]).spawn().expect("the binary starts");
            std::thread::sleep(Duration::from_millis(wait));
            child.kill().expect("it runs"); // kill -9
            assert!(!child.wait().expect("it ends").success(), "it was killed before its end");
            let empty = async || other.run(&["partner", "list", "--json"]);
            wait_for("PostgreSQL ends the transaction", || async { empty().await.status.success().then_some(()) }).await;
            assert_eq!(other.json(&["partner", "list"])["partners"], json!([]));
            program.json(&["partner", "list"]);
        }
        let report = program.json(&["move", "--to", &target.url]);
        assert_eq!(digests(&report)["partners"].0, 1, "{report}");
        assert_eq!(other.json(&["partner", "list"])["partners"][0]["name"], "Noord");
        target.drop().await;
    }

    async fn table_added_later_is_moved_or_refused(database: FreshDatabase) {
        let program = with_records(&database, 1).await;
        let target = Database::Postgres.fresh().await;
        Program::with(&target.url, database.folder.path()).create_database();
        tamper(&database.url, "CREATE TABLE later (n INTEGER NOT NULL, name TEXT); INSERT INTO later VALUES (7, NULL)").await;
        tamper(&database.url, "CREATE TABLE _litestream_seq (id INTEGER PRIMARY KEY, seq INTEGER)").await; // not ours: it stays
        let said = program.expect_failure(&["move", "--to", &target.url]);
        assert!(said.contains("the table later differs"), "{said}");
        tamper(&target.url, "CREATE TABLE later (n bigint NOT NULL, name text)").await;
        let report = program.json(&["move", "--to", &target.url]);
        assert_eq!(digests(&report)["later"].0, 1, "{report}");
        target.drop().await;
    }

    async fn move_to_the_same_kind_of_database_is_refused(database: FreshDatabase) {
        let program = with_records(&database, 1).await;
        let other = format!("sqlite://{}/other.db", database.folder.path().display());
        assert!(program.expect_failure(&["move", "--to", &other]).contains("SQLite to PostgreSQL"));
        assert!(program.expect_failure(&["move", "--to", "mysql://host/cards"]).contains("sqlite://"));
        program.expect_failure(&["move"]);
        program.json(&["partner", "list"]);
    }
}

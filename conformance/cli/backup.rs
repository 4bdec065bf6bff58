//! Backups of SQLite (docs/operating.md); `backup_media` tests backups with media, on both databases.

use std::path::Path;
use std::process::{Command, Output};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::database::names;
use crate::app::{FreshDatabase, Program, Serving, tamper};

const READ: &str = "query ($id: ID!) { card(id: $id) { externalDossierId } }";

async fn read(serving: &Serving, token: &str, id: &str) -> Value {
    serving.data(token, READ, json!({ "id": id })).await["card"]["externalDossierId"].clone()
}

on_sqlite! {
    async fn sqlite_is_copied_while_it_is_written_and_the_copy_serves(database: FreshDatabase) {
        let program = Program::new(&database);
        let token = program.token("live");
        let serving = program.serve();
        let before = serving.create(&token, json!({ "externalDossierId": "vooraf" })).await;
        let copy = database.folder.path().join("kopie.db");
        let path = copy.to_str().expect("UTF-8");
        // Writes go on while the copy is made: none waits for it, and none is lost.
        let writing = async {
            for number in 0..40 {
                serving.create(&token, json!({ "externalDossierId": format!("tijdens-{number}") })).await;
            }
        };
        let copying = async {
            let (program, path) = (program.clone(), path.to_owned());
            tokio::task::spawn_blocking(move || program.json(&["backup", &path])).await.expect("it ends")
        };
        let ((), report) = tokio::join!(writing, copying);
        assert_eq!(report["bytes"], std::fs::metadata(&copy).expect("a file").len(), "{report}");
        assert_eq!((&report["rows"]["partners"], &report["rows"]["access_keys"]), (&json!(1), &json!(1)), "{report}");
        let held = rusqlite::Connection::open(&copy).expect("it opens");
        let cards: i64 = held.query_row("SELECT count(*) FROM cards", [], |row| row.get(0)).expect("a count");
        assert_eq!(report["rows"]["cards"], cards, "{report}");
        let newest = "SELECT max(version) FROM __diesel_schema_migrations";
        let version: String = held.query_row(newest, [], |row| row.get(0)).expect("a version");
        assert_eq!(report["schemaVersion"], version, "{report}");
        let after = serving.create(&token, json!({ "externalDossierId": "achteraf" })).await;
        program.expect_failure(&["backup", path]); // no backup is overwritten

        // Restored: the file in the place of the database.
        let folder = tempfile::tempdir().expect("a folder");
        let restored = folder.path().join("card-service.db");
        std::fs::copy(&copy, &restored).expect("a copy");
        let restored = Program::with(&format!("sqlite://{}", restored.display()), folder.path()).serve();
        assert_eq!(read(&restored, &token, &before).await, "vooraf");
        assert_eq!(read(&restored, &token, &after).await, Value::Null, "it is as it was then");
        assert_eq!(read(&serving, &token, &after).await, "achteraf");
        let whole = rusqlite::Connection::open(&copy).expect("it opens");
        let sound: String = whole.query_row("PRAGMA integrity_check", [], |row| row.get(0)).expect("an answer");
        assert_eq!(sound, "ok");
    }
}

/// A database of some 50 MB, whose copy takes a while.
async fn large(database: &FreshDatabase) -> Program {
    let program = Program::new(database);
    program.json(&["partner", "add", "Noord"]);
    let fill = "CREATE TABLE ballast (bytes BLOB);
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1500)
        INSERT INTO ballast SELECT randomblob(32768) FROM n;";
    tamper(&database.url, fill).await;
    program
}

/// The complete backup `kopie.db`.
const COMPLETE: [&str; 2] = ["kopie.db", "kopie.db.manifest.json"];

/// The files of a folder whose names begin with `kopie`.
fn copies(folder: &Path) -> Vec<String> {
    let mut names = names(folder);
    names.retain(|name| name.starts_with("kopie"));
    names
}

on_sqlite! {
    async fn killed_backup_leaves_no_file_and_the_next_one_works(database: FreshDatabase) {
        let program = large(&database).await;
        let (copy, part) = (database.folder.path().join("kopie.db"), database.folder.path().join("kopie.db.part"));
        let path = copy.to_str().expect("UTF-8");
        for _ in 0..3 {
            let mut child = program.command(&["backup", path]).spawn().expect("the binary starts");
            let began = Instant::now();
            while !std::fs::metadata(&part).is_ok_and(|file| file.len() > 1_000_000) {
                assert!(began.elapsed() < Duration::from_secs(30), "it writes no {}", part.display());
                std::thread::sleep(Duration::from_millis(1));
            }
            child.kill().expect("it runs"); // kill -9
            assert!(!child.wait().expect("it ends").success(), "it was killed before its end");
            assert!(!copy.exists(), "what was killed is no backup");
            program.expect_failure(&["backup", "verify", path]);
            assert!(part.exists());
        }
        let report = program.json(&["backup", path]);
        assert_eq!((&report["rows"]["ballast"], &report["rows"]["partners"]), (&json!(1500), &json!(1)), "{report}");
        assert_eq!(program.json(&["backup", "verify", path])["rows"]["ballast"], 1500);
        assert_eq!(copies(database.folder.path()), COMPLETE);
    }
}

/// Runs a backup with a limit on the size of a file, which acts like a full disk.
fn run_limited(program: &Program, path: &str, kib: u32) -> Output {
    let own = program.command(&["backup", path]);
    let mut shell = Command::new("bash");
    // With the signal ignored, a write beyond the limit fails as any other.
    shell.args(["-c", &format!("trap '' XFSZ; ulimit -f {kib}; exec \"$@\"")]).arg("bash").arg(own.get_program());
    shell.args(own.get_args()).env_clear();
    shell.envs(own.get_envs().filter_map(|(name, value)| Some((name, value?))));
    shell.env("PATH", "/usr/bin:/bin").output().expect("bash runs")
}

on_sqlite! {
    async fn backup_without_space_fails_and_leaves_no_file(database: FreshDatabase) {
        let program = large(&database).await;
        let copy = database.folder.path().join("kopie.db");
        let path = copy.to_str().expect("UTF-8");
        for kib in [64, 20_000] {
            let failed = run_limited(&program, path, kib);
            let said = String::from_utf8_lossy(&failed.stderr).into_owned();
            assert_eq!(failed.status.code(), Some(1), "{kib} KiB: {said}");
            assert!(!said.contains("panicked") && said.contains("because"), "{said}");
            assert_eq!(copies(database.folder.path()), [""; 0], "{kib} KiB: {said}");
        }
        assert_eq!(program.json(&["backup", path])["rows"]["ballast"], 1500);
        assert_eq!(copies(database.folder.path()), COMPLETE);
    }

    async fn backups_under_one_name_at_once_make_one_complete_file(database: FreshDatabase) {
        let program = large(&database).await;
        let copy = database.folder.path().join("kopie.db");
        let path = copy.to_str().expect("UTF-8");
        let children: Vec<_> =
            (0..3).map(|_| program.command(&["backup", path]).spawn().expect("the binary starts")).collect();
        let done = children.into_iter().map(|mut child| child.wait().expect("it ends").success());
        assert_eq!(done.filter(|done| *done).count(), 1);
        assert_eq!(copies(database.folder.path()), COMPLETE);
        let whole = rusqlite::Connection::open(&copy).expect("it opens");
        let count: i64 = whole.query_row("SELECT count(*) FROM ballast", [], |row| row.get(0)).expect("a count");
        assert_eq!(count, 1500);
        drop(whole);
        program.json(&["backup", "verify", path]); // the manifest belongs to this file
    }
}

//! Backup and restore, on both databases (docs/operating.md).

use std::path::Path;
use std::process::{Command, Output};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::app::{Database, FreshDatabase, Program, Serving, run_alone, tamper};

const CREATE: &str = "mutation ($id: String!) { cardCreate(input: { externalDossierId: $id }) { card { id } } }";
const READ: &str = "query ($id: ID!) { card(id: $id) { externalDossierId } }";

fn token(program: &Program) -> String {
    program.json(&["partner", "add", "Noord"]);
    let issued = program.json(&["key", "issue", "--partner", "Noord", "--mode", "live"]);
    issued["token"].as_str().expect("a token").to_owned()
}

async fn create(serving: &Serving, token: &str, dossier: &str) -> Value {
    serving.data(token, CREATE, json!({ "id": dossier })).await["cardCreate"]["card"]["id"].clone()
}

async fn read(serving: &Serving, token: &str, id: &Value) -> Value {
    serving.data(token, READ, json!({ "id": id })).await["card"]["externalDossierId"].clone()
}

#[test]
fn sqlite_is_copied_while_it_is_written_and_the_copy_serves() {
    run_alone(Database::Sqlite, async |database: FreshDatabase| {
        let program = Program::on(&database);
        let token = token(&program);
        let serving = program.serve();
        let before = create(&serving, &token, "vooraf").await;
        let copy = database.folder.path().join("kopie.db");
        let path = copy.to_str().expect("UTF-8");
        // Writes go on while the copy is made: none waits for it, and none is lost.
        let writing = async {
            for number in 0..40 {
                create(&serving, &token, &format!("tijdens-{number}")).await;
            }
        };
        let copying = async {
            let (program, path) = (program.clone(), path.to_owned());
            tokio::task::spawn_blocking(move || program.json(&["backup", &path])).await.expect("it ends")
        };
        let ((), told) = tokio::join!(writing, copying);
        assert_eq!(told["bytes"], std::fs::metadata(&copy).expect("a file").len(), "{told}");
        assert_eq!((&told["rows"]["partners"], &told["rows"]["access_keys"]), (&json!(1), &json!(1)), "{told}");
        let held = rusqlite::Connection::open(&copy).expect("it opens");
        let cards: i64 = held.query_row("SELECT count(*) FROM cards", [], |row| row.get(0)).expect("a count");
        assert_eq!(told["rows"]["cards"], cards, "{told}");
        let newest = "SELECT max(version) FROM __diesel_schema_migrations";
        let version: String = held.query_row(newest, [], |row| row.get(0)).expect("a version");
        assert_eq!(told["schemaVersion"], version, "{told}");
        let after = create(&serving, &token, "achteraf").await;
        assert!(!program.run(&["backup", path]).status.success(), "no backup is overwritten");

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
    });
}

/// A database of some 50 MB, whose copy takes a while.
async fn large(database: &FreshDatabase) -> Program {
    let program = Program::on(database);
    program.json(&["partner", "add", "Noord"]);
    let fill = "CREATE TABLE ballast (bytes BLOB);
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1500)
        INSERT INTO ballast SELECT randomblob(32768) FROM n;";
    tamper(&database.url, fill).await;
    program
}

/// The files of a folder whose names begin with `kopie`.
fn copies(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").file_name());
    let mut names: Vec<_> = entries.map(|name| name.into_string().expect("UTF-8")).collect();
    names.retain(|name| name.starts_with("kopie"));
    names.sort_unstable();
    names
}

#[test]
fn killed_backup_leaves_no_file_and_the_next_one_works() {
    run_alone(Database::Sqlite, async |database: FreshDatabase| {
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
            assert!(part.exists());
        }
        let told = program.json(&["backup", path]);
        assert_eq!((&told["rows"]["ballast"], &told["rows"]["partners"]), (&json!(1500), &json!(1)), "{told}");
        assert_eq!(copies(database.folder.path()), ["kopie.db"]);
    });
}

/// Runs a backup with a limit on the size of a file, which acts like a full disk.
fn limited(program: &Program, path: &str, kib: u32) -> Output {
    let own = program.command(&["backup", path]);
    let mut shell = Command::new("bash");
    // With the signal ignored, a write beyond the limit fails as any other.
    shell.args(["-c", &format!("trap '' XFSZ; ulimit -f {kib}; exec \"$@\"")]).arg("bash").arg(own.get_program());
    shell.args(own.get_args()).env_clear();
    shell.envs(own.get_envs().filter_map(|(name, value)| Some((name, value?))));
    shell.env("PATH", "/usr/bin:/bin").output().expect("bash runs")
}

#[test]
fn backup_without_space_fails_and_leaves_no_file() {
    run_alone(Database::Sqlite, async |database: FreshDatabase| {
        let program = large(&database).await;
        let copy = database.folder.path().join("kopie.db");
        let path = copy.to_str().expect("UTF-8");
        for kib in [64, 20_000] {
            let failed = limited(&program, path, kib);
            let said = String::from_utf8_lossy(&failed.stderr).into_owned();
            assert_eq!(failed.status.code(), Some(1), "{kib} KiB: {said}");
            assert!(!said.contains("panicked") && said.contains("because"), "{said}");
            assert_eq!(copies(database.folder.path()), [""; 0], "{kib} KiB: {said}");
        }
        assert_eq!(program.json(&["backup", path])["rows"]["ballast"], 1500);
        assert_eq!(copies(database.folder.path()), ["kopie.db"]);
    });
}

#[test]
fn backups_under_one_name_at_once_make_one_complete_file() {
    run_alone(Database::Sqlite, async |database: FreshDatabase| {
        let program = large(&database).await;
        let copy = database.folder.path().join("kopie.db");
        let path = copy.to_str().expect("UTF-8");
        let children: Vec<_> =
            (0..3).map(|_| program.command(&["backup", path]).spawn().expect("the binary starts")).collect();
        let done = children.into_iter().map(|mut child| child.wait().expect("it ends").success());
        assert_eq!(done.filter(|done| *done).count(), 1);
        assert_eq!(copies(database.folder.path()), ["kopie.db"]);
        let whole = rusqlite::Connection::open(&copy).expect("it opens");
        let count: i64 = whole.query_row("SELECT count(*) FROM ballast", [], |row| row.get(0)).expect("a count");
        assert_eq!(count, 1500);
    });
}

#[test]
fn postgres_is_dumped_and_restored_with_its_own_tools() {
    run_alone(Database::Postgres, async |database: FreshDatabase| {
        let program = Program::on(&database);
        let token = token(&program);
        let serving = program.serve();
        let id = create(&serving, &token, "vooraf").await;
        let refused = program.run(&["backup", "kopie.db"]);
        assert!(!refused.status.success() && String::from_utf8_lossy(&refused.stderr).contains("pg_dump"));
        let (url, schema) = database.postgres().expect("it is PostgreSQL");
        let file = database.folder.path().join("kaarten.sql");
        let file = file.to_str().expect("UTF-8");
        // The tests share a server: in production it is the whole database, without --schema.
        let dumped = Command::new("pg_dump").args(["--schema", &schema, "--file", file, &url]).status();
        assert!(dumped.expect("pg_dump is there: it comes with the server that the tests use").success());
        serving.kill();
        tamper(&url, &format!("DROP SCHEMA {schema} CASCADE")).await;
        let restored = Command::new("psql").args(["--quiet", "-v", "ON_ERROR_STOP=1", "--file", file, &url]).status();
        assert!(restored.expect("psql is there").success());
        let serving = program.serve();
        assert_eq!(read(&serving, &token, &id).await, "vooraf");
        create(&serving, &token, "achteraf").await;
    });
}

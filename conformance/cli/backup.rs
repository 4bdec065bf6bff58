//! Backup and restore, on both databases (docs/operating.md).

use std::process::Command;

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
        assert!(told["bytes"].as_u64().is_some_and(|bytes| bytes > 0), "{told}");
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

//! How far a long command is: the bar on a terminal, the lines of the log without one, and what is left after an interruption.

use std::io::{BufRead as _, BufReader, Read as _};
use std::process::{Child, Command, Stdio};

use serde_json::{Value, json};
use tokio_postgres::{Client, NoTls};

use crate::app::{Database, FreshDatabase, Program, Terminal, run_alone, wait_for};

/// Creates the tables, and lets their rows be counted and not written until the client is dropped.
async fn lock(database: &FreshDatabase) -> Client {
    Program::new(database);
    let (client, connection) = tokio_postgres::connect(&database.url, NoTls).await.expect("it answers");
    tokio::spawn(connection);
    client.batch_execute("BEGIN; LOCK TABLE themes IN EXCLUSIVE MODE").await.expect("the lock is free");
    client
}

fn interrupt(child: &Child) {
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(sent.expect("kill runs").success());
}

#[test]
fn long_command_shows_its_steps_and_says_what_is_left_when_it_is_interrupted() {
    run_alone(Database::Postgres, |destination| async move {
        let folder = tempfile::tempdir().expect("a folder");
        let source = format!("sqlite://{}", folder.path().join("kaarten.db").display());
        let program = Program::with(&source, folder.path()).create_database().set("TERM", "xterm");
        program.import_themes();
        let second = Database::Postgres.fresh().await;
        let locks = (lock(&destination).await, lock(&second).await);
        let command = |to: &FreshDatabase| {
            let mut command = program.command(&["move", "--to", &to.url, "--json"]);
            command.stdout(Stdio::piped());
            command
        };
        let said = |child: Child, stderr: String| {
            let output = child.wait_with_output().expect("it ends");
            assert_eq!(output.status.code(), Some(130), "as a shell says it of Ctrl-C");
            let object: Value = serde_json::from_slice(&output.stdout).expect("an object");
            let said = object["error"].as_str().expect("a sentence").to_owned();
            assert!(stderr.contains(&said), "{stderr:?} {object}");
            said
        };

        // On a terminal: step, count and unit, while the JSON of the result would go to stdout.
        let mut terminal = Terminal::open();
        let child = command(&destination).stderr(terminal.stdio()).spawn().expect("it starts");
        terminal.wait_for("[1/2] copy the rows [");
        terminal.wait_for(" rows, ");
        interrupt(&child);
        let shown = terminal.wait_for("Run it again").to_owned();
        let left = said(child, shown);
        assert!(left.starts_with("Interrupted in step 1 of 2, copy the rows, "), "{left}");
        assert!(
            left.contains(" rows. Not begun: compare the rows. No row was moved: the old database is as it was"),
            "{left}"
        );

        // Without one: a line with the same fields.
        let mut child = command(&second).stderr(Stdio::piped()).spawn().expect("it starts");
        let mut log = BufReader::new(child.stderr.take().expect("it is piped"));
        let mut line = String::new();
        log.read_line(&mut line).expect("UTF-8");
        let line: Value = serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}"));
        for (field, right) in [("step", "copy the rows"), ("unit", "rows"), ("level", "INFO")] {
            assert_eq!(line[field], right, "{line}");
        }
        assert_eq!((&line["number"], &line["steps"]), (&json!(1), &json!(2)), "{line}");
        assert!(line["done"].as_u64() < line["total"].as_u64() && line["per_second"].is_number(), "{line}");
        interrupt(&child);
        let mut rest = String::new();
        log.read_to_string(&mut rest).expect("UTF-8");
        assert_eq!(said(child, rest), left);

        // Both databases are as they were.
        assert_eq!(program.json(&["theme", "list"])["themes"].as_array().map(Vec::len), Some(6));
        drop(locks);
        // PostgreSQL ends the work of a client that has gone once it writes to it.
        let moved = wait_for("a move that is repeated", || async {
            let output = program.run(&["move", "--to", &destination.url, "--json"]);
            output.status.success().then(|| serde_json::from_slice::<Value>(&output.stdout).expect("an object"))
        });
        let moved = moved.await;
        assert!(
            moved["moved"].as_array().is_some_and(|tables| tables.iter().any(|table| table["rows"] == 6)),
            "{moved}"
        );
        second.drop().await;
    });
}

#[test]
fn doctor_is_in_colour_on_a_terminal_unless_no_color_is_set() {
    run_alone(Database::Sqlite, |database| async move {
        let program = Program::new(&database).set("PUBLIC_BASE_URL", "http://192.0.2.1").set("TERM", "xterm");
        let shown = |program: &Program| {
            let mut terminal = Terminal::open();
            let mut child = program.command(&["doctor"]).stdout(terminal.stdio()).spawn().expect("it starts");
            assert_eq!(child.wait().expect("it ends").code(), Some(1));
            terminal.wait_for("dataDirAccess").to_owned()
        };
        let coloured = shown(&program);
        // Failed checks come first and are red; checks that pass are green.
        assert!(coloured.starts_with("\u{1b}[31m") && coloured.contains("\u{1b}[32mok"), "{coloured:?}");
        let plain = shown(&program.clone().set("NO_COLOR", "1"));
        assert!(plain.starts_with("failed     public_https"), "{plain:?}");
        assert!(!plain.contains('\u{1b}') && !program.run(&["doctor"]).stdout.contains(&0x1b), "{plain:?}");
    });
}

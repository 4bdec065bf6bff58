//! `demo`: its printed command, run in bash, creates a card.

use std::process::{Command, Stdio};
use std::time::Duration;

use serde_json::Value;

use crate::app::{Program, lines_of};
use crate::web::graphiql::lay as lay_graphiql;

/// The time limit for the demo to start on a busy machine.
const UP_WITHIN: Duration = Duration::from_secs(30);

/// Runs a command in bash and parses its JSON output.
fn paste(command: &str) -> Value {
    let output = Command::new("bash").args(["-c", command]).output().expect("bash runs");
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{command}\n{out}{err}");
    serde_json::from_str(out.trim()).unwrap_or_else(|e| panic!("no JSON ({e}): {out}{err}"))
}

/// The commands in the demo's text: each begins with `curl` and ends before an empty line.
fn curls(text: &[String]) -> Vec<String> {
    let mut commands = Vec::new();
    let mut open = false;
    for line in text {
        if line.starts_with("curl ") {
            commands.push(line.clone());
            open = true;
        } else if line.is_empty() {
            open = false;
        } else if open {
            let command: &mut String = commands.last_mut().expect("an open command");
            command.push('\n');
            command.push_str(line);
        }
    }
    commands
}

#[test]
fn demo_prints_a_curl_that_creates_a_card_and_one_that_reads_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let program = Program::with("", folder.path());
    for round in 0..2 {
        let mut child =
            program.command(&["demo", "--no-graphiql"]).stdout(Stdio::piped()).spawn().expect("the binary starts");
        let lines = lines_of(&mut child);
        let mut text = Vec::new();
        while !text.iter().any(|line: &String| line.starts_with("Stop with")) {
            text.push(
                lines.recv_timeout(UP_WITHIN).unwrap_or_else(|e| panic!("the demo stopped talking ({e}): {text:?}")),
            );
        }
        let commands = curls(&text);
        let [create, read] = commands.as_slice() else { panic!("two commands: {text:#?}") };
        let created = paste(create);
        let payload = &created["data"]["cardCreate"];
        assert_eq!(payload["userErrors"], serde_json::json!([]), "round {round}: {created}");
        assert_eq!((&payload["card"]["status"], &payload["card"]["test"]), (&"DRAFT".into(), &true.into()));
        assert_eq!(paste(create), created, "pasted again, it gives the same card");
        let told = lines.recv_timeout(UP_WITHIN).unwrap_or_else(|e| panic!("no notification of round {round} ({e})"));
        assert!(told.starts_with("notification CARDS_CREATE 1 of dossier DEMO-"), "{told}");
        assert!(told.contains("DRAFT by PARTNER (signature verified; evt_") && told.ends_with("attempt 1)"), "{told}");
        let card = paste(read);
        assert_eq!(card["data"]["card"]["status"], "DRAFT", "{card}");
        assert!(card["data"]["card"]["theme"]["title"].is_string(), "{card}");
        let _ = child.kill();
        let _ = child.wait();
    }
}

#[test]
fn demo_fills_its_key_into_graphiql_for_this_machine_alone() {
    for (listen, filled_in) in [("127.0.0.1:0", true), ("0.0.0.0:0", false)] {
        let folder = tempfile::tempdir().expect("a folder");
        lay_graphiql(folder.path());
        let program = Program::with("", folder.path()).set("LISTEN", listen);
        let command = program.command(&["demo", "--no-graphiql", "--json"]).stdout(Stdio::piped()).spawn();
        let mut child = command.expect("the binary starts");
        let first = lines_of(&mut child).recv_timeout(UP_WITHIN).expect("the demo starts");
        let first: Value = serde_json::from_str(&first).expect("JSON");
        let (address, token) =
            (first["graphiql"].as_str().expect("an address"), first["token"].as_str().expect("a token"));
        let page = |header: &str| {
            let command = format!("curl -sS -H '{header}' {address}");
            let output = Command::new("bash").args(["-c", &command]).output().expect("bash runs");
            String::from_utf8(output.stdout).expect("UTF-8")
        };
        let (here, elsewhere) = (page("Host: localhost:8080"), page("Host: kaarten.example:8080"));
        let proxied = page("X-Forwarded-For: 192.0.2.1");
        let _ = child.kill();
        let _ = child.wait();
        assert!(here.contains("Try the API") && here.contains(token) == filled_in, "{listen}: {here}");
        // A site whose name leads to this machine could read its page.
        for page in [elsewhere, proxied] {
            assert!(page.contains("Try the API") && !page.contains("pcs_test_"), "{page}");
        }
    }
}

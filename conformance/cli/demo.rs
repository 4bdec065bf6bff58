//! `demo`: its printed command, run in bash, creates a card.

use std::process::{Command, Stdio};
use std::time::Duration;

use serde_json::Value;

use crate::app::{Program, lines_of};

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

/// The status of a page.
fn status_of(address: &str) -> String {
    let curl = Command::new("curl").args(["-s", "-o", "/dev/null", "-w", "%{http_code}", address]).output();
    String::from_utf8(curl.expect("curl runs").stdout).expect("a number")
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
        let page = text.iter().find_map(|line| line.strip_prefix("Your own receiver: ")).expect("an address");
        let page = status_of(page);
        assert_eq!(page, "200", "the guide is served");
        let commands = curls(&text);
        let [create, read] = commands.as_slice() else { panic!("two commands: {text:#?}") };
        let created = paste(create);
        let payload = &created["data"]["cardCreate"];
        assert_eq!(payload["userErrors"], serde_json::json!([]), "round {round}: {created}");
        assert_eq!((&payload["card"]["status"], &payload["card"]["test"]), (&"DRAFT".into(), &true.into()));
        assert_eq!(paste(create), created, "pasted again, it gives the same card");
        let report = lines.recv_timeout(UP_WITHIN).unwrap_or_else(|e| panic!("no notification of round {round} ({e})"));
        assert!(report.starts_with("notification CARDS_CREATE 1 of dossier DEMO-"), "{report}");
        assert!(
            report.contains("DRAFT by PARTNER (signature verified; evt_") && report.ends_with("attempt 1)"),
            "{report}"
        );
        let card = paste(read);
        assert_eq!(card["data"]["card"]["status"], "DRAFT", "{card}");
        assert!(card["data"]["card"]["theme"]["title"].is_string(), "{card}");
        let _ = child.kill();
        let _ = child.wait();
    }
}

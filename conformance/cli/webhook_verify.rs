//! `webhook verify`: the part that does not fit, and the exit codes.

use std::fs;
use std::io::Write as _;
use std::process::Stdio;
use std::time::{SystemTime, UNIX_EPOCH};

use card_service::model::SigningSecret;
use card_service::webhook::sign;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::app::Program;

const SECRET: &str = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";
const OTHER_SECRET: &str = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh4=";
const ID: &str = "evt_01JD0000000000000000000000";
const BODY: &str = r#"{"id":"evt_01JD0000000000000000000000","topic":"CARDS_ORDERED","sequence":3}"#;

fn now() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).expect("past 1970").as_secs() as i64
}

fn headers(id: &str, timestamp: &str, signature: &str) -> String {
    format!(
        "POST /hook HTTP/1.1\r\nHost: a\r\n> Webhook-Id: {id}\r\nwebhook-timestamp:{timestamp}\r\nWebhook-Signature: {signature}\r\n\r\n"
    )
}

/// The headers of a genuine notification.
fn signed_at(timestamp: i64) -> String {
    let secret = SigningSecret::parse(SECRET).expect("the vector");
    headers(ID, &timestamp.to_string(), &sign([&secret], ID, timestamp, BODY.as_bytes()))
}

/// Verifies these headers, read from a file, and this body, read from stdin. Returns the exit code and the output.
fn verify(folder: &TempDir, secret: &str, headers: &str, body: &str, more: &[&str]) -> (Option<i32>, String) {
    let file = folder.path().join("headers");
    fs::write(&file, headers).expect("a file can be written");
    // A database that cannot be opened: the command needs none.
    let program = Program::with("postgres://nobody@127.0.0.1:1/none", folder.path()).set("WEBHOOK_SECRET", secret);
    let line = ["webhook", "verify", "--headers", &file.display().to_string()];
    let mut command = program.command(&[&line, more].concat());
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the binary starts");
    child.stdin.take().expect("stdin is piped").write_all(body.as_bytes()).expect("the command reads");
    let output = child.wait_with_output().expect("the command ends");
    (output.status.code(), String::from_utf8(output.stdout).expect("UTF-8"))
}

#[test]
fn genuine_notification_passes_and_shows_the_fingerprint_of_the_secret() {
    let folder = tempfile::tempdir().expect("a folder");
    let (code, text) = verify(&folder, SECRET, &signed_at(now()), BODY, &[]);
    assert_eq!((code, text.as_str()), (Some(0), "The signature fits.\nThe secret has the fingerprint 5036e143.\n"));
    let (code, kept) = verify(&folder, SECRET, &signed_at(1_732_044_535), BODY, &["--ignore-age", "--json"]);
    assert_eq!(code, Some(0));
    assert_eq!(serde_json::from_str::<Value>(&kept).expect("JSON")["part"], json!(null));
}

#[test]
fn part_that_does_not_fit_is_named_with_exit_code_3() {
    let folder = tempfile::tempdir().expect("a folder");
    let now = now();
    let (genuine, timestamp) = (signed_at(now), now.to_string());
    for (secret, headers, body, part, message) in [
        ("whsec_AAECAwQF", genuine.clone(), BODY.to_owned(), "secret", "6 bytes"),
        (OTHER_SECRET, genuine.clone(), BODY.to_owned(), "secret", "fingerprint"),
        (SECRET, genuine.replace(ID, "evt_other"), BODY.to_owned(), "id", ID),
        (SECRET, signed_at(now - 25 * 60 * 60), BODY.to_owned(), "timestamp", "--ignore-age"),
        (SECRET, signed_at(now + 3_600), BODY.to_owned(), "timestamp", "clock"),
        (SECRET, genuine.replace(&timestamp, "soon"), BODY.to_owned(), "timestamp", "number"),
        (SECRET, headers(ID, &timestamp, "v1a,AAAA"), BODY.to_owned(), "header", "v1,"),
        (SECRET, genuine.clone(), format!("{BODY}\n"), "body", "at its end"),
        (SECRET, genuine.clone(), BODY.replace(',', ", "), "body", "raw bytes"),
        (SECRET, genuine.clone(), String::new(), "body", "empty"),
    ] {
        let (code, text) = verify(&folder, secret, &headers, &body, &["--json"]);
        let verdict: Value = serde_json::from_str(&text).expect("JSON");
        assert_eq!((code, &verdict["genuine"], &verdict["part"]), (Some(3), &json!(false), &json!(part)), "{verdict}");
        assert!(verdict["message"].as_str().expect("a message").contains(message), "{verdict}");
    }
}

#[test]
fn input_that_cannot_be_checked_exits_with_1() {
    let folder = tempfile::tempdir().expect("a folder");
    let (code, _) = verify(&folder, SECRET, "webhook-id: evt_1\n", BODY, &[]);
    assert_eq!(code, Some(1), "there is no timestamp");
    let (code, _) = verify(&folder, SECRET, &signed_at(now()), BODY, &["--secret-file", "/does/not/exist"]);
    assert_eq!(code, Some(1));
}

//! `webhook verify`: input from files, options, stdin and the environment; its output and exit codes.

use std::fs;
use std::io::Write as _;
use std::process::{Output, Stdio};
use std::time::{SystemTime, UNIX_EPOCH};

use card_service::base::limits::SIGNATURE_SEARCH_BODY_BYTES_MAX;
use card_service::model::SigningSecret;
use card_service::webhook::signature::sign;
use serde_json::Value;
use tempfile::TempDir;

use crate::app::Program;

const SECRET: &str = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";
const ID: &str = "evt_01JD0000000000000000000000";
const BODY: &str = r#"{"id":"evt_01JD0000000000000000000000","topic":"CARDS_ORDERED","sequence":3}"#;

/// A notification in files, as a developer stores it.
struct Kept {
    folder: TempDir,
    signature: String,
}

fn now() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).expect("past 1970").as_secs() as i64
}

impl Kept {
    fn new() -> Self {
        Self::signed_at(now())
    }

    fn signed_at(timestamp: i64) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let secret = SigningSecret::parse(SECRET).expect("the vector");
        let signature = sign(&[secret], ID, timestamp, BODY.as_bytes());
        let headers = format!(
            "POST /hook HTTP/1.1\r\nHost: a\r\nWebhook-Id: {ID}\r\nWebhook-Timestamp: {timestamp}\r\n\
             Webhook-Signature: {signature}\r\n\r\n"
        );
        for (name, text) in [("headers", headers.as_str()), ("body", BODY), ("secret", &format!("{SECRET}\n"))] {
            fs::write(folder.path().join(name), text).expect("a file can be written");
        }
        Self { folder, signature }
    }

    fn file(&self, name: &str) -> String {
        self.folder.path().join(name).display().to_string()
    }

    /// Runs `webhook verify` on the files, with more arguments.
    fn verify(&self, more: &[&str]) -> Output {
        let (headers, body, secret) = (self.file("headers"), self.file("body"), self.file("secret"));
        let files = ["webhook", "verify", "--headers", &headers, "--body", &body, "--secret-file", &secret];
        // A database that cannot be opened: the command needs none.
        Program::with("postgres://nobody@127.0.0.1:1/none", self.folder.path()).run(&[&files, more].concat())
    }
}

/// The exit code, and the object of `--json`.
#[track_caller]
fn read(output: &Output) -> (Option<i32>, Value) {
    let json = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|e| panic!("no JSON ({e}): {}", String::from_utf8_lossy(&output.stderr)));
    (output.status.code(), json)
}

fn parts(verdict: &Value) -> Vec<&str> {
    let findings = verdict["findings"].as_array().unwrap_or_else(|| panic!("{verdict}"));
    findings.iter().map(|finding| finding["part"].as_str().expect("a part")).collect()
}

#[test]
fn genuine_notification_passes_in_words_and_in_json() {
    let kept = Kept::new();
    let output = kept.verify(&[]);
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && said.starts_with("The signature fits"), "{said}");
    assert!(said.contains("fingerprint 5036e143"), "{said}");
    assert!(!said.contains("whsec_") && !said.contains("AAECAw"), "the secret is not shown: {said}");
    let (code, verdict) = read(&kept.verify(&["--json"]));
    assert_eq!((code, &verdict["genuine"], parts(&verdict)), (Some(0), &true.into(), vec![]));
}

#[test]
fn part_that_differs_is_named_with_exit_code_3() {
    let kept = Kept::new();
    fs::write(kept.file("body.nl"), format!("{BODY}\n")).expect("a file can be written");
    fs::write(kept.file("body.spaced"), BODY.replace(',', ", ")).expect("a file can be written");
    fs::write(kept.file("short"), "whsec_AAECAwQF").expect("a file can be written");
    let (line_break, spaced, short) = (kept.file("body.nl"), kept.file("body.spaced"), kept.file("short"));
    let vector = Kept::signed_at(1_732_044_535);
    let yesterday = Kept::signed_at(now() - 25 * 60 * 60);
    for (kept, arguments, part, said) in [
        (&kept, &["--body", line_break.as_str()][..], "body", "line break"),
        (&kept, &["--body", &spaced], "body", "white space"),
        (&kept, &["--id", "evt_other"], "id", ID),
        (&kept, &["--signature", "v1,AAAA"], "header", "cut off"),
        (&kept, &["--secret-file", &short], "secret", "6 bytes"),
        (&kept, &["--computed", "v1,AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="], "unknown", "Your code"),
        (&vector, &[], "timestamp", "--ignore-age"),
        (&yesterday, &[], "timestamp", "is 25 hours old"),
    ] {
        // The last one of an option that is given twice would be refused: leave out what is replaced.
        let output = kept.verify_instead(arguments);
        let (code, verdict) = read(&output);
        assert_eq!((code, parts(&verdict)), (Some(3), vec![part]), "{arguments:?}: {verdict}");
        let message = verdict["findings"][0]["message"].as_str().expect("a message");
        assert!(message.contains(said), "{arguments:?}: {message}");
    }
    let (_, verdict) = read(&kept.verify_instead(&["--signature", "sha256,AAAA"]));
    assert_eq!(parts(&verdict), ["header", "header"], "no scheme of ours, and too short: {verdict}");
    let (code, verdict) = read(&vector.verify(&["--ignore-age", "--json"]));
    assert_eq!((code, &verdict["genuine"]), (Some(0), &true.into()));
}

impl Kept {
    /// The files, but for those that `arguments` name.
    fn verify_instead(&self, arguments: &[&str]) -> Output {
        let mut line = vec!["webhook".to_owned(), "verify".to_owned(), "--json".to_owned()];
        for (option, name) in [("--headers", "headers"), ("--body", "body"), ("--secret-file", "secret")] {
            if !arguments.contains(&option) {
                line.extend([option.to_owned(), self.file(name)]);
            }
        }
        line.extend(arguments.iter().map(|argument| (*argument).to_owned()));
        let line: Vec<_> = line.iter().map(String::as_str).collect();
        Program::with("", self.folder.path()).run(&line)
    }
}

#[test]
fn forms_of_a_body_are_tried_up_to_its_largest_size() {
    for (size, part) in [(SIGNATURE_SEARCH_BODY_BYTES_MAX, "body"), (SIGNATURE_SEARCH_BODY_BYTES_MAX + 1, "unknown")] {
        let kept = Kept::new();
        let (signed, read_back) = ("x".repeat(size - 1), "x".repeat(size - 1) + "\n");
        let timestamp = now();
        let secret = SigningSecret::parse(SECRET).expect("the vector");
        let signature = sign(&[secret], ID, timestamp, signed.as_bytes());
        fs::write(kept.file("body"), read_back).expect("a file can be written");
        let headers =
            format!("Webhook-Id: {ID}\r\nWebhook-Timestamp: {timestamp}\r\nWebhook-Signature: {signature}\r\n\r\n");
        fs::write(kept.file("headers"), headers).expect("a file can be written");
        let (code, verdict) = read(&kept.verify(&["--json"]));
        assert_eq!((code, parts(&verdict)), (Some(3), vec![part]), "{size}: {verdict}");
    }
}

#[test]
fn everything_can_come_from_options_stdin_and_the_environment() {
    let kept = Kept::signed_at(1_732_044_535);
    let program = Program::with("", kept.folder.path()).set("WEBHOOK_SECRET", SECRET);
    let options = ["--id", ID, "--timestamp", "1732044535", "--signature", &kept.signature, "--ignore-age"];
    let mut child = program
        .command(&[&["webhook", "verify"], &options[..]].concat())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    child.stdin.take().expect("stdin is piped").write_all(BODY.as_bytes()).expect("the command reads");
    let output = child.wait_with_output().expect("the command ends");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));

    // The signature of the developer's own code alone.
    let body = kept.file("body");
    let own = ["--id", ID, "--timestamp", "1732044535", "--body", &body, "--json", "--computed"];
    let (code, verdict) = read(&program.run(&[&["webhook", "verify"], &own[..], &[kept.signature.as_str()]].concat()));
    assert_eq!((code, &verdict["computedIsRight"]), (Some(0), &true.into()), "{verdict}");
}

#[test]
fn input_that_cannot_be_checked_exits_with_1() {
    let kept = Kept::new();
    for (arguments, said) in [
        (&["--body", "/does/not/exist"][..], "/does/not/exist"),
        (&["--headers", "/does/not/exist"], "/does/not/exist"),
        (&["--secret-file", "/does/not/exist"], "/does/not/exist"),
    ] {
        let output = kept.verify_instead(arguments);
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(1) && error.contains(said), "{arguments:?}: {error}");
    }
    let program = Program::with("", kept.folder.path());
    let body = kept.file("body");
    let no_secret = program.run(&["webhook", "verify", "--body", &body]);
    assert!(String::from_utf8_lossy(&no_secret.stderr).contains("WEBHOOK_SECRET"));
    let no_header = program.set("WEBHOOK_SECRET", SECRET).run(&["webhook", "verify", "--body", &body, "--id", ID]);
    let error = String::from_utf8_lossy(&no_header.stderr);
    assert!(no_header.status.code() == Some(1) && error.contains("webhook-timestamp"), "{error}");
}

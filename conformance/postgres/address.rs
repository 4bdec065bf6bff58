//! Addresses that cannot be used, servers that cannot be reached, and a server that wants the password in clear text.

use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::process::Output;

use serde_json::json;

use crate::app::{Database, FreshDatabase, Program, run_alone};

const PASSWORD: &str = "hemelsblauw";

/// Runs a command that fails on this address; asserts that its message has no password.
fn refusal(address: &str, arguments: &[&str]) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    let Output { status, stdout, stderr } = Program::with(address, folder.path()).run(arguments);
    let said = format!("{}{}", String::from_utf8_lossy(&stdout), String::from_utf8_lossy(&stderr));
    assert!(!status.success() && !said.contains(PASSWORD), "{address}: {said}");
    said
}

#[test]
fn address_that_cannot_be_used_is_a_setting_that_is_wrong() {
    for (parameters, word) in [
        ("sslmode=verify", "none of disable, require, verify-ca and verify-full"),
        ("sslmode=prefer", "sslmode=prefer"),
        ("foo=bar", "unknown option `foo`"),
        ("sslrootcert=/nowhere/root.pem", "/nowhere/root.pem"),
    ] {
        let address = format!("postgres://u:{PASSWORD}@db.example/d?{parameters}");
        for arguments in [["serve", "--print-config"].as_slice(), &["serve"], &["partner", "list"]] {
            let said = refusal(&address, arguments);
            assert!(said.contains("DATABASE_URL") && said.contains(word), "{arguments:?} {parameters}: {said}");
        }
    }
}

#[test]
fn server_that_cannot_be_reached_is_named_with_the_cause() {
    let said = refusal(&format!("postgres://u:{PASSWORD}@127.0.0.1:1/d"), &["partner", "list"]);
    assert!(said.contains("127.0.0.1:1: ") && said.contains("Connection refused"), "{said}");
    let said = refusal(&format!("postgres://u:{PASSWORD}@no.such.host.invalid/d"), &["partner", "list"]);
    assert!(said.contains("no.such.host.invalid:5432: ") && said.contains("lookup"), "{said}");
    // Connections stay in the listener's queue: it never accepts them.
    let silent = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let port = silent.local_addr().expect("an address").port();
    let said = refusal(&format!("postgres://u:{PASSWORD}@127.0.0.1:{port}/d"), &["partner", "list"]);
    assert!(said.contains(&format!("127.0.0.1:{port}: no connection could be made within")), "{said}");
}

#[test]
fn silent_server_keeps_no_connection_from_the_next_server() {
    run_alone(Database::Postgres, async |fresh: FreshDatabase| {
        // A frozen primary: connections stay in the listener's queue.
        let silent = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let port = silent.local_addr().expect("an address").port();
        let url = fresh.url.replacen('@', &format!("@127.0.0.1:{port},"), 1) + "&target_session_attrs=read-write";
        let program = Program::with(&url, fresh.folder.path()).create_database();
        let token = program.token("live");
        let serving = program.serve();
        serving.create(&token, json!({ "externalDossierId": "1" })).await;
        program.text(&["partner", "list"]);
        assert!(serving.terminate());
    });
}

#[test]
fn password_is_not_sent_in_clear_text_however_it_is_asked_for() {
    const CLEAR_TEXT: &[u8] = b"R\0\0\0\x08\0\0\0\x03";
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let port = listener.local_addr().expect("an address").port();
    let server = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().expect("the service connects");
        let mut heard = vec![0; 4_096];
        let startup = stream.read(&mut heard).expect("it begins");
        stream.write_all(CLEAR_TEXT).expect("it listens");
        heard.truncate(startup);
        let _ = stream.read_to_end(&mut heard); // an error: it turned away
        heard
    });
    let address = format!("postgres://kaart:{PASSWORD}@127.0.0.1:{port}/d?sslmode=disable");
    let said = refusal(&address, &["partner", "list"]);
    assert!(said.contains("clear text") && said.contains("not sent"), "{said}");
    let heard = server.join().expect("the server does not panic");
    let holds = |text: &str| heard.windows(text.len()).any(|part| part == text.as_bytes());
    assert!(holds("kaart") && !holds(PASSWORD), "{}", String::from_utf8_lossy(&heard));
}

//! `doctor`: the facts, the checks, and its exit code.

use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use serde_json::{Value, json};

use crate::app::{FreshDatabase, Program, free_addresses};

/// Runs `doctor --json`; returns its object and whether it ended with 0.
fn examine(program: &Program) -> (Value, bool) {
    let output = program.run(&["doctor", "--json"]);
    let object = serde_json::from_slice(&output.stdout).expect("an object on stdout");
    (object, output.status.success())
}

/// Returns the result of a check.
#[track_caller]
fn check<'a>(object: &'a Value, name: &str) -> &'a Value {
    let checks = object["checks"].as_array().expect("a list");
    checks.iter().find(|check| check["name"] == name).unwrap_or_else(|| panic!("{name} is not in {object}"))
}

/// Returns the names of the failed checks.
fn failed_checks(object: &Value) -> Vec<&str> {
    let checks = object["checks"].as_array().expect("a list").iter();
    checks.filter(|check| check["outcome"] == "failed").filter_map(|check| check["name"].as_str()).collect()
}

on_both_databases! {
    async fn doctor_of_a_sound_service_names_its_database_and_passes(database: FreshDatabase) {
        let program = Program::new(&database);
        let (object, passed) = examine(&program);
        assert!(passed && failed_checks(&object).is_empty(), "{object}");
        assert_eq!(check(&object, "database")["outcome"], "ok");
        assert_eq!(check(&object, "disk")["outcome"], "ok");
        assert_eq!(check(&object, "workers")["outcome"], "not_asked");
        assert_eq!(object["dataDir"], json!(database.folder.path()));
        let name = object["database"].as_str().expect("a name");
        match database.url.strip_prefix("sqlite://") {
            Some(path) => {
                assert_eq!(name, path);
                assert!(object["databaseAccess"].as_str().is_some_and(|access| access.ends_with(" 0600")), "{object}");
            }
            None => assert!(!name.contains('@') && object["databaseAccess"].is_null(), "{object}"),
        }
        let text = program.text(&["doctor"]);
        assert!(text.starts_with("not asked") && text.contains(name) && !text.contains("failed"), "{text}");
    }

    async fn doctor_names_every_failed_check_and_ends_with_1(database: FreshDatabase) {
        let program = Program::new(&database)
            .set("EGRESS_ALLOW", "127.0.0.1")
            .set("SMTP_URL", "smtp://127.0.0.1:1")
            .set("PUBLIC_BASE_URL", "http://192.0.2.1");
        std::fs::set_permissions(database.folder.path(), std::fs::Permissions::from_mode(0o755)).expect("our folder");
        let (object, passed) = examine(&program);
        assert!(!passed, "{object}");
        assert_eq!(failed_checks(&object), ["mail_server", "public_https", "egress", "permissions"], "{object}");
        let egress = check(&object, "egress");
        assert!(egress["action"].as_str().is_some_and(|action| action.contains("Unset")), "{egress}");
        let output = program.run(&["doctor"]);
        assert_eq!(output.status.code(), Some(1));
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(text.contains("\n           ticket: Unset it in production"), "{text}");
    }
}

on_sqlite! {
    async fn doctor_asks_a_running_server_for_its_workers(database: FreshDatabase) {
        let [free] = free_addresses();
        let program = Program::new(&database).set("METRICS_LISTEN", &free.to_string());
        let (object, _) = examine(&program);
        assert_eq!(object["server"], format!("does not answer at {free}"));
        assert_eq!(check(&object, "workers")["outcome"], "not_asked");
        let _serving = program.serve();
        let (object, passed) = examine(&program);
        assert_eq!(object["server"], format!("answers at {free}"));
        assert!(passed && check(&object, "workers")["outcome"] == "ok", "{object}");
    }
}

#[test]
fn doctor_of_a_missing_database_says_so_and_creates_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("data/cards.db");
    let program = Program::with(&format!("sqlite://{}", path.display()), &folder.path().join("data"));
    let (object, passed) = examine(&program);
    assert!(!passed && failed_checks(&object) == ["database"], "{object}");
    let problem = check(&object, "database")["reason"].as_str().expect("a problem");
    assert!(problem.contains("there is no database"), "{problem}");
    assert!(!Path::new(&path).exists() && !folder.path().join("data").exists(), "doctor creates nothing");
}

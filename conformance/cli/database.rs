//! The database that a command uses: only `init`, `demo` and `serve --create` create one, every change names it, and every
//! command finds the same file with settings.

use std::path::Path;

use serde_json::{Value, json};

use crate::app::{FreshDatabase, Program};

/// One of each kind of command: reading, changing, taking data out, serving.
const NEED_A_DATABASE: [&[&str]; 7] = [
    &["partner", "list"],
    &["partner", "add", "Noord"],
    &["theme", "import", concat!(env!("CARGO_MANIFEST_DIR"), "/themes")],
    &["audit", "list"],
    &["report", "orders"],
    &["backup", "kopie.db"],
    &["serve"],
];

/// Returns the file names of a folder, sorted.
pub(super) fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").file_name());
    let mut names: Vec<_> = entries.map(|name| name.into_string().expect("UTF-8")).collect();
    names.sort_unstable();
    names
}

#[test]
fn command_without_database_names_the_path_and_creates_none() {
    let folder = tempfile::tempdir().expect("a folder");
    let data = folder.path().join("data");
    let file = data.join("card-service.db");
    let program = Program::with(&format!("sqlite://{}", file.display()), &data);
    for command in NEED_A_DATABASE {
        let (said, path) = (program.expect_failure(command), file.display().to_string());
        assert!(said.contains(&path) && said.contains("card-service init"), "{command:?}: {said}");
        assert_eq!(names(folder.path()), [""; 0], "{command:?}");
    }
}

#[test]
fn truncated_backup_is_refused_by_commands_and_server() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("card-service.db");
    let program = Program::with(&format!("sqlite://{}", file.display()), folder.path());
    let commands = NEED_A_DATABASE.iter().copied().chain([&["init"][..], &["serve", "--create"]]);
    for command in commands {
        for cut_off in ["nothing", "a page without tables"] {
            std::fs::write(&file, "").expect("a file");
            if cut_off != "nothing" {
                let other = rusqlite::Connection::open(&file).expect("it opens");
                other.execute_batch("PRAGMA user_version = 7").expect("SQL");
            }
            let before = std::fs::read(&file).expect("a file");
            let (said, path) = (program.expect_failure(command), file.display().to_string());
            assert!(said.contains(&path) && said.contains("complete backup"), "{command:?} on {cut_off}: {said}");
            assert_eq!(std::fs::read(&file).expect("a file"), before, "{command:?} on {cut_off}");
        }
    }
}

on_both_databases! {
    async fn database_is_created_by_init_once_and_named_by_every_change(database: FreshDatabase) {
        let program = Program::with(&database.url, database.folder.path());
        let name = match database.url.strip_prefix("sqlite://") {
            Some(path) => path.to_owned(),
            None => {
                let said = program.expect_failure(&["partner", "list"]);
                let url = url::Url::parse(&database.url).expect("an address");
                let port = url.port().map_or(String::new(), |port| format!(":{port}"));
                let name = format!("{}{port}{}", url.host_str().expect("a host"), url.path());
                assert!(said.contains(&name) && said.contains("is empty") && said.contains("card-service init"), "{said}");
                assert!(!said.contains("search_path"), "no parameter is repeated: {said}");
                name
            }
        };
        assert_eq!(program.json(&["init"]), json!({ "created": true, "migrated": [], "database": name }));
        assert_eq!(program.json(&["init"]), json!({ "created": false, "migrated": [], "database": name }));
        assert_eq!(program.json(&["partner", "add", "Noord"])["database"], name);
        assert_eq!(program.json(&["partner", "list"])["database"], Value::Null, "a command that reads names none");
        let added = program.run(&["partner", "add", "Zuid"]);
        assert_eq!(String::from_utf8_lossy(&added.stderr).trim(), format!("Database: {name}"));
        assert!(!String::from_utf8_lossy(&added.stdout).contains(&name), "the pipe holds the answer alone");
        let commands: Vec<_> = program.audit_records().into_iter().map(|(command, ..)| command).collect();
        assert_eq!(commands, ["init", "partner add", "partner add"]);
    }

    async fn server_creates_its_database_at_the_given_path(database: FreshDatabase) {
        let program = Program::with(&database.url, database.folder.path());
        assert!(program.try_serve().is_none());
        let serving = program.serve_and_create();
        program.json(&["partner", "add", "Noord"]);
        assert!(serving.terminate());
        let serving = program.serve_and_create();
        assert_eq!(program.json(&["partner", "list"])["partners"][0]["name"], "Noord");
        assert!(serving.terminate());
        assert!(program.try_serve().is_some(), "an existing database is served without the option");
    }
}

/// A folder with a file of settings that name a database in it.
fn install() -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("card-service.toml");
    let data = folder.path().join("data");
    std::fs::write(&file, format!("data_dir = \"{}\"\nlisten = \"127.0.0.1:0\"\n", data.display())).expect("a file");
    let file = file.to_str().expect("UTF-8").to_owned();
    (folder, file)
}

/// The program with settings from a file and none from the environment.
fn from_file(file: &str) -> Program {
    Program::with("", Path::new("")).set("LISTEN", "").set("CONFIG", file)
}

on_sqlite! {
    async fn server_and_command_share_the_database_of_the_settings_file(_database: FreshDatabase) {
        let (folder, file) = install();
        let program = from_file(&file);
        let name = folder.path().join("data/card-service.db").display().to_string();
        assert_eq!(program.json(&["init"])["database"], name);
        let serving = program.serve();
        assert_eq!(program.json(&["partner", "add", "Noord"])["database"], name);
        // The option does the same as the variable, and wins over it.
        let other = from_file("/does/not/exist.toml");
        assert_eq!(other.json(&["--config", &file, "partner", "list"])["partners"][0]["name"], "Noord");
        let shown = program.json(&["serve", "--print-config"]);
        assert_eq!(shown["settings"]["CONFIG"], json!({ "value": file, "origin": "environment" }));
        assert_eq!(shown["settings"]["DATA_DIR"]["origin"], "file");
        assert!(serving.terminate());
    }
}

#[test]
fn missing_settings_file_is_reported_by_every_command() {
    let folder = tempfile::tempdir().expect("a folder");
    let missing = folder.path().join("none.toml").display().to_string();
    for command in NEED_A_DATABASE.iter().copied().chain([&["init"][..], &["demo"]]) {
        let said = from_file(&missing).set("DATA_DIR", folder.path().to_str().expect("UTF-8")).expect_failure(command);
        assert!(said.contains("CONFIG") && said.contains(&missing), "{command:?}: {said}");
    }
    assert_eq!(names(folder.path()), [""; 0]);
}

//! The files of the service are readable by its own user only, with any umask; open files are closed to others.

use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use serde_json::json;

use crate::app::{FreshDatabase, Program, TestApp, wait_for};

fn mode(path: &Path) -> u32 {
    std::fs::metadata(path).unwrap_or_else(|error| panic!("{}: {error}", path.display())).permissions().mode() & 0o777
}

fn set_mode(path: &Path, mode: u32) {
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).expect("it is ours");
}

/// Everything below a folder.
fn below(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()) {
        if entry.is_dir() {
            found.extend(below(&entry));
        }
        found.push(entry);
    }
    found
}

/// Waits for a file whose name ends so.
async fn file_in(folder: &Path, end: &str) -> PathBuf {
    let found = || async {
        let mut entries = std::fs::read_dir(folder).into_iter().flatten().map(|entry| entry.expect("an entry").path());
        entries.find(|path| path.to_string_lossy().ends_with(end))
    };
    wait_for(end, found).await
}

/// The program behind a shell whose umask takes nothing away.
fn without_umask(folder: &Path, database: &FreshDatabase) -> Program {
    let script = folder.join("card-service");
    let text = format!("#!/bin/bash\numask 000\nexec '{}' \"$@\"\n", env!("CARGO_BIN_EXE_card-service"));
    std::fs::write(&script, text).expect("a file");
    set_mode(&script, 0o755);
    Program::with(&database.url, &database.folder.path().join("data")).binary(&script)
}

on_both_databases! {
    async fn everything_that_the_program_writes_is_for_its_user_alone(database: FreshDatabase) {
        let scripts = tempfile::tempdir().expect("a folder");
        let program = without_umask(scripts.path(), &database).create_database();
        let (data, out) = (database.folder.path().join("data"), database.folder.path().join("out"));
        program.import_themes();
        let (token, serving) = (program.token("live"), program.serve());
        let input = json!({
            "externalDossierId": "1", "themeId": "1", "deceased": { "lastName": "van der Meer" },
            "familyContact": { "email": "pieter@voorbeeld.nl" },
        });
        let id = serving.create(&token, input).await;
        program.json(&["card", "order", &id]); // its mail waits until the server has activated it
        file_in(&data.join("mail"), ".eml").await;
        let text = |path: PathBuf| path.to_str().expect("UTF-8").to_owned();
        program.json(&["card", "export", &id, &text(out.clone())]);
        if database.url.starts_with("sqlite") {
            program.json(&["backup", &text(out.join("kopie.db"))]);
        }
        let written: Vec<_> = below(&data).into_iter().chain(below(&out)).chain([data, out]).collect();
        for (what, least) in [(".eml", 1), ("card.json", 1), ("media", 1), (".svg", 1)] {
            let found = written.iter().filter(|path| path.to_string_lossy().ends_with(what)).count();
            assert!(found >= least, "{what}: {written:?}");
        }
        for path in written {
            assert_eq!(mode(&path), if path.is_dir() { 0o700 } else { 0o600 }, "{}", path.display());
        }
    }
}

on_sqlite! {
    // In this process no umask is set: the files have the modes that they are created with.
    async fn files_are_made_for_their_owner_without_the_help_of_a_umask(app: TestApp) {
        let (_, gid) = app.live_draft("1").await;
        app.online(&gid).await;
        let letter = file_in(&app.folder().join("mail"), ".eml").await;
        let files = ["card-service.db", "card-service.db-wal", "card-service.db-shm", "card-service.db-id"].map(|name| app.folder().join(name));
        for path in files.into_iter().chain([letter]) {
            assert_eq!(mode(&path), 0o600, "{}", path.display());
        }
        for folder in ["mail", "media"] {
            assert_eq!(mode(&app.folder().join(folder)), 0o700, "{folder}");
        }
    }

    async fn files_open_to_others_are_closed_at_start_and_logged(database: FreshDatabase) {
        let program = Program::new(&database);
        let folder = database.folder.path();
        let letter = folder.join("mail/oud.eml");
        std::fs::write(&letter, "Beste familie").expect("a file");
        let files = [folder.join("card-service.db"), letter];
        let logs = ["card-service.db-wal", "card-service.db-shm"]; // made with the mode of the file
        let folders = [folder.join("mail"), folder.join("media")];
        files.iter().for_each(|path| set_mode(path, 0o644));
        folders.iter().for_each(|path| set_mode(path, 0o755));
        set_mode(folder, 0o755);
        let log = folder.join("log");
        let serving = program.serve_with_log(&log);
        files.iter().for_each(|path| assert_eq!(mode(path), 0o600, "{}", path.display()));
        folders.iter().for_each(|path| assert_eq!(mode(path), 0o700, "{}", path.display()));
        let said = std::fs::read_to_string(&log).expect("a log");
        let closed = said.matches("other users could read this").count();
        assert_eq!(closed, files.len() + folders.len() + logs.len(), "{said}");
        logs.iter().for_each(|name| assert_eq!(mode(&folder.join(name)), 0o600, "{name}"));
        // The folder itself is the operator's to close: other things may lie in it.
        assert!(said.contains("chmod 700") && mode(folder) == 0o755, "{said}");
        assert!(serving.terminate());
    }
}

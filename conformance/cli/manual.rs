//! `completions`, `man`, and `--json` where a command does nothing: what scripts and packages build on.

use serde_json::{Value, json};

use crate::app::{FreshDatabase, Program};

#[test]
fn completions_and_manual_know_every_command_and_need_no_database() {
    let folder = tempfile::tempdir().expect("a folder");
    let program = Program::with("sqlite:///nowhere/card-service.db", folder.path());
    for (shell, sign) in
        [("bash", "complete -F"), ("zsh", "#compdef card-service"), ("fish", "complete -c card-service")]
    {
        let script = program.text(&["completions", shell]);
        assert!(script.contains(sign) && script.contains("take-offline"), "{shell}: {script}");
        assert!(!script.contains("\ndecode-photo"), "{shell}");
    }
    program.refused(&["completions", "dos"]);
    let path = folder.path().to_str().expect("UTF-8");
    let page = program.json(&["man", path])["manual"].as_str().expect("a path").to_owned();
    let page = std::fs::read_to_string(page).expect("a page");
    assert!(page.starts_with(".ie") && page.contains("Exit codes"), "{page}");
    assert!(folder.path().join("card-service-partner-add.1").exists(), "a page for each command");
    program.refused(&["man", "/nowhere"]);
}

on_both_databases! {
    async fn command_with_json_prints_one_object_also_when_it_does_nothing(database: FreshDatabase) {
        let program = Program::on(&database);
        let token = program.token("test");
        let serving = program.serve();
        for dossier in ["1", "2", "3"] {
            serving.create(&token, json!({ "externalDossierId": dossier })).await;
        }
        let printed = |arguments: &[&str]| -> Value {
            let output = program.run(&[arguments, &["--json"]].concat());
            assert_eq!(output.status.code(), Some(1), "{arguments:?}");
            assert!(!output.stderr.is_empty(), "the sentence is on stderr, too");
            serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{arguments:?}: {error}"))
        };
        let purge = ["card", "purge-test", "--partner", "Noord"];
        let dry = printed(&purge);
        assert_eq!((&dry["dryRun"], &dry["count"]), (&json!(true), &json!(3)), "{dry}");
        let unknown = printed(&["partner", "show", "West"]);
        assert!(unknown["error"].as_str().is_some_and(|error| error.contains("West")), "{unknown}");
        assert_eq!(unknown["causes"], json!([]));
        let purged = program.json(&[&purge[..], &["--yes"]].concat());
        assert_eq!(purged["deleted"].as_array().map(Vec::len), Some(3), "{purged}");
        let audit = program.json(&["audit", "list"]);
        let records = audit["audit"].as_array().expect("a list").iter();
        assert_eq!(records.filter(|record| record["command"] == "card purge-test").count(), 1, "one command: {audit}");
    }

    async fn report_of_nothing_possible_is_an_error(database: FreshDatabase) {
        let program = Program::on(&database);
        for arguments in [
            &["report", "orders", "--from", "2026-03", "--to", "2026-01"][..],
            &["usage", "export", "--from", "2026-03-01", "--to", "2026-01-01"],
            &["usage", "show", "--version", "1999-01"],
            &["audit", "list", "--limit", "0"],
        ] {
            program.refused(arguments);
        }
    }

    async fn database_and_its_password_may_stand_in_a_file(database: FreshDatabase) {
        let file = database.folder.path().join("database-url");
        std::fs::write(&file, format!("{}\n", database.url)).expect("the folder can be written");
        let file = file.to_str().expect("UTF-8");
        let program = Program::with("", database.folder.path()).set("DATABASE_URL_FILE", file).created();
        program.json(&["partner", "add", "Noord"]);
        assert_eq!(Program::on(&database).json(&["partner", "list"])["partners"].as_array().map(Vec::len), Some(1));
        let settings = program.json(&["serve", "--print-config"]);
        assert_eq!(settings["settings"]["DATABASE_URL"], json!({ "value": "hidden", "origin": "secret file" }));
        let both = program.set("DATABASE_URL", &database.url).refused(&["partner", "list"]);
        assert!(both.contains("DATABASE_URL_FILE: is given beside DATABASE_URL"), "{both}");
    }
}

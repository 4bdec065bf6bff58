//! `--json` where a command does nothing, and settings in files: what scripts and packages build on.

use serde_json::{Value, json};

use crate::app::{FreshDatabase, Program};

on_both_databases! {
    async fn command_with_json_prints_one_object_also_when_it_does_nothing(database: FreshDatabase) {
        let program = Program::new(&database);
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
        let purge = ["card", "delete", "--test-cards-of", "Noord"];
        let dry = printed(&purge);
        assert_eq!((&dry["dryRun"], &dry["count"]), (&json!(true), &json!(3)), "{dry}");
        let unknown = printed(&["partner", "show", "West"]);
        assert!(unknown["error"].as_str().is_some_and(|error| error.contains("West")), "{unknown}");
        assert_eq!(unknown["causes"], json!([]));
        let purged = program.json(&[&purge[..], &["--yes"]].concat());
        assert_eq!(purged["deleted"].as_array().map(Vec::len), Some(3), "{purged}");
        let deletions = program.audit_records().into_iter().filter(|(command, ..)| command == "card delete");
        assert_eq!(deletions.count(), 1, "one command");
    }

    async fn report_of_nothing_possible_is_an_error(database: FreshDatabase) {
        let program = Program::new(&database);
        for arguments in [
            &["report", "orders", "--from", "2026-03", "--to", "2026-01"][..],
            &["usage", "show", "--version", "1999-01"],
            &["audit", "list", "--limit", "0"],
        ] {
            program.expect_failure(arguments);
        }
    }

    async fn database_and_its_password_may_stand_in_a_file(database: FreshDatabase) {
        let file = database.folder.path().join("database-url");
        std::fs::write(&file, format!("{}\n", database.url)).expect("the folder can be written");
        let file = file.to_str().expect("UTF-8");
        let program = Program::with("", database.folder.path()).set("DATABASE_URL_FILE", file).create_database();
        program.json(&["partner", "add", "Noord"]);
        assert_eq!(Program::new(&database).json(&["partner", "list"])["partners"].as_array().map(Vec::len), Some(1));
        let settings = program.json(&["serve", "--print-config"]);
        assert_eq!(settings["settings"]["DATABASE_URL"], json!({ "value": "hidden", "origin": "secret file" }));
        let both = program.set("DATABASE_URL", &database.url).expect_failure(&["partner", "list"]);
        assert!(both.contains("DATABASE_URL_FILE: is given beside DATABASE_URL"), "{both}");
    }
}

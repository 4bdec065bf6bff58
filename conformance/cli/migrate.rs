//! `init`: only it and servers change the schema, and an older program works on a schema that only gained.

use serde_json::Value;

use crate::app::{FreshDatabase, Program, tamper};

const INIT: &str = "2026-10-01-000000_init";

/// Makes the database as a program without these migrations, but with an earlier one, has left it.
async fn undo(database: &FreshDatabase) {
    let engine = if database.url.starts_with("sqlite") { "sqlite" } else { "postgres" };
    let folders = format!("{}/migrations/{engine}", env!("CARGO_MANIFEST_DIR"));
    let folders = std::fs::read_dir(folders).expect("migrations").map(|entry| entry.expect("an entry").path());
    let mut folders: Vec<_> = folders.collect();
    folders.sort();
    let up = folders.iter().map(|folder| std::fs::read_to_string(folder.join("up.sql")).expect("a migration"));
    let up: String = up.collect();
    let tables = up.lines().filter_map(|line| line.strip_prefix("CREATE TABLE ")?.split([' ', '(']).next());
    let down: String = tables.rev().map(|table| format!("DROP TABLE {table};")).collect();
    let records = "DELETE FROM __diesel_schema_migrations;
        INSERT INTO __diesel_schema_migrations (version) VALUES ('20200101000000');";
    tamper(&database.url, &format!("{down}{records}")).await;
}

/// Returns the state of a migration.
#[track_caller]
fn state(program: &Program, name: &str) -> String {
    let states = program.json(&["init", "--status"]);
    let all = states["migrations"].as_array().expect("a list");
    let one = all.iter().find(|one| one["name"] == name).unwrap_or_else(|| panic!("{name} is not in {states}"));
    one["state"].as_str().expect("a text").to_owned()
}

on_both_databases! {
    async fn pending_migration_is_run_by_init_and_by_no_other_command(database: FreshDatabase) {
        let program = Program::new(&database);
        assert_eq!(program.json(&["init"])["migrated"], Value::Array(Vec::new()));
        undo(&database).await;
        assert_eq!(state(&program, INIT), "pending");
        for command in [&["partner", "list"][..], &["partner", "add", "Noord"], &["audit", "list"]] {
            let said = program.expect_failure(command);
            assert!(said.contains(INIT) && said.contains("card-service init"), "{command:?}: {said}");
        }
        let doctor = program.run(&["doctor", "--json"]);
        assert!(!doctor.status.success() && String::from_utf8_lossy(&doctor.stdout).contains(INIT));
        assert_eq!(state(&program, INIT), "pending", "nothing but init runs it");
        assert_eq!(program.json(&["init"])["migrated"][0], INIT);
        assert_eq!(state(&program, INIT), "applied");
        assert_eq!(program.json(&["audit", "list"])["audit"][0]["command"], "init");
        undo(&database).await;
        assert!(program.serve().terminate(), "a server migrates by itself");
        assert_eq!(state(&program, INIT), "applied");
    }

    async fn program_works_on_a_newer_schema_until_something_it_needs_is_removed(database: FreshDatabase) {
        let program = Program::new(&database);
        tamper(&database.url, "INSERT INTO __diesel_schema_migrations (version) VALUES ('20990101000999')").await;
        program.json(&["partner", "add", "Noord"]);
        assert!(program.serve().terminate());
        assert_eq!(state(&program, "20990101000999"), "of a newer release");
        // It removed what the programs before 000999 use.
        let version = "20990102001000r20990101000999";
        let contracted = format!("INSERT INTO __diesel_schema_migrations (version) VALUES ('{version}')");
        tamper(&database.url, &contracted).await;
        for command in [&["partner", "list"][..], &["serve"], &["init"]] {
            let said = program.expect_failure(command);
            assert!(said.contains(version) && said.contains("newer version"), "{command:?}: {said}");
        }
    }
}

//! Migrations only add, so that servers of the previous release go on while a newer one migrates; one that removes something
//! says which programs can still use the database (migrations/README.md).

use std::fs;
use std::path::Path;

/// Statements that remove or tighten what the previous release uses.
const FORBIDDEN: [&str; 12] = [
    "DROP TABLE",
    "DROP COLUMN",
    "RENAME TO",
    "RENAME COLUMN",
    "ALTER COLUMN",
    "SET NOT NULL",
    "ADD CONSTRAINT",
    "ADD CHECK",
    "ADD UNIQUE",
    "DELETE FROM",
    "TRUNCATE",
    "CREATE UNIQUE INDEX",
];

/// Ways around SQLite's own checks of a schema change. Forbidden everywhere.
const FORBIDDEN_EVERYWHERE: [&str; 4] = ["PRAGMA", "SQLITE_SCHEMA", "SQLITE_MASTER", "WRITABLE_SCHEMA"];

/// The statements of a migration, in capitals, without comments and with single spaces.
fn statements(sql: &str) -> Vec<String> {
    let code: Vec<_> = sql.lines().map(|line| line.split("--").next().unwrap_or_default()).collect();
    let code = code.join(" ").to_uppercase();
    let words = |statement: &str| statement.split_whitespace().collect::<Vec<_>>().join(" ");
    code.split(';').map(words).filter(|statement| !statement.is_empty()).collect()
}

/// Returns the fault of a statement that changes an existing database. Tables in `created` are new in this
/// migration and may be changed freely.
fn fault(statement: &str, created: &[String]) -> Option<&'static str> {
    let of_created = |table: &String| statement.contains(&format!(" {table} ")) || statement.ends_with(table.as_str());
    let column = statement.find("ADD COLUMN").map(|at| &statement[at..]);
    if column.is_some_and(|column| column.contains("NOT NULL") && !column.contains("DEFAULT")) {
        return Some("a column that the previous release does not write needs a default");
    }
    let forbidden = FORBIDDEN.iter().find(|forbidden| statement.contains(**forbidden))?;
    (!created.iter().any(of_created)).then_some(*forbidden)
}

/// Returns the date and number of the migration that a program must have after this one: `…-r20261123000023_drop_notes`.
fn needed(name: &str) -> Option<u64> {
    name.split('_').next()?.split_once("-r")?.1.parse().ok()
}

/// Returns the date and number of a migration.
fn number(name: &str) -> Option<u64> {
    let version = name.split('_').next()?;
    version.split("-r").next()?.replace('-', "").parse().ok()
}

fn fault_everywhere(statement: &str) -> Option<&'static str> {
    FORBIDDEN_EVERYWHERE.into_iter().find(|forbidden| statement.contains(forbidden))
}

#[test]
fn migration_removes_nothing_that_the_previous_release_uses() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("migrations");
    let (mut broken, mut count) = (Vec::new(), 0);
    for engine in ["sqlite", "postgres"] {
        for folder in fs::read_dir(root.join(engine)).expect("migrations").map(|entry| entry.expect("an entry").path())
        {
            let own = folder.file_name().expect("a name").to_string_lossy().into_owned();
            let name = format!("{engine}/{own}");
            let read = |file: &str| statements(&fs::read_to_string(folder.join(file)).expect("a migration"));
            let up = read("up.sql");
            count += up.len();
            let created = up.iter().filter_map(|statement| statement.strip_prefix("CREATE TABLE "));
            let created: Vec<_> = created.filter_map(|rest| rest.split([' ', '(']).next()).map(str::to_owned).collect();
            let everywhere = up.iter().filter_map(|statement| Some((statement, fault_everywhere(statement)?)));
            let changes = up.iter().filter_map(|statement| Some((statement, fault(statement, &created)?)));
            let contracts = needed(&own).is_some_and(|needed| Some(needed) < number(&own));
            let changes = changes.filter(|_| !contracts);
            broken.extend(everywhere.chain(changes).map(|(statement, fault)| format!("{name}: {fault}: {statement}")));
        }
    }
    assert!(count > 40, "{count} statements");
    assert!(broken.is_empty(), "migrations only add:\n  {}", broken.join("\n  "));
}

#[test]
fn name_of_a_contraction_says_what_a_program_needs() {
    assert_eq!(needed("2026-11-23-000023_subscription_name"), None);
    assert_eq!(needed("2026-12-01-000030-r20261123000023_drop_notes"), Some(20_261_123_000_023));
    assert_eq!(number("2026-12-01-000030-r20261123000023_drop_notes"), Some(20_261_201_000_030));
}

#[test]
fn statement_that_removes_or_tightens_is_found() {
    let created = ["LATER".to_owned()];
    for statement in [
        "DROP TABLE CARDS",
        "ALTER TABLE CARDS DROP COLUMN NAME",
        "ALTER TABLE CARDS ADD COLUMN NAME TEXT NOT NULL",
        "ALTER TABLE CARDS RENAME TO LATER_CARDS",
        "CREATE UNIQUE INDEX ONE ON CARDS (NAME)",
        "DELETE FROM CARDS",
    ] {
        assert!(fault(statement, &created).is_some(), "{statement}");
    }
    for statement in [
        "ALTER TABLE CARDS ADD COLUMN NAME TEXT",
        "ALTER TABLE CARDS ADD COLUMN NAME TEXT NOT NULL DEFAULT ''",
        "CREATE UNIQUE INDEX ONE ON LATER (NAME)",
        "CREATE INDEX ONE ON CARDS (NAME)",
        "ALTER TABLE ORDERS DROP CONSTRAINT ORDERS_CARD_ID_FKEY",
    ] {
        assert!(fault(statement, &created).is_none(), "{statement}");
    }
    for statement in
        statements("PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = ''; SELECT * FROM sqlite_master")
    {
        assert!(fault_everywhere(&statement).is_some(), "{statement}");
    }
}

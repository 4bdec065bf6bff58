//! Migrations only add, so that an older binary keeps working after a newer one has migrated (docs/operating.md,
//! "Upgrade").

use std::fs;
use std::path::Path;

/// Statements that remove or restrict what an older binary uses.
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

/// Exceptions, each with the reason why an older binary keeps working.
const ALLOWED: [(&str, &str); 3] = [
    // SQLite can only drop a foreign key by rebuilding the table. The new table has the same columns and the old name, and
    // a running binary prepares its statements again.
    ("sqlite/2026-11-21-000006_audit", "DROP TABLE ORDERS"),
    // The same for a primary key. The columns of an older binary exist, and new ones have a default.
    ("sqlite/2026-11-22-000013_idempotency_mode", "DROP TABLE IDEMPOTENCY_CARDS"),
    ("sqlite/2026-11-22-000013_idempotency_mode", "DROP TABLE IDEMPOTENCY_KEYS"),
];

/// Returns the statements of a migration, in capitals, without comments and with single spaces.
fn statements(sql: &str) -> Vec<String> {
    let code: Vec<_> = sql.lines().map(|line| line.split("--").next().unwrap_or_default()).collect();
    let code = code.join(" ").to_uppercase();
    let words = |statement: &str| statement.split_whitespace().collect::<Vec<_>>().join(" ");
    code.split(';').map(words).filter(|statement| !statement.is_empty()).collect()
}

/// Returns the fault of a statement. A table that the same migration creates is not restricted.
fn fault(statement: &str, made: &[String]) -> Option<&'static str> {
    let own = made.iter().any(|table| statement.contains(&format!(" {table} ")) || statement.ends_with(table.as_str()));
    let column = statement.find("ADD COLUMN").map(|at| &statement[at..]);
    if column.is_some_and(|column| column.contains("NOT NULL") && !column.contains("DEFAULT")) {
        return Some("a column that older binaries do not fill needs a default");
    }
    let forbidden = FORBIDDEN.iter().find(|forbidden| statement.contains(**forbidden))?;
    (!own).then_some(*forbidden)
}

#[test]
fn migration_takes_nothing_away_that_an_older_binary_uses() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("migrations");
    let (mut broken, mut looked, mut used) = (Vec::new(), 0, 0);
    for engine in ["sqlite", "postgres"] {
        for folder in fs::read_dir(root.join(engine)).expect("migrations").map(|entry| entry.expect("an entry").path())
        {
            let name = format!("{engine}/{}", folder.file_name().expect("a name").to_string_lossy());
            if name.ends_with("_init") {
                continue; // nothing was there before it
            }
            let statements = statements(&fs::read_to_string(folder.join("up.sql")).expect("a migration"));
            let made = statements.iter().filter_map(|statement| statement.strip_prefix("CREATE TABLE "));
            let made: Vec<_> = made.filter_map(|rest| rest.split([' ', '(']).next()).map(str::to_owned).collect();
            looked += statements.len();
            for statement in &statements {
                let Some(fault) = fault(statement, &made) else { continue };
                if ALLOWED.contains(&(name.as_str(), statement.as_str())) {
                    used += 1;
                    continue;
                }
                broken.push(format!("{name}: {fault}: {statement}"));
            }
        }
    }
    assert!(looked > 40, "{looked} statements");
    assert!(broken.is_empty(), "migrations only add:\n  {}", broken.join("\n  "));
    assert_eq!(used, ALLOWED.len(), "what is allowed is there");
}

#[test]
fn statement_that_takes_away_or_tightens_is_found() {
    let made = ["LATER".to_owned()];
    for statement in [
        "DROP TABLE CARDS",
        "ALTER TABLE CARDS DROP COLUMN NAME",
        "ALTER TABLE CARDS ADD COLUMN NAME TEXT NOT NULL",
        "ALTER TABLE CARDS RENAME TO LATER_CARDS",
        "CREATE UNIQUE INDEX ONE ON CARDS (NAME)",
        "DELETE FROM CARDS",
    ] {
        assert!(fault(statement, &made).is_some(), "{statement}");
    }
    for statement in [
        "ALTER TABLE CARDS ADD COLUMN NAME TEXT",
        "ALTER TABLE CARDS ADD COLUMN NAME TEXT NOT NULL DEFAULT ''",
        "CREATE UNIQUE INDEX ONE ON LATER (NAME)",
        "CREATE INDEX ONE ON CARDS (NAME)",
        "ALTER TABLE ORDERS DROP CONSTRAINT ORDERS_CARD_ID_FKEY",
    ] {
        assert!(fault(statement, &made).is_none(), "{statement}");
    }
}

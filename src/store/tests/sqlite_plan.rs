//! SQLite's plan of every statement of the store: each finds its rows by an index.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

use diesel::connection::{Connection as _, InstrumentationEvent};

use super::database::TestDatabase;
use super::every_statement::{may_read_whole, read_once, write_once};
use crate::store::StoreError;
use crate::store::database::{Database, Unit};

type Texts = Arc<Mutex<BTreeSet<String>>>;

/// Records each statement of a connection that searches rows. An INSERT of values does not; SQLite plans a scan of the
/// tables that refer to its table, and skips it while no foreign key is violated.
fn recorder(texts: &Texts) -> impl Fn(InstrumentationEvent<'_>) + Clone + Send + use<> {
    let texts = Arc::clone(texts);
    move |event| {
        if let InstrumentationEvent::StartQuery { query, .. } = event {
            let text = query.to_string();
            let text = text.split(" -- binds").next().unwrap_or_default().trim().to_owned();
            if ["SELECT", "UPDATE", "DELETE"].iter().any(|verb| text.starts_with(verb)) {
                texts.lock().unwrap().insert(text);
            }
        }
    }
}

#[tokio::test]
async fn no_query_reads_a_whole_table() {
    let db = TestDatabase::sqlite().await;
    let texts = Texts::default();
    let Database::Sqlite(sqlite) = &db.store.database else { unreachable!() };
    let (reads, writes) = (recorder(&texts), recorder(&texts));
    sqlite
        .read(&db.store.context, async |c| {
            c.set_instrumentation(reads);
            Ok::<_, StoreError>(())
        })
        .await
        .unwrap();
    let record = async move |c: &mut diesel::SqliteConnection| {
        c.set_instrumentation(writes.clone());
        Ok::<_, crate::store::StoreError>(())
    };
    sqlite.run_unit(Unit::Transaction, record).await.unwrap();
    write_once(&db).await;
    read_once(&db).await;

    let connection = rusqlite::Connection::open(db.url.trim_start_matches("sqlite://")).unwrap();
    let texts = texts.lock().unwrap().clone();
    assert!(texts.len() > 60, "{} texts were seen", texts.len());
    let mut scans = Vec::new();
    for text in texts.iter().filter(|text| !may_read_whole(text)) {
        let mut explain = connection.prepare(&format!("EXPLAIN QUERY PLAN {text}")).unwrap();
        let mut rows = explain.raw_query();
        while let Some(row) = rows.next().unwrap() {
            let step: String = row.get(3).unwrap();
            // A bound list is read as a whole.
            let table = step.starts_with("SCAN") && !step.starts_with("SCAN json_each ") && step != "SCAN CONSTANT ROW";
            let whole = table && !step.contains("USING");
            if whole || step.contains("TEMP B-TREE") {
                scans.push(format!("{step}\n{text}"));
            }
        }
    }
    assert!(scans.is_empty(), "{}", scans.join("\n"));
    drop(connection);
    db.close().await;
}

/// While a deferred foreign key is violated, SQLite looks for the row of each inserted parent in the whole table of its children.
#[tokio::test]
async fn no_foreign_key_is_deferred() {
    let db = TestDatabase::sqlite().await;
    assert_eq!(db.count("sqlite_schema WHERE sql LIKE '%DEFERRED%'").await, 0);
    db.close().await;
}

#[tokio::test]
async fn check_of_a_written_row_opens_no_temporary_table() {
    let db = TestDatabase::sqlite().await;
    write_once(&db).await;
    let connection = rusqlite::Connection::open(db.url.trim_start_matches("sqlite://")).unwrap();
    for (table, column) in [
        ("cards", "status"),
        ("cards", "layout"),
        ("cards", "lead_in"),
        ("events", "topic"),
        ("events", "actor"),
        ("webhook_subscriptions", "topic"),
        ("deliveries", "topic"),
        ("deliveries", "state"),
        ("attempts", "failure"),
        ("mails", "kind"),
    ] {
        let update = format!("UPDATE {table} SET {column} = ?1");
        let mut explain = connection.prepare(&format!("EXPLAIN {update}")).unwrap();
        let mut steps = explain.query([""]).unwrap();
        while let Some(step) = steps.next().unwrap() {
            assert_ne!(step.get::<_, String>(1).unwrap(), "OpenEphemeral", "{table}.{column}");
        }
        let rows: i64 = connection.query_row(&format!("SELECT count(*) FROM {table}"), [], |row| row.get(0)).unwrap();
        if rows > 0 {
            let refused = connection.execute(&update, ["OTHER"]).unwrap_err().to_string();
            assert!(refused.contains("CHECK constraint failed"), "{table}.{column}: {refused}");
        }
    }
    // No other table has such a CHECK: SQLite compares two values after IN, and makes a table of three or more.
    let texts = "SELECT group_concat(sql, char(10)) FROM sqlite_schema WHERE type = 'table'";
    let texts: String = connection.query_row(texts, [], |row| row.get(0)).unwrap();
    for list in texts.split(" IN (").skip(1) {
        let list = list.split(')').next().unwrap();
        assert!(list.split(',').count() < 3, "write {list} with OR");
    }
    let sound: String = connection.query_row("PRAGMA integrity_check", [], |row| row.get(0)).unwrap();
    assert_eq!(sound, "ok");
    drop(connection);
    db.close().await;
}

#[tokio::test]
async fn statement_with_a_bound_limit_is_planned_once() {
    let db = TestDatabase::sqlite().await;
    let connection = rusqlite::Connection::open(db.url.trim_start_matches("sqlite://")).unwrap();
    let text =
        "SELECT id FROM deliveries WHERE subscription_id > ?1 AND due_at IS NOT NULL ORDER BY 1, due_at LIMIT ?2";
    let mut kept = connection.prepare(text).unwrap();
    for limit in 1..=3 {
        assert!(kept.query((&[0_u8; 16][..], limit)).unwrap().next().unwrap().is_none());
    }
    assert_eq!(kept.get_status(rusqlite::StatementStatus::RePrepare), 0);
    drop(kept);
    db.close().await;
}

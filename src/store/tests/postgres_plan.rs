//! PostgreSQL's plan of every statement of the store: each finds its rows by a condition on an index when it is planned on a
//! new database, and by an index when the tables are known to be empty.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

use diesel::connection::InstrumentationEvent;
use diesel_async::{AsyncConnection as _, SimpleAsyncConnection as _};
use diesel_async::{AsyncPgConnection, RunQueryDsl};

use super::database::TestDatabase;
use super::every_statement::{may_read_whole, read_once, write_once};
use crate::store::database::Database;

/// Tables that do not grow with the cards, the only ones of which a statement without LIMIT may read a whole index; and the
/// indexes of subscriptions, and of waiting mails, which are counted.
const BOUNDED: [&str; 9] = [
    "themes",
    "partners",
    "access_keys",
    "webhook_subscriptions",
    "admin_sessions",
    "webhook_subscriptions_page",
    "webhook_subscriptions_recovering",
    "mails_due",
    "version_notices",
];

type Texts = Arc<Mutex<BTreeSet<String>>>;

/// Records each statement of a connection that searches rows.
fn recorder(texts: &Texts) -> impl Fn(InstrumentationEvent<'_>) + Send + use<> {
    let texts = Arc::clone(texts);
    move |event| {
        if let InstrumentationEvent::StartQuery { query, .. } = event {
            let text = query.to_string();
            let text = text.split(" -- binds").next().unwrap_or_default().trim().to_owned();
            if ["SELECT", "UPDATE", "DELETE", "WITH"].iter().any(|verb| text.starts_with(verb)) {
                texts.lock().unwrap().insert(text);
            }
        }
    }
}

#[derive(diesel::QueryableByName)]
struct Line {
    #[diesel(sql_type = diesel::sql_types::Text, column_name = "QUERY PLAN")]
    text: String,
}

/// Returns the generic plan of a statement.
async fn plan(connection: &mut AsyncPgConnection, text: &str) -> String {
    let count = (1..).take_while(|n| text.contains(&format!("${n}"))).count();
    let values = vec!["NULL"; count].join(", ");
    let values = if count == 0 { String::new() } else { format!("({values})") };
    connection.batch_execute(&format!("PREPARE planned AS {text}")).await.unwrap_or_else(|e| panic!("{text}: {e}"));
    let explain = diesel::sql_query(format!("EXPLAIN EXECUTE planned{values}"));
    let lines: Vec<Line> = explain.load(connection).await.unwrap_or_else(|e| panic!("{text}: {e}"));
    connection.batch_execute("DEALLOCATE planned").await.unwrap();
    lines.into_iter().map(|line| line.text + "\n").collect()
}

/// Returns the tables, or their indexes, that a plan reads as a whole in the order of an index.
fn whole_indexes(plan: &str) -> Vec<&str> {
    let mut steps: Vec<(&str, bool)> = Vec::new();
    for line in plan.lines() {
        match line.split_once(" on ").filter(|(scan, _)| scan.contains("Index") && scan.contains("Scan")) {
            Some((_, rest)) => steps.push((rest.split(' ').next().unwrap_or(rest), false)),
            None if line.contains("Index Cond:") => steps.last_mut().expect("the scan it belongs to").1 = true,
            None => {}
        }
    }
    steps.into_iter().filter(|(_, has_condition)| !has_condition).map(|(name, _)| name).collect()
}

#[test]
fn scan_of_an_index_without_a_condition_is_found() {
    let plan = "Nested Loop\n  ->  Index Scan using events_pkey on events e  (cost=0.1..8 rows=1 width=1)\n        Filter: x\n  \
                ->  Index Scan using cards_pkey on cards  (cost=0.1..8 rows=1 width=1)\n        Index Cond: (id = $1)\n";
    assert_eq!(whole_indexes(plan), ["events"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_query_reads_a_whole_table() {
    let db = TestDatabase::postgres_with_one_connection().await;
    let texts = Texts::default();
    let Database::Postgres(postgres) = &db.store.database else { unreachable!() };
    postgres.connection().await.unwrap().set_instrumentation(recorder(&texts));
    postgres.prepare_shared(|connection| connection.set_instrumentation(recorder(&texts))).await;
    write_once(&db).await;
    read_once(&db).await;

    let texts = texts.lock().unwrap().clone();
    assert!(texts.len() > 60, "{} texts were seen", texts.len());
    db.close().await;

    let empty = TestDatabase::postgres_with_one_connection().await;
    let Database::Postgres(postgres) = &empty.store.database else { unreachable!() };
    let mut connection = postgres.connection().await.unwrap();
    let mut scans = Vec::new();
    for is_new in [true, false] {
        let of_store = |text: &&String| !text.contains("information_schema") && !text.contains("pg_");
        for text in texts.iter().filter(|text| of_store(text) && !may_read_whole(text)) {
            let plan = plan(&mut connection, text).await;
            let is_bounded = |name: &&str| BOUNDED.contains(name) || text.contains("LIMIT");
            if plan.contains("Seq Scan") || is_new && !whole_indexes(&plan).iter().all(is_bounded) {
                scans.push(format!("{text}\n{plan}"));
            }
        }
        connection.batch_execute("ANALYZE").await.unwrap(); // every table is known to be empty
    }
    drop(connection);
    assert!(scans.is_empty(), "{}", scans.join("\n"));
    empty.close().await;
}

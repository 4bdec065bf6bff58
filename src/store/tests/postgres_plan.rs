//! PostgreSQL's plan of every statement of the store: each finds its rows by an index, also when it is planned while its
//! tables are empty.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

use diesel::connection::InstrumentationEvent;
use diesel_async::{AsyncConnection as _, SimpleAsyncConnection as _};
use diesel_async::{AsyncPgConnection, RunQueryDsl};

use super::database::TestDatabase;
use super::every_statement::{read_once, write_once};
use crate::store::engine::Engine;

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

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_query_reads_a_whole_table() {
    let db = TestDatabase::postgres_with_one_connection().await;
    let texts = Texts::default();
    let Engine::Postgres(postgres) = &db.store.engine else { unreachable!() };
    db.run("ANALYZE").await.unwrap(); // every table is known to be empty
    postgres.connection().await.unwrap().set_instrumentation(recorder(&texts));
    postgres.prepare_lookups(|connection| connection.set_instrumentation(recorder(&texts))).await;
    write_once(&db).await;
    read_once(&db).await;

    let texts = texts.lock().unwrap().clone();
    assert!(texts.len() > 60, "{} texts were seen", texts.len());
    let mut connection = postgres.connection().await.unwrap();
    let mut scans = Vec::new();
    for text in texts.iter().filter(|text| !text.contains("information_schema") && !text.contains("pg_")) {
        let plan = plan(&mut connection, text).await;
        if plan.contains("Seq Scan") {
            scans.push(format!("{text}\n{plan}"));
        }
    }
    drop(connection);
    assert!(scans.is_empty(), "{}", scans.join("\n"));
    db.close().await;
}

//! Dumps a database as text, so that a test can search it for deleted data.

use tokio_postgres::{NoTls, SimpleQueryMessage};

use super::TestApp;

impl TestApp {
    /// Returns a line for each row of each table, with the name of the table first.
    pub async fn dump(&self) -> Vec<String> {
        match self.database_url().strip_prefix("sqlite://") {
            Some(path) => sqlite(path),
            None => postgres(self.database_url()).await,
        }
    }

    /// Returns the names of the files in the object store, sorted.
    pub fn media_files(&self) -> Vec<String> {
        let mut files = Vec::new();
        for folder in ["photo", "rendition"] {
            let Ok(entries) = std::fs::read_dir(self.folder().join("media").join(folder)) else { continue };
            let names = entries.map(|entry| entry.expect("an entry").file_name().into_string().expect("UTF-8"));
            files.extend(names.map(|name| format!("{folder}/{name}")));
        }
        files.sort();
        files
    }
}

fn sqlite(path: &str) -> Vec<String> {
    let connection = rusqlite::Connection::open(path).expect("the database opens");
    connection.busy_timeout(std::time::Duration::from_secs(10)).expect("waiting can be set");
    let mut tables = connection.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").expect("a statement");
    let tables: Vec<String> =
        tables.query_map([], |row| row.get(0)).expect("tables").map(|name| name.expect("a name")).collect();
    let mut lines = Vec::new();
    for table in tables {
        let mut all = connection.prepare(&format!("SELECT * FROM \"{table}\"")).expect("a statement");
        let columns = all.column_count();
        let mut rows = all.query([]).expect("rows");
        while let Some(row) = rows.next().expect("a row") {
            let cell = |column| match row.get_ref(column).expect("a cell") {
                rusqlite::types::ValueRef::Text(bytes) | rusqlite::types::ValueRef::Blob(bytes) => {
                    String::from_utf8_lossy(bytes).into_owned()
                }
                other => format!("{other:?}"),
            };
            lines.push(format!("{table}: {}", (0..columns).map(cell).collect::<Vec<_>>().join(" | ")));
        }
    }
    lines
}

async fn postgres(url: &str) -> Vec<String> {
    let (client, connection) = tokio_postgres::connect(url, NoTls).await.expect("PostgreSQL answers");
    let connection = tokio::spawn(connection);
    let of = async |sql: &str| -> Vec<String> {
        let rows = client.simple_query(sql).await.unwrap_or_else(|error| panic!("{sql}: {error}"));
        let rows = rows.into_iter().filter_map(|message| match message {
            SimpleQueryMessage::Row(row) => row.get(0).map(str::to_owned),
            _ => None,
        });
        rows.collect()
    };
    let mut lines = Vec::new();
    for table in of("SELECT tablename FROM pg_tables WHERE schemaname = current_schema()").await {
        let rows = of(&format!("SELECT t::text FROM \"{table}\" t")).await;
        lines.extend(rows.into_iter().map(|row| format!("{table}: {row}")));
    }
    drop(client);
    let _ = connection.await;
    lines
}

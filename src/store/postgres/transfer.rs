//! The PostgreSQL side of a move: reads or fills all tables of a database that no server uses.
//!
//! Called by `store/transfer`. Every connection of a server or command holds a shared lock ([`shared_lock`]), and a move
//! the exclusive one, so each refuses to work while the other does.

use std::pin::pin;

use bytes::Bytes;
use futures_util::{SinkExt as _, TryStreamExt as _};
use tokio::sync::mpsc;
use tokio::time::Instant;
use tokio_postgres::Client;

use super::address::PostgresAddress;
use super::connect::{Connector, reset_parameters};
use super::migrate;
use crate::base::{Count, limits};
use crate::store::transfer::{
    Column, Kind, MOVED, MoveError, ROWS_AT_ONCE, RowSplitter, Rows, Table, TableDigest, sort_by_reference,
};
use crate::store::{OpenError, StoreError};

/// The lock of a database, as arguments of PostgreSQL's functions: the table of migrations of the current schema.
const LOCK_KEY: &str = "212129253, coalesce(to_regclass('__diesel_schema_migrations')::oid::int4, 0)";

/// Returns the statement that takes the shared lock until the connection is closed. It raises an error while the database is
/// moved, and afterwards.
pub(super) fn shared_lock() -> String {
    format!(
        "DO $$ BEGIN
            IF NOT pg_try_advisory_lock_shared({LOCK_KEY}) THEN
                RAISE EXCEPTION 'the database is being moved by card-service move; if that was stopped, try again in a few seconds';
            END IF;
            IF to_regclass('__diesel_schema_migrations') IS NOT NULL THEN
                IF EXISTS (SELECT FROM __diesel_schema_migrations WHERE version = '{MOVED}') THEN
                    RAISE EXCEPTION 'the database was moved: set DATABASE_URL to the other one, or run card-service move --undo';
                END IF;
            END IF;
        END $$"
    )
}

/// A database that is moved, or moved into, in one transaction.
pub(in crate::store) struct PostgresSide {
    client: Client,
}

impl PostgresSide {
    /// Locks a database.
    pub(in crate::store) async fn source(address: PostgresAddress) -> Result<Self, StoreError> {
        let connector = Connector::new(address).map_err(OpenError::Roots)?;
        Ok(Self::lock(&connector, "that is moved").await?)
    }

    /// Creates the tables if there are none, and locks the database.
    pub(in crate::store) async fn destination(address: PostgresAddress) -> Result<Self, StoreError> {
        let connector = Connector::new(address).map_err(OpenError::Roots)?;
        migrate(&connector, None, true).await?;
        let side = Self::lock(&connector, "to move into").await?;
        // `card-service init` leaves a record, and nothing else.
        side.client.batch_execute("DELETE FROM audit WHERE command = 'init'").await.map_err(fail)?;
        Ok(side)
    }

    async fn lock(connector: &Connector, which: &'static str) -> Result<Self, MoveError> {
        let client = connector.client().await.map_err(|error| MoveError::Postgres(error.into()))?;
        client.batch_execute(&reset_parameters()).await.map_err(fail)?;
        let lock = format!("SELECT pg_try_advisory_lock({LOCK_KEY})");
        let since = Instant::now();
        // A server that has just stopped may still hold its lock.
        while !client.query_one(&lock, &[]).await.map_err(fail)?.get::<_, bool>(0) {
            if since.elapsed() > limits::DATABASE_WAIT {
                return Err(MoveError::InUse(which));
            }
            tokio::time::sleep(limits::MIGRATION_LOCK_TRIED_EVERY).await;
        }
        client.batch_execute("BEGIN ISOLATION LEVEL REPEATABLE READ").await.map_err(fail)?;
        Ok(Self { client })
    }

    /// Returns the versions of the migrations.
    pub(in crate::store) async fn versions(&self) -> Result<Vec<String>, MoveError> {
        let versions = "SELECT version::text FROM __diesel_schema_migrations ORDER BY version";
        let rows = self.client.query(versions, &[]).await.map_err(fail)?;
        Ok(rows.iter().map(|row| row.get(0)).collect())
    }

    /// Returns every table of the schema, each after the tables that it refers to.
    pub(in crate::store) async fn tables(&self) -> Result<Vec<Table>, MoveError> {
        let columns = "SELECT c.relname::text, a.attname::text, format_type(a.atttypid, a.atttypmod)
            FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
            WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p')
                AND a.attnum > 0 AND NOT a.attisdropped AND c.relname <> '__diesel_schema_migrations'
            ORDER BY c.relname, a.attnum";
        let mut tables: Vec<Table> = Vec::new();
        for row in self.client.query(columns, &[]).await.map_err(fail)? {
            let (table, column, sql_type): (String, String, String) = (row.get(0), row.get(1), row.get(2));
            let kind = Kind::from_sql_type(&table, &column, &sql_type)?;
            if tables.last().is_none_or(|last| last.name != table) {
                tables.push(Table { name: table, columns: vec![] });
            }
            if let Some(last) = tables.last_mut() {
                last.columns.push(Column { name: column, kind });
            }
        }
        let references = "SELECT f.relname::text, t.relname::text FROM pg_constraint k
            JOIN pg_class f ON f.oid = k.conrelid JOIN pg_class t ON t.oid = k.confrelid
            WHERE k.contype = 'f' AND k.connamespace = current_schema()::regnamespace";
        let rows = self.client.query(references, &[]).await.map_err(fail)?;
        let references: Vec<(String, String)> = rows.iter().map(|row| (row.get(0), row.get(1))).collect();
        sort_by_reference(tables, &references)
    }

    /// The number of rows of a table.
    pub(in crate::store) async fn count(&self, table: &Table) -> Result<usize, MoveError> {
        let count = format!("SELECT count(*) FROM {}", table.quote());
        let count: i64 = self.client.query_one(&count, &[]).await.map_err(fail)?.get(0);
        Ok(usize::try_from(count).unwrap_or(0))
    }

    /// Passes on every row of a table, and counts them. Returns their digest.
    pub(in crate::store) async fn read(
        &self,
        table: &Table,
        send: mpsc::Sender<Rows>,
        count: &Count,
    ) -> Result<TableDigest, MoveError> {
        self.copy_out(table, Some(&send), count).await
    }

    /// Returns the digest of a table, and counts its rows.
    pub(in crate::store) async fn digest(&self, table: &Table, count: &Count) -> Result<TableDigest, MoveError> {
        self.copy_out(table, None, count).await
    }

    async fn copy_out(
        &self,
        table: &Table,
        send: Option<&mpsc::Sender<Rows>>,
        count: &Count,
    ) -> Result<TableDigest, MoveError> {
        let copy = format!("COPY {} ({}) TO STDOUT (FORMAT binary)", table.quote(), table.column_list());
        let mut output = pin!(self.client.copy_out(&copy).await.map_err(fail)?);
        let (mut splitter, mut digest, mut batch) = (RowSplitter::default(), TableDigest::default(), Rows::new());
        loop {
            let bytes = output.try_next().await.map_err(fail)?;
            if let Some(bytes) = &bytes {
                splitter.add(bytes, |row| batch.push(row));
            }
            if batch.len() >= ROWS_AT_ONCE || bytes.is_none() {
                let rows = std::mem::take(&mut batch);
                rows.iter().for_each(|row| digest.add(row));
                count.add(rows.len() as u64);
                if let Some(send) = send {
                    send.send(rows).await.map_err(|_| MoveError::Thread)?;
                }
            }
            if bytes.is_none() {
                break;
            }
        }
        match splitter.is_complete() {
            true => Ok(digest),
            false => Err(MoveError::Row(table.name.clone(), "the output of COPY was cut off".to_owned())),
        }
    }

    /// Inserts the rows that arrive, counts them, and analyses the table. Returns their digest.
    pub(in crate::store) async fn write(
        &self,
        table: &Table,
        receive: &mut mpsc::Receiver<Rows>,
        count: &Count,
    ) -> Result<TableDigest, MoveError> {
        let copy = format!("COPY {} ({}) FROM STDIN (FORMAT binary)", table.quote(), table.column_list());
        let mut input = pin!(self.client.copy_in::<str, Bytes>(&copy).await.map_err(fail)?);
        let mut digest = TableDigest::default();
        input.send(Bytes::from_static(RowSplitter::HEADER)).await.map_err(fail)?;
        while let Some(rows) = receive.recv().await {
            rows.iter().for_each(|row| digest.add(row));
            count.add(rows.len() as u64);
            input.send(rows.concat().into()).await.map_err(fail)?;
        }
        input.send(Bytes::from_static(&RowSplitter::END)).await.map_err(fail)?;
        input.finish().await.map_err(fail)?;
        self.client.batch_execute(&format!("ANALYZE {}", table.quote())).await.map_err(fail)?;
        Ok(digest)
    }

    /// Marks the database as moved, once it is committed.
    pub(in crate::store) async fn mark(&self) -> Result<(), MoveError> {
        let mark = format!("INSERT INTO __diesel_schema_migrations (version) VALUES ('{MOVED}')");
        self.client.batch_execute(&mark).await.map_err(fail)
    }

    /// Removes the mark, once it is committed. Returns whether there was one.
    pub(in crate::store) async fn unmark(&self) -> Result<bool, MoveError> {
        let unmark = format!("DELETE FROM __diesel_schema_migrations WHERE version = '{MOVED}'");
        Ok(self.client.execute(&unmark, &[]).await.map_err(fail)? > 0)
    }

    /// Commits, and returns the lock: the server would hold it until it noticed that the connection has ended, and refuse the command
    /// that comes next.
    pub(in crate::store) async fn commit(self) -> Result<(), MoveError> {
        let done = format!("COMMIT; SELECT pg_advisory_unlock({LOCK_KEY})");
        self.client.batch_execute(&done).await.map_err(fail)
    }
}

fn fail(error: tokio_postgres::Error) -> MoveError {
    MoveError::Postgres(error.into())
}

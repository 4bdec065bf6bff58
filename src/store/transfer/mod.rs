//! Moves every row between an SQLite file and a PostgreSQL database (docs/operating.md, "Move to PostgreSQL").
//!
//! Called by `card-service move`. The tables and columns come from the catalogues of both databases, which must agree. The
//! source is locked: no server and no command can use it meanwhile. The destination is one transaction, or a file under a
//! temporary name, so that an interrupted move leaves nothing. A table is read back and compared by digest. Then the source
//! is marked as moved, and no server opens it again.

mod row;
mod table;

use tokio::sync::mpsc;

pub(super) use row::{RowSplitter, TableDigest, Value, decode, encode};
pub(super) use table::{Column, Kind, Table, sort_by_reference};

use super::StoreError;
use super::error::Cause;
use super::open::{Address, address};
use super::postgres::PostgresSide;
use super::sqlite::SqliteSide;
use crate::base::{Progress, Step};

/// Encoded rows of a table, as they are passed on.
pub(super) type Rows = Vec<Vec<u8>>;
/// Rows that are passed on together.
pub(super) const ROWS_AT_ONCE: usize = 500;
/// Batches of rows between the reader and the writer.
const BATCHES_WAITING_MAX: usize = 8;
/// The row of the migrations' table that marks a moved database. A server of any release refuses an unknown migration.
pub(super) const MOVED: &str = "moved";

/// Why a database was not moved. Wrapped in [`StoreError::Failed`].
#[derive(Debug, thiserror::Error)]
pub enum MoveError {
    #[error("a move goes from SQLite to PostgreSQL or back; for the same kind of database use backup and restore")]
    SameKind,
    #[error("the database {0} is in use: stop every server and command that uses it")]
    InUse(&'static str),
    #[error("the table {0} of the destination is not empty: move into an empty database")]
    NotEmpty(String),
    #[error("the file {0} exists already: name one that does not")]
    FileExists(String),
    #[error("the two databases do not have the same schema: {0}")]
    Schema(String),
    #[error("the column {0} has the type {1}, which cannot be moved")]
    Type(String, String),
    #[error("the table {table} differs in the destination: {found}, not {expected}")]
    Differs { table: String, expected: String, found: String },
    #[error("a row of {0} cannot be read: {1}")]
    Row(String, String),
    #[error("the SQLite file cannot be read or written")]
    Sqlite(#[source] Cause),
    #[error("PostgreSQL refuses a statement")]
    Postgres(#[source] Cause),
    #[error("a thread of the move ended early")]
    Thread,
}

impl From<MoveError> for StoreError {
    fn from(error: MoveError) -> Self {
        StoreError::Failed(Box::new(error))
    }
}

/// A table that was moved.
#[derive(Clone, Debug)]
pub struct MovedTable {
    pub name: String,
    pub rows: u64,
    /// The digest of its rows in any order, equal on both sides.
    pub digest: String,
}

/// Copies all rows to an empty database, compares them, and marks the source as moved.
pub async fn move_database(from: &str, to: &str, progress: &Progress) -> Result<Vec<MovedTable>, StoreError> {
    match (address(from)?, address(to)?) {
        (Address::Sqlite(from), Address::Postgres(to)) => {
            let sqlite = blocking(move || SqliteSide::source(&from)).await?;
            let postgres = PostgresSide::destination(*to).await?;
            to_postgres(sqlite, postgres, progress).await
        }
        (Address::Postgres(from), Address::Sqlite(to)) => {
            let postgres = PostgresSide::source(*from).await?;
            let sqlite = blocking(move || SqliteSide::destination(&to)).await?;
            to_sqlite(postgres, sqlite, progress).await
        }
        _ => Err(MoveError::SameKind.into()),
    }
}

/// Removes the mark of a moved database, so that servers open it again. Returns whether there was one.
pub async fn undo_move(url: &str) -> Result<bool, StoreError> {
    match address(url)? {
        Address::Sqlite(path) => {
            let undone = move || {
                let mut sqlite = SqliteSide::source(&path)?;
                let undone = sqlite.unmark()?;
                sqlite.commit().map(|()| undone)
            };
            Ok(blocking(undone).await?)
        }
        Address::Postgres(address) => {
            let postgres = PostgresSide::source(*address).await?;
            let undone = postgres.unmark().await?;
            postgres.commit().await?;
            Ok(undone)
        }
    }
}

async fn to_postgres(
    mut sqlite: SqliteSide,
    postgres: PostgresSide,
    progress: &Progress,
) -> Result<Vec<MovedTable>, StoreError> {
    let tables = postgres.tables().await?;
    sqlite.check_schema(&tables, &postgres.versions().await?)?;
    for table in &tables {
        if postgres.count(table).await? > 0 {
            return Err(MoveError::NotEmpty(table.name.clone()).into());
        }
    }
    let counted = tables.clone();
    let (mut sqlite, rows) = blocking(move || {
        let rows = counted.iter().map(|table| sqlite.count(table)).sum::<Result<usize, _>>()?;
        Ok((sqlite, rows))
    })
    .await?;
    let (count, mut written) = (progress.begin(Step::CopyRows, Some(rows)), Vec::new());
    for table in &tables {
        let (send, mut receive) = mpsc::channel(BATCHES_WAITING_MAX);
        let source = table.clone();
        let reading = tokio::task::spawn_blocking(move || {
            let read = sqlite.read(&source, &send);
            (sqlite, read)
        });
        let wrote = postgres.write(table, &mut receive, &count).await;
        drop(receive); // a reader whose writer failed ends
        let (back, read) = reading.await.map_err(|_| MoveError::Thread)?;
        sqlite = back;
        written.push(wrote?);
        read?;
    }
    let (count, mut moved) = (progress.begin(Step::CompareRows, Some(rows)), Vec::new());
    for (table, expected) in tables.iter().zip(&written) {
        moved.push(compare(table, expected, &postgres.digest(table, &count).await?)?);
    }
    // The source first: at no moment do both accept a server.
    let mut sqlite = blocking(move || sqlite.mark().map(|()| sqlite)).await?;
    if let Err(error) = postgres.commit().await {
        sqlite.unmark()?;
        sqlite.commit()?;
        return Err(error.into());
    }
    Ok(moved)
}

async fn to_sqlite(
    postgres: PostgresSide,
    mut sqlite: SqliteSide,
    progress: &Progress,
) -> Result<Vec<MovedTable>, StoreError> {
    let tables = postgres.tables().await?;
    sqlite.check_schema(&tables, &postgres.versions().await?)?;
    let mut rows = 0;
    for table in &tables {
        rows += postgres.count(table).await?;
    }
    let (count, mut passed) = (progress.begin(Step::CopyRows, Some(rows)), Vec::new());
    for table in &tables {
        let (send, mut receive) = mpsc::channel(BATCHES_WAITING_MAX);
        let target = table.clone();
        let writing = tokio::task::spawn_blocking(move || {
            let written = sqlite.write(&target, &mut receive);
            drop(receive); // a reader whose writer failed ends
            (sqlite, written)
        });
        let read = postgres.read(table, send, &count).await;
        let (back, written) = writing.await.map_err(|_| MoveError::Thread)?;
        sqlite = back;
        written?;
        passed.push(read?);
    }
    let count = progress.begin(Step::CompareRows, Some(rows));
    let (complete, moved) = blocking(move || {
        let mut moved = Vec::new();
        for (table, expected) in tables.iter().zip(&passed) {
            moved.push(compare(table, expected, &sqlite.digest(table, &count)?)?);
        }
        Ok((sqlite.complete()?, moved))
    })
    .await?;
    postgres.mark().await?;
    postgres.commit().await?;
    // A file that cannot be renamed leaves a source that says it was moved: `move --undo` opens it again.
    blocking(move || complete.publish()).await?;
    Ok(moved)
}

fn compare(table: &Table, expected: &TableDigest, found: &TableDigest) -> Result<MovedTable, MoveError> {
    if expected != found {
        let (table, expected, found) = (table.name.clone(), expected.to_string(), found.to_string());
        return Err(MoveError::Differs { table, expected, found });
    }
    Ok(MovedTable { name: table.name.clone(), rows: found.rows(), digest: found.hex() })
}

/// Runs work on SQLite on a thread for work that blocks.
async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, MoveError> + Send + 'static,
) -> Result<T, MoveError> {
    tokio::task::spawn_blocking(work).await.map_err(|_| MoveError::Thread)?
}

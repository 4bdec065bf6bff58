//! The SQLite side of a move: reads or fills all tables of a file that no other process uses.
//!
//! Called by `store/transfer`. A connection in WAL mode holds a shared lock on its file until it is closed, so exclusive
//! locking mode is refused while any server or command has the file open, and keeps them out afterwards.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use diesel::connection::{DefaultLoadingMode, SimpleConnection};
use diesel::deserialize::{self, FromSql, FromSqlRow};
use diesel::query_builder::{AstPass, QueryFragment, QueryId};
use diesel::row::{Field as _, Row};
use diesel::sql_types::{BigInt, Binary, Nullable, Text, Untyped};
use diesel::sqlite::{Sqlite, SqliteType};
use diesel::{QueryResult, RunQueryDsl};
use tokio::sync::mpsc;

use super::Conn;
use super::backup::{BackupError, PartFile};
use super::connection::{DatabaseFile, is_busy};
use super::create::{require, write_schema};
use super::run_query_dsl::run;
use crate::base::Count;
use crate::store::error::Cause;
use crate::store::transfer::{MOVED, MoveError, ROWS_AT_ONCE, Rows, Table, TableDigest, Value, decode, encode};

/// Settings of a connection that locks its file, in a transaction that ends with the move.
const SOURCE: &str = "PRAGMA busy_timeout = 500; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
    PRAGMA locking_mode = EXCLUSIVE; BEGIN IMMEDIATE";
/// The same for a file under a temporary name, which is flushed at the end.
const DESTINATION: &str = "PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF; PRAGMA foreign_keys = OFF;
    PRAGMA cache_size = -65536; PRAGMA locking_mode = EXCLUSIVE; BEGIN IMMEDIATE";

/// A file that is moved, or moved into.
pub(in crate::store) struct SqliteSide {
    connection: Conn,
    /// The temporary file of a destination, and its final name.
    part: Option<(PartFile, PathBuf)>,
}

/// A destination that holds all rows, under its temporary name.
pub(in crate::store) struct CompleteFile {
    part: PartFile,
    target: PathBuf,
}

impl CompleteFile {
    /// Flushes the file and gives it its final name.
    pub(in crate::store) fn publish(self) -> Result<(), MoveError> {
        self.part.finish(&self.target).map(|_| ()).map_err(refuse)
    }
}

impl SqliteSide {
    /// Locks an existing file.
    pub(in crate::store) fn source(path: &Path) -> Result<Self, MoveError> {
        let file = DatabaseFile::new(path).map_err(fail)?;
        require(&file).map_err(fail)?;
        let connection = file.connect(SOURCE).map_err(|error| match is_busy(&error) {
            true => MoveError::InUse("that is moved"),
            false => MoveError::Sqlite(error),
        })?;
        Ok(Self { connection, part: None })
    }

    /// Creates a file with empty tables under a temporary name.
    pub(in crate::store) fn destination(path: &Path) -> Result<Self, MoveError> {
        if path.exists() {
            return Err(MoveError::FileExists(path.display().to_string()));
        }
        let part = PartFile::create(path).map_err(refuse)?;
        write_schema(part.path()).map_err(fail)?;
        let file = DatabaseFile::new(part.path()).map_err(fail)?;
        let connection = file.connect(DESTINATION).map_err(MoveError::Sqlite)?;
        Ok(Self { connection, part: Some((part, path.to_owned())) })
    }

    /// Returns an error if the file has other migrations, tables or columns. The tables of Litestream stay in the file.
    pub(in crate::store) fn check_schema(&mut self, tables: &[Table], versions: &[String]) -> Result<(), MoveError> {
        let own = self.names("SELECT version AS name FROM __diesel_schema_migrations ORDER BY version")?;
        if own != versions {
            return Err(MoveError::Schema(format!("migrations {own:?} and {versions:?}")));
        }
        let mut own = BTreeMap::new();
        let names = self.names(
            r"SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\_%' ESCAPE '\'
              AND name NOT LIKE '\_litestream\_%' ESCAPE '\' AND name <> '__diesel_schema_migrations'",
        )?;
        for table in names {
            let columns =
                self.names(&format!("SELECT name FROM pragma_table_info('{}')", table.replace('\'', "''")))?;
            own.insert(table, columns.into_iter().collect::<BTreeSet<_>>());
        }
        let columns = |table: &Table| table.columns.iter().map(|column| column.name.clone()).collect();
        let theirs: BTreeMap<String, BTreeSet<String>> =
            tables.iter().map(|table| (table.name.clone(), columns(table))).collect();
        match own.iter().chain(&theirs).find(|(name, _)| own.get(*name) != theirs.get(*name)) {
            Some((name, _)) => Err(MoveError::Schema(format!("the table {name} differs"))),
            None => Ok(()),
        }
    }

    fn names(&mut self, query: &str) -> Result<Vec<String>, MoveError> {
        let rows: Vec<ValueRow> = diesel::sql_query(query).load(&mut self.connection).map_err(fail)?;
        let text = |row: ValueRow| match row.0.into_iter().next() {
            Some(Value::Text(text)) => text,
            _ => String::new(),
        };
        Ok(rows.into_iter().map(text).collect())
    }

    /// Passes on every row of a table.
    pub(in crate::store) fn read(&mut self, table: &Table, send: &mpsc::Sender<Rows>) -> Result<(), MoveError> {
        let mut batch = Vec::with_capacity(ROWS_AT_ONCE);
        self.each(table, |row| {
            batch.push(row);
            if batch.len() < ROWS_AT_ONCE {
                return Ok(());
            }
            send.blocking_send(std::mem::take(&mut batch)).map_err(|_| MoveError::Thread)
        })?;
        send.blocking_send(batch).map_err(|_| MoveError::Thread)
    }

    /// Returns the number of rows of a table.
    pub(in crate::store) fn count(&mut self, table: &Table) -> Result<usize, MoveError> {
        let count = diesel::sql_query(format!("SELECT count(*) FROM {}", table.quote()));
        let ValueRow(row) = count.get_result(&mut self.connection).map_err(fail)?;
        match row.as_slice() {
            [Value::Integer(count)] => Ok(usize::try_from(*count).unwrap_or(0)),
            _ => Err(MoveError::Thread),
        }
    }

    /// Returns the digest of a table, and counts its rows.
    pub(in crate::store) fn digest(&mut self, table: &Table, rows: &Count) -> Result<TableDigest, MoveError> {
        let mut digest = TableDigest::default();
        self.each(table, |row| {
            digest.add(&row);
            rows.add(1);
            Ok(())
        })?;
        Ok(digest)
    }

    fn each(&mut self, table: &Table, mut each: impl FnMut(Vec<u8>) -> Result<(), MoveError>) -> Result<(), MoveError> {
        let query = diesel::sql_query(format!("SELECT {} FROM {}", table.column_list(), table.quote()));
        let rows = query.load_iter::<ValueRow, DefaultLoadingMode>(&mut self.connection).map_err(fail)?;
        for row in rows {
            let ValueRow(values) = row.map_err(fail)?;
            each(encode(&values, &table.columns).map_err(|why| MoveError::Row(table.name.clone(), why))?)?;
        }
        Ok(())
    }

    /// Inserts the rows that arrive.
    pub(in crate::store) fn write(
        &mut self,
        table: &Table,
        receive: &mut mpsc::Receiver<Rows>,
    ) -> Result<(), MoveError> {
        let sql = format!("INSERT INTO {} ({}) VALUES (", table.quote(), table.column_list());
        while let Some(rows) = receive.blocking_recv() {
            for row in rows {
                let values = decode(&row, &table.columns).map_err(|why| MoveError::Row(table.name.clone(), why))?;
                run(InsertRow { sql: &sql, values: &values }, &mut self.connection).map_err(fail)?;
            }
        }
        Ok(())
    }

    /// Commits a destination whose references all find their rows.
    pub(in crate::store) fn complete(mut self) -> Result<CompleteFile, MoveError> {
        let broken: Vec<ValueRow> =
            diesel::sql_query("SELECT * FROM pragma_foreign_key_check").load(&mut self.connection).map_err(fail)?;
        if let Some(row) = broken.first() {
            return Err(MoveError::Schema(format!("a reference without its row: {:?}", row.0)));
        }
        self.connection.batch_execute("COMMIT; PRAGMA journal_mode = DELETE").map_err(fail)?;
        let (part, target) = self.part.ok_or(MoveError::Thread)?;
        Ok(CompleteFile { part, target })
    }

    /// Marks the source as moved, and commits.
    pub(in crate::store) fn mark(&mut self) -> Result<(), MoveError> {
        let mark =
            format!("INSERT INTO __diesel_schema_migrations (version) VALUES ('{MOVED}'); COMMIT; BEGIN IMMEDIATE");
        self.connection.batch_execute(&mark).map_err(fail)
    }

    /// Removes the mark. Returns whether there was one.
    pub(in crate::store) fn unmark(&mut self) -> Result<bool, MoveError> {
        let unmark = diesel::sql_query(format!("DELETE FROM __diesel_schema_migrations WHERE version = '{MOVED}'"));
        Ok(unmark.execute(&mut self.connection).map_err(fail)? > 0)
    }

    pub(in crate::store) fn commit(&mut self) -> Result<(), MoveError> {
        self.connection.batch_execute("COMMIT").map_err(fail)
    }
}

fn fail(error: impl Into<Cause>) -> MoveError {
    MoveError::Sqlite(error.into())
}

fn refuse(error: BackupError) -> MoveError {
    match error {
        BackupError::Exists(path) => MoveError::FileExists(path.display().to_string()),
        other => fail(other),
    }
}

/// The values of a row of any table.
struct ValueRow(Vec<Value>);

impl FromSqlRow<Untyped, Sqlite> for ValueRow {
    fn build_from_row<'a>(row: &impl Row<'a, Sqlite>) -> deserialize::Result<Self> {
        let mut values = Vec::with_capacity(row.field_count());
        for index in 0..row.field_count() {
            let field = row.get(index).ok_or("a row with fewer fields than it has")?;
            let Some(mut value) = field.value() else {
                values.push(Value::Null);
                continue;
            };
            values.push(match value.value_type() {
                None => Value::Null,
                Some(SqliteType::Long | SqliteType::Integer | SqliteType::SmallInt) => {
                    Value::Integer(<i64 as FromSql<BigInt, Sqlite>>::from_sql(value)?)
                }
                Some(SqliteType::Text) => Value::Text(value.read_text().to_owned()),
                Some(SqliteType::Binary) => Value::Bytes(value.read_blob().to_vec()),
                Some(other) => return Err(format!("a value of the type {other:?}").into()),
            });
        }
        Ok(Self(values))
    }
}

/// Inserts one row; the statement is the same for every row of a table, and is kept prepared.
struct InsertRow<'a> {
    /// Up to the parenthesis before the values.
    sql: &'a str,
    values: &'a [Value],
}

impl QueryFragment<Sqlite> for InsertRow<'_> {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Sqlite>) -> QueryResult<()> {
        const NULL: Option<i64> = None;
        out.push_sql(self.sql);
        for (index, value) in self.values.iter().enumerate() {
            if index > 0 {
                out.push_sql(", ");
            }
            match value {
                Value::Null => out.push_bind_param::<Nullable<BigInt>, _>(&NULL)?,
                Value::Integer(number) => out.push_bind_param::<BigInt, _>(number)?,
                Value::Text(text) => out.push_bind_param::<Text, _>(text)?,
                Value::Bytes(bytes) => out.push_bind_param::<Binary, _>(bytes)?,
            }
        }
        out.push_sql(")");
        Ok(())
    }
}

impl QueryId for InsertRow<'_> {
    type QueryId = ();
    const HAS_STATIC_QUERY_ID: bool = false; // the statement is found by its SQL
}

//! Reads the counts from the server's database. It does not depend on the server's code: its migrations
//! (`migrations/`) define the table, and the conformance tests run both together.

use std::path::Path;

use postgres::NoTls;
use rusqlite::{Connection, OpenFlags};

use super::{UsageError, Use};

/// Valid in both databases: days are `date` or text, ids `uuid` or 16 bytes. A deleted partner is shown by its id.
const USES: &str = "
    SELECT COALESCE(partners.name, ID), usage.key_mode, usage.version, CAST(usage.day AS text), usage.coordinate, usage.count
    FROM usage LEFT JOIN partners ON partners.id = usage.partner_id
    WHERE CAST(usage.day AS text) BETWEEN $1 AND $2
    ORDER BY usage.day, usage.version, usage.partner_id, usage.key_mode, usage.coordinate";
const SINCE: &str = "SELECT CAST(MIN(day) AS text) FROM usage";

/// Returns the first counted day, and the rows of these days.
pub(super) fn read(url: &str, from: &str, to: &str) -> Result<(Option<String>, Vec<Use>), UsageError> {
    match url.split_once("://") {
        Some(("sqlite", file)) => sqlite(Path::new(file), from, to),
        Some(("postgres" | "postgresql", _)) => postgres(url, from, to),
        _ => Err(UsageError::Database("the address begins with sqlite:// or postgres://")),
    }
}

fn sqlite(file: &Path, from: &str, to: &str) -> Result<(Option<String>, Vec<Use>), UsageError> {
    let connection = Connection::open_with_flags(file, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
    let since = connection.query_row(SINCE, [], |row| row.get(0))?;
    let mut statement = connection.prepare(&USES.replace("ID", "lower(hex(usage.partner_id))"))?;
    let rows = statement.query_map([from, to], |row| {
        Ok(Use {
            partner: row.get(0)?,
            key_mode: row.get(1)?,
            version: row.get(2)?,
            day: row.get(3)?,
            coordinate: row.get(4)?,
            count: row.get::<_, i64>(5)?.unsigned_abs(),
        })
    })?;
    Ok((since, rows.collect::<Result<_, _>>()?))
}

fn postgres(url: &str, from: &str, to: &str) -> Result<(Option<String>, Vec<Use>), UsageError> {
    let mut client = postgres::Client::connect(url, NoTls)?;
    let mut transaction = client.build_transaction().read_only(true).start()?;
    let since = transaction.query_one(SINCE, &[])?.try_get(0)?;
    let rows = transaction.query(&USES.replace("ID", "CAST(usage.partner_id AS text)"), &[&from, &to])?;
    let uses = rows.into_iter().map(|row| {
        Ok(Use {
            partner: row.try_get(0)?,
            key_mode: row.try_get(1)?,
            version: row.try_get(2)?,
            day: row.try_get(3)?,
            coordinate: row.try_get(4)?,
            count: row.try_get::<_, i64>(5)?.unsigned_abs(),
        })
    });
    Ok((since, uses.collect::<Result<_, postgres::Error>>()?))
}

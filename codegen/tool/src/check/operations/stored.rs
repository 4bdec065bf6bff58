//! The documents that partners sent, as the server stores them (its setting `USAGE_DOCUMENTS`): from its database, or from
//! a file of `card-service usage documents --json`.
//!
//! The server's migrations (`migrations/`) define the table, and the conformance tests run both together.

use std::collections::BTreeMap;
use std::path::Path;
use std::slice;

use postgres::NoTls;
use rusqlite::{Connection, OpenFlags};
use schema::diff::Pair;
use schema::operation::Comparison;
use schema::sdl::Sdl;
use serde::Deserialize;

use super::{finding, parsed};
use crate::check::finding::{Finding, Findings};
use crate::check::usage::UsageError;

/// Valid in both databases, as in [`crate::check::usage`].
const DOCUMENTS: &str = "
    SELECT COALESCE(partners.name, ID), key_mode, version, document, count, CAST(first_day AS text), CAST(last_day AS text)
    FROM usage_documents LEFT JOIN partners ON partners.id = partner_id
    ORDER BY version, document, 1, key_mode";

/// A document that a partner sent, without its literals.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct StoredDocument {
    partner: String,
    key_mode: String,
    version: String,
    document: String,
    count: u64,
    first_day: String,
    last_day: String,
}

#[derive(Deserialize)]
struct Export {
    format: u32,
    documents: Vec<StoredDocument>,
}

/// Parses an export.
pub(super) fn parse(text: &str) -> Result<Vec<StoredDocument>, UsageError> {
    let Export { format, documents } = serde_json::from_str(text)?;
    if format == 1 { Ok(documents) } else { Err(UsageError::Format(format)) }
}

/// Reads the server's database.
pub(super) fn read(url: &str) -> Result<Vec<StoredDocument>, UsageError> {
    match url.split_once("://") {
        Some(("sqlite", file)) => sqlite(Path::new(file)),
        Some(("postgres" | "postgresql", _)) => postgres(url),
        _ => Err(UsageError::Database("the address begins with sqlite:// or postgres://")),
    }
}

fn sqlite(file: &Path) -> Result<Vec<StoredDocument>, UsageError> {
    let connection = Connection::open_with_flags(file, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
    let mut statement = connection.prepare(&DOCUMENTS.replace("ID", "lower(hex(partner_id))"))?;
    let rows = statement.query_map([], |row| {
        Ok(StoredDocument {
            partner: row.get(0)?,
            key_mode: row.get(1)?,
            version: row.get(2)?,
            document: row.get(3)?,
            count: row.get::<_, i64>(4)?.unsigned_abs(),
            first_day: row.get(5)?,
            last_day: row.get(6)?,
        })
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}

fn postgres(url: &str) -> Result<Vec<StoredDocument>, UsageError> {
    let mut client = postgres::Client::connect(url, NoTls)?;
    let mut transaction = client.build_transaction().read_only(true).start()?;
    let rows = transaction.query(&DOCUMENTS.replace("ID", "CAST(partner_id AS text)"), &[])?;
    let documents = rows.into_iter().map(|row| {
        Ok(StoredDocument {
            partner: row.try_get(0)?,
            key_mode: row.try_get(1)?,
            version: row.try_get(2)?,
            document: row.try_get(3)?,
            count: row.try_get::<_, i64>(4)?.unsigned_abs(),
            first_day: row.try_get(5)?,
            last_day: row.try_get(6)?,
        })
    });
    Ok(documents.collect::<Result<_, postgres::Error>>()?)
}

/// Adds a finding for each operation that was sent to a version before the candidate, with its senders.
pub(super) fn check(older: &[Sdl], candidate: &Sdl, documents: &[StoredDocument], findings: &mut Findings) {
    for old in older {
        let mut senders = BTreeMap::<&str, Vec<&StoredDocument>>::new();
        for stored in documents.iter().filter(|stored| stored.version == old.version()) {
            senders.entry(&stored.document).or_default().push(stored);
        }
        let comparison = Comparison::new(Pair { old, new: candidate }, usize::MAX);
        for (number, (text, senders)) in senders.into_iter().enumerate() {
            let path = format!("usage_documents/{}/{}.graphql", old.version(), number + 1);
            let Some(document) = parsed(&path, text, findings) else { continue };
            findings.extend(comparison.check(slice::from_ref(&document)).iter().map(|verdict| {
                let sent = senders.iter().map(|stored| stored.note());
                sent.fold(finding(&comparison, &path, verdict), Finding::note)
            }));
        }
    }
}

impl StoredDocument {
    /// Says who sent it, and when.
    fn note(&self) -> String {
        let Self { partner, key_mode, count, first_day, last_day, .. } = self;
        let times = if *count == 1 { "once".to_owned() } else { format!("{count} times") };
        format!("{partner} ({key_mode} key) sent it {times} since {first_day}, last on {last_day}")
    }
}

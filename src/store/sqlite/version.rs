//! Refuses an SQLite library that can damage the database.
//!
//! Before 3.51.3, a checkpoint that runs while another connection commits and resets the log (WAL) can skip that commit
//! (sqlite.org/wal.html, "the WAL-reset bug"). The database then misses pages of it. A program that makes checkpoints of its
//! own, such as Litestream, makes that more likely.

use diesel::sql_types::Text;

use super::{Conn, OpenError};
use crate::base::limits::SQLITE_VERSION_MIN;

#[derive(diesel::QueryableByName)]
struct Version {
    #[diesel(sql_type = Text)]
    version: String,
}

/// Returns an error if the library is older than [`SQLITE_VERSION_MIN`].
pub(super) fn require(connection: &mut Conn) -> Result<(), OpenError> {
    let query = diesel::sql_query("SELECT sqlite_version() AS version");
    let Version { version } = diesel::RunQueryDsl::get_result(query, connection)
        .map_err(|error| OpenError::Library(format!("without a version ({error})")))?;
    if is_safe(&version) { Ok(()) } else { Err(OpenError::Library(version)) }
}

fn is_safe(version: &str) -> bool {
    let mut parts = version.split('.').map(|part| part.parse().unwrap_or(0_u32));
    let version: [u32; 3] = std::array::from_fn(|_| parts.next().unwrap_or(0));
    version >= SQLITE_VERSION_MIN
}

#[cfg(test)]
mod tests {
    use super::is_safe;

    #[test]
    fn library_from_3_51_3_on_is_safe() {
        for version in ["3.51.3", "3.51.10", "3.53.2", "4.0.0"] {
            assert!(is_safe(version), "{version}");
        }
        for version in ["3.51.2", "3.50.7", "3.9.9", "2.99.99", ""] {
            assert!(!is_safe(version), "{version}");
        }
    }
}

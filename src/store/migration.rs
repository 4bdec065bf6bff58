//! Brings a database to the schema of this program, the same way on both engines.

use std::collections::HashSet;

use diesel::backend::Backend;
use diesel_migrations::{EmbeddedMigrations, MigrationHarness};

use super::open::OpenError;
use diesel::migration::{MigrationSource, MigrationVersion};

/// Runs what is pending, or returns `if_empty` where no migration has run yet. Whoever calls it keeps others out meanwhile.
///
/// A database that holds a migration we do not know was written by a newer program: what that program changed, and why,
/// is not ours to guess.
pub(super) fn run<DB: Backend>(
    database: &mut impl MigrationHarness<DB>,
    migrations: EmbeddedMigrations,
    if_empty: Option<OpenError>,
) -> Result<(), OpenError> {
    let ours = MigrationSource::<DB>::migrations(&migrations).map_err(OpenError::Migration)?;
    let known: HashSet<MigrationVersion<'_>> = ours.iter().map(|migration| migration.name().version()).collect();
    let applied = database.applied_migrations().map_err(OpenError::Migration)?;
    if applied.is_empty()
        && let Some(refused) = if_empty
    {
        return Err(refused);
    }
    if let Some(unknown) = applied.iter().find(|version| !known.contains(version)) {
        return Err(OpenError::NewerSchema(unknown.to_string()));
    }
    database.run_pending_migrations(migrations).map_err(OpenError::Migration)?;
    Ok(())
}

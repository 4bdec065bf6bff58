//! Runs the migrations, on both engines.

use std::collections::HashSet;

use diesel::backend::Backend;
use diesel_migrations::{EmbeddedMigrations, MigrationHarness};

use super::open::OpenError;
use super::transfer::MOVED;
use diesel::migration::{MigrationSource, MigrationVersion};

/// Runs the pending migrations, or returns `if_empty` if none has run yet. The caller locks the database.
///
/// An unknown migration is an error: a newer program has changed the schema.
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
    if applied.iter().any(|version| version.to_string() == MOVED) {
        return Err(OpenError::Moved);
    }
    if let Some(unknown) = applied.iter().find(|version| !known.contains(version)) {
        return Err(OpenError::NewerSchema(unknown.to_string()));
    }
    database.run_pending_migrations(migrations).map_err(OpenError::Migration)?;
    Ok(())
}

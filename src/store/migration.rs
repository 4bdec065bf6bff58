//! Runs the migrations, on both engines, and tells which have run.

use std::time::Instant;

use diesel::backend::Backend;
use diesel::migration::MigrationSource;
use diesel_migrations::{EmbeddedMigrations, MigrationHarness};

use super::open::OpenError;
use super::transfer::MOVED;

/// A migration of the database or of this program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MigrationState {
    /// The name of its folder; of an unknown migration its version.
    pub name: String,
    /// Whether it has run.
    pub applied: bool,
    /// Whether this program has it; one that it does not have is of a newer program.
    pub known: bool,
}

/// Checks that this program can use the database, and runs the pending migrations if `migrate` is set; otherwise they are an
/// error. Returns `if_empty` if none has run yet. The caller locks the database.
pub(super) fn run<DB: Backend>(
    database: &mut impl MigrationHarness<DB>,
    migrations: EmbeddedMigrations,
    if_empty: Option<OpenError>,
    migrate: bool,
) -> Result<(), OpenError> {
    let states = states(database, &migrations)?;
    if !states.iter().any(|state| state.applied)
        && let Some(refused) = if_empty
    {
        return Err(refused);
    }
    if states.iter().any(|state| state.applied && state.name == MOVED) {
        return Err(OpenError::Moved);
    }
    let newest = states.iter().filter(|state| state.known).filter_map(|state| number(&state.name)).max();
    for newer in states.iter().filter(|state| !state.known) {
        if number(&newer.name).is_none() || readable_by(&newer.name) > newest {
            return Err(OpenError::NewerSchema(newer.name.clone()));
        }
        tracing::warn!(migration = newer.name, "a newer release has migrated the database; this release can use it");
    }
    match states.iter().find(|state| !state.applied) {
        Some(pending) if !migrate => Err(OpenError::PendingMigration(pending.name.clone())),
        Some(_) => {
            let (begun, count) = (Instant::now(), states.iter().filter(|state| !state.applied).count());
            tracing::info!(count, "migrating the database");
            database.run_pending_migrations(migrations).map_err(OpenError::Migration)?;
            tracing::info!(count, duration_ms = begun.elapsed().as_millis() as f64, "the database was migrated");
            Ok(())
        }
        None => Ok(()),
    }
}

/// Returns the migrations of the database and of this program, in order.
pub(super) fn states<DB: Backend>(
    database: &mut impl MigrationHarness<DB>,
    migrations: &EmbeddedMigrations,
) -> Result<Vec<MigrationState>, OpenError> {
    let ours = MigrationSource::<DB>::migrations(migrations).map_err(OpenError::Migration)?;
    let applied = database.applied_migrations().map_err(OpenError::Migration)?;
    let of_ours = ours.iter().map(|migration| MigrationState {
        name: migration.name().to_string(),
        applied: applied.contains(&migration.name().version()),
        known: true,
    });
    let newer = applied.iter().filter(|version| !ours.iter().any(|own| own.name().version() == **version));
    let newer = newer.map(|version| MigrationState { name: version.to_string(), applied: true, known: false });
    let mut states: Vec<_> = of_ours.chain(newer).collect();
    states.sort_by_key(|state| number(&state.name));
    Ok(states)
}

/// Returns the date and number of a migration, from its name or its version: `20261123000023`.
fn number(name: &str) -> Option<u64> {
    let digits: String = name.chars().filter(|c| *c != '-').take_while(char::is_ascii_digit).collect();
    digits.parse().ok()
}

/// Returns which migration a program must at least have to use the database after this one; `None` if any program can. A
/// migration that removes something says so at the end of its version: `…r20261123000023` (migrations/README.md).
fn readable_by(version: &str) -> Option<u64> {
    version.split_once('r').and_then(|(_, needed)| number(needed))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn number_is_read_from_names_and_versions() {
        assert_eq!(number("2026-11-23-000023_subscription_name"), Some(20_261_123_000_023));
        assert_eq!(number("20261123000023"), Some(20_261_123_000_023));
        assert_eq!(readable_by("20261201000030"), None);
        assert_eq!(readable_by("20261201000030r20261123000023"), Some(20_261_123_000_023));
        assert!(readable_by("20261201000030") <= number("20261123000023"), "any program can use it");
    }
}

//! `init`: creates and migrates the database.

use serde_json::json;

use super::failure::CliFailure;
use super::output::{Output, render_table};
use super::sources::Sources;
use crate::app::Settings;
use crate::operation::Failure;
use crate::services::Services;
use crate::store::{MigrationState, Store};

/// Reports whether the database was created, and the migrations that opening it has run.
pub(super) async fn init(
    services: &Services,
    created: bool,
    migrated: &[String],
    output: Output,
) -> Result<(), CliFailure> {
    if created || !migrated.is_empty() {
        services.store.record_command().await.map_err(Failure::from)?;
    }
    output.show(&json!({ "created": created, "migrated": migrated }), || match (created, migrated) {
        (true, _) => "Created a new database.".to_owned(),
        (false, []) => "There is a database already, and no migration was pending.".to_owned(),
        (false, migrated) => format!("Ran these migrations:\n  {}", migrated.join("\n  ")),
    })
}

/// Returns the names of the migrations that have not run; none if there is no database yet, or it cannot be read.
pub(super) async fn pending_migrations(settings: &Settings) -> Vec<String> {
    let states = Store::migrations(&settings.database_url).await.unwrap_or_default();
    states.into_iter().filter(|state| !state.applied).map(|state| state.name).collect()
}

/// `init --status`: which migrations have run, and which would.
pub(super) async fn migration_status(sources: &Sources, output: Output) -> Result<(), CliFailure> {
    let settings = sources.settings_without_mail()?;
    let states = Store::migrations(&settings.database_url).await.map_err(Failure::from)?;
    let state = |applied: bool, known: bool| match (applied, known) {
        (true, true) => "applied",
        (true, false) => "of a newer release",
        (false, _) => "pending",
    };
    let object = |one: MigrationState| json!({ "name": one.name, "state": state(one.applied, one.known) });
    let objects: Vec<_> = states.into_iter().map(object).collect();
    output.show(&json!({ "migrations": objects }), || render_table("migration: name | state", &objects))
}

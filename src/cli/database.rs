//! `init` and `migrate`: create and migrate the database.

use serde_json::json;

use super::failure::CliFailure;
use super::output::Output;
use super::sources::Sources;
use super::table::Table;
use crate::operation::Failure;
use crate::services::Services;
use crate::store::Store;

/// Reports whether the database was created. It was migrated when it was opened.
pub(super) async fn init(services: &Services, created: bool, output: Output) -> Result<(), CliFailure> {
    if created {
        services.store.note_alone().await.map_err(Failure::from)?;
    }
    output.show(&json!({ "created": created }), || match created {
        true => "Created a new database.".to_owned(),
        false => "There is a database already; it was not created again.".to_owned(),
    })
}

/// Returns the names of the migrations that have not run.
pub(super) async fn pending_migrations(url: &str) -> Result<Vec<String>, CliFailure> {
    let states = Store::migrations(url).await.map_err(Failure::from)?;
    Ok(states.into_iter().filter(|state| !state.applied).map(|state| state.name).collect())
}

/// Reports the migrations that opening the database has run.
pub(super) async fn migrated(services: &Services, run: &[String], output: Output) -> Result<(), CliFailure> {
    if !run.is_empty() {
        services.store.note_alone().await.map_err(Failure::from)?;
    }
    output.show(&json!({ "migrated": run }), || match run.len() {
        0 => "No migration was pending.".to_owned(),
        _ => format!("Ran these migrations:\n  {}", run.join("\n  ")),
    })
}

/// `migrate --status`: which migrations have run, and which would.
pub(super) async fn migration_status(sources: &Sources, output: Output) -> Result<(), CliFailure> {
    let settings = sources.settings(|name| sources.get(name))?;
    let states = Store::migrations(&settings.database_url).await.map_err(Failure::from)?;
    let state = |applied: bool, known: bool| match (applied, known) {
        (true, true) => "applied",
        (true, false) => "of a newer release",
        (false, _) => "pending",
    };
    let states: Vec<_> = states.into_iter().map(|one| (state(one.applied, one.known), one.name)).collect();
    let objects: Vec<_> = states.iter().map(|(state, name)| json!({ "name": name, "state": state })).collect();
    output.show(&json!({ "migrations": objects }), || {
        let mut table = Table::new(&["migration", "state"]);
        for (state, name) in &states {
            table.row([name.clone(), (*state).to_owned()]);
        }
        table.render()
    })
}

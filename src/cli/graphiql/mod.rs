//! `graphiql …`: puts GraphiQL into DATA_DIR, where the server serves it. `demo` does the same by itself.

mod install;

use clap::Subcommand;
use serde_json::json;

use super::failure::CliFailure;
use super::output::Output;
use super::system_user::warn_if_not_owner;
use crate::app::Settings;
use crate::web::GRAPHIQL_FOLDER;
pub(super) use install::{GraphiqlError, install, is_installed};

#[derive(Debug, Subcommand)]
pub(super) enum GraphiqlCommand {
    /// Fetch GraphiQL with npm into DATA_DIR; a running server then serves it at /graphiql
    Install,
}

pub(super) async fn run(settings: &Settings, command: GraphiqlCommand, output: Output) -> Result<(), CliFailure> {
    let GraphiqlCommand::Install = command;
    warn_if_not_owner(settings);
    install(&settings.data_dir).await?;
    let folder = settings.data_dir.join(GRAPHIQL_FOLDER).display().to_string();
    output.show(&json!({ "folder": folder }), || format!("GraphiQL is in {folder}; the server serves it at /graphiql."))
}

//! `init`: creates the database, or brings an existing one to the schema of this program, which every command does.

use serde_json::json;

use super::failure::CliFailure;
use super::stdout::Stdout;
use crate::operation::{Failure, Services};

pub(super) async fn run(services: &Services, created: bool, stdout: Stdout) -> Result<(), CliFailure> {
    if created {
        services.store.note_alone().await.map_err(Failure::from)?;
    }
    stdout.show(&json!({ "created": created }), || match created {
        true => "Created a new database.".to_owned(),
        false => "There is a database already; it was not created again.".to_owned(),
    })?;
    Ok(())
}

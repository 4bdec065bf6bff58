//! `init`: creates or migrates the database.

use serde_json::json;

use super::failure::CliFailure;
use super::output::Output;
use crate::operation::Failure;
use crate::services::Services;

/// Reports whether the database was created. Every command migrates it, so there is nothing else to do.
pub(super) async fn init(services: &Services, created: bool, output: Output) -> Result<(), CliFailure> {
    if created {
        services.store.note_alone().await.map_err(Failure::from)?;
    }
    output.show(&json!({ "created": created }), || match created {
        true => "Created a new database.".to_owned(),
        false => "There is a database already; it was not created again.".to_owned(),
    })
}

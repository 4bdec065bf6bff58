//! `backup`: a copy of the embedded database, made while the server runs.

use std::path::PathBuf;

use serde_json::json;

use super::failure::CliFailure;
use super::progress;
use super::stdout::Stdout;
use crate::operation::{Failure, Services};

pub(super) async fn run(services: &Services, file: PathBuf, stdout: Stdout) -> Result<(), CliFailure> {
    if file.exists() {
        return Err(CliFailure::FileExists(file));
    }
    let copied = progress::writing(&file, "Copying the database", stdout, services.store.back_up(file.clone())).await;
    if !copied.map_err(Failure::from)? {
        return Err(CliFailure::BackupOfPostgres);
    }
    services.store.note_alone().await.map_err(Failure::from)?;
    let bytes = std::fs::metadata(&file).map_err(|error| CliFailure::File(file.clone(), error))?.len();
    let path = file.display().to_string();
    stdout.show(&json!({ "backup": path, "bytes": bytes }), || {
        format!(
            "Wrote {path} ({bytes} bytes). It holds personal data and signing secrets: keep it as safe as the database. \
             Copy the object store too, after this."
        )
    })?;
    Ok(())
}

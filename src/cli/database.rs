//! `init` creates or migrates the database; `backup` writes a verified copy of the embedded database.

use std::path::PathBuf;

use serde_json::json;

use super::failure::CliFailure;
use super::output::Output;
use super::progress;
use crate::operation::Failure;
use crate::services::Services;
use crate::store::{BackedUp, backup_part};

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

pub(super) async fn backup(services: &Services, file: PathBuf, output: Output) -> Result<(), CliFailure> {
    if file.exists() {
        return Err(CliFailure::FileExists(file));
    }
    let copy = services.store.back_up(file.clone());
    let copied = progress::writing(&backup_part(&file), "Copying the database", output, copy).await;
    let BackedUp { bytes, contents } = copied.map_err(Failure::from)?.ok_or(CliFailure::BackupOfPostgres)?;
    services.store.note_alone().await.map_err(Failure::from)?;
    let (path, version) = (file.display().to_string(), &contents.schema_version);
    let object = json!({ "backup": path, "bytes": bytes, "schemaVersion": version, "rows": contents.rows });
    output.show(&object, || {
        let count = |table: &str| contents.rows.get(table).copied().unwrap_or_default();
        format!(
            "Wrote {path}: {bytes} bytes, schema {version}, {} partners, {} cards, {} orders, {} events. It was read back \
             and holds what the database held. It holds personal data and signing secrets: keep it as safe as the \
             database. Copy the object store too, after this.",
            count("partners"),
            count("cards"),
            count("orders"),
            count("events"),
        )
    })
}

//! `backup`: a verified copy of the embedded database, made while the server runs.

use std::path::PathBuf;

use serde_json::json;

use super::failure::CliFailure;
use super::progress;
use super::stdout::Stdout;
use crate::operation::{Failure, Services};
use crate::store::{BackedUp, backup_part};

pub(super) async fn run(services: &Services, file: PathBuf, stdout: Stdout) -> Result<(), CliFailure> {
    if file.exists() {
        return Err(CliFailure::FileExists(file));
    }
    let copy = services.store.back_up(file.clone());
    let copied = progress::writing(&backup_part(&file), "Copying the database", stdout, copy).await;
    let BackedUp { bytes, contents } = copied.map_err(Failure::from)?.ok_or(CliFailure::BackupOfPostgres)?;
    services.store.note_alone().await.map_err(Failure::from)?;
    let (path, version) = (file.display().to_string(), &contents.schema_version);
    let object = json!({ "backup": path, "bytes": bytes, "schemaVersion": version, "rows": contents.rows });
    stdout.show(&object, || {
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
    })?;
    Ok(())
}

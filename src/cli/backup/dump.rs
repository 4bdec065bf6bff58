//! `backup` of PostgreSQL: runs pg_dump with the address of the settings.

use super::{CopiedMedia, GO_ON, WriteArgs, finish, require_all};
use crate::app::Settings;
use crate::base::Step;
use crate::cli::failure::{CliError, CliFailure};
use crate::cli::output::Output;
use crate::operation::backup::{BackupFault, new_backup, publish_dump};
use crate::services::Services;
use crate::store::dump_postgres;

pub(super) async fn write(
    services: &Services,
    settings: &Settings,
    args: &WriteArgs,
    output: Output,
) -> Result<(), CliFailure> {
    let mut file = new_backup(&args.file, services.clock.now());
    if args.file.is_dir() {
        file.set_extension("dump");
    }
    if file.exists() {
        return Err(BackupFault::Exists(file).into());
    }
    let progress = output.progress();
    progress.plan([Step::DumpDatabase, args.media_step(), Step::DigestDatabase], GO_ON);
    dump_postgres(&settings.database_url, &file, progress).await.map_err(CliError::Dump)?;
    // After the database: a photo is stored before the card that shows it.
    let media = CopiedMedia::copy(services, settings, args, progress).await?;
    let manifest = publish_dump(services, &file, media.files, progress).await?;
    require_all(media.lost)?;
    finish(services, settings, &file, args, &manifest, output).await
}

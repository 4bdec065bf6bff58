//! The list of deleted cards next to the backups. A backup that is older than a deletion holds the card again, so a restore
//! deletes the listed cards once more.
//!
//! A line holds the time and the global id of a card, and nothing personal.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use uuid::Uuid;

use super::BackupFault;
use crate::base::private::{self, Owner};
use crate::base::{GlobalId, Kind, Timestamp};
use crate::operation::Failure;
use crate::operation::card::{self, CardStateError};
use crate::services::Services;

/// The name of the list in the folder of the backups.
const LIST: &str = "deleted-cards.txt";

/// Returns the path of the list next to a backup, or in a folder of backups.
pub fn deleted_cards_list(backup: &Path) -> PathBuf {
    let folder = if backup.is_dir() { Some(backup) } else { backup.parent() };
    folder.unwrap_or(Path::new("")).join(LIST)
}

/// Adds deleted cards to the list next to the newest backup that was recorded. Returns the path of the list with the result;
/// `None` if there is no backup yet.
pub async fn list_deleted(services: &Services, ids: &[Uuid]) -> Result<Option<(PathBuf, io::Result<()>)>, Failure> {
    let Some(backup) = services.store.last_backup().await? else { return Ok(None) };
    let list = deleted_cards_list(Path::new(&backup.subject));
    let written = append(&list, services.clock.now(), ids);
    Ok(Some((list, written)))
}

fn append(list: &Path, now: Timestamp, ids: &[Uuid]) -> io::Result<()> {
    let lines: String = ids.iter().map(|id| format!("{now} {}\n", GlobalId::new(Kind::Card, *id))).collect();
    let is_new = !list.exists();
    let mut file = private::options().create(true).append(true).open(list)?;
    file.write_all(lines.as_bytes())?;
    file.sync_all()?;
    match list.parent().and_then(Owner::of) {
        Some(owner) if is_new && private::is_root() => owner.take(list),
        _ => Ok(()),
    }
}

/// Deletes the listed cards that exist. Returns their number.
pub async fn delete_listed(services: &Services, list: &Path) -> Result<usize, BackupFault> {
    let text = fs::read_to_string(list).map_err(|error| BackupFault::Read(list.to_owned(), error))?;
    let mut count = 0;
    for (index, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let id = line.split_whitespace().last().and_then(|gid| GlobalId::uuid_of(gid, Kind::Card));
        let id = id.ok_or_else(|| BackupFault::DeletedCards { list: list.to_owned(), line: index + 1 })?;
        match card::delete(services, id).await {
            Ok(_) => count += 1,
            Err(CardStateError::Failed(failure)) => return Err(failure.into()),
            Err(_) => {} // it was deleted before the backup, or by an earlier attempt
        }
    }
    Ok(count)
}

//! Which events were forwarded: kept in memory, and in the file of `--state`.

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::service::Listed;
use crate::base::Timestamp;
use crate::base::limits::LISTEN_OVERLAP;
use crate::cli::failure::CliFailure;

/// The position in the list of deliveries.
///
/// Events are listed by their time, and can be committed in another order. So each reading begins somewhat before the newest
/// event, and the ids of the events since then are kept.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Cursor {
    /// Where the next reading begins; in milliseconds since 1970.
    since_ms: Option<i64>,
    /// The forwarded events since then: their ids, and their times in milliseconds.
    forwarded: BTreeMap<String, i64>,
}

impl Cursor {
    /// A cursor before the events since a time.
    pub(super) fn since_time(time: Timestamp) -> Self {
        Self { since_ms: Some(time.millis()), forwarded: BTreeMap::new() }
    }

    /// Reads a cursor; `None` if there is no file.
    pub(super) fn read(path: &Path) -> Result<Option<Self>, CliFailure> {
        let text = match std::fs::read(path) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            text => text.map_err(|error| CliFailure::File(path.to_owned(), error))?,
        };
        serde_json::from_slice(&text).map(Some).map_err(|_| CliFailure::ListenState(path.to_owned()))
    }

    /// Replaces the file.
    pub(super) fn write(&self, path: &Path) -> Result<(), CliFailure> {
        let failed = |error| CliFailure::Write(path.to_owned(), error);
        let part = path.with_extension("part");
        std::fs::write(&part, serde_json::to_vec(self).expect("numbers and texts become JSON")).map_err(failed)?;
        std::fs::rename(&part, path).map_err(failed)
    }

    /// Where the next reading begins; `None` for the first event there is.
    pub(super) fn since(&self) -> Option<Timestamp> {
        self.since_ms.and_then(Timestamp::from_millis)
    }

    /// Whether the event of a delivery was not forwarded. Another delivery of it, to another subscription, is a repeat.
    pub(super) fn is_new(&self, listed: &Listed) -> bool {
        !self.forwarded.contains_key(&listed.event_id)
    }

    /// Records an event as forwarded.
    pub(super) fn record(&mut self, listed: &Listed) {
        let at_ms = listed.created_at.millis();
        self.forwarded.insert(listed.event_id.clone(), at_ms);
        let since_ms = listed.created_at.before(LISTEN_OVERLAP).millis();
        if self.since_ms.is_none_or(|since| since < since_ms) {
            self.since_ms = Some(since_ms);
            self.forwarded.retain(|_, at_ms| *at_ms >= since_ms);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(id: &str, at_ms: i64) -> Listed {
        let created_at = Timestamp::from_millis(at_ms).expect("a moment");
        Listed { event_id: id.to_owned(), created_at, ..Listed::default() }
    }

    #[test]
    fn event_is_new_once_also_when_an_earlier_one_is_listed_later() {
        let overlap_ms = LISTEN_OVERLAP.as_millis() as i64;
        let mut cursor = Cursor::default();
        cursor.record(&event("b", 1_000_000));
        assert_eq!(cursor.since().map(Timestamp::millis), Some(1_000_000 - overlap_ms));
        assert!(!cursor.is_new(&event("b", 1_000_000)) && cursor.is_new(&event("a", 999_000)));
        cursor.record(&event("a", 999_000));
        assert_eq!(cursor.since().map(Timestamp::millis), Some(1_000_000 - overlap_ms), "it goes forward only");
        assert!(!cursor.is_new(&event("a", 999_000)));
        cursor.record(&event("c", 1_000_000 + overlap_ms));
        assert_eq!(cursor.forwarded.keys().collect::<Vec<_>>(), ["b", "c"], "what is listed no more is dropped");
    }
}

//! Counts in memory which documents each partner sends, if the operator stores them (`USAGE_DOCUMENTS`).
//!
//! `http` counts every operation that starts to run; the usage worker takes the counts and writes them. Memory is bounded:
//! documents are dropped while it is full, and the number of dropped operations is logged.

use std::collections::HashMap;
use std::mem::take;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::UsageKey;
use crate::base::limits;
use crate::graphql::NormalDocument;
use crate::model::UsageDocument;

/// The documents that this process has counted and not written.
#[derive(Default)]
pub struct DocumentCounts {
    counted: Mutex<Counted>,
    /// Taken and not written; the writer holds the lock while it writes.
    pub unwritten: tokio::sync::Mutex<Vec<UsageDocument>>,
}

#[derive(Default)]
struct Counted {
    /// By key and digest.
    documents: HashMap<(UsageKey, [u8; 32]), Count>,
    bytes: usize,
    /// Operations that were not counted because memory was full.
    dropped: u64,
}

struct Count {
    document: Arc<NormalDocument>,
    operations: u64,
}

impl DocumentCounts {
    /// Counts one operation of a document.
    pub fn count(&self, key: UsageKey, document: &Arc<NormalDocument>) {
        let mut counted = self.lock();
        if let Some(count) = counted.documents.get_mut(&(key, document.digest)) {
            count.operations += 1;
            return;
        }
        let bytes = limits::UNWRITTEN_DOCUMENT_BYTES + document.text.len();
        if counted.bytes + bytes > limits::UNWRITTEN_DOCUMENTS_BYTES_MAX {
            counted.dropped += 1;
            return;
        }
        counted.bytes += bytes;
        let count = Count { document: Arc::clone(document), operations: 1 };
        counted.documents.insert((key, document.digest), count);
    }

    /// Takes all counts, in the order in which they are written, and the number of operations that were dropped.
    pub fn take(&self) -> (Vec<UsageDocument>, u64) {
        let Counted { documents, dropped, .. } = take(&mut *self.lock());
        let taken = documents.into_iter().map(|((key, digest), count)| UsageDocument {
            partner_id: key.partner_id,
            mode: key.mode,
            version: key.version.to_owned(),
            digest,
            document: count.document.text.as_ref().to_owned(),
            count: i64::try_from(count.operations).unwrap_or(i64::MAX),
            first_day: key.date(),
            last_day: key.date(),
        });
        let mut taken: Vec<UsageDocument> = taken.collect();
        // Replicas that write in the same order cannot deadlock.
        taken.sort_by(|one, other| {
            let key = |of: &UsageDocument| (of.partner_id, of.mode, of.digest, of.first_day);
            key(one).cmp(&key(other)).then_with(|| one.version.cmp(&other.version))
        });
        (taken, dropped)
    }

    fn lock(&self) -> MutexGuard<'_, Counted> {
        self.counted.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;
    use crate::model::KeyMode;

    fn document(number: usize, bytes: usize) -> Arc<NormalDocument> {
        let mut digest = [0; 32];
        digest[..8].copy_from_slice(&number.to_be_bytes());
        Arc::new(NormalDocument { text: "x".repeat(bytes).into(), digest })
    }

    #[test]
    fn documents_beyond_the_limit_are_dropped_and_reported() {
        let counts = DocumentCounts::default();
        let key = UsageKey { partner_id: Uuid::nil(), mode: KeyMode::Live, version: "2026-10", day: 0 };
        let bytes = limits::STORED_DOCUMENT_BYTES_MAX;
        let fit = limits::UNWRITTEN_DOCUMENTS_BYTES_MAX / (bytes + limits::UNWRITTEN_DOCUMENT_BYTES);
        for number in 0..fit + 3 {
            counts.count(key, &document(number, bytes));
        }
        // One that is there already needs no room.
        counts.count(key, &document(0, bytes));
        let (taken, dropped) = counts.take();
        assert_eq!((taken.len(), taken[0].count, dropped), (fit, 2, 3));
        counts.count(key, &document(0, bytes));
        assert_eq!((counts.take().0.len(), counts.take().1), (1, 0), "there is room again");
    }
}

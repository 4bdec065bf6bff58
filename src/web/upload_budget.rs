//! Limits the memory of form bodies, in total and for each client, and the files that one browser session sends at a time.
//!
//! Used by the body and by the session guard. One for the process.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::Hash;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::base::limits;

/// The budget. Clones share it.
#[derive(Clone, Debug, Default)]
pub(super) struct UploadBudget(Arc<Mutex<Held>>);

#[derive(Debug, Default)]
struct Held {
    bytes: usize,
    bytes_by_client: HashMap<IpAddr, usize>,
    files_by_session: HashMap<[u8; 32], usize>,
}

/// The reserved bytes of one body. Dropping it returns them.
#[derive(Debug)]
pub(super) struct HeldBytes {
    budget: UploadBudget,
    client: Option<IpAddr>,
    bytes: usize,
}

/// A file that a browser session sends. It counts until this is dropped.
#[derive(Debug)]
pub(super) struct HeldFile {
    budget: UploadBudget,
    session: [u8; 32],
}

impl UploadBudget {
    /// Starts a reservation of 0 bytes, counted for `client` if there is one.
    pub(super) fn body(&self, client: Option<IpAddr>) -> HeldBytes {
        HeldBytes { budget: self.clone(), client, bytes: 0 }
    }

    /// Counts a file of this browser session. `None` if the session sends the maximum already.
    pub(super) fn file(&self, session: [u8; 32]) -> Option<HeldFile> {
        let mut held = self.lock();
        let files = held.files_by_session.entry(session).or_default();
        if *files == limits::UPLOADS_PER_SESSION_MAX {
            return None;
        }
        *files += 1;
        Some(HeldFile { budget: self.clone(), session })
    }

    fn lock(&self) -> MutexGuard<'_, Held> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl HeldBytes {
    /// Reserves `bytes` more. Returns false and reserves nothing if the budget does not allow it.
    #[must_use]
    pub(super) fn grow(&mut self, bytes: usize) -> bool {
        let mut held = self.budget.lock();
        let of_client =
            self.client.map(|client| held.bytes_by_client.get(&client).copied().unwrap_or_default() + bytes);
        if held.bytes + bytes > limits::UPLOAD_BYTES_HELD_MAX
            || of_client.is_some_and(|of_client| of_client > limits::UPLOAD_BYTES_HELD_PER_CLIENT_MAX)
        {
            return false;
        }
        held.bytes += bytes;
        if let Some((client, of_client)) = self.client.zip(of_client) {
            held.bytes_by_client.insert(client, of_client);
        }
        self.bytes += bytes;
        true
    }

    /// Returns all bytes.
    pub(super) fn release(&mut self) {
        let mut held = self.budget.lock();
        held.bytes -= self.bytes;
        if let Some(client) = self.client {
            subtract(&mut held.bytes_by_client, client, self.bytes);
        }
        self.bytes = 0;
    }
}

impl Drop for HeldBytes {
    fn drop(&mut self) {
        self.release();
    }
}

impl Drop for HeldFile {
    fn drop(&mut self) {
        subtract(&mut self.budget.lock().files_by_session, self.session, 1);
    }
}

/// Subtracts from a count, and removes a count of 0.
fn subtract<K: Eq + Hash>(counts: &mut HashMap<K, usize>, key: K, number: usize) {
    if let Entry::Occupied(mut count) = counts.entry(key) {
        *count.get_mut() -= number;
        if *count.get() == 0 {
            count.remove();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE: Option<IpAddr> = Some(IpAddr::V4(std::net::Ipv4Addr::new(192, 0, 2, 1)));
    const OTHER: Option<IpAddr> = Some(IpAddr::V4(std::net::Ipv4Addr::new(192, 0, 2, 2)));

    #[test]
    fn client_holds_its_share_and_no_more_and_gives_it_back() {
        let budget = UploadBudget::default();
        let (mut first, mut second) = (budget.body(ONE), budget.body(ONE));
        assert!(first.grow(limits::UPLOAD_BYTES_HELD_PER_CLIENT_MAX - 1));
        assert!(second.grow(1) && !second.grow(1), "two bodies of one client share");
        assert!(budget.body(OTHER).grow(limits::UPLOAD_BYTES_HELD_PER_CLIENT_MAX));
        first.release();
        assert!(second.grow(1));
        drop((first, second));
        let held = budget.lock();
        assert!(held.bytes == 0 && held.bytes_by_client.is_empty());
    }

    #[test]
    fn bytes_of_all_clients_are_bounded() {
        let budget = UploadBudget::default();
        let mut all = budget.body(None);
        assert!(all.grow(limits::UPLOAD_BYTES_HELD_MAX));
        assert!(!budget.body(OTHER).grow(1) && !budget.body(None).grow(1));
        drop(all);
        assert!(budget.body(OTHER).grow(1));
    }

    #[test]
    fn session_sends_as_many_files_as_it_may_at_a_time() {
        let budget = UploadBudget::default();
        let mut files: Vec<_> = (0..limits::UPLOADS_PER_SESSION_MAX).map(|_| budget.file([1; 32])).collect();
        assert!(files.iter().all(Option::is_some));
        assert!(budget.file([1; 32]).is_none() && budget.file([2; 32]).is_some());
        files.pop();
        assert!(budget.file([1; 32]).is_some());
        drop(files);
        assert!(budget.lock().files_by_session.is_empty());
    }
}

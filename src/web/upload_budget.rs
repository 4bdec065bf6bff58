//! The budget of form bodies: their memory, in total and for each client, and the forms that one browser session has in work.

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
    forms_by_session: HashMap<[u8; 32], usize>,
    files_by_session: HashMap<[u8; 32], usize>,
}

/// The reservation of a form in work: its bytes, and its place among the forms of its browser session. Dropping it returns
/// them, once the answer is written.
#[derive(Debug)]
pub(crate) struct HeldForm {
    budget: UploadBudget,
    client: Option<IpAddr>,
    counted: Mutex<Counted>,
}

#[derive(Debug, Default)]
struct Counted {
    bytes: usize,
    session: Option<[u8; 32]>,
    has_file: bool,
}

impl UploadBudget {
    /// Starts a reservation of 0 bytes, counted for `client` if there is one.
    pub(super) fn form(&self, client: Option<IpAddr>) -> HeldForm {
        HeldForm { budget: self.clone(), client, counted: Mutex::default() }
    }

    fn lock(&self) -> MutexGuard<'_, Held> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl HeldForm {
    /// Counts the form for a browser session. Returns false if the session has the maximum in work already, of forms or of
    /// files.
    #[must_use]
    pub(super) fn count(&self, session: [u8; 32], has_file: bool) -> bool {
        let mut held = self.budget.lock();
        let count = |counts: &HashMap<_, usize>| counts.get(&session).copied().unwrap_or_default();
        if count(&held.forms_by_session) >= limits::FORMS_PER_SESSION_MAX
            || (has_file && count(&held.files_by_session) >= limits::UPLOADS_PER_SESSION_MAX)
        {
            return false;
        }
        *held.forms_by_session.entry(session).or_default() += 1;
        if has_file {
            *held.files_by_session.entry(session).or_default() += 1;
        }
        let mut counted = self.lock();
        (counted.session, counted.has_file) = (Some(session), has_file);
        true
    }

    /// Reserves `bytes` more. Returns false and reserves nothing if the budget does not allow it.
    #[must_use]
    pub(super) fn grow(&self, bytes: usize) -> bool {
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
        self.lock().bytes += bytes;
        true
    }

    /// Returns all bytes.
    pub(super) fn release(&self) {
        let mut held = self.budget.lock();
        let bytes = std::mem::take(&mut self.lock().bytes);
        held.bytes -= bytes;
        if let Some(client) = self.client {
            subtract(&mut held.bytes_by_client, client, bytes);
        }
    }

    fn lock(&self) -> MutexGuard<'_, Counted> {
        self.counted.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for HeldForm {
    fn drop(&mut self) {
        self.release();
        let Counted { session: Some(session), has_file, .. } = *self.lock() else { return };
        let mut held = self.budget.lock();
        subtract(&mut held.forms_by_session, session, 1);
        if has_file {
            subtract(&mut held.files_by_session, session, 1);
        }
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
        let (first, second) = (budget.form(ONE), budget.form(ONE));
        assert!(first.grow(limits::UPLOAD_BYTES_HELD_PER_CLIENT_MAX - 1));
        assert!(second.grow(1) && !second.grow(1), "two bodies of one client share");
        assert!(budget.form(OTHER).grow(limits::UPLOAD_BYTES_HELD_PER_CLIENT_MAX));
        first.release();
        assert!(second.grow(1));
        drop((first, second));
        let held = budget.lock();
        assert!(held.bytes == 0 && held.bytes_by_client.is_empty());
    }

    #[test]
    fn bytes_of_all_clients_are_bounded() {
        let budget = UploadBudget::default();
        let all = budget.form(None);
        assert!(all.grow(limits::UPLOAD_BYTES_HELD_MAX));
        assert!(!budget.form(OTHER).grow(1) && !budget.form(None).grow(1));
        drop(all);
        assert!(budget.form(OTHER).grow(1));
    }

    #[test]
    fn session_has_as_many_forms_and_files_in_work_as_it_may() {
        let budget = UploadBudget::default();
        let count = |session, has_file| {
            let form = budget.form(None);
            form.count([session; 32], has_file).then_some(form)
        };
        let mut files: Vec<_> = (0..limits::UPLOADS_PER_SESSION_MAX).map(|_| count(1, true)).collect();
        assert!(files.iter().all(Option::is_some) && count(1, true).is_none() && count(2, true).is_some());
        let forms: Vec<_> =
            (limits::UPLOADS_PER_SESSION_MAX..limits::FORMS_PER_SESSION_MAX).map(|_| count(1, false)).collect();
        assert!(forms.iter().all(Option::is_some) && count(1, false).is_none() && count(2, false).is_some());
        files.pop();
        assert!(count(1, false).is_some() && count(1, true).is_some());
        drop((files, forms));
        let held = budget.lock();
        assert!(held.files_by_session.is_empty() && held.forms_by_session.is_empty());
    }
}

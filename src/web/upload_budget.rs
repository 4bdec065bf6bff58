//! The budget of form bodies: their memory, in total and for each client, and the forms that one browser session has in work.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::Hash;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::base::{ByteBudget, ByteReservation, Holder, limits};

/// The budget. Clones share it.
#[derive(Clone, Debug)]
pub(super) struct UploadBudget {
    bytes: ByteBudget,
    forms: Arc<Mutex<Forms>>,
}

/// The forms in work.
#[derive(Debug, Default)]
struct Forms {
    by_session: HashMap<[u8; 32], usize>,
    /// Those with a file.
    with_file_by_session: HashMap<[u8; 32], usize>,
}

/// The reservation of a form in work: its bytes, and its place among the forms of its browser session. Dropping it returns
/// them, once the answer is written.
#[derive(Debug)]
pub(crate) struct FormReservation {
    bytes: Mutex<ByteReservation>,
    budget: UploadBudget,
    counted: Mutex<Counted>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Counted {
    session: Option<[u8; 32]>,
    has_file: bool,
}

impl UploadBudget {
    pub(super) fn new() -> Self {
        let bytes = ByteBudget::new(limits::UPLOAD_BYTES_HELD_MAX, limits::UPLOAD_BYTES_HELD_PER_CLIENT_MAX);
        Self { bytes, forms: Arc::default() }
    }

    /// Starts a reservation of 0 bytes, counted for `client` if there is one.
    pub(super) fn form(&self, client: Option<IpAddr>) -> FormReservation {
        let bytes = self.bytes.reserve([client.map(Holder::Client), None]);
        FormReservation { bytes: Mutex::new(bytes), budget: self.clone(), counted: Mutex::default() }
    }

    fn forms(&self) -> MutexGuard<'_, Forms> {
        self.forms.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl FormReservation {
    /// Counts the form for a browser session. Returns false if the session has the maximum in work already, of forms or of
    /// files.
    #[must_use]
    pub(super) fn count(&self, session: [u8; 32], has_file: bool) -> bool {
        let mut forms = self.budget.forms();
        let count = |counts: &HashMap<_, usize>| counts.get(&session).copied().unwrap_or_default();
        if count(&forms.by_session) >= limits::FORMS_PER_SESSION_MAX
            || (has_file && count(&forms.with_file_by_session) >= limits::UPLOADS_PER_SESSION_MAX)
        {
            return false;
        }
        *forms.by_session.entry(session).or_default() += 1;
        if has_file {
            *forms.with_file_by_session.entry(session).or_default() += 1;
        }
        *self.counted() = Counted { session: Some(session), has_file };
        true
    }

    /// Takes bytes until `bytes` are held. Returns false, and takes none, if the budget does not have them.
    #[must_use]
    pub(super) fn grow_to(&self, bytes: usize) -> bool {
        self.bytes.lock().unwrap_or_else(PoisonError::into_inner).grow_to(bytes)
    }

    /// Returns all bytes.
    pub(super) fn release(&self) {
        self.bytes.lock().unwrap_or_else(PoisonError::into_inner).shrink_to(0);
    }

    fn counted(&self) -> MutexGuard<'_, Counted> {
        self.counted.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for FormReservation {
    fn drop(&mut self) {
        let Counted { session: Some(session), has_file } = *self.counted() else { return };
        let mut forms = self.budget.forms();
        subtract(&mut forms.by_session, session);
        if has_file {
            subtract(&mut forms.with_file_by_session, session);
        }
    }
}

/// Subtracts one from a count, and removes a count of 0.
fn subtract<K: Eq + Hash>(counts: &mut HashMap<K, usize>, key: K) {
    if let Entry::Occupied(mut count) = counts.entry(key) {
        *count.get_mut() -= 1;
        if *count.get() == 0 {
            count.remove();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn session_has_as_many_forms_and_files_in_work_as_it_may() {
        let budget = UploadBudget::new();
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
        let forms = budget.forms();
        assert!(forms.by_session.is_empty() && forms.with_file_by_session.is_empty());
    }
}

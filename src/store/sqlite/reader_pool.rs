//! The connections that read. There are as many as threads that have read at the same time.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::Conn;
use super::connection::DatabaseFile;
use super::shared_lock::SharedLock;
use crate::store::error::Cause;

/// Connections that read one file.
pub(super) struct ReaderPool {
    file: Arc<DatabaseFile>,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    idle: Vec<Conn>,
    lock: SharedLock,
}

impl ReaderPool {
    pub(super) fn new(file: &Arc<DatabaseFile>) -> Self {
        Self { file: Arc::clone(file), state: Mutex::default() }
    }

    /// Returns an idle connection, or opens one.
    pub(super) fn take(&self) -> Result<Conn, Cause> {
        let mut state = self.state();
        state.lock.count_read(&self.file);
        let idle = state.idle.pop();
        drop(state);
        idle.map_or_else(|| self.file.reader(), Ok)
    }

    pub(super) fn give_back(&self, connection: Conn) {
        self.state().idle.push(connection);
    }

    /// Releases the shared lock until the guard is dropped.
    pub(super) fn release_for_write(&self) -> ReleasedForWrite<'_> {
        self.state().lock.begin_write();
        ReleasedForWrite(self)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A write that has not ended.
pub(super) struct ReleasedForWrite<'a>(&'a ReaderPool);

impl Drop for ReleasedForWrite<'_> {
    fn drop(&mut self) {
        self.0.state().lock.end_write();
    }
}

//! The connections that read. There are as many as threads that have read at the same time.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::Conn;
use super::connection::DatabaseFile;
use crate::store::error::Cause;

/// Connections that read one file.
pub(super) struct ReaderPool {
    file: Arc<DatabaseFile>,
    idle: Mutex<Vec<Conn>>,
}

impl ReaderPool {
    pub(super) fn new(file: &Arc<DatabaseFile>) -> Self {
        Self { file: Arc::clone(file), idle: Mutex::default() }
    }

    /// Returns an idle connection, or opens one.
    pub(super) fn take(&self) -> Result<Conn, Cause> {
        let idle = self.idle().pop();
        idle.map_or_else(|| self.file.reader(), Ok)
    }

    pub(super) fn give_back(&self, connection: Conn) {
        self.idle().push(connection);
    }

    fn idle(&self) -> MutexGuard<'_, Vec<Conn>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

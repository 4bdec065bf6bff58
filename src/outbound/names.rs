//! From host name to addresses: the system's resolver, or a table that a test hands in.
//!
//! Called by the guard, which checks every address it gives.

use std::collections::HashMap;
use std::io;
use std::net::IpAddr;
use std::sync::Arc;

/// Looks host names up; cheap to clone.
#[derive(Clone, Debug)]
pub struct Names(Source);

#[derive(Clone, Debug)]
enum Source {
    System,
    Table(Arc<HashMap<String, Vec<IpAddr>>>),
    #[cfg(test)]
    Script(Arc<std::sync::Mutex<Vec<Vec<IpAddr>>>>),
}

impl Names {
    /// The resolver of the operating system.
    pub fn system() -> Self {
        Self(Source::System)
    }

    /// A fixed table: a name that it lacks does not exist, and the network is not asked.
    pub fn table<N: Into<String>>(entries: impl IntoIterator<Item = (N, Vec<IpAddr>)>) -> Self {
        let entries = entries.into_iter().map(|(name, addresses)| (name.into(), addresses));
        Self(Source::Table(Arc::new(entries.collect())))
    }

    /// Answers for every name, one after the other: a host that changes its address between look-ups.
    #[cfg(test)]
    pub(super) fn script(mut answers: Vec<Vec<IpAddr>>) -> Self {
        answers.reverse();
        Self(Source::Script(Arc::new(answers.into())))
    }

    /// The addresses of a name; an error or no address at all when it has none.
    pub(super) async fn look_up(&self, name: &str) -> io::Result<Vec<IpAddr>> {
        match &self.0 {
            Source::System => Ok(tokio::net::lookup_host((name, 0)).await?.map(|address| address.ip()).collect()),
            Source::Table(table) => Ok(table.get(name).cloned().unwrap_or_default()),
            #[cfg(test)]
            Source::Script(answers) => Ok(answers.lock().expect("no test panics here").pop().unwrap_or_default()),
        }
    }
}

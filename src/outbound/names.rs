//! Name resolution: the system's resolver, or a table in tests.
//!
//! Called by the guard, which checks every address.

use std::collections::HashMap;
use std::io;
use std::net::IpAddr;
use std::sync::Arc;

/// Resolves host names; cheap to clone.
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

    /// A fixed table. Other names do not exist; the network is not used.
    pub fn table<N: Into<String>>(entries: impl IntoIterator<Item = (N, Vec<IpAddr>)>) -> Self {
        let entries = entries.into_iter().map(|(name, addresses)| (name.into(), addresses));
        Self(Source::Table(Arc::new(entries.collect())))
    }

    /// Successive results for every name, for a host that changes its address.
    #[cfg(test)]
    pub(super) fn script(mut answers: Vec<Vec<IpAddr>>) -> Self {
        answers.reverse();
        Self(Source::Script(Arc::new(answers.into())))
    }

    /// Returns the addresses of a name; an error or an empty list if it has none.
    pub(super) async fn look_up(&self, name: &str) -> io::Result<Vec<IpAddr>> {
        match &self.0 {
            Source::System => Ok(tokio::net::lookup_host((name, 0)).await?.map(|address| address.ip()).collect()),
            Source::Table(table) => Ok(table.get(name).cloned().unwrap_or_default()),
            #[cfg(test)]
            Source::Script(answers) => Ok(answers.lock().expect("no test panics here").pop().unwrap_or_default()),
        }
    }
}

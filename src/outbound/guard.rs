//! The resolver of the client: resolves a name once, and returns only checked addresses.
//!
//! Called by `Outbound::check`, and by the connector for every new connection to a named host. The connector does not call it for
//! a host that is an IP address: the client checks those before the request.

use std::collections::HashMap;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use super::EgressPolicy;
use super::policy::is_public_name;
use super::post::CheckError;

/// The resolver of one client, for one port, or for all ports that no entry of `EGRESS_ALLOW` names.
#[derive(Clone)]
pub(super) struct Guard {
    pub(super) policy: Arc<EgressPolicy>,
    pub(super) names: Names,
    pub(super) port: u16,
}

impl Guard {
    /// Returns the checked addresses of a name, without a port: the connector uses the port of the URL.
    pub(super) async fn resolve(&self, name: &str) -> Result<Vec<SocketAddr>, CheckError> {
        let addresses = admit(&self.policy, &self.names, name, self.port).await?;
        Ok(addresses.into_iter().map(|ip| SocketAddr::new(ip, 0)).collect())
    }
}

/// Resolves a host name. Refuses the host if one of its addresses is refused, because the connector chooses among them.
pub(super) async fn admit(
    policy: &EgressPolicy,
    names: &Names,
    name: &str,
    port: u16,
) -> Result<Vec<IpAddr>, CheckError> {
    if !is_public_name(name) {
        return Err(CheckError::NotPublic);
    }
    let addresses = names.look_up(name).await.map_err(|_| CheckError::Unresolved)?;
    if addresses.is_empty() {
        return Err(CheckError::Unresolved);
    }
    match addresses.iter().all(|ip| policy.permits(*ip, port)) {
        true => Ok(addresses),
        false => Err(CheckError::NotPublic),
    }
}

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

//! The open connections of a listener: limits them in total and for each client, and chooses which one to close.
//!
//! A connection is silent while no request runs on it and no response is being sent. A new connection replaces a silent one,
//! so that clients that only hold connections open cannot keep others out.

use std::collections::{HashMap, VecDeque};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::sync::Arc;

use tokio::task::{AbortHandle, Id};

use super::idle_timer::IdleTimer;
use crate::base::FrontLimits;

/// The open connections.
pub(super) struct ConnectionTable {
    limits: FrontLimits,
    open: HashMap<Id, Open>,
    /// The connections of each client whose number is limited, oldest first.
    by_client: HashMap<Client, Vec<Id>>,
    /// All connections, oldest first: connections without a request at the last check, and the others. May hold connections that
    /// have ended.
    without_request: VecDeque<Id>,
    with_request: VecDeque<Id>,
}

/// An open connection.
struct Open {
    client: Option<Client>,
    idle_timer: Arc<IdleTimer>,
    task: AbortHandle,
}

impl ConnectionTable {
    pub(super) fn new(limits: FrontLimits) -> Self {
        Self {
            limits,
            open: HashMap::new(),
            by_client: HashMap::new(),
            without_request: VecDeque::new(),
            with_request: VecDeque::new(),
        }
    }

    /// Whether a new connection of a client is accepted. If the client has the maximum, closes a silent connection of the client first.
    pub(super) fn admits_client(&mut self, client: Option<Client>) -> bool {
        let Some(client) = client else { return true };
        let ids = self.by_client.get(&client).map(Vec::as_slice).unwrap_or_default();
        if ids.len() < self.limits.connections_per_address {
            return true;
        }
        let silent = ids.iter().filter_map(|id| Some((*id, self.open.get(id)?)));
        let silent = silent.filter(|(_, open)| open.idle_timer.is_silent());
        // The oldest without a request, otherwise the oldest.
        let oldest = silent.min_by_key(|(_, open)| open.idle_timer.is_requested()).map(|(id, _)| id);
        oldest.is_some_and(|id| self.close(id))
    }

    /// Whether a new connection is accepted. If the table is full, closes the oldest silent one first, preferably one without
    /// a request.
    pub(super) fn admits_any(&mut self) -> bool {
        if self.open.len() < self.limits.connections {
            return true;
        }
        while let Some(id) = self.without_request.pop_front() {
            let Some(open) = self.open.get(&id) else { continue };
            if open.idle_timer.is_requested() {
                self.with_request.push_back(id);
            } else {
                return self.close(id);
            }
        }
        for _ in 0..self.with_request.len() {
            let Some(id) = self.with_request.pop_front() else { break };
            let Some(open) = self.open.get(&id) else { continue };
            if open.idle_timer.is_silent() {
                return self.close(id);
            }
            self.with_request.push_back(id);
        }
        false
    }

    /// Adds a connection, which `task` serves.
    pub(super) fn add(&mut self, client: Option<Client>, idle_timer: Arc<IdleTimer>, task: AbortHandle) {
        let id = task.id();
        if let Some(client) = client {
            self.by_client.entry(client).or_default().push(id);
        }
        self.open.insert(id, Open { client, idle_timer, task });
        self.without_request.push_back(id);
    }

    /// Removes a connection that has ended.
    pub(super) fn remove(&mut self, id: Id) {
        let Some(open) = self.open.remove(&id) else { return };
        if let Some(client) = open.client
            && let Some(ids) = self.by_client.get_mut(&client)
        {
            ids.retain(|other| *other != id);
            if ids.is_empty() {
                self.by_client.remove(&client);
            }
        }
        // The queues hold ids of ended connections until most of their ids are such.
        if self.without_request.len() + self.with_request.len() > 2 * self.open.len() + 64 {
            for queue in [&mut self.without_request, &mut self.with_request] {
                queue.retain(|id| self.open.contains_key(id));
            }
        }
    }

    /// Closes a silent connection.
    fn close(&mut self, id: Id) -> bool {
        if let Some(open) = self.open.get(&id) {
            open.task.abort();
        }
        self.remove(id);
        true
    }
}

/// A client, whose connections are counted together: an IPv4 address, or the /64 network of an IPv6 address, which
/// providers give to one customer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Client(IpAddr);

impl Client {
    /// `None` for addresses of this machine and of private networks: a proxy there has the connections of many clients.
    pub(super) fn from_address(address: IpAddr) -> Option<Self> {
        match address.to_canonical() {
            IpAddr::V4(ip) if ip.is_loopback() || ip.is_private() || ip.is_link_local() || is_shared(ip) => None,
            IpAddr::V6(ip) if ip.is_loopback() || ip.is_unique_local() || ip.is_unicast_link_local() => None,
            IpAddr::V4(ip) => Some(Self(ip.into())),
            IpAddr::V6(ip) => {
                let [a, b, c, d, ..] = ip.segments();
                Some(Self(Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0).into()))
            }
        }
    }

    /// The address, or the first address of the network.
    pub(super) fn address(self) -> IpAddr {
        self.0
    }
}

/// Whether an address is in the shared address space of providers (RFC 6598), which clouds use too.
fn is_shared(ip: Ipv4Addr) -> bool {
    let [first, second, ..] = ip.octets();
    first == 100 && (64..128).contains(&second)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(connections: usize, connections_per_address: usize) -> ConnectionTable {
        ConnectionTable::new(FrontLimits { connections, connections_per_address, ..FrontLimits::default() })
    }

    /// Adds a connection; returns its timer and its task.
    fn add(table: &mut ConnectionTable, client: Option<Client>) -> (Arc<IdleTimer>, tokio::task::JoinHandle<()>) {
        let idle_timer = Arc::new(IdleTimer::new(FrontLimits::default()));
        let task = tokio::spawn(std::future::pending());
        table.add(client, Arc::clone(&idle_timer), task.abort_handle());
        (idle_timer, task)
    }

    fn client(address: &str) -> Option<Client> {
        Client::from_address(address.parse().expect("an address"))
    }

    #[tokio::test]
    async fn full_table_closes_the_oldest_silent_connection_without_a_request_first() {
        let mut table = table(3, 10);
        let (running, first) = add(&mut table, None);
        let request = IdleTimer::begin(&running);
        let (idle, second) = add(&mut table, None);
        drop(IdleTimer::begin(&idle));
        let (_, third) = add(&mut table, None);
        assert!(table.admits_any(), "the third had no request");
        assert!(third.await.expect_err("it is closed").is_cancelled());
        let (sending, fourth) = add(&mut table, None);
        drop(IdleTimer::begin(&sending));
        let answer = IdleTimer::send(&sending);
        assert!(table.admits_any(), "the second has none running");
        assert!(second.await.expect_err("it is closed").is_cancelled());
        let (late, fifth) = add(&mut table, None);
        let other = IdleTimer::begin(&late);
        assert!(!table.admits_any(), "all have something to do");
        drop(answer);
        assert!(table.admits_any());
        assert!(fourth.await.expect_err("it is closed").is_cancelled());
        drop((request, other));
        assert!(!first.is_finished() && !fifth.is_finished());
    }

    #[tokio::test]
    async fn client_with_many_connections_replaces_only_its_own() {
        let (one, other) = (client("192.0.2.1"), client("192.0.2.2"));
        let mut table = table(100, 2);
        let (_, foreign) = add(&mut table, other);
        let (idle, first) = add(&mut table, one);
        drop(IdleTimer::begin(&idle));
        let (_, second) = add(&mut table, one);
        assert!(table.admits_client(other), "it has one of two");
        assert!(table.admits_client(one));
        assert!(second.await.expect_err("it had no request").is_cancelled());
        let (busy, third) = add(&mut table, one);
        let running = [IdleTimer::begin(&idle), IdleTimer::begin(&busy)];
        assert!(!table.admits_client(one), "both have something to do");
        drop(running);
        assert!(table.admits_client(one));
        assert!(first.await.expect_err("the oldest is closed").is_cancelled());
        for _ in 0..10 {
            assert!(table.admits_client(None), "a proxy may have any number");
            add(&mut table, None);
        }
        assert!(!foreign.is_finished() && !third.is_finished());
    }

    #[tokio::test]
    async fn ended_connections_are_removed() {
        let mut table = table(100, 2);
        for _ in 0..1_000 {
            let (_, task) = add(&mut table, client("192.0.2.1"));
            let id = task.id();
            task.abort();
            table.remove(id);
        }
        assert!(table.open.is_empty() && table.by_client.is_empty());
        assert!(table.without_request.len() < 100);
    }

    #[test]
    fn clients_are_addresses_or_networks_and_proxies_are_none() {
        for address in [
            "127.0.0.1",
            "10.1.2.3",
            "172.16.0.1",
            "192.168.1.1",
            "169.254.1.1",
            "100.64.0.1",
            "::1",
            "fd00::1",
            "fe80::1",
            "::ffff:10.0.0.1",
        ] {
            assert_eq!(client(address), None, "{address}");
        }
        for (one, other, same) in [
            ("192.0.2.1", "192.0.2.1", true),
            ("192.0.2.1", "::ffff:192.0.2.1", true),
            ("192.0.2.1", "192.0.2.2", false),
            ("2001:db8::1", "2001:db8::ffff:1:2:3", true),
            ("2001:db8::1", "2001:db8:0:1::1", false),
            ("100.128.0.1", "100.63.0.1", false),
        ] {
            assert!(client(one).is_some() && client(other).is_some(), "{one} {other}");
            assert_eq!(client(one) == client(other), same, "{one} {other}");
        }
    }
}

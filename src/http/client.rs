//! The client of a connection, by which connections and uploads are counted.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// A client, whose connections are counted together: an IPv4 address, or the /64 network of an IPv6 address, which
/// providers give to one customer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Client(IpAddr);

impl Client {
    /// `None` for addresses of this machine and of private networks: a proxy there has the connections of many clients.
    pub(super) fn of(address: IpAddr) -> Option<Self> {
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

    fn client(address: &str) -> Option<Client> {
        Client::of(address.parse().expect("an address"))
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

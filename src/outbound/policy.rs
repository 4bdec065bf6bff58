//! The addresses that the service may connect to: public ones, and those of `EGRESS_ALLOW`.
//!
//! Called by the client and its resolver (decisions, sections 7 and 9).

use std::fmt;
use std::net::IpAddr;

use ipnet::IpNet;

use super::address::is_public;

/// The address policy. The default permits public addresses only.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EgressPolicy {
    opened: Vec<Opening>,
}

/// One entry of `EGRESS_ALLOW`.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Opening {
    network: IpNet,
    /// `None` permits every port.
    port: Option<u16>,
}

/// An invalid entry of `EGRESS_ALLOW`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{entry}` is not an address or CIDR with an optional port, such as 127.0.0.1:4100, 10.1.0.0/16 or [fd00::/8]:443"
)]
pub struct EgressAllowError {
    entry: String,
}

impl EgressPolicy {
    /// Parses `EGRESS_ALLOW`: entries `address-or-CIDR[:port]`, separated by commas.
    ///
    /// An entry with a port permits its addresses on that port only; one without permits them on every port. IPv6 with a
    /// port is written in brackets, prefix length included: `[::1]:4100`, `[fd00::/8]:443`. An entry permits addresses, not
    /// names: `localhost` is refused. IPv4-mapped IPv6 addresses cannot be permitted.
    pub fn parse(allow: &str) -> Result<Self, EgressAllowError> {
        let entries = allow.split(',').map(str::trim).filter(|entry| !entry.is_empty());
        let opened = entries.map(|entry| {
            Opening::parse(entry)
                .filter(|opening| !is_mapped(opening.network.addr()))
                .ok_or_else(|| EgressAllowError { entry: entry.to_owned() })
        });
        Ok(Self { opened: opened.collect::<Result<_, _>>()? })
    }

    /// Whether a connection to this address and port is permitted.
    pub fn permits(&self, ip: IpAddr, port: u16) -> bool {
        let opened = |opening: &Opening| opening.network.contains(&ip) && opening.port.is_none_or(|open| open == port);
        is_public(ip) || (!is_mapped(ip) && self.opened.iter().any(opened))
    }

    /// Whether the operator permitted addresses that are not public.
    pub fn is_open(&self) -> bool {
        !self.opened.is_empty()
    }

    /// Returns the ports that entries name.
    pub(super) fn named_ports(&self) -> impl Iterator<Item = u16> {
        self.opened.iter().filter_map(|opening| opening.port)
    }
}

impl fmt::Display for EgressPolicy {
    /// Formats the entries as in `EGRESS_ALLOW`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, opening) in self.opened.iter().enumerate() {
            let separator = if index == 0 { "" } else { ", " };
            match (opening.network, opening.port) {
                (network, None) => write!(f, "{separator}{network}")?,
                (IpNet::V4(network), Some(port)) => write!(f, "{separator}{network}:{port}")?,
                (IpNet::V6(network), Some(port)) => write!(f, "{separator}[{network}]:{port}")?,
            }
        }
        Ok(())
    }
}

impl Opening {
    fn parse(entry: &str) -> Option<Self> {
        if let Some(bracketed) = entry.strip_prefix('[') {
            let (inside, rest) = bracketed.split_once(']')?;
            let network = network(inside).filter(|network| matches!(network, IpNet::V6(_)))?;
            let port = if rest.is_empty() { None } else { Some(port(rest.strip_prefix(':')?)?) };
            return Some(Self { network, port });
        }
        // Without brackets, a text with several colons is an IPv6 address.
        match entry.split_once(':') {
            Some((address, after)) if !after.contains(':') => {
                Some(Self { network: network(address)?, port: Some(port(after)?) })
            }
            _ => Some(Self { network: network(entry)?, port: None }),
        }
    }
}

fn network(text: &str) -> Option<IpNet> {
    text.parse::<IpNet>().ok().or_else(|| text.parse::<IpAddr>().ok().map(IpNet::from)).map(|network| network.trunc())
}

fn port(text: &str) -> Option<u16> {
    let digits = text.bytes().all(|b| b.is_ascii_digit());
    text.parse().ok().filter(|port| digits && *port != 0)
}

/// Whether an address is an IPv4-mapped one (`::ffff:0:0/96`), which is always refused.
fn is_mapped(ip: IpAddr) -> bool {
    matches!(ip, IpAddr::V6(ip) if ip.to_ipv4_mapped().is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn permits(allow: &str, ip: &str, port: u16) -> bool {
        let ip = ip.parse().expect("the test writes an address");
        EgressPolicy::parse(allow).expect("the test writes a good list").permits(ip, port)
    }

    #[test]
    fn empty_list_permits_public_addresses_only() {
        for allow in ["", "  ", ",", " , "] {
            assert!(permits(allow, "8.8.8.8", 443), "{allow:?}");
            assert!(!permits(allow, "127.0.0.1", 443), "{allow:?}");
            assert!(!EgressPolicy::parse(allow).is_ok_and(|policy| policy.is_open()), "{allow:?}");
        }
    }

    #[test]
    fn entry_with_a_port_opens_that_port_only() {
        assert!(permits("127.0.0.1:4100", "127.0.0.1", 4100));
        assert!(!permits("127.0.0.1:4100", "127.0.0.1", 4101));
        assert!(!permits("127.0.0.1:4100", "127.0.0.2", 4100));
        assert!(permits("[::1]:4100", "::1", 4100));
        assert!(!permits("[::1]:4100", "::1", 80));
    }

    #[test]
    fn entry_without_a_port_opens_every_port() {
        assert!(permits("127.0.0.1", "127.0.0.1", 1));
        assert!(permits("127.0.0.1", "127.0.0.1", 65535));
        assert!(permits("::1", "::1", 443));
        assert!(permits("[::1]", "::1", 443));
    }

    #[test]
    fn network_opens_its_addresses() {
        assert!(permits("10.1.0.0/16:443", "10.1.255.1", 443));
        assert!(!permits("10.1.0.0/16:443", "10.2.0.1", 443));
        assert!(permits("10.1.2.3/16", "10.1.0.1", 80), "bits below the prefix do not matter");
        assert!(permits("[fd00::/8]:443", "fdee::1", 443));
        assert!(permits("fd00::/8", "fdee::1", 80));
    }

    #[test]
    fn several_entries_add_up() {
        let allow = "127.0.0.1:1, 127.0.0.1:2 ,[::1]:3,192.168.0.0/24";
        assert!(permits(allow, "127.0.0.1", 1) && permits(allow, "127.0.0.1", 2));
        assert!(!permits(allow, "127.0.0.1", 3));
        assert!(permits(allow, "::1", 3) && permits(allow, "192.168.0.9", 9));
    }

    #[test]
    fn mapped_address_is_always_refused() {
        assert!(!permits("127.0.0.0/8,::/0", "::ffff:127.0.0.1", 80));
        assert!(EgressPolicy::parse("[::ffff:127.0.0.1]:80").is_err());
    }

    #[test]
    fn unreadable_entry_is_named_in_the_error() {
        for wrong in [
            "localhost",
            "localhost:80",
            "127.0.0.1:0",
            "127.0.0.1:65536",
            "127.0.0.1:+80",
            "127.0.0.1:",
            "127.0.0.1/33",
            "[127.0.0.1]:80",
            "[::1]80",
            "[::1",
            "[::1]/128:80",
            "https://127.0.0.1",
        ] {
            let error = EgressPolicy::parse(&format!("127.0.0.1:80,{wrong}")).expect_err(wrong);
            assert!(error.to_string().contains(&format!("`{wrong}`")), "{error}");
        }
    }

    #[test]
    fn display_writes_what_parse_reads() {
        let policy = EgressPolicy::parse("127.0.0.1:4100,10.0.0.0/8,[fd00::/8]:443,::1").expect("a good list");
        assert_eq!(policy.to_string(), "127.0.0.1/32:4100, 10.0.0.0/8, [fd00::/8]:443, ::1/128");
        assert_eq!(EgressPolicy::parse(&policy.to_string()), Ok(policy));
    }
}

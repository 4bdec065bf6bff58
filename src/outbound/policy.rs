//! The addresses that the service may connect to: public ones, and the entries of `EGRESS_ALLOW`.
//!
//! Called by the client and its resolver (decisions, sections 7 and 9).

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use ipnet::IpNet;

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

/// IPv4 networks that are not the public internet: address and prefix length in bits.
const REFUSED_V4: [(Ipv4Addr, u32); 17] = [
    (Ipv4Addr::new(0, 0, 0, 0), 8),
    (Ipv4Addr::new(10, 0, 0, 0), 8),
    (Ipv4Addr::new(100, 64, 0, 0), 10),
    (Ipv4Addr::new(127, 0, 0, 0), 8),
    (Ipv4Addr::new(168, 63, 129, 16), 32), // internal services of a cloud provider
    (Ipv4Addr::new(169, 254, 0, 0), 16),
    (Ipv4Addr::new(172, 16, 0, 0), 12),
    (Ipv4Addr::new(192, 0, 0, 0), 24),
    (Ipv4Addr::new(192, 0, 2, 0), 24),
    (Ipv4Addr::new(192, 88, 99, 0), 24),
    (Ipv4Addr::new(192, 168, 0, 0), 16),
    (Ipv4Addr::new(198, 18, 0, 0), 15),
    (Ipv4Addr::new(198, 51, 100, 0), 24),
    (Ipv4Addr::new(203, 0, 113, 0), 24),
    (Ipv4Addr::new(224, 0, 0, 0), 4),
    (Ipv4Addr::new(240, 0, 0, 0), 4),
    (Ipv4Addr::BROADCAST, 32),
];

/// The IPv6 network of the public addresses.
const PUBLIC_V6: (Ipv6Addr, u32) = (Ipv6Addr::new(0x2000, 0, 0, 0, 0, 0, 0, 0), 3);

/// Networks inside [`PUBLIC_V6`] that are not public, or embed an unchecked IPv4 address.
const REFUSED_V6: [(Ipv6Addr, u32); 4] = [
    (Ipv6Addr::new(0x2001, 0, 0, 0, 0, 0, 0, 0), 23),
    (Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 0), 32),
    (Ipv6Addr::new(0x2002, 0, 0, 0, 0, 0, 0, 0), 16),
    (Ipv6Addr::new(0x3fff, 0, 0, 0, 0, 0, 0, 0), 20),
];

/// Whether an address is public. An IPv4-mapped IPv6 address never is.
pub(super) fn is_public(ip: IpAddr) -> bool {
    match ip {
        IpAddr::V4(ip) => !REFUSED_V4.iter().any(|&network| is_in_v4(ip, network)),
        IpAddr::V6(ip) => is_in_v6(ip, PUBLIC_V6) && !REFUSED_V6.iter().any(|&network| is_in_v6(ip, network)),
    }
}

fn is_in_v4(ip: Ipv4Addr, (network, prefix_bits): (Ipv4Addr, u32)) -> bool {
    (ip.to_bits() ^ network.to_bits()) >> (32 - prefix_bits) == 0
}

fn is_in_v6(ip: Ipv6Addr, (network, prefix_bits): (Ipv6Addr, u32)) -> bool {
    (ip.to_bits() ^ network.to_bits()) >> (128 - prefix_bits) == 0
}

/// Domains without public hosts.
const REFUSED_SUFFIXES: [&str; 7] = ["local", "internal", "localhost", "test", "invalid", "onion", "home.arpa"];

/// Whether a name may belong to a public host. A final dot is ignored.
pub(super) fn is_public_name(name: &str) -> bool {
    let name = name.strip_suffix('.').unwrap_or(name).to_ascii_lowercase();
    let several_labels = name.contains('.') && name.split('.').all(|label| !label.is_empty());
    several_labels && !ends_in_number(&name) && !REFUSED_SUFFIXES.iter().any(|suffix| is_below(&name, suffix))
}

fn is_below(name: &str, suffix: &str) -> bool {
    name.strip_suffix(suffix).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
}

/// Whether the last label is a number, as in an IPv4 address. The URL parser converts or refuses these; this check holds for
/// names from elsewhere.
fn ends_in_number(name: &str) -> bool {
    let last = name.rsplit('.').next().unwrap_or_default();
    last.bytes().all(|b| b.is_ascii_digit())
        || last.strip_prefix("0x").is_some_and(|hex| hex.bytes().all(|b| b.is_ascii_hexdigit()))
}

#[cfg(test)]
mod tests {
    use super::{is_public_name, *};

    fn permits(allow: &str, ip: &str, port: u16) -> bool {
        let ip = ip.parse().expect("the test writes an address");
        EgressPolicy::parse(allow).expect("the test writes a good list").permits(ip, port)
    }

    #[test]
    fn entry_permits_its_addresses_on_its_port_or_on_every_port() {
        let several = "127.0.0.1:1, 127.0.0.1:2 ,[::1]:3,192.168.0.0/24";
        for (allow, permitted, refused) in [
            ("", "8.8.8.8/443", "127.0.0.1/443"),
            (" , ", "8.8.8.8/443", "127.0.0.1/443"),
            ("127.0.0.1:4100", "127.0.0.1/4100", "127.0.0.1/4101 127.0.0.2/4100"),
            ("[::1]:4100", "::1/4100", "::1/80"),
            ("127.0.0.1", "127.0.0.1/1 127.0.0.1/65535", "127.0.0.2/1"),
            ("::1", "::1/443", "::2/443"),
            ("[::1]", "::1/443", "::2/443"),
            ("10.1.0.0/16:443", "10.1.255.1/443", "10.2.0.1/443"),
            ("10.1.2.3/16", "10.1.0.1/80", "10.2.0.1/80"), // bits below the prefix do not matter
            ("[fd00::/8]:443", "fdee::1/443", "fdee::1/80"),
            ("fd00::/8", "fdee::1/80", "fe80::1/80"),
            (several, "127.0.0.1/1 127.0.0.1/2 ::1/3 192.168.0.9/9", "127.0.0.1/3"),
            ("127.0.0.0/8,::/0", "127.0.0.1/80", "::ffff:127.0.0.1/80"), // a mapped address is always refused
        ] {
            for (addresses, expected) in [(permitted, true), (refused, false)] {
                for address in addresses.split(' ') {
                    let (ip, port) = address.split_once('/').expect("an address and a port");
                    assert_eq!(permits(allow, ip, port.parse().expect("a port")), expected, "{allow:?}: {address}");
                }
            }
        }
    }

    #[test]
    fn unreadable_entry_is_named_in_the_error() {
        let wrong = "localhost localhost:80 127.0.0.1:0 127.0.0.1:65536 127.0.0.1:+80 127.0.0.1: 127.0.0.1/33 [127.0.0.1]:80 [::1]80 \
                     [::1 [::1]/128:80 [::ffff:127.0.0.1]:80 https://127.0.0.1";
        for wrong in wrong.split(' ') {
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

    fn public(text: &str) -> bool {
        is_public(text.parse().expect("the test writes an address"))
    }

    #[test]
    fn ipv4_range_refuses_its_first_and_last_address_only() {
        for (first, last, before, after) in [
            ("10.0.0.0", "10.255.255.255", "9.255.255.255", "11.0.0.0"),
            ("100.64.0.0", "100.127.255.255", "100.63.255.255", "100.128.0.0"),
            ("127.0.0.0", "127.255.255.255", "126.255.255.255", "128.0.0.0"),
            ("169.254.0.0", "169.254.255.255", "169.253.255.255", "169.255.0.0"),
            ("172.16.0.0", "172.31.255.255", "172.15.255.255", "172.32.0.0"),
            ("192.0.0.0", "192.0.0.255", "191.255.255.255", "192.0.1.0"),
            ("192.0.2.0", "192.0.2.255", "192.0.1.255", "192.0.3.0"),
            ("192.88.99.0", "192.88.99.255", "192.88.98.255", "192.88.100.0"),
            ("192.168.0.0", "192.168.255.255", "192.167.255.255", "192.169.0.0"),
            ("198.18.0.0", "198.19.255.255", "198.17.255.255", "198.20.0.0"),
            ("198.51.100.0", "198.51.100.255", "198.51.99.255", "198.51.101.0"),
            ("203.0.113.0", "203.0.113.255", "203.0.112.255", "203.0.114.0"),
            ("168.63.129.16", "168.63.129.16", "168.63.129.15", "168.63.129.17"),
        ] {
            assert!(!public(first) && !public(last), "{first} to {last} is not public");
            assert!(public(before) && public(after), "{before} and {after} are public");
        }
        for refused in ["0.0.0.0", "0.255.255.255", "224.0.0.0", "239.255.255.255", "240.0.0.0", "255.255.255.255"] {
            assert!(!public(refused), "{refused} is not public");
        }
        assert!(public("1.0.0.0") && public("223.255.255.255"));
    }

    #[test]
    fn ipv6_is_public_only_inside_the_unicast_block_minus_its_special_parts() {
        let refused = ":: ::1 1fff:ffff::1 4000::1 2001::1 2001:1ff:ffff::1 2001:db8:ffff::1 2002::1 2002:ffff::1 3fff::1 \
                       3fff:fff:ffff::1 64:ff9b::808:808 fc00::1 fe80::1 ff0e::1 ::ffff:8.8.8.8 ::8.8.8.8";
        for refused in refused.split(' ') {
            assert!(!public(refused), "{refused} is not public");
        }
        for allowed in ["2000::1", "2001:200::1", "2001:db7::1", "2001:db9::1", "2003::1", "3ffe::1", "3fff:1000::1"] {
            assert!(public(allowed), "{allowed} is public");
        }
    }

    #[test]
    fn name_without_public_hosts_is_refused() {
        let refused = ". .. localhost localhost. LOCALHOST intranet intranet. printer.local metadata.google.internal a.localhost \
                       a.localhost. a.test a.invalid a.onion home.arpa nas.home.arpa nas.HOME.arpa. a..nl .example.nl \
                       example.nl.. 127.0.0.1 a.0x7f";
        for name in refused.split(' ').chain([""]) {
            assert!(!is_public_name(name), "{name:?}");
        }
        let allowed = "example.nl example.nl. foto.uitvaart.example mylocal.nl notlocalhost.com local.nl x.arpa";
        for name in allowed.split(' ') {
            assert!(is_public_name(name), "{name:?}");
        }
    }
}

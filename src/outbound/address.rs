//! Decides which IP addresses are public.
//!
//! Called by [`super::EgressPolicy`]. The ranges follow the special-purpose registries (RFC 6890 and its updates) and
//! the internal addresses of cloud providers. An address that is not certainly public is refused.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

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

#[cfg(test)]
mod tests {
    use super::*;

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
        for refused in [
            "::",
            "::1",
            "1fff:ffff::1",
            "4000::1",
            "2001::1",
            "2001:1ff:ffff::1",
            "2001:db8:ffff::1",
            "2002::1",
            "2002:ffff::1",
            "3fff::1",
            "3fff:fff:ffff::1",
            "64:ff9b::808:808",
            "fc00::1",
            "fe80::1",
            "ff0e::1",
        ] {
            assert!(!public(refused), "{refused} is not public");
        }
        for allowed in ["2000::1", "2001:200::1", "2001:db7::1", "2001:db9::1", "2003::1", "3ffe::1", "3fff:1000::1"] {
            assert!(public(allowed), "{allowed} is public");
        }
    }

    #[test]
    fn mapped_address_of_a_public_address_is_refused() {
        assert!(public("8.8.8.8"));
        assert!(!public("::ffff:8.8.8.8"));
        assert!(!public("::8.8.8.8"));
    }
}

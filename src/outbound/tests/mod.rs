//! The guard as a whole: the corpus of addresses, and real sockets.

mod bodies;
mod corpus;
mod redirects;
mod requests;

use std::net::{IpAddr, Ipv4Addr};
use std::time::Duration;

use bytes::Bytes;

use super::test_server::Server;
use super::{EgressPolicy, FetchError, FetchLimits, Names, Outbound};
use crate::base::HttpUrl;

const LOOPBACK: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);

/// Small limits for fast tests.
const LIMITS: FetchLimits = FetchLimits { bytes_max: 1000, total: Duration::from_secs(5), redirects_max: 3 };

/// A total time that only a slow server exceeds.
const SHORT: FetchLimits = FetchLimits { total: Duration::from_millis(300), ..LIMITS };

/// Returns a client that may call these servers on their port only; `foto.example` resolves to them.
fn outbound(servers: &[&Server]) -> Outbound {
    outbound_with(servers, Names::table([("foto.example", vec![LOOPBACK])]))
}

fn outbound_with(servers: &[&Server], names: Names) -> Outbound {
    let allow = servers.iter().map(|server| server.opening()).collect::<Vec<_>>().join(",");
    let policy = EgressPolicy::parse(&allow).expect("a good list");
    let roots = tempfile::NamedTempFile::new().expect("a temporary file");
    let pem: String = servers.iter().map(|server| server.certificate_pem.as_str()).collect();
    std::fs::write(roots.path(), &pem).expect("a temporary file takes a text");
    let extra_roots = (!pem.is_empty()).then(|| roots.path());
    Outbound::new(policy, names, extra_roots).expect("the client is made")
}

async fn fetch(outbound: &Outbound, address: &str, limits: FetchLimits) -> Result<Bytes, FetchError> {
    outbound.fetch(&HttpUrl::parse(address).expect("an http address"), limits).await
}

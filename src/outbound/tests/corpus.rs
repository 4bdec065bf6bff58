//! Every address of the corpus, as the host of a URL: refused or allowed by `check`, `fetch` and a resolver alike.

use std::net::IpAddr;
use std::time::Duration;

use url::{Host, Url};

use crate::base::HttpUrl;
use crate::outbound::{CheckError, EgressPolicy, FetchError, FetchLimits, Names, Outbound};

const REFUSED: &str = include_str!("../../../conformance/data/ssrf-refused.txt");
const ALLOWED: &str = include_str!("../../../conformance/data/ssrf-allowed.txt");

const LIMITS: FetchLimits = FetchLimits { bytes_max: 1024, total: Duration::from_secs(5), redirects_max: 3 };

fn lines(corpus: &'static str) -> impl Iterator<Item = &'static str> {
    corpus.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'))
}

fn outbound(names: Names) -> Outbound {
    Outbound::new(EgressPolicy::default(), names, None).expect("the client is made")
}

/// Returns the entries of a corpus that are IP addresses, in any notation.
fn addresses(corpus: &'static str) -> Vec<IpAddr> {
    let urls = lines(corpus).filter_map(|line| Url::parse(&format!("https://{line}/")).ok());
    let ip = |url: Url| match url.host()? {
        Host::Ipv4(ip) => Some(IpAddr::V4(ip)),
        Host::Ipv6(ip) => Some(IpAddr::V6(ip)),
        Host::Domain(_) => None,
    };
    urls.filter_map(ip).collect()
}

#[tokio::test]
async fn refused_host_is_refused_by_check_and_fetch() {
    // The table is empty: a host that is resolved would be unresolved, not refused.
    let outbound = outbound(Names::table::<String>([]));
    assert!(lines(REFUSED).count() > 50, "the corpus is there");
    for line in lines(REFUSED) {
        for scheme in ["https", "http"] {
            for port in ["", ":8080"] {
                let text = format!("{scheme}://{line}{port}/a.jpeg");
                let url = Url::parse(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
                assert_eq!(outbound.check(&url).await, Err(CheckError::NotPublic), "{text}");
                let address = HttpUrl::parse(&text).expect("an http address");
                assert_eq!(outbound.fetch(&address, LIMITS).await, Err(FetchError::Refused), "{text}");
            }
        }
    }
}

#[tokio::test]
async fn public_name_with_a_refused_address_is_refused() {
    let public: IpAddr = "1.1.1.1".parse().expect("an address");
    let answers = addresses(REFUSED).into_iter().flat_map(|ip| [vec![ip], vec![public, ip], vec![ip, public]]);
    let table: Vec<_> = answers.enumerate().map(|(index, ips)| (format!("foto{index}.example"), ips)).collect();
    let outbound = outbound(Names::table(table.clone()));
    for (name, ips) in table {
        let url = Url::parse(&format!("https://{name}/a.jpeg")).expect("an address");
        assert_eq!(outbound.check(&url).await, Err(CheckError::NotPublic), "{ips:?}");
        let address = HttpUrl::parse(url.as_str()).expect("an http address");
        assert_eq!(outbound.fetch(&address, LIMITS).await, Err(FetchError::Refused), "{ips:?}");
    }
}

#[tokio::test]
async fn public_name_with_allowed_addresses_is_allowed() {
    let outbound = outbound(Names::table([("foto.example", addresses(ALLOWED))]));
    let check = async |text: &str| outbound.check(&Url::parse(text).expect("an address")).await;
    assert_eq!(check("https://foto.example/hook").await, Ok(()));
    assert_eq!(check("https://FOTO.example:8443/hook").await, Ok(()));
    assert_eq!(check("https://elders.example/hook").await, Err(CheckError::Unresolved));
}

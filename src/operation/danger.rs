//! What is right on a developer's machine and dangerous anywhere else: said at start, and to whoever asks for readiness.
//!
//! Called by `app` and by the health checks.

use url::{Host, Url};

use super::{Failure, Services};

/// A combination of settings, or of a setting and what is in the database, that exposes somebody.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Danger {
    /// Links are handed out that anybody on their way can read.
    PublicBaseIsHttp,
    /// The service fetches from addresses that are not public.
    EgressIsOpen,
    /// The same, while partners work with it in earnest.
    EgressIsOpenWithLiveKeys,
}

impl Danger {
    /// For the operator.
    pub const fn sentence(self) -> &'static str {
        match self {
            Danger::PublicBaseIsHttp => {
                "PUBLIC_BASE_URL is http: everybody on the way can read the links that the service hands out; use https"
            }
            Danger::EgressIsOpen => {
                "EGRESS_ALLOW is set: the service fetches from addresses that are not public; never use it in production"
            }
            Danger::EgressIsOpenWithLiveKeys => {
                "EGRESS_ALLOW is set while live keys exist: partners can make the service reach your own network; unset it"
            }
        }
    }
}

/// The dangers of this moment.
pub async fn dangers(services: &Services) -> Result<Vec<Danger>, Failure> {
    let mut dangers = Vec::new();
    if is_exposed(&services.public_base) {
        dangers.push(Danger::PublicBaseIsHttp);
    }
    if services.outbound.is_open() {
        let live = services.store.live_key_exists(services.clock.now()).await?;
        dangers.push(if live { Danger::EgressIsOpenWithLiveKeys } else { Danger::EgressIsOpen });
    }
    Ok(dangers)
}

/// Whether an address is http to anything but this machine.
fn is_exposed(address: &str) -> bool {
    let Ok(url) = Url::parse(address) else { return true };
    let is_loopback = match url.host() {
        Some(Host::Domain(name)) => name == "localhost",
        Some(Host::Ipv4(ip)) => ip.is_loopback(),
        Some(Host::Ipv6(ip)) => ip.is_loopback(),
        None => false,
    };
    url.scheme() == "http" && !is_loopback
}

#[cfg(test)]
mod tests {
    use super::is_exposed;

    #[test]
    fn address_is_exposed_only_over_http_to_other_machines() {
        for (address, exposed) in [
            ("https://kaarten.example", false),
            ("http://kaarten.example", true),
            ("http://10.0.0.1:8080", true),
            ("http://localhost:8080", false),
            ("http://[::1]:8080", false),
            ("http://127.0.0.1:8080", false),
        ] {
            assert_eq!(is_exposed(address), exposed, "{address}");
        }
    }
}

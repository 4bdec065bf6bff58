//! Refuses host names that cannot be public, before they are resolved.
//!
//! Called by the client for every address and redirect (decisions, section 7; RFC 6761, 6762, 7686, 8375).

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
    use super::is_public_name;

    #[test]
    fn name_that_cannot_be_public_is_refused() {
        for name in [
            "",
            ".",
            "..",
            "localhost",
            "localhost.",
            "LOCALHOST",
            "intranet",
            "intranet.",
            "printer.local",
            "metadata.google.internal",
            "a.localhost",
            "a.localhost.",
            "a.test",
            "a.invalid",
            "a.onion",
            "home.arpa",
            "nas.home.arpa",
            "nas.HOME.arpa.",
            "a..nl",
            ".example.nl",
            "example.nl..",
            "127.0.0.1",
            "a.0x7f",
        ] {
            assert!(!is_public_name(name), "{name:?}");
        }
    }

    #[test]
    fn name_that_could_be_public_is_allowed() {
        for name in [
            "example.nl",
            "example.nl.",
            "foto.uitvaart.example",
            "mylocal.nl",
            "notlocalhost.com",
            "local.nl",
            "x.arpa",
        ] {
            assert!(is_public_name(name), "{name:?}");
        }
    }
}

//! The address of a PostgreSQL database: its servers, and how connections are protected.
//!
//! Parsed when the settings are checked and when the database is opened. Errors do not repeat what may be a password.

use std::net::IpAddr;
use std::path::PathBuf;
use std::time::Duration;

use tokio_postgres::Config;
use tokio_postgres::config::Host;

use crate::base::{ErrorChain, limits};

/// The schemes of an address.
const SCHEMES: [&str; 2] = ["postgres://", "postgresql://"];

/// What to write for the characters that end a part of an address.
const ESCAPES: &str = "in a user name or password write @ as %40, / as %2F, ? as %3F, # as %23, : as %3A and % as %25";

/// A parsed address.
#[derive(Clone, Debug)]
pub(crate) struct PostgresAddress {
    pub(super) servers: Vec<Server>,
    pub(super) protection: Protection,
}

/// A server of an address.
#[derive(Clone, Debug)]
pub(super) struct Server {
    pub config: Config,
    /// Host and port, for error messages.
    pub place: String,
}

/// How a connection is protected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Protection {
    /// A Unix socket.
    Socket,
    /// TCP without TLS.
    None,
    Tls(Check),
}

/// How the certificate of the server is checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Check {
    /// Not at all: the connection is encrypted, but a server in the middle is not detected.
    Nothing,
    /// Against these roots, for any host.
    Chain(PathBuf),
    /// The certificate is checked against these roots, or the roots of the machine, and for the host.
    Full(Option<PathBuf>),
}

impl PostgresAddress {
    /// Returns whether a text has the scheme of such an address.
    pub(crate) fn is_meant(text: &str) -> bool {
        SCHEMES.iter().any(|scheme| text.starts_with(scheme))
    }

    /// Parses an address. The error names the invalid part.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        // A server and a name that are parts of a password would be logged.
        let rest = text.split_once("://").map_or(text, |(_, rest)| rest);
        if rest.matches('@').count() > 1 || (rest.contains('@') && rest.starts_with('/')) {
            return Err(format!("holds an @ that is not the one before the host: {ESCAPES}"));
        }
        let parameters = Parameters::parse(text)?;
        let mut config = parse_config(&parameters.address)?;
        if config.get_hosts().is_empty() {
            // A server with an IP address only is checked against that.
            for address in config.get_hostaddrs().to_vec() {
                config.host(address.to_string());
            }
        }
        let hosts = config.get_hosts();
        if hosts.is_empty() {
            return Err("names no host".to_owned());
        }
        if hosts.iter().any(|host| matches!(host, Host::Tcp(name) if name.contains(char::is_whitespace))) {
            return Err("names a host with a blank in it".to_owned());
        }
        if config.get_ports().contains(&0) {
            return Err("names port 0, which no server has: 5432 is usual".to_owned());
        }
        let protection = parameters.protection(&config)?;
        Ok(Self { servers: split(&config, &parameters.address)?, protection })
    }

    /// Returns whether connections leave this machine without TLS.
    pub(crate) fn is_exposed(&self) -> bool {
        self.protection == Protection::None && !self.servers.iter().all(|server| is_near(&server.config))
    }
}

fn parse_config(address: &str) -> Result<Config, String> {
    address.parse().map_err(|error: tokio_postgres::Error| {
        // The outermost error gives no reason.
        std::error::Error::source(&error).map_or_else(|| error.to_string(), |cause| ErrorChain(cause).to_string())
    })
}

/// Returns the servers of an address, each with all its other settings.
fn split(all: &Config, address: &str) -> Result<Vec<Server>, String> {
    let mut common = parse_config(&without_servers(address))?;
    make_due_now(&mut common);
    let (ports, addresses) = (all.get_ports(), all.get_hostaddrs());
    if !addresses.is_empty() && addresses.len() != all.get_hosts().len() {
        return Err("has another number of hosts than of values in hostaddr".to_owned());
    }
    let servers = all.get_hosts().iter().enumerate().map(|(index, host)| {
        let port = ports.get(index).or(ports.first()).copied().unwrap_or(5432);
        let mut config = common.clone();
        config.port(port);
        if let Some(address) = addresses.get(index) {
            config.hostaddr(*address);
        }
        let place = match host {
            Host::Tcp(name) => {
                config.host(name);
                if name.contains(':') { format!("[{name}]:{port}") } else { format!("{name}:{port}") }
            }
            #[cfg(unix)]
            Host::Unix(folder) => {
                config.host_path(folder);
                format!("{}/.s.PGSQL.{port}", folder.display())
            }
        };
        Server { config, place }
    });
    Ok(servers.collect())
}

/// Returns an address that names no server: `postgres://user@one,two:5433/cards?port=5432` becomes `postgres://user@/cards?`.
fn without_servers(address: &str) -> String {
    let (scheme, rest) = address.split_once("://").unwrap_or(("postgres", address));
    let (user, rest) = rest.split_at(rest.find('@').map_or(0, |at| at + 1));
    let rest = &rest[rest.find(['/', '?']).unwrap_or(rest.len())..];
    let (database, parameters) = rest.split_once('?').unwrap_or((rest, ""));
    let is_common = |parameter: &&str| !["host=", "hostaddr=", "port="].iter().any(|name| parameter.starts_with(name));
    let parameters: Vec<_> = parameters.split('&').filter(is_common).collect();
    format!("{scheme}://{user}{database}?{}", parameters.join("&"))
}

/// Removes the parameters that this service reads itself: the client knows fewer values of them.
struct Parameters {
    address: String,
    mode: Option<String>,
    roots: Option<String>,
}

impl Parameters {
    fn parse(text: &str) -> Result<Self, String> {
        let mut found = Self { address: text.to_owned(), mode: None, roots: None };
        // A password may contain a question mark.
        let start = text.find('@').map_or(0, |at| at + 1);
        let Some(mark) = text[start..].find('?').map(|mark| start + mark) else { return Ok(found) };
        let mut others = Vec::new();
        for parameter in text[mark + 1..].split('&').filter(|parameter| !parameter.is_empty()) {
            match parameter.split_once('=') {
                Some(("sslmode", value)) => found.mode = Some(decode(value)),
                Some(("sslrootcert", value)) => found.roots = Some(decode(value)),
                Some(_) => others.push(parameter),
                // This may be the end of a password.
                None => {
                    return Err(format!(
                        "holds a parameter without a value: it is written as name=value, and {ESCAPES}"
                    ));
                }
            }
        }
        found.address = text[..mark].to_owned();
        if !others.is_empty() {
            found.address = format!("{}?{}", found.address, others.join("&"));
        }
        Ok(found)
    }

    fn protection(&self, config: &Config) -> Result<Protection, String> {
        let sockets = config.get_hosts().iter().filter(|host| !matches!(host, Host::Tcp(_))).count();
        if sockets > 0 && sockets < config.get_hosts().len() {
            return Err("names a Unix socket beside another host: name one kind".to_owned());
        }
        let roots = self.roots.as_deref().filter(|roots| *roots != "system").map(PathBuf::from);
        let mode = match self.mode.as_deref() {
            Some(mode) => mode,
            None if self.roots.is_some() => "verify-full",
            None if is_near(config) => "disable",
            None => "require",
        };
        let protection = match (mode, roots) {
            ("disable", _) => Protection::None,
            ("require" | "verify-ca", _) if self.roots.as_deref() == Some("system") => {
                return Err(format!(
                    "sslrootcert=system needs sslmode=verify-full, not {mode}: anybody can get a \
                    certificate that leads to a public root"
                ));
            }
            ("require", None) => Protection::Tls(Check::Nothing),
            ("require" | "verify-ca", Some(roots)) => Protection::Tls(Check::Chain(roots)),
            ("verify-ca", None) => return Err("sslmode=verify-ca needs sslrootcert=<a PEM file>".to_owned()),
            ("verify-full", roots) => Protection::Tls(Check::Full(roots)),
            ("allow" | "prefer", _) => {
                return Err(format!(
                    "sslmode={mode} lets anybody on the way turn TLS off: write require, verify-full or \
                    disable"
                ));
            }
            _ => return Err("sslmode is none of disable, require, verify-ca and verify-full".to_owned()),
        };
        // PostgreSQL offers no TLS on Unix sockets.
        Ok(if sockets > 0 { Protection::Socket } else { protection })
    }
}

fn decode(value: &str) -> String {
    let pair = format!("v={}", value.replace('+', "%2B"));
    url::form_urlencoded::parse(pair.as_bytes()).next().map(|(_, value)| value.into_owned()).unwrap_or_default()
}

/// Returns whether every server is on this machine.
fn is_near(config: &Config) -> bool {
    let addresses = config.get_hostaddrs();
    if !addresses.is_empty() {
        return addresses.iter().all(IpAddr::is_loopback);
    }
    config.get_hosts().iter().all(|host| match host {
        Host::Tcp(name) => name == "localhost" || name.parse().is_ok_and(|address: IpAddr| address.is_loopback()),
        #[cfg(unix)]
        Host::Unix(_) => true,
    })
}

/// Sets TCP keepalives that detect a dead server, unless the address sets them.
fn make_due_now(config: &mut Config) {
    /// The client's own default.
    const IDLE: Duration = Duration::from_secs(2 * 60 * 60);
    if config.get_keepalives_idle() == IDLE {
        config.keepalives_idle(limits::DATABASE_KEEPALIVE_IDLE);
    }
    if config.get_keepalives_interval().is_none() {
        config.keepalives_interval(limits::DATABASE_KEEPALIVE_INTERVAL);
    }
    if config.get_keepalives_retries().is_none() {
        config.keepalives_retries(limits::DATABASE_KEEPALIVE_RETRIES);
    }
    if config.get_tcp_user_timeout().is_none() {
        config.tcp_user_timeout(limits::DATABASE_UNACKNOWLEDGED);
    }
}

#[cfg(test)]
mod tests {
    use tokio_postgres::config::TargetSessionAttrs;

    use super::*;

    fn protection(address: &str) -> Protection {
        PostgresAddress::parse(address).unwrap_or_else(|reason| panic!("{address}: {reason}")).protection
    }

    fn refusal(address: &str) -> String {
        PostgresAddress::parse(address).map(|read| panic!("{read:?}")).unwrap_err()
    }

    #[test]
    fn tls_is_required_but_for_servers_on_this_machine() {
        for near in ["localhost", "127.0.0.1", "[::1]:5433", "127.0.0.1,localhost:5433"] {
            assert_eq!(protection(&format!("postgres://u:p@{near}/d")), Protection::None, "{near}");
        }
        for far in ["db.example", "10.0.0.1", "[fd00::1]", "localhost,db.example"] {
            assert_eq!(protection(&format!("postgres://u:p@{far}/d")), Protection::Tls(Check::Nothing), "{far}");
        }
        assert_eq!(protection("postgres://u@localhost/d?hostaddr=10.0.0.1"), Protection::Tls(Check::Nothing));
        for socket in
            ["postgres://u@%2Frun%2Fpostgresql/d", "postgres:///d?user=u&host=/run/postgresql&sslmode=require"]
        {
            assert_eq!(protection(socket), Protection::Socket, "{socket}");
        }
    }

    #[test]
    fn mode_says_what_of_the_certificate_is_checked() {
        for (parameters, expected) in [
            ("sslmode=disable", Protection::None),
            ("sslmode=require", Protection::Tls(Check::Nothing)),
            ("sslmode=require&sslrootcert=/a+b.pem", Protection::Tls(Check::Chain("/a+b.pem".into()))),
            ("application_name=x&sslmode=verify-ca&sslrootcert=a%20b", Protection::Tls(Check::Chain("a b".into()))),
            ("sslrootcert=a", Protection::Tls(Check::Full(Some("a".into())))),
            ("sslmode=verify-full", Protection::Tls(Check::Full(None))),
            ("sslrootcert=system", Protection::Tls(Check::Full(None))),
            ("sslmode=verify-full&sslrootcert=a", Protection::Tls(Check::Full(Some("a".into())))),
        ] {
            assert_eq!(protection(&format!("postgres://u:p@db.example/d?{parameters}")), expected, "{parameters}");
        }
        let kept = PostgresAddress::parse("postgres://u:p?x@db/d?sslmode=disable&options=-csearch_path%3Dx").unwrap();
        let [Server { config, place }] = &kept.servers[..] else { panic!("{kept:?}") };
        assert_eq!(config.get_options(), Some("-csearch_path=x"));
        assert_eq!(config.get_password(), Some(b"p?x".as_slice()));
        assert_eq!((place.as_str(), kept.is_exposed()), ("db:5432", true));
    }

    #[test]
    fn each_server_has_its_own_place_and_all_other_settings() {
        for (address, expected) in [
            ("u:p@one,two:5433/d?sslmode=disable&", vec![("one:5432", None), ("two:5433", None)]),
            ("u:p@[::1]:1,127.0.0.1/d?", vec![("[::1]:1", None), ("127.0.0.1:5432", None)]),
            (
                "u:p@one:1,two:2/d?hostaddr=10.0.0.1,10.0.0.2&",
                vec![("one:1", Some("10.0.0.1")), ("two:2", Some("10.0.0.2"))],
            ),
            ("/d?host=one&user=u&host=two&port=1,2&password=p&", vec![("one:1", None), ("two:2", None)]),
            (
                "/d?user=u&password=p&hostaddr=10.0.0.1,10.0.0.2&",
                vec![("10.0.0.1:5432", Some("10.0.0.1")), ("10.0.0.2:5432", Some("10.0.0.2"))],
            ),
            ("u:p@/d?host=%2Frun%2Fa&port=1&", vec![("/run/a/.s.PGSQL.1", None)]),
        ] {
            let text = format!("postgres://{address}target_session_attrs=read-write");
            let parsed = PostgresAddress::parse(&text).unwrap_or_else(|reason| panic!("{text}: {reason}"));
            let places = parsed.servers.iter().map(|Server { config, place }| {
                assert_eq!((config.get_user(), config.get_password()), (Some("u"), Some(b"p".as_slice())), "{text}");
                assert_eq!((config.get_dbname(), config.get_hosts().len()), (Some("d"), 1), "{text}");
                assert_eq!(config.get_target_session_attrs(), TargetSessionAttrs::ReadWrite, "{text}");
                assert_eq!(config.get_tcp_user_timeout(), Some(&limits::DATABASE_UNACKNOWLEDGED), "{text}");
                (place.clone(), config.get_hostaddrs().first().map(IpAddr::to_string))
            });
            let expected = expected.into_iter().map(|(place, address)| (place.to_owned(), address.map(str::to_owned)));
            assert_eq!(places.collect::<Vec<_>>(), expected.collect::<Vec<_>>(), "{text}");
        }
        assert_eq!(
            refusal("postgres://u@one,two/d?hostaddr=10.0.0.1"),
            "has another number of hosts than of values in hostaddr"
        );
    }

    #[test]
    fn address_that_cannot_be_used_is_refused_with_what_is_wrong_and_without_its_password() {
        for (address, word) in [
            ("postgres://u:secret@db/d?sslmode=maybe", "none of disable"),
            ("postgres://u:secret@db/d?sslmode=prefer", "turn TLS off"),
            ("postgres://u:secret@db/d?sslmode=verify-ca", "sslrootcert"),
            ("postgres://u:secret@db/d?sslmode=require&sslrootcert=system", "verify-full"),
            ("postgres://u:secret@db/d?foo=secret", "unknown option `foo`"),
            ("postgres://u:secret@db/d?connect_timeout=secret", "`connect_timeout`"),
            ("postgres://u:secret@db:secret/d", "`port`"),
            (
                "postgres://u:secret@db/d?secret",
                "without a value: it is written as name=value, and in a user name or password",
            ),
            ("postgres://u:pass@secret@db/d", "%40"),
            ("postgres://u:pass@secret/x@db/d", "%40"),
            ("postgres://u:pass@b?secret@db/d", "%40"),
            ("postgres://u:pass@b?secret=1@db/d", "%40"),
            ("postgres:///d?user=u&password=secret@x", "%40"),
            ("postgres://u:secret@db:0/d", "port 0"),
            ("postgres://u:secret@ db/d", "blank"),
            ("postgres://u:secret@/d", "no host"),
            ("postgres://u:secret@%2Frun,db/d", "Unix socket"),
        ] {
            let reason = refusal(address);
            assert!(reason.contains(word) && !reason.contains("secret"), "{address}: {reason}");
        }
    }
}

//! `pg_dump` with the address of the settings (docs/operating.md, "Back up and restore").
//!
//! The program gets the address in variables of its environment, so that no password stands in the list of processes.

use std::io;
use std::path::{Path, PathBuf};
use std::process::{Output, Stdio};

use tokio::process::Command;
use tokio_postgres::config::{Host, TargetSessionAttrs};

use super::address::{Check, PostgresAddress, Protection};
use super::connect::{ConnectError, Connector};
use crate::base::{Progress, Step, limits, private};
use crate::store::error::Cause;

/// Where systems keep the roots that they trust. `sslrootcert=system` is unknown to libpq before 16.
const SYSTEM_ROOTS: [&str; 4] = [
    "/etc/ssl/certs/ca-certificates.crt",
    "/etc/pki/tls/certs/ca-bundle.crt",
    "/etc/ssl/ca-bundle.pem",
    "/etc/ssl/cert.pem",
];

/// Why a database was not dumped.
#[derive(Debug, thiserror::Error)]
pub enum DumpError {
    #[error("the address of the database is not one of PostgreSQL: {0}")]
    Address(String),
    #[error("the database does not answer")]
    Connect(#[source] Cause),
    #[error("{} cannot be written", .0.display())]
    Write(PathBuf, #[source] io::Error),
    #[error("pg_dump cannot be run: it is in the package postgresql-client")]
    Missing(#[source] io::Error),
    #[error("pg_dump failed: {0}")]
    Failed(String),
    #[error("this machine has no file of trusted roots: name one as sslrootcert in DATABASE_URL")]
    NoRoots,
}

/// Dumps the schema of the service in pg_dump's own format to a new file, which exists once the dump is complete.
pub async fn dump_postgres(url: &str, to: &Path, progress: &Progress) -> Result<(), DumpError> {
    let address = PostgresAddress::parse(url).map_err(DumpError::Address)?;
    let schema = current_schema(address.clone()).await?;
    let part = private::with_suffix(to, ".part");
    let unwritable = |error| DumpError::Write(part.clone(), error);
    match std::fs::remove_file(&part) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(unwritable(error)),
        _ => {} // what an interrupted dump left behind
    }
    let file = private::create_file(&part).map_err(unwritable)?;
    progress.begin_file(Step::DumpDatabase, &part, 0);
    let dumped = async {
        let output = run(&address, &schema, file.try_clone().map_err(unwritable)?).await?;
        if !output.status.success() {
            return Err(DumpError::Failed(String::from_utf8_lossy(&output.stderr).trim().to_owned()));
        }
        file.sync_all().map_err(unwritable)?;
        std::fs::rename(&part, to).map_err(|error| DumpError::Write(to.to_owned(), error))
    };
    let dumped = dumped.await;
    if dumped.is_err() {
        let _ = std::fs::remove_file(&part); // the error that is reported is the first one
    }
    dumped
}

async fn run(address: &PostgresAddress, schema: &str, to: std::fs::File) -> Result<Output, DumpError> {
    let mut command = Command::new("pg_dump");
    command.arg("--format=custom").arg("--no-password").env_remove("PGSERVICE").envs(environment(address)?);
    if schema != "public" {
        command.arg("--schema").arg(schema); // public is dumped as the whole database, whose restore does not create it again
    }
    command.stdin(Stdio::null()).stdout(to).stderr(Stdio::piped()).kill_on_drop(true);
    // `Command::output` would read stdout itself.
    command.spawn().map_err(DumpError::Missing)?.wait_with_output().await.map_err(DumpError::Missing)
}

async fn current_schema(address: PostgresAddress) -> Result<String, DumpError> {
    let failed = |error: ConnectError| DumpError::Connect(error.into());
    let client = Connector::new(address).map_err(DumpError::Connect)?.client().await.map_err(failed)?;
    let row = client.query_one("SELECT current_schema()::text", &[]).await;
    row.map(|row| row.get::<_, Option<String>>(0).unwrap_or_default()).map_err(|error| DumpError::Connect(error.into()))
}

/// Returns the variables of libpq for an address (PostgreSQL's manual, "Environment Variables").
fn environment(address: &PostgresAddress) -> Result<Vec<(&'static str, String)>, DumpError> {
    // The servers differ in their places only.
    let configs = || address.servers.iter().map(|server| &server.config);
    let Some(config) = configs().next() else { return Ok(Vec::new()) };
    let joined = |list: Vec<String>| Some(list.join(",")).filter(|text| !text.is_empty());
    let host = |host: &Host| match host {
        Host::Tcp(name) => name.clone(),
        #[cfg(unix)]
        Host::Unix(folder) => folder.display().to_string(),
    };
    let (mode, roots) = match &address.protection {
        Protection::Socket | Protection::None => ("disable", None),
        Protection::Tls(Check::Nothing) => ("require", None),
        Protection::Tls(Check::Chain(roots)) => ("verify-ca", Some(roots.clone())),
        Protection::Tls(Check::Full(Some(roots))) => ("verify-full", Some(roots.clone())),
        Protection::Tls(Check::Full(None)) => ("verify-full", Some(system_roots()?)),
    };
    let session = match config.get_target_session_attrs() {
        TargetSessionAttrs::ReadWrite => Some("read-write"),
        TargetSessionAttrs::ReadOnly => Some("read-only"),
        _ => None,
    };
    let variables = [
        ("PGHOST", joined(configs().flat_map(|config| config.get_hosts()).map(host).collect())),
        ("PGHOSTADDR", joined(configs().flat_map(|config| config.get_hostaddrs()).map(ToString::to_string).collect())),
        ("PGPORT", joined(configs().flat_map(|config| config.get_ports()).map(ToString::to_string).collect())),
        ("PGUSER", config.get_user().map(str::to_owned)),
        ("PGPASSWORD", config.get_password().map(|password| String::from_utf8_lossy(password).into_owned())),
        ("PGDATABASE", config.get_dbname().map(str::to_owned)),
        ("PGOPTIONS", config.get_options().map(str::to_owned)),
        ("PGTARGETSESSIONATTRS", session.map(str::to_owned)),
        ("PGSSLMODE", Some(mode.to_owned())),
        ("PGSSLROOTCERT", roots.map(|roots| roots.display().to_string())),
        ("PGCONNECT_TIMEOUT", Some(limits::DATABASE_CONNECT.as_secs().to_string())),
    ];
    Ok(variables.into_iter().filter_map(|(name, value)| Some((name, value?))).collect())
}

fn system_roots() -> Result<PathBuf, DumpError> {
    SYSTEM_ROOTS.iter().map(PathBuf::from).find(|file| file.is_file()).ok_or(DumpError::NoRoots)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn address_becomes_variables_of_libpq() {
        for (url, expected) in [
            (
                "postgres:///cards?host=/run/postgresql",
                "PGHOST=/run/postgresql PGPORT=5432 PGDATABASE=cards PGSSLMODE=disable",
            ),
            (
                "postgres://u:p%40%2F%20%2B+@db.example:5433/cards?sslmode=verify-ca&sslrootcert=/a%20b.pem",
                "PGHOST=db.example PGPORT=5433 PGUSER=u PGPASSWORD=p@/ ++ PGDATABASE=cards PGSSLMODE=verify-ca \
                 PGSSLROOTCERT=/a b.pem",
            ),
            (
                "postgresql://u@a.example,b.example:5433/cards?target_session_attrs=read-write&sslmode=require",
                "PGHOST=a.example,b.example PGPORT=5432,5433 PGUSER=u PGDATABASE=cards \
                 PGTARGETSESSIONATTRS=read-write PGSSLMODE=require",
            ),
            (
                "postgres://u@db.example/d?hostaddr=192.0.2.1&options=-csearch_path%3Dx&sslrootcert=/r.pem",
                "PGHOST=db.example PGHOSTADDR=192.0.2.1 PGPORT=5432 PGUSER=u PGDATABASE=d PGOPTIONS=-csearch_path=x \
                 PGSSLMODE=verify-full PGSSLROOTCERT=/r.pem",
            ),
            ("postgres://u@127.0.0.1/d", "PGHOST=127.0.0.1 PGPORT=5432 PGUSER=u PGDATABASE=d PGSSLMODE=disable"),
        ] {
            let variables = environment(&PostgresAddress::parse(url).expect(url)).expect(url);
            let shown: Vec<_> = variables.iter().map(|(name, value)| format!("{name}={value}")).collect();
            let shown = shown.join(" ").replace(" PGCONNECT_TIMEOUT=", "\n");
            assert_eq!(shown.lines().next(), Some(expected), "{url}");
        }
    }
}

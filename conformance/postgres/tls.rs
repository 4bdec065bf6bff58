//! TLS to PostgreSQL: which connections use it, which certificates are accepted, and channel binding.

use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, chown};
use std::path::Path;
use std::time::{Duration, Instant};

use rcgen::{CertifiedKey, generate_simple_self_signed};
use tempfile::TempDir;
use tokio_postgres::{NoTls, SimpleQueryMessage};

use crate::app::{Program, runtime};
use crate::chaos::cluster::Cluster;

/// pg_hba.conf: the first matching line decides who may connect and how.
const HBA: &str = "hostssl   all scram    127.0.0.1/32 scram-sha-256
hostssl   all clear    127.0.0.1/32 password
hostnossl all postgres 127.0.0.1/32 trust
hostnossl all all      127.0.0.1/32 reject
";

/// A PostgreSQL that has a certificate for 127.0.0.1 and db.example.
struct Server {
    cluster: Cluster,
    folder: TempDir,
    port: u16,
}

impl Server {
    async fn start() -> Self {
        let folder = TempDir::new().expect("a folder");
        let cluster = Cluster::start(folder.path());
        let port = url::Url::parse(&cluster.url).expect("an address").port().expect("it has one");
        let data = folder.path().join("postgres/data");
        let names = ["127.0.0.1", "db.example"].map(str::to_owned);
        let CertifiedKey { cert, signing_key } = generate_simple_self_signed(names).expect("a certificate");
        std::fs::write(folder.path().join("root.pem"), cert.pem()).expect("the folder is ours");
        let other = generate_simple_self_signed(["127.0.0.1".to_owned()]).expect("a certificate");
        std::fs::write(folder.path().join("other.pem"), other.cert.pem()).expect("the folder is ours");
        put(&data, "server.crt", &cert.pem());
        put(&data, "server.key", &signing_key.serialize_pem());
        let server = Self { cluster, folder, port };
        server.query("CREATE ROLE scram SUPERUSER LOGIN PASSWORD 'geheim'").await;
        server.query("CREATE ROLE clear SUPERUSER LOGIN PASSWORD 'geheim'").await;
        server.query("ALTER SYSTEM SET ssl = on").await;
        put(&data, "pg_hba.conf", HBA);
        server.query("SELECT pg_reload_conf()").await;
        let began = Instant::now();
        while server.query("SHOW ssl").await != ["on"] {
            assert!(began.elapsed() < Duration::from_secs(10), "PostgreSQL does not turn to TLS");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        server.program("scram:geheim", "127.0.0.1", "sslmode=require").create_database();
        server
    }

    /// Runs a query without TLS; returns the first column of each row.
    async fn query(&self, sql: &str) -> Vec<String> {
        let (client, connection) = tokio_postgres::connect(&self.cluster.url, NoTls).await.expect("it answers");
        tokio::spawn(connection);
        let rows = client.simple_query(sql).await.unwrap_or_else(|error| panic!("{sql}: {error}"));
        let row = |message| match message {
            SimpleQueryMessage::Row(row) => Some(row.get(0)?.to_owned()),
            _ => None,
        };
        rows.into_iter().filter_map(row).collect()
    }

    /// The service on it.
    fn program(&self, who: &str, host: &str, parameters: &str) -> Program {
        let parameters =
            parameters.replace("ROOT", &format!("sslrootcert={}", self.folder.path().join("root.pem").display()));
        let parameters =
            parameters.replace("OTHER", &format!("sslrootcert={}", self.folder.path().join("other.pem").display()));
        let addresses = vec!["127.0.0.1"; host.split(',').count()].join(",");
        let url = format!("postgres://{who}@{host}:{}/postgres?hostaddr={addresses}&{parameters}", self.port);
        Program::with(&url, &self.folder.path().join("service")).set("RUST_LOG", "error")
    }
}

/// Writes a file that only the user of PostgreSQL can read.
fn put(data: &Path, name: &str, text: &str) {
    let path = data.join(name);
    std::fs::write(&path, text).expect("the data folder can be written");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o600)).expect("the file is ours");
    let owner = std::fs::metadata(data).expect("it is there");
    chown(&path, Some(owner.uid()), Some(owner.gid())).expect("we are the owner, or root");
}

#[test]
fn connections_use_tls_and_verify_the_server_by_the_url() {
    runtime().block_on(async {
        let server = Server::start().await;
        let ends = |who: &str, host: &str, parameters: &str| {
            let output = server.program(who, host, parameters).run(&["partner", "list"]);
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            if output.status.success() { Ok(()) } else { Err(said) }
        };
        let scram = "scram:geheim";
        for (who, host, parameters) in [
            (scram, "127.0.0.1", "sslmode=require"),
            (scram, "127.0.0.1", "sslmode=require&channel_binding=require"),
            (scram, "127.0.0.1", "sslmode=verify-full&ROOT"),
            (scram, "db.example", "ROOT"),
            (scram, "gone.example:1,db.example", "ROOT&target_session_attrs=read-write"),
            (scram, "elsewhere.example", "sslmode=require"),
            (scram, "elsewhere.example", "sslmode=verify-ca&ROOT&channel_binding=require"),
            // Over TLS a password in clear text is read by the server alone.
            ("clear:geheim", "127.0.0.1", "sslmode=require"),
        ] {
            ends(who, host, parameters).unwrap_or_else(|said| panic!("{who} {host} {parameters}: {said}"));
        }
        for (who, host, parameters, word) in [
            (scram, "elsewhere.example", "sslmode=verify-full&ROOT", "not valid for name"),
            (scram, "127.0.0.1", "sslmode=verify-full&OTHER", "invalid peer certificate"),
            (scram, "127.0.0.1", "sslmode=verify-ca&OTHER", "invalid peer certificate"),
            (scram, "127.0.0.1", "sslmode=require&OTHER", "invalid peer certificate"),
            (scram, "127.0.0.1", "sslmode=verify-full", "invalid peer certificate"),
            (scram, "127.0.0.1", "sslmode=disable", "rejects connection"),
            ("scram:fout", "127.0.0.1", "sslmode=require", "password authentication failed"),
            ("clear:geheim", "127.0.0.1", "sslmode=require&channel_binding=require", "channel binding"),
        ] {
            let said = ends(who, host, parameters).expect_err(parameters);
            assert!(said.contains(word) && !said.contains("geheim"), "{who} {host} {parameters}: {said}");
        }

        // And pg_dump.
        let dump = |name: &str, parameters: &str| {
            let file = server.folder.path().join(name);
            server.program(scram, "db.example", parameters).run(&["backup", &file.display().to_string()])
        };
        for (name, parameters) in [("full.dump", "sslmode=verify-full&ROOT"), ("chain.dump", "sslmode=verify-ca&ROOT")]
        {
            let output = dump(name, parameters);
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        }
        assert!(!dump("other.dump", "sslmode=verify-full&OTHER").status.success());

        // The server too: the pool, and who listens to other replicas.
        let serving = server.program(scram, "127.0.0.1", "sslmode=require").serve();
        let ours = "SELECT ssl FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE usename = 'scram'";
        let began = Instant::now();
        let connections = loop {
            let connections = server.query(ours).await;
            if connections.len() > 1 || began.elapsed() > Duration::from_secs(10) {
                break connections;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        };
        assert!(connections.len() > 1 && connections.iter().all(|ssl| ssl == "t"), "{connections:?}");
        assert!(serving.terminate());
    });
}

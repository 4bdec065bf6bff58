//! An S3-compatible object store for a test: s3rver, installed from npm by the test. It checks the access key, but no
//! signature of version 4. It stores objects in files, so it can be restarted.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::time::Duration;

use tempfile::TempDir;

use super::{free_addresses, lines_of};

const PACKAGE: &str = "s3rver@3.7.1";
/// The time limit for its start on a busy machine.
const UP_WITHIN: Duration = Duration::from_secs(30);
const BUCKET: &str = "kaarten";
/// The only access key that s3rver knows.
const KEY: &str = "S3RVER";

/// The store; killed when it is dropped.
pub struct S3Server {
    folder: TempDir,
    port: u16,
    process: Option<Child>,
}

impl S3Server {
    pub fn start() -> Self {
        let port = free_addresses::<1>()[0].port();
        let mut server = Self { folder: tempfile::tempdir().expect("a folder for the bucket"), port, process: None };
        server.resume();
        server
    }

    /// The settings of a service that stores its photos here.
    pub fn settings(&self) -> Vec<(&'static str, String)> {
        vec![
            ("MEDIA_URL", format!("s3://{BUCKET}/media")),
            ("AWS_ENDPOINT", format!("http://127.0.0.1:{}", self.port)),
            ("AWS_ALLOW_HTTP", "true".to_owned()),
            ("AWS_REGION", "eu-west-1".to_owned()),
            ("AWS_ACCESS_KEY_ID", KEY.to_owned()),
            ("AWS_SECRET_ACCESS_KEY", KEY.to_owned()),
        ]
    }

    /// Kills the server; its port refuses connections.
    pub fn stop(&mut self) {
        if let Some(mut process) = self.process.take() {
            let _ = process.kill();
            let _ = process.wait();
        }
    }

    /// Starts the server on the same port, with its objects.
    pub fn resume(&mut self) {
        let mut process = Command::new("node")
            .arg(program())
            .args(["--directory", &self.folder.path().display().to_string(), "--address", "127.0.0.1"])
            .args(["--port", &self.port.to_string(), "--configure-bucket", BUCKET, "--silent"])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap_or_else(|error| panic!("node cannot be run ({error}); `bash .ci/test` installs it"));
        let lines = lines_of(&mut process);
        self.process = Some(process);
        let listening =
            std::iter::from_fn(|| lines.recv_timeout(UP_WITHIN).ok()).any(|line| line.contains("listening"));
        assert!(listening, "s3rver does not start on port {}", self.port);
    }

    /// Sends a signal: after `STOP` the server accepts connections and answers nothing, until `CONT`.
    pub fn signal(&self, name: &str) {
        let process = self.process.as_ref().expect("it runs");
        let sent = Command::new("kill").args([&format!("-{name}"), &process.id().to_string()]).status();
        assert!(sent.expect("kill runs").success());
    }

    /// Returns the names of the objects, sorted.
    pub fn names(&self) -> Vec<String> {
        let mut names = Vec::new();
        collect(&self.folder.path().join(BUCKET), "", &mut names);
        names.sort();
        names
    }
}

/// An S3 that stores nothing. It serves one connection after the other until the process ends.
#[derive(Clone, Copy, Debug)]
pub enum BrokenS3 {
    /// It has no such bucket.
    NoBucket,
    /// It answers every request with 404.
    NothingFound,
    /// It takes objects and does not have them afterwards.
    Forgets,
    /// Its credentials may read and not write.
    ReadOnly,
}

impl BrokenS3 {
    /// Starts it. Returns the settings of a service that stores its photos there.
    pub fn start(self) -> Vec<(&'static str, String)> {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let endpoint = format!("http://{}", listener.local_addr().expect("an address"));
        std::thread::spawn(move || listener.incoming().flatten().for_each(|stream| drop(self.answer(stream))));
        vec![
            ("MEDIA_URL", format!("s3://{BUCKET}/media")),
            ("AWS_ENDPOINT", endpoint),
            ("AWS_ALLOW_HTTP", "true".to_owned()),
            ("AWS_REGION", "eu-west-1".to_owned()),
            ("AWS_ACCESS_KEY_ID", KEY.to_owned()),
            ("AWS_SECRET_ACCESS_KEY", KEY.to_owned()),
        ]
    }

    fn answer(self, stream: TcpStream) -> std::io::Result<()> {
        let mut reader = BufReader::new(&stream);
        let (mut head, mut length) = (String::new(), 0);
        while !head.ends_with("\r\n\r\n") {
            let start = head.len();
            if reader.read_line(&mut head)? == 0 {
                return Ok(());
            }
            let line = head[start..].to_ascii_lowercase();
            length = line.strip_prefix("content-length:").map_or(length, |text| text.trim().parse().expect("a number"));
        }
        std::io::copy(&mut reader.take(length), &mut std::io::sink())?;
        let (status, code) = match (self, head.split(' ').next().unwrap_or_default()) {
            (Self::NoBucket, _) => ("404 Not Found", "NoSuchBucket"),
            (Self::NothingFound, _) => ("404 Not Found", "404"),
            (Self::Forgets, "PUT") => ("200 OK", ""),
            (Self::ReadOnly, "PUT" | "DELETE") => ("403 Forbidden", "AccessDenied"),
            (_, "DELETE") => ("204 No Content", ""),
            _ => ("404 Not Found", "NoSuchKey"),
        };
        let body = match code {
            "" => String::new(),
            "NoSuchKey" if head.contains("list-type=2") => "<ListBucketResult></ListBucketResult>".to_owned(),
            code => format!("<Error><Code>{code}</Code></Error>"),
        };
        let status = if body.starts_with("<List") { "200 OK" } else { status };
        let length = body.len();
        write!(
            &stream,
            "HTTP/1.1 {status}\r\nETag: \"x\"\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}"
        )
    }
}

impl Drop for S3Server {
    fn drop(&mut self) {
        self.stop();
    }
}

/// Collects the objects: s3rver stores each in a file of its name with this ending, next to files of metadata.
fn collect(folder: &Path, prefix: &str, names: &mut Vec<String>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for entry in entries.map(|entry| entry.expect("an entry")) {
        let name = entry.file_name().into_string().expect("UTF-8");
        match name.strip_suffix("._S3rver_object") {
            Some(object) => names.push(format!("{prefix}{object}")),
            None => collect(&entry.path(), &format!("{prefix}{name}/"), names),
        }
    }
}

/// Returns the path of s3rver, which the first call installs into the target folder.
fn program() -> &'static Path {
    static PROGRAM: OnceLock<PathBuf> = OnceLock::new();
    PROGRAM.get_or_init(|| {
        let program = "node_modules/s3rver/bin/s3rver.js";
        let tests = Path::new(env!("CARGO_TARGET_TMPDIR"));
        let installed = tests.join(PACKAGE);
        if !installed.join(program).is_file() {
            // Installs into a temporary folder and renames it, because two runs may install at once; the first rename wins.
            let folder = tempfile::tempdir_in(tests).expect("a folder for s3rver");
            let done = Command::new("npm")
                .args(["install", "--no-audit", "--no-fund", "--no-package-lock", "--silent", PACKAGE])
                .current_dir(folder.path())
                .status();
            assert!(done.is_ok_and(|status| status.success()), "npm installs {PACKAGE}");
            let _ = std::fs::rename(folder.path(), &installed);
        }
        installed.join(program)
    })
}

//! A test server that responds to each path with a script, also in invalid ways.

use std::io;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use rustls::pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer};
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;
use tokio::time::sleep;
use tokio_rustls::TlsAcceptor;

/// A step of a response, after the head of the request was read.
#[derive(Clone, Debug)]
pub(crate) enum Step {
    Send(Vec<u8>),
    Wait(Duration),
    /// Resets the connection, instead of closing it.
    Reset,
}

impl Step {
    /// A complete response with its content length; the connection is closed after it.
    pub(crate) fn answer(status: &str, headers: &[&str], body: &[u8]) -> Vec<Step> {
        let length = format!("Content-Length: {}", body.len());
        Self::raw(status, &[headers, &[length.as_str()]].concat(), body)
    }

    /// A response with these headers and no others.
    pub(crate) fn raw(status: &str, headers: &[&str], body: &[u8]) -> Vec<Step> {
        let mut bytes = format!("HTTP/1.1 {status}\r\nConnection: close\r\n").into_bytes();
        for header in headers {
            bytes.extend(format!("{header}\r\n").bytes());
        }
        bytes.extend(b"\r\n");
        bytes.extend(body);
        vec![Step::Send(bytes)]
    }

    pub(crate) fn redirect(location: &str) -> Vec<Step> {
        Self::answer("302 Found", &[&format!("Location: {location}")], b"")
    }
}

type Script = Arc<dyn Fn(&str) -> Vec<Step> + Send + Sync>;

/// A running server; it stops when it is dropped.
pub(crate) struct Server {
    address: SocketAddr,
    heads: Arc<Mutex<Vec<String>>>,
    /// The certificate that a client must trust, in PEM; empty without TLS.
    pub(crate) certificate_pem: String,
    task: JoinHandle<()>,
}

impl Server {
    /// Starts a server without TLS.
    pub(crate) async fn start(script: impl Fn(&str) -> Vec<Step> + Send + Sync + 'static) -> Self {
        Self::listen(Arc::new(script), None, String::new()).await
    }

    /// Starts a server with a self-signed certificate for these names.
    pub(crate) async fn start_tls(names: &[&str], script: impl Fn(&str) -> Vec<Step> + Send + Sync + 'static) -> Self {
        let names = names.iter().map(|name| name.to_string()).collect::<Vec<_>>();
        let made = rcgen::generate_simple_self_signed(names).expect("a certificate");
        let key = PrivateKeyDer::from(PrivatePkcs8KeyDer::from(made.signing_key.serialize_der()));
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let config = rustls::ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .and_then(|builder| builder.with_no_client_auth().with_single_cert(vec![made.cert.der().clone()], key))
            .expect("the certificate fits its key");
        Self::listen(Arc::new(script), Some(TlsAcceptor::from(Arc::new(config))), made.cert.pem()).await
    }

    async fn listen(script: Script, tls: Option<TlsAcceptor>, certificate_pem: String) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = listener.local_addr().expect("an address");
        let heads = Arc::<Mutex<Vec<String>>>::default();
        let task = tokio::spawn({
            let heads = Arc::clone(&heads);
            async move {
                while let Ok((stream, _)) = listener.accept().await {
                    // Some tests reset the connection.
                    tokio::spawn(serve(stream, tls.clone(), Arc::clone(&script), Arc::clone(&heads)));
                }
            }
        });
        Self { address, heads, certificate_pem, task }
    }

    pub(crate) fn port(&self) -> u16 {
        self.address.port()
    }

    /// Returns the entry of `EGRESS_ALLOW` that permits this server only.
    pub(crate) fn opening(&self) -> String {
        self.address.to_string()
    }

    /// Returns the URL of a path, with an IP address and without TLS.
    pub(crate) fn http(&self, path: &str) -> String {
        format!("http://{}/{}", self.address, path.trim_start_matches('/'))
    }

    /// Returns the heads of all requests so far.
    pub(crate) fn heads(&self) -> Vec<String> {
        self.heads.lock().expect("no test panics here").clone()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn serve(
    mut stream: TcpStream,
    tls: Option<TlsAcceptor>,
    script: Script,
    heads: Arc<Mutex<Vec<String>>>,
) -> io::Result<()> {
    match tls {
        Some(tls) => talk(&mut tls.accept(stream).await?, script, heads).await.map(drop),
        None => {
            if talk(&mut stream, script, heads).await? == Ending::Reset {
                stream.set_zero_linger()?;
            }
            Ok(())
        }
    }
}

#[derive(PartialEq, Eq)]
enum Ending {
    Closed,
    Reset,
}

async fn talk(
    stream: &mut (impl AsyncRead + AsyncWrite + Unpin),
    script: Script,
    heads: Arc<Mutex<Vec<String>>>,
) -> io::Result<Ending> {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        head.push(stream.read_u8().await?);
    }
    let head = String::from_utf8_lossy(&head).into_owned();
    let path = head.split(' ').nth(1).unwrap_or_default().to_owned();
    let length = head.lines().find_map(|line| line.to_ascii_lowercase().strip_prefix("content-length: ")?.parse().ok());
    heads.lock().expect("no test panics here").push(head);
    // The body of the request is read, because closing with unread bytes would reset the connection.
    stream.read_exact(&mut vec![0; length.unwrap_or(0)]).await?;
    for step in script(&path) {
        match step {
            Step::Send(bytes) => stream.write_all(&bytes).await?,
            Step::Wait(duration) => sleep(duration).await,
            Step::Reset => return Ok(Ending::Reset),
        }
    }
    stream.shutdown().await?;
    Ok(Ending::Closed)
}

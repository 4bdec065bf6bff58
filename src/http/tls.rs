//! TLS: a certificate and its key from two files, which are read again while the server runs (RFC 8446; RFC 7301 for the
//! choice between HTTP/1.1 and HTTP/2).
//!
//! Called by the server for every connection, and by the worker that checks whether the files have changed. New connections
//! use a new certificate; an unusable one changes nothing.

use std::io;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::Duration;

use rustls::ServerConfig;
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, UnixTime};
use sha2::{Digest, Sha256};
use tokio::net::TcpStream;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::server::TlsStream;
use webpki::{EndEntityCert, KeyUsage};

use crate::base::Timestamp;

/// The files of the certificate chain and the key, in PEM.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TlsFiles {
    pub certificate: PathBuf,
    pub key: PathBuf,
}

/// Why a certificate cannot be used. No message holds a part of the key.
#[derive(Debug, thiserror::Error)]
pub enum TlsError {
    #[error("the file {} cannot be read", .0.display())]
    Read(PathBuf, #[source] io::Error),
    #[error(
        "every user of this machine can read or change the private key {} (mode {mode:04o}): chmod 600 keeps it private",
        path.display()
    )]
    Exposed { path: PathBuf, mode: u32 },
    #[error("the file {} holds no certificate in PEM", .0.display())]
    Certificate(PathBuf),
    #[error("the file {} holds a certificate that does not say when it ends", .0.display())]
    End(PathBuf),
    #[error("the file {} holds no private key in PEM", .0.display())]
    Key(PathBuf),
    #[error("certificate and key do not fit each other")]
    Pair(#[source] rustls::Error),
}

/// The result of reading the files again.
#[derive(Debug)]
pub enum Look {
    Unchanged,
    Renewed,
    /// The previous certificate stays in use.
    Refused(TlsError),
}

/// The TLS of a server.
pub struct Tls {
    files: TlsFiles,
    used: RwLock<Arc<Used>>,
    /// The digest of the files when they were last read, usable or not; `None` if they could not be read.
    seen: Mutex<Option<[u8; 32]>>,
}

/// A certificate in use.
struct Used {
    config: Arc<ServerConfig>,
    ends: Timestamp,
}

/// The contents of the two files.
struct Found {
    certificate: Vec<u8>,
    key: Vec<u8>,
}

impl Tls {
    /// Reads the files.
    pub fn open(files: TlsFiles) -> Result<Self, TlsError> {
        let found = Found::read(&files)?;
        let used = RwLock::new(Arc::new(found.parse(&files)?));
        Ok(Self { used, seen: Mutex::new(Some(found.digest())), files })
    }

    fn used(&self) -> Arc<Used> {
        Arc::clone(&self.used.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// The expiry of the certificate in use. The rest of the chain does not count: it may hold an expired certificate for old
    /// clients.
    pub fn not_after(&self) -> Timestamp {
        self.used().ends
    }

    /// Reads the files again.
    pub fn look(&self) -> Look {
        let found = Found::read(&self.files);
        let digest = found.as_ref().ok().map(Found::digest);
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        if std::mem::replace(&mut *seen, digest) == digest {
            return Look::Unchanged;
        }
        match found.and_then(|found| found.parse(&self.files)) {
            Ok(used) => {
                *self.used.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(used);
                Look::Renewed
            }
            Err(error) => Look::Refused(error),
        }
    }

    /// Accepts a TLS connection with the certificate in use.
    pub(super) async fn accept(&self, stream: TcpStream) -> io::Result<TlsStream<TcpStream>> {
        TlsAcceptor::from(Arc::clone(&self.used().config)).accept(stream).await
    }
}

impl Found {
    fn read(files: &TlsFiles) -> Result<Self, TlsError> {
        let read = |path: &Path| std::fs::read(path).map_err(|error| TlsError::Read(path.to_owned(), error));
        let key = std::fs::metadata(&files.key).map_err(|error| TlsError::Read(files.key.clone(), error))?;
        let mode = key.permissions().mode() & 0o7777;
        // A group may read it: tools that renew certificates need that.
        if mode & 0o027 != 0 {
            return Err(TlsError::Exposed { path: files.key.clone(), mode });
        }
        Ok(Self { certificate: read(&files.certificate)?, key: read(&files.key)? })
    }

    fn digest(&self) -> [u8; 32] {
        let length = u64::try_from(self.certificate.len()).unwrap_or(u64::MAX).to_be_bytes();
        Sha256::new().chain_update(length).chain_update(&self.certificate).chain_update(&self.key).finalize().into()
    }

    fn parse(&self, files: &TlsFiles) -> Result<Used, TlsError> {
        let no_certificate = || TlsError::Certificate(files.certificate.clone());
        let chain: Vec<_> = CertificateDer::pem_slice_iter(&self.certificate)
            .collect::<Result<_, _>>()
            .map_err(|_| no_certificate())?;
        let ends = end(chain.first().ok_or_else(no_certificate)?);
        let ends = ends.ok_or_else(|| TlsError::End(files.certificate.clone()))?;
        let key = PrivateKeyDer::from_pem_slice(&self.key).map_err(|_| TlsError::Key(files.key.clone()))?;
        let mut config = ServerConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
            .with_safe_default_protocol_versions()
            .and_then(|builder| builder.with_no_client_auth().with_single_cert(chain, key))
            .map_err(TlsError::Pair)?;
        config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
        Ok(Used { config: Arc::new(config), ends })
    }
}

/// Returns the expiry of a certificate (RFC 5280, section 4.1.2.5). webpki checks dates first and reports the expiry in its
/// error, so it is asked to verify the certificate at the end of time.
fn end(certificate: &CertificateDer<'_>) -> Option<Timestamp> {
    let certificate = EndEntityCert::try_from(certificate).ok()?;
    let end_of_time = UnixTime::since_unix_epoch(Duration::MAX);
    let checked = certificate.verify_for_usage(&[], &[], &[], end_of_time, KeyUsage::server_auth(), None, None);
    match checked.err()? {
        webpki::Error::CertExpired { not_after, .. } => {
            Timestamp::from_millis(i64::try_from(not_after.as_secs()).ok()?.checked_mul(1_000)?)
        }
        _ => None,
    }
}

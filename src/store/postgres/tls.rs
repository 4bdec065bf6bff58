//! TLS to PostgreSQL, and a check of servers without TLS.

use std::future::{Ready, ready};
use std::io;
use std::path::Path;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use rustls::client::WebPkiServerVerifier;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{CryptoProvider, ring, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{CertificateError, ClientConfig, DigitallySignedStruct, RootCertStore, SignatureScheme};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio_postgres::Socket;
use tokio_postgres::tls::{ChannelBinding, MakeTlsConnect, TlsConnect, TlsStream};

use super::address::Check;
use crate::store::error::Cause;

/// Returns the TLS settings for this check of the server.
pub(super) fn client_config(check: &Check) -> Result<ClientConfig, Cause> {
    let provider = Arc::new(ring::default_provider());
    let builder = ClientConfig::builder_with_provider(Arc::clone(&provider)).with_safe_default_protocol_versions()?;
    let mut config = match check {
        Check::Full(roots) => {
            let roots = match roots {
                Some(file) => roots_in(file)?,
                None => system_roots(),
            };
            builder.with_root_certificates(roots).with_no_client_auth()
        }
        Check::Chain(_) | Check::Nothing => {
            let chain = match check {
                Check::Chain(file) => {
                    let roots = Arc::new(roots_in(file)?);
                    Some(WebPkiServerVerifier::builder_with_provider(roots, Arc::clone(&provider)).build()?)
                }
                _ => None,
            };
            let verifier = Arc::new(AnyHost { chain, provider });
            builder.dangerous().with_custom_certificate_verifier(verifier).with_no_client_auth()
        }
    };
    // PostgreSQL requires ALPN with sslnegotiation=direct, and ignores it otherwise.
    config.alpn_protocols = vec![b"postgresql".to_vec()];
    Ok(config)
}

fn roots_in(file: &Path) -> Result<RootCertStore, Cause> {
    let named = |error: Cause| format!("sslrootcert: {}: {error}", file.display());
    let mut roots = RootCertStore::empty();
    for certificate in CertificateDer::pem_file_iter(file).map_err(|error| named(error.into()))? {
        let certificate = certificate.map_err(|error| named(error.into()))?;
        roots.add(certificate).map_err(|error| named(error.into()))?;
    }
    if roots.is_empty() {
        return Err(named("the file holds no certificate in PEM".into()).into());
    }
    Ok(roots)
}

fn system_roots() -> RootCertStore {
    let mut roots = RootCertStore::empty();
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    if roots.is_empty() {
        tracing::warn!(
            "this machine has no trusted roots, so no certificate of PostgreSQL is accepted: name a file as sslrootcert"
        );
    }
    roots
}

/// Checks a certificate against the roots, or not at all, but never its host name.
#[derive(Debug)]
struct AnyHost {
    chain: Option<Arc<WebPkiServerVerifier>>,
    provider: Arc<CryptoProvider>,
}

impl ServerCertVerifier for AnyHost {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        server_name: &ServerName<'_>,
        ocsp_response: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        let Some(chain) = &self.chain else { return Ok(ServerCertVerified::assertion()) };
        match chain.verify_server_cert(end_entity, intermediates, server_name, ocsp_response, now) {
            // The name is checked last, so everything else is right.
            Err(rustls::Error::InvalidCertificate(
                CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. },
            )) => Ok(ServerCertVerified::assertion()),
            verified => verified,
        }
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        verify_tls12_signature(message, certificate, signed, &self.provider.signature_verification_algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        verify_tls13_signature(message, certificate, signed, &self.provider.signature_verification_algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.provider.signature_verification_algorithms.supported_schemes()
    }
}

/// Connects without TLS, and refuses a server that asks for the password in clear text.
///
/// It is implemented as a TLS connector, because only that sees the messages of the server before the client sends the
/// password.
#[derive(Clone, Copy)]
pub(super) struct Plain;

impl MakeTlsConnect<Socket> for Plain {
    type Stream = PlainStream;
    type TlsConnect = Plain;
    type Error = io::Error;

    fn make_tls_connect(&mut self, _: &str) -> io::Result<Plain> {
        Ok(Plain)
    }
}

impl TlsConnect<Socket> for Plain {
    type Stream = PlainStream;
    type Error = io::Error;
    type Future = Ready<io::Result<PlainStream>>;

    fn connect(self, socket: Socket) -> Self::Future {
        ready(Ok(PlainStream { socket, greeting: Some(Greeting::default()) }))
    }
}

/// A connection without TLS.
pub(super) struct PlainStream {
    socket: Socket,
    /// Set until the server has authenticated the client.
    greeting: Option<Greeting>,
}

impl TlsStream for PlainStream {
    fn channel_binding(&self) -> ChannelBinding {
        ChannelBinding::none()
    }
}

impl AsyncRead for PlainStream {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        ready!(Pin::new(&mut self.socket).poll_read(cx, buffer))?;
        if let Some(greeting) = &mut self.greeting {
            match greeting.read(&buffer.filled()[before..]) {
                Asked::Nothing => {}
                Asked::ClearText => {
                    let reason = "the server asks for the password in clear text, and the connection is not encrypted: \
                                  the password was not sent; use TLS (sslmode), or scram-sha-256 in pg_hba.conf";
                    return Poll::Ready(Err(io::Error::new(io::ErrorKind::PermissionDenied, reason)));
                }
                Asked::Over => self.greeting = None,
            }
        }
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for PlainStream {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.socket).poll_write(cx, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.socket).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.socket).poll_shutdown(cx)
    }
}

/// Parses the messages of a server up to AuthenticationOk (PostgreSQL, "Message Formats").
#[derive(Default)]
struct Greeting {
    /// The start of the current message: type, length, and for type R the code.
    head: Vec<u8>,
    /// How many bytes of the message are left to skip.
    skip: usize,
}

#[derive(Debug, PartialEq, Eq)]
enum Asked {
    Nothing,
    ClearText,
    Over,
}

impl Greeting {
    fn read(&mut self, mut bytes: &[u8]) -> Asked {
        const OK: u32 = 0;
        const CLEAR_TEXT: u32 = 3;
        while let Some((first, rest)) = bytes.split_first() {
            if self.skip > 0 {
                let skipped = self.skip.min(bytes.len());
                (self.skip, bytes) = (self.skip - skipped, &bytes[skipped..]);
                continue;
            }
            bytes = rest;
            self.head.push(*first);
            let number = |at: usize| self.head[at..at + 4].iter().fold(0, |all, byte| all << 8 | u32::from(*byte));
            let unread = match (self.head.len(), self.head[0]) {
                (5, kind) if kind != b'R' => number(1).saturating_sub(4),
                (9, _) if number(5) == OK => return Asked::Over,
                (9, _) if number(5) == CLEAR_TEXT => return Asked::ClearText,
                (9, _) => number(1).saturating_sub(8),
                _ => continue,
            };
            self.skip = usize::try_from(unread).unwrap_or(usize::MAX);
            self.head.clear();
        }
        Asked::Nothing
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn greeting_is_read_however_it_is_cut() {
        let notice = b"N\0\0\0\x08R\0\0\0".as_slice();
        let sasl = b"R\0\0\0\x0c\0\0\0\x0aSCRA".as_slice();
        for (last, expected) in [
            (b"R\0\0\0\x08\0\0\0\x03".as_slice(), Asked::ClearText),
            (b"R\0\0\0\x08\0\0\0\0R\0\0\0\x08\0\0\0\x03", Asked::Over),
            (b"R\0\0\0\x0c\0\0\0\x05salt", Asked::Nothing),
        ] {
            let all = [notice, sasl, last].concat();
            for length in 1..=all.len() {
                let mut greeting = Greeting::default();
                let said = all.chunks(length).map(|part| greeting.read(part)).find(|said| *said != Asked::Nothing);
                assert_eq!(said.unwrap_or(Asked::Nothing), expected, "in parts of {length}");
            }
        }
    }
}

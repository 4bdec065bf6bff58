//! The TLS settings of outbound connections: ring, the system's trusted roots, and those of `EGRESS_CA`.

use std::path::Path;
use std::sync::Arc;

use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject as _;
use rustls::{ClientConfig, RootCertStore};

use super::failure::OutboundError;

/// Makes ring the TLS provider of clients that other crates build, such as the object store's. May be called repeatedly.
pub fn install_tls_provider() {
    // An error: a provider is installed already.
    let _ = rustls::crypto::ring::default_provider().install_default();
}

/// Returns the TLS settings: TLS 1.2 and 1.3, HTTP/1.1, with verification of host names.
pub(super) fn client_config(extra_roots: Option<&Path>) -> Result<ClientConfig, OutboundError> {
    let mut roots = RootCertStore::empty();
    let system = rustls_native_certs::load_native_certs();
    for error in &system.errors {
        tracing::warn!(%error, "A trusted root of this machine could not be read.");
    }
    roots.add_parsable_certificates(system.certs);
    if let Some(path) = extra_roots {
        add_extra(&mut roots, path).map_err(|source| OutboundError::Roots { path: path.to_owned(), source })?;
    }
    if roots.is_empty() {
        tracing::warn!("This machine has no trusted roots: every outbound https connection will fail.");
    }
    let mut config = ClientConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(|error| OutboundError::Client(error.into()))?
        .with_root_certificates(roots)
        .with_no_client_auth();
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(config)
}

fn add_extra(roots: &mut RootCertStore, path: &Path) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    let before = roots.len();
    for certificate in CertificateDer::pem_file_iter(path)? {
        roots.add(certificate?)?;
    }
    match roots.len() > before {
        true => Ok(()),
        false => Err("the file holds no certificate in PEM".into()),
    }
}

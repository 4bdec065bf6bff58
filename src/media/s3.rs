//! An S3-compatible object store.
//!
//! Called by [`super::MediaStore::from_url`]. The operator configures the address, so the egress policy of `outbound` does
//! not apply; only its TLS provider is shared.

use std::error::Error;
use std::sync::Arc;
use std::time::Duration;

use object_store::aws::{AmazonS3Builder, AmazonS3ConfigKey};
use object_store::path::Path;
use object_store::prefix::PrefixStore;
use object_store::{ClientOptions, ObjectStore, RetryConfig};
use url::Url;

use crate::outbound::install_tls_provider;

/// A partner waits for its response while a portrait is stored. After these retries the store counts as unavailable.
const RETRIES_MAX: usize = 3;
const RETRY_TOTAL: Duration = Duration::from_secs(10);
/// A running store accepts a connection at once.
const CONNECT: Duration = Duration::from_secs(3);
/// The time for one request, with ten megabytes of a portrait.
const ANSWER: Duration = Duration::from_secs(15);

/// The bucket and prefix of `s3://bucket/prefix`, with the credentials of `variables`.
pub(super) fn open<N: AsRef<str>, V: Into<String>>(
    url: &Url,
    variables: impl IntoIterator<Item = (N, V)>,
) -> Result<Arc<dyn ObjectStore>, Box<dyn Error + Send + Sync>> {
    let bucket = url.host_str().filter(|bucket| !bucket.is_empty()).ok_or("the address names no bucket")?;
    if !url.username().is_empty() || url.password().is_some() || url.port().is_some() || url.query().is_some() {
        return Err("the address holds more than a bucket and a prefix; access belongs in AWS_ variables".into());
    }
    install_tls_provider();
    let retry = RetryConfig { max_retries: RETRIES_MAX, retry_timeout: RETRY_TOTAL, ..RetryConfig::default() };
    let client = ClientOptions::new().with_connect_timeout(CONNECT).with_timeout(ANSWER);
    let mut builder = AmazonS3Builder::new().with_retry(retry).with_client_options(client);
    for (name, value) in variables {
        let name = name.as_ref();
        let key = name.starts_with("AWS_").then(|| name.to_ascii_lowercase().parse::<AmazonS3ConfigKey>());
        if let Some(Ok(key)) = key {
            builder = builder.with_config(key, value);
        }
    }
    let store = builder.with_bucket_name(bucket).build()?;
    let prefix = Path::from_url_path(url.path())?;
    match prefix.as_ref().is_empty() {
        true => Ok(Arc::new(store)),
        false => Ok(Arc::new(PrefixStore::new(store, prefix))),
    }
}

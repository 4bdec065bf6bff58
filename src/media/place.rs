//! The address of an object store: a folder of this machine, or a bucket of S3.

use std::ops::RangeInclusive;
use std::path::PathBuf;
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

/// The meaning of the address of a store.
pub(super) enum Place {
    Folder(PathBuf),
    /// The name of a bucket of S3, and the prefix of every object in it.
    Bucket(String, Path),
}

impl Place {
    /// Parses `file:///folder` or `s3://bucket/prefix`. The error does not repeat the address.
    pub(super) fn parse(address: &str) -> Result<Self, &'static str> {
        const FORMS: &str = "must be file:///<folder> or s3://<bucket>/<prefix>";
        let url = Url::parse(address).map_err(|_| FORMS)?;
        match url.scheme() {
            "s3" => {}
            "file" => {
                let folder = url.to_file_path().ok().filter(|_| url.query().is_none() && url.fragment().is_none());
                return folder
                    .map(Place::Folder)
                    .ok_or("must name a folder of this machine from the root: file:///<folder>");
            }
            _ => return Err(FORMS),
        }
        if !url.username().is_empty() || url.password().is_some() || url.port().is_some() {
            return Err("must hold nothing but a bucket and a prefix; access belongs in AWS_ variables");
        }
        if url.query().is_some() || url.fragment().is_some() {
            return Err("must hold nothing but a bucket and a prefix: write ? and # as %3F and %23");
        }
        let bucket = url.host_str().unwrap_or_default();
        let is_plain = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'-' | b'_');
        if !(BUCKET_CHARS.contains(&bucket.len()) && bucket.bytes().all(is_plain)) {
            return Err("must name a bucket of 3 to 63 letters, digits, dots and hyphens: s3://<bucket>/<prefix>");
        }
        let prefix = Path::from_url_path(url.path())
            .map_err(|_| "must have a prefix without empty parts, such as s3://<bucket>/a/b")?;
        Ok(Place::Bucket(bucket.to_owned(), prefix))
    }
}

/// The length of the name of a bucket (Amazon S3 user guide, "Bucket naming rules").
const BUCKET_CHARS: RangeInclusive<usize> = 3..=63;

/// The prefix in a bucket, with the credentials of `variables`.
pub(super) fn open_s3<N: AsRef<str>, V: Into<String>>(
    bucket: &str,
    prefix: Path,
    variables: impl IntoIterator<Item = (N, V)>,
) -> Result<Arc<dyn ObjectStore>, Box<dyn std::error::Error + Send + Sync>> {
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
    match prefix.as_ref().is_empty() {
        true => Ok(Arc::new(store)),
        false => Ok(Arc::new(PrefixStore::new(store, prefix))),
    }
}

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

#[cfg(test)]
mod tests {
    use bytes::Bytes;

    use crate::media::{MediaError, MediaStore};
    use crate::outbound::test_server::{Server, Step};

    async fn store(server: &Server) -> MediaStore {
        let endpoint = server.http("");
        let variables = [
            ("AWS_ACCESS_KEY_ID", "key-id"),
            ("AWS_SECRET_ACCESS_KEY", "secret"),
            ("AWS_REGION", "eu-west-1"),
            ("AWS_ENDPOINT", endpoint.trim_end_matches('/')),
            ("AWS_ALLOW_HTTP", "true"),
            ("HOME", "/nowhere"),
        ];
        MediaStore::from_url("s3://bucket/cards/live", variables).expect("the store opens")
    }

    #[tokio::test]
    async fn bytes_go_to_the_bucket_below_the_prefix_and_come_back() {
        let server = Server::start(|path| match path {
            "/bucket/cards/live/photo/a.png" => {
                Step::answer("200 OK", &["ETag: \"1\"", "Last-Modified: Thu, 01 Oct 2026 10:00:00 GMT"], b"one")
            }
            _ => Step::answer("404 Not Found", &[], b""),
        })
        .await;
        let store = store(&server).await;
        store.put("photo/a.png", Bytes::from_static(b"one")).await.expect("the server takes it");
        assert_eq!(store.get("photo/a.png").await.expect("an answer").as_deref(), Some(&b"one"[..]));
        assert_eq!(store.get("photo/b.png").await.expect("an answer"), None);
        let heads = server.heads();
        assert!(heads[0].starts_with("PUT /bucket/cards/live/photo/a.png "), "{}", heads[0]);
        let signed = "authorization: AWS4-HMAC-SHA256 Credential=key-id/";
        assert!(heads.iter().all(|head| head.contains(signed)), "{heads:?}");
    }

    #[tokio::test]
    async fn refusal_of_the_server_is_a_failure() {
        let server = Server::start(|_| Step::answer("403 Forbidden", &[], b"")).await;
        let store = store(&server).await;
        let error = store.put("photo/a.png", Bytes::from_static(b"one")).await.expect_err("refused");
        assert!(matches!(error, MediaError::Failed(_)), "{error}");
    }
}

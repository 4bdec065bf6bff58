//! The object store: a local folder by default, S3-compatible by address (decisions, section 7).

use std::fmt;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures_util::future::BoxFuture;
use futures_util::stream::BoxStream;
use futures_util::{FutureExt as _, StreamExt as _};
use object_store::aws::{AmazonS3Builder, AmazonS3ConfigKey};
use object_store::local::LocalFileSystem;
use object_store::memory::InMemory;
use object_store::prefix::PrefixStore;
use object_store::{ClientOptions, GetOptions, GetRange, ObjectStore, ObjectStoreExt as _, RetryConfig};
use tokio::time::Instant;
use url::Url;

use super::MediaError;
use super::key::path_of;
use crate::base::{limits, private};
use crate::outbound::install_tls_provider;

/// The object store of portraits and theme pictures; cheap to clone.
#[derive(Clone)]
pub struct MediaStore {
    store: Arc<dyn ObjectStore>,
    address: Arc<str>,
    observer: Option<MediaObserver>,
}

/// Is called after each request with its operation, whether it succeeded, and how long it took.
pub type MediaObserver = Arc<dyn Fn(&'static str, bool, Duration) + Send + Sync>;

impl MediaStore {
    /// A folder on this machine, created if missing. Writes are atomic and durable.
    pub fn local(folder: &Path) -> Result<Self, MediaError> {
        let address = folder.display().to_string();
        private::create_folder(folder).map_err(|error| MediaError::open(&address, error))?;
        let store = LocalFileSystem::new_with_prefix(folder).map_err(|error| MediaError::open(&address, error))?;
        Ok(Self { store: Arc::new(store.with_fsync(true)), address: address.into(), observer: None })
    }

    /// A store in memory. For tests.
    pub fn in_memory() -> Self {
        Self { store: Arc::new(InMemory::new()), address: "memory".into(), observer: None }
    }

    /// The store at an address: `s3://bucket/prefix` or `file:///folder`.
    ///
    /// The credentials of S3 come from `variables` by their usual names, such as `AWS_ACCESS_KEY_ID`,
    /// `AWS_SECRET_ACCESS_KEY`, `AWS_REGION`, and `AWS_ENDPOINT` for another provider. Other names are ignored, so the whole
    /// environment can be passed.
    pub fn from_url<N: AsRef<str>, V: Into<String>>(
        address: &str,
        variables: impl IntoIterator<Item = (N, V)>,
    ) -> Result<Self, MediaError> {
        let url = Url::parse(address).map_err(|error| MediaError::open(address, error))?;
        match url.scheme() {
            "s3" => {
                let store = open_s3(&url, variables).map_err(|error| MediaError::open(address, error))?;
                Ok(Self { store, address: address.into(), observer: None })
            }
            "file" => match url.to_file_path() {
                Ok(folder) => Self::local(&folder),
                Err(()) => Err(MediaError::open(address, "the address names no folder of this machine")),
            },
            _ => Err(MediaError::open(address, "the address begins with neither s3:// nor file://")),
        }
    }

    /// Returns the same store with an observer of its requests.
    pub fn with_observer(self, observer: MediaObserver) -> Self {
        Self { observer: Some(observer), ..self }
    }

    /// Stores bytes under a key, in place of an earlier object.
    pub async fn put(&self, key: &str, bytes: Bytes) -> Result<(), MediaError> {
        let path = path_of(key).ok_or_else(|| MediaError::Key(key.to_owned()))?;
        self.ask("put", self.store.put(&path, bytes.into())).await?;
        Ok(())
    }

    /// The bytes under a key; `None` if there are none or the key is invalid.
    pub async fn get(&self, key: &str) -> Result<Option<Bytes>, MediaError> {
        let Some(path) = path_of(key) else { return Ok(None) };
        self.ask("get", async { self.store.get(&path).await?.bytes().await }).await
    }

    /// Lists every file with its size, in no order; also files that are not under a valid key.
    pub fn list(&self) -> BoxStream<'static, Result<(String, u64), MediaError>> {
        let found = self.store.list(None);
        found.map(|found| found.map(|file| (file.location.to_string(), file.size)).map_err(MediaError::from)).boxed()
    }

    /// The size of the bytes under a key, without reading them; `None` as for [`MediaStore::get`].
    pub async fn size(&self, key: &str) -> Result<Option<u64>, MediaError> {
        let Some(path) = path_of(key) else { return Ok(None) };
        Ok(self.ask("head", self.store.head(&path)).await?.map(|found| found.size))
    }

    /// The first part of the bytes under a key, and a reader of the rest; `None` as for [`MediaStore::get`].
    pub async fn get_in_parts(&self, key: &str) -> Result<Option<(Bytes, MediaParts)>, MediaError> {
        let Some(path) = path_of(key) else { return Ok(None) };
        let range = Some(GetRange::Bounded(0..limits::MEDIA_PART_BYTES));
        let first = async {
            let found = self.store.get_opts(&path, GetOptions { range, ..GetOptions::default() }).await?;
            let size = found.meta.size;
            Ok((found.bytes().await?, size))
        };
        let Some((first, size)) = self.ask("get", first).await? else { return Ok(None) };
        let parts = MediaParts { store: self.clone(), path, read: first.len() as u64, size };
        Ok(Some((first, parts)))
    }

    /// Whether the store responds, by a request for a missing key.
    pub async fn check(&self) -> Result<(), MediaError> {
        let asked = tokio::time::timeout(limits::OBJECT_STORE_CHECK, self.get("photo/health-check"));
        asked.await.map_err(|_| MediaError::TooSlow)?.map(|_| ())
    }

    /// Returns whether a path has the form of a key.
    pub fn is_key(path: &str) -> bool {
        path_of(path).is_some()
    }

    /// Deletes the bytes under a key. A missing key is not an error.
    pub async fn delete(&self, key: &str) -> Result<(), MediaError> {
        let Some(path) = path_of(key) else { return Ok(()) };
        self.ask("delete", self.store.delete(&path)).await.map(|_| ())
    }

    /// Makes one request; `None` if there is no such object.
    async fn ask<T>(
        &self,
        operation: &'static str,
        request: impl Future<Output = object_store::Result<T>>,
    ) -> Result<Option<T>, MediaError> {
        let begun = Instant::now();
        let found = match request.await {
            Ok(found) => Ok(Some(found)),
            Err(object_store::Error::NotFound { .. }) => Ok(None),
            Err(error) => Err(error.into()),
        };
        if let Some(observer) = &self.observer {
            observer(operation, found.is_ok(), begun.elapsed());
        }
        found
    }
}

/// A reader of the rest of a stored picture. Each part is a separate request, so that a slow client does not keep a
/// connection to the store open.
pub struct MediaParts {
    store: MediaStore,
    path: object_store::path::Path,
    read: u64,
    size: u64,
}

impl MediaParts {
    /// The size of the whole picture, in bytes.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// Reads the next part, which is empty only at the end.
    pub fn next(mut self) -> BoxFuture<'static, Result<(Bytes, Self), MediaError>> {
        async move {
            let Range { start, end } = self.read..self.size.min(self.read + limits::MEDIA_PART_BYTES);
            if start == end {
                return Ok((Bytes::new(), self));
            }
            let part = self.store.ask("get", self.store.store.get_range(&self.path, start..end)).await?;
            let part = part.ok_or(MediaError::Changed)?;
            if part.len() as u64 != end - start {
                return Err(MediaError::Changed);
            }
            self.read = end;
            Ok((part, self))
        }
        .boxed()
    }
}

impl fmt::Debug for MediaParts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MediaParts").field("read", &self.read).field("size", &self.size).finish_non_exhaustive()
    }
}

impl fmt::Debug for MediaStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("MediaStore").field(&self.address).finish()
    }
}

/// A partner waits for its response while a portrait is stored. After these retries the store counts as unavailable.
const RETRIES_MAX: usize = 3;
const RETRY_TOTAL: Duration = Duration::from_secs(10);
/// A running store accepts a connection at once.
const CONNECT: Duration = Duration::from_secs(3);
/// The time for one request, with ten megabytes of a portrait.
const ANSWER: Duration = Duration::from_secs(15);

/// The bucket and prefix of `s3://bucket/prefix`, with the credentials of `variables`.
fn open_s3<N: AsRef<str>, V: Into<String>>(
    url: &Url,
    variables: impl IntoIterator<Item = (N, V)>,
) -> Result<Arc<dyn ObjectStore>, Box<dyn std::error::Error + Send + Sync>> {
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
    let prefix = object_store::path::Path::from_url_path(url.path())?;
    match prefix.as_ref().is_empty() {
        true => Ok(Arc::new(store)),
        false => Ok(Arc::new(PrefixStore::new(store, prefix))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NO_VARIABLES: [(&str, &str); 0] = [];

    fn temporary() -> (tempfile::TempDir, MediaStore) {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let store = MediaStore::local(&folder.path().join("media")).expect("the store opens");
        (folder, store)
    }

    #[tokio::test]
    async fn bytes_in_parts_are_the_bytes_of_any_size() {
        let (_folder, store) = temporary();
        let part = usize::try_from(limits::MEDIA_PART_BYTES).expect("a small number");
        for size in [1, part - 1, part, part + 1, 3 * part + 7] {
            let bytes: Vec<u8> = (0..size).map(|n| (n % 251) as u8).collect();
            store.put("photo/a.png", bytes.clone().into()).await.unwrap();
            let (mut read, mut parts) = store.get_in_parts("photo/a.png").await.unwrap().expect("it is there");
            let mut whole = Vec::new();
            while !read.is_empty() {
                assert!(read.len() <= part, "no part is larger than the limit");
                whole.extend_from_slice(&read);
                (read, parts) = parts.next().await.unwrap();
            }
            assert!(whole == bytes, "{size} bytes");
            let size = size as u64;
            assert_eq!((parts.size(), store.size("photo/a.png").await.unwrap()), (size, Some(size)));
        }
        assert!(store.get_in_parts("photo/b.png").await.unwrap().is_none());
        assert!(store.get_in_parts("../photo/a.png").await.unwrap().is_none());
        assert_eq!(store.size("photo/b.png").await.unwrap(), None);
    }

    #[tokio::test]
    async fn picture_that_shrinks_or_goes_while_it_is_read_is_an_error() {
        let (_folder, store) = temporary();
        let part = usize::try_from(limits::MEDIA_PART_BYTES).expect("a small number");
        store.put("photo/a.png", vec![1; 3 * part].into()).await.unwrap();
        let (_, parts) = store.get_in_parts("photo/a.png").await.unwrap().expect("it is there");
        let (_, parts) = parts.next().await.unwrap();
        store.put("photo/a.png", vec![1; 2 * part + 1].into()).await.unwrap();
        assert!(matches!(parts.next().await, Err(MediaError::Changed)));
        store.put("photo/a.png", vec![1; 2 * part].into()).await.unwrap();
        let (_, parts) = store.get_in_parts("photo/a.png").await.unwrap().expect("it is there");
        store.delete("photo/a.png").await.unwrap();
        assert!(matches!(parts.next().await, Err(MediaError::Changed)));
    }

    #[tokio::test]
    async fn stored_files_are_listed_with_their_sizes() {
        let (_folder, store) = temporary();
        assert_eq!(store.list().count().await, 0);
        store.put("photo/a.png", Bytes::from_static(b"one")).await.unwrap();
        store.put("theme/zee/a.svg", Bytes::from_static(b"<svg/>")).await.unwrap();
        let mut listed: Vec<_> = store.list().map(|file| file.expect("a file")).collect().await;
        listed.sort();
        assert_eq!(listed, [("photo/a.png".to_owned(), 3), ("theme/zee/a.svg".to_owned(), 6)]);
    }

    #[tokio::test]
    async fn key_outside_the_store_reads_nothing_and_writes_nothing() {
        let (folder, store) = temporary();
        std::fs::write(folder.path().join("secret.png"), b"secret").unwrap();
        for key in ["../secret.png", "photo/../../secret.png", "/etc/passwd", "photo/%2e%2e/secret.png", "photo", ""] {
            assert_eq!(store.get(key).await.unwrap(), None, "{key}");
            assert!(matches!(store.put(key, Bytes::from_static(b"x")).await, Err(MediaError::Key(_))), "{key}");
            store.delete(key).await.unwrap();
        }
        assert_eq!(std::fs::read(folder.path().join("secret.png")).unwrap(), b"secret");
    }

    #[test]
    fn address_of_no_store_is_named_in_the_error() {
        for address in ["media", "https://bucket.example/", "s3:///photos", "s3://user@bucket/", "file://host/media"] {
            let error = MediaStore::from_url(address, NO_VARIABLES).expect_err(address);
            assert!(error.to_string().contains(address), "{error}");
        }
    }

    #[test]
    fn folder_that_cannot_be_made_is_named_in_the_error() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let file = folder.path().join("file");
        std::fs::write(&file, b"").unwrap();
        let error = MediaStore::local(&file.join("media")).expect_err("a file is no folder");
        assert!(error.to_string().contains("file/media"), "{error}");
    }
}

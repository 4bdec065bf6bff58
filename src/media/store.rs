//! The object store: a local folder by default, S3-compatible by address (decisions, section 7).

use std::fmt;
use std::future::ready;
use std::hash::{BuildHasher as _, RandomState};
use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures_util::future::BoxFuture;
use futures_util::stream::BoxStream;
use futures_util::{FutureExt as _, StreamExt as _, TryStreamExt as _};
use object_store::local::LocalFileSystem;
use object_store::memory::InMemory;
use object_store::path::Path;
use object_store::{GetOptions, GetRange, ObjectStore, ObjectStoreExt as _};
use tokio::sync::Mutex;
use tokio::time::Instant;

use super::MediaError;
use super::key::path_of;
use super::place::{Place, open_s3};
use crate::base::{Timestamp, limits, private};

/// The object store of portraits and theme pictures; cheap to clone.
#[derive(Clone)]
pub struct MediaStore {
    store: Arc<dyn ObjectStore>,
    address: Arc<str>,
    observer: Option<MediaObserver>,
    trial: Arc<Trial>,
}

/// The object that the health check writes.
struct Trial {
    /// Differs between processes, so that replicas do not read each other's.
    path: Path,
    /// When it was last stored, read back and deleted. Locked during that, so that two checks do not meet.
    succeeded_at: Mutex<Option<Timestamp>>,
}

impl Default for Trial {
    fn default() -> Self {
        let name = RandomState::new().hash_one(TRIAL_FOLDER);
        Self { path: Path::from_iter([TRIAL_FOLDER, &format!("{name:016x}")]), succeeded_at: Mutex::default() }
    }
}

/// The folder of the objects of health checks. They are no media: lists leave them out.
const TRIAL_FOLDER: &str = "check";

/// Is called after each request with its operation, whether it succeeded, and how long it took.
pub type MediaObserver = Arc<dyn Fn(&'static str, bool, Duration) + Send + Sync>;

impl MediaStore {
    /// A folder on this machine, created if missing. Writes are atomic and durable.
    pub fn local(folder: &std::path::Path) -> Result<Self, MediaError> {
        let address = folder.display().to_string();
        private::create_folder(folder).map_err(|error| MediaError::open(&address, error))?;
        let store = LocalFileSystem::new_with_prefix(folder).map_err(|error| MediaError::open(&address, error))?;
        Ok(Self::new(Arc::new(store.with_fsync(true)), &address))
    }

    /// A store in memory. For tests.
    pub fn in_memory() -> Self {
        Self::new(Arc::new(InMemory::new()), "memory")
    }

    fn new(store: Arc<dyn ObjectStore>, address: &str) -> Self {
        Self { store, address: address.into(), observer: None, trial: Arc::default() }
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
        let failed = |error| MediaError::open(address, error);
        match Place::parse(address).map_err(|reason| failed(reason.into()))? {
            Place::Folder(folder) => Self::local(&folder),
            Place::Bucket(bucket, prefix) => {
                Ok(Self::new(open_s3(&bucket, prefix, variables).map_err(failed)?, address))
            }
        }
    }

    /// Checks an address without opening the store. The error says which form is right.
    pub fn check_address(address: &str) -> Result<(), String> {
        Place::parse(address).map(|_| ()).map_err(str::to_owned)
    }

    /// Returns the same store with an observer of its requests.
    pub fn with_observer(self, observer: MediaObserver) -> Self {
        Self { observer: Some(observer), ..self }
    }

    /// Stores bytes under a key, in place of an earlier object.
    pub async fn put(&self, key: &str, bytes: Bytes) -> Result<(), MediaError> {
        let path = path_of(key).ok_or_else(|| MediaError::Key(key.to_owned()))?;
        self.observe("put", self.store.put(&path, bytes.into())).await?;
        Ok(())
    }

    /// The bytes under a key; `None` if there are none or the key is invalid.
    pub async fn get(&self, key: &str) -> Result<Option<Bytes>, MediaError> {
        let Some(path) = path_of(key) else { return Ok(None) };
        self.find("get", async { self.store.get(&path).await?.bytes().await }).await
    }

    /// Lists every file with its size, in no order; also files that are not under a valid key, except those of health checks.
    pub fn list(&self) -> BoxStream<'static, Result<(String, u64), MediaError>> {
        let found = self.store.list(None).map_err(MediaError::from);
        let media = found.try_filter(|file| ready(!file.location.prefix_matches(&Path::from(TRIAL_FOLDER))));
        media.map_ok(|file| (file.location.to_string(), file.size)).boxed()
    }

    /// The size of the bytes under a key, without reading them; `None` as for [`MediaStore::get`].
    pub async fn size(&self, key: &str) -> Result<Option<u64>, MediaError> {
        let Some(path) = path_of(key) else { return Ok(None) };
        match self.find("head", self.store.head(&path)).await? {
            Some(found) => Ok(Some(found.size)),
            // The answer to a HEAD has no body that tells a missing object from a missing bucket.
            None => Ok(self.get(key).await?.map(|bytes| bytes.len() as u64)),
        }
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
        let Some((first, size)) = self.find("get", first).await? else { return Ok(None) };
        let parts = MediaParts { store: self.clone(), path, read: first.len() as u64, size };
        Ok(Some((first, parts)))
    }

    /// Checks that the store answers and has its bucket, and, once in a while, that it stores an object, returns it and deletes it.
    pub async fn check(&self, now: Timestamp) -> Result<(), MediaError> {
        let asked = async {
            self.get("photo/health-check").await?;
            let mut succeeded_at = self.trial.succeeded_at.lock().await;
            let is_due = |at: Timestamp| at > now || at <= now.before(limits::OBJECT_STORE_TRIED_EVERY);
            if succeeded_at.is_none_or(is_due) {
                *succeeded_at = None;
                self.try_out(now).await.map_err(|error| MediaError::Trial(error.into()))?;
                *succeeded_at = Some(now);
            }
            Ok(())
        };
        tokio::time::timeout(limits::OBJECT_STORE_CHECK, asked).await.map_err(|_| MediaError::TooSlow)?
    }

    /// Stores an object, compares what is read back, and deletes it.
    async fn try_out(&self, now: Timestamp) -> Result<(), MediaError> {
        let (path, bytes) = (&self.trial.path, Bytes::from(now.to_string()));
        self.observe("put", self.store.put(path, bytes.clone().into())).await?;
        let read = self.find("get", async { self.store.get(path).await?.bytes().await }).await?;
        if read != Some(bytes) {
            return Err(MediaError::Lost);
        }
        self.observe("delete", self.store.delete(path)).await
    }

    /// Returns whether a path has the form of a key.
    pub fn is_key(path: &str) -> bool {
        path_of(path).is_some()
    }

    /// Deletes the bytes under a key. A missing key is not an error.
    pub async fn delete(&self, key: &str) -> Result<(), MediaError> {
        let Some(path) = path_of(key) else { return Ok(()) };
        self.find("delete", self.store.delete(&path)).await.map(|_| ())
    }

    /// Makes a request for an existing object; `None` if there is none. A missing bucket is an error.
    async fn find<T>(
        &self,
        operation: &'static str,
        request: impl Future<Output = object_store::Result<T>>,
    ) -> Result<Option<T>, MediaError> {
        let found = async {
            match request.await {
                Err(object_store::Error::NotFound { source, .. }) if !names_bucket(&*source) => Ok(None),
                found => found.map(Some),
            }
        };
        self.observe(operation, found).await
    }

    /// Makes a request, and reports it to the observer.
    async fn observe<T>(
        &self,
        operation: &'static str,
        request: impl Future<Output = object_store::Result<T>>,
    ) -> Result<T, MediaError> {
        let begun = Instant::now();
        let done = request.await.map_err(MediaError::from);
        if let Some(observer) = &self.observer {
            observer(operation, done.is_ok(), begun.elapsed());
        }
        done
    }
}

/// Whether an error says that the bucket is missing, and not the object.
pub(super) fn names_bucket(error: &dyn std::error::Error) -> bool {
    // The code in the body of the answer (Amazon S3 API reference, "Error responses").
    error.to_string().contains("<Code>NoSuchBucket</Code>")
}

/// A reader of the rest of a stored picture. Each part is a separate request, so that a slow client does not keep a
/// connection to the store open.
pub struct MediaParts {
    store: MediaStore,
    path: Path,
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
            let part = self.store.find("get", self.store.store.get_range(&self.path, start..end)).await?;
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
        for address in [
            "media",
            "https://bucket.example/",
            "s3:///photos",
            "s3://user@bucket/",
            "s3://bucket:9000/photos",
            "s3://bucket/photos?region=x",
            "s3://bucket/photos#x",
            "s3://my%20bucket/photos",
            "s3://ab/photos",
            "s3://bucket/a//b",
            "file://host/media",
            "file:///media?x",
        ] {
            let error = MediaStore::from_url(address, NO_VARIABLES).expect_err(address);
            assert!(error.to_string().contains(address), "{error}");
        }
        for address in ["s3://bucket", "s3://bucket/", "s3://my.old_Bucket-1/a/b/", "file:///srv/media/"] {
            assert_eq!(MediaStore::check_address(address), Ok(()), "{address}");
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

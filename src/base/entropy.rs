//! The source of randomness. Tests pass a seed, so that ids and tokens repeat.

use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::Timestamp;

/// The random bytes of a UUIDv7; its time and version are the others.
const ID_BYTES: usize = 10;

/// How many ids a thread draws at once: a kilobyte.
const IDS_PER_DRAW: usize = 100;

/// Generates random bytes. Clones share the source.
#[derive(Clone, Debug)]
pub struct Entropy(Source);

#[derive(Clone, Debug)]
enum Source {
    System,
    /// The seed, and the number of blocks that were drawn.
    Seeded(u64, Arc<AtomicU64>),
}

impl Entropy {
    /// The operating system's generator.
    pub fn system() -> Self {
        Self(Source::System)
    }

    /// A sequence that depends on the seed alone. For tests: it is no secret.
    pub fn seeded(seed: u64) -> Self {
        Self(Source::Seeded(seed, Arc::default()))
    }

    /// `N` random bytes.
    pub fn bytes<const N: usize>(&self) -> [u8; N] {
        let mut out = [0; N];
        match &self.0 {
            Source::System => fill(&mut out),
            Source::Seeded(seed, drawn) => {
                for chunk in out.chunks_mut(32) {
                    let block = drawn.fetch_add(1, Ordering::SeqCst);
                    let digest =
                        Sha256::new().chain_update(seed.to_be_bytes()).chain_update(block.to_be_bytes()).finalize();
                    chunk.copy_from_slice(&digest[..chunk.len()]);
                }
            }
        }
        out
    }

    /// A row id: UUIDv7, which sorts by creation time (RFC 9562, section 5.7).
    pub fn uuid(&self, now: Timestamp) -> Uuid {
        let ms = u64::try_from(now.millis()).unwrap_or(0);
        let random = match self.0 {
            Source::System => id_bytes(),
            Source::Seeded(..) => self.bytes(),
        };
        uuid::Builder::from_unix_timestamp_millis(ms, &random).into_uuid()
    }

    /// 32 random bytes as 43 characters of base64url: an unguessable name.
    pub fn unguessable(&self) -> String {
        URL_SAFE_NO_PAD.encode(self.bytes::<32>())
    }
}

/// The random bytes of an id. They are drawn for many ids at once, because every request gets an id and a draw is a system call.
fn id_bytes() -> [u8; ID_BYTES] {
    thread_local! {
        static DRAWN: RefCell<Vec<[u8; ID_BYTES]>> = const { RefCell::new(Vec::new()) };
    }
    DRAWN.with_borrow_mut(|drawn| {
        drawn.pop().unwrap_or_else(|| {
            let mut ids = [[0; ID_BYTES]; IDS_PER_DRAW];
            fill(ids.as_flattened_mut());
            let [first, rest @ ..] = ids;
            drawn.extend(rest);
            first
        })
    })
}

#[allow(clippy::disallowed_methods)] // the one owner of the system's generator
fn fill(bytes: &mut [u8]) {
    getrandom::fill(bytes).expect("the operating system gives random bytes");
}

//! The one source of randomness. Tests hand in a seed, so that ids and tokens repeat.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::Moment;

/// Gives random bytes; cheap to clone.
#[derive(Clone, Debug)]
pub struct Entropy(Source);

#[derive(Clone, Debug)]
enum Source {
    System,
    /// The seed, and how many blocks were drawn.
    Seeded(u64, Arc<AtomicU64>),
}

impl Entropy {
    /// The operating system's generator.
    pub fn system() -> Self {
        Self(Source::System)
    }

    /// A sequence that is the same for the same seed. For tests: it is no secret.
    pub fn seeded(seed: u64) -> Self {
        Self(Source::Seeded(seed, Arc::default()))
    }

    /// `N` random bytes.
    #[allow(clippy::disallowed_methods)] // the one owner of the system's generator
    pub fn bytes<const N: usize>(&self) -> [u8; N] {
        let mut out = [0; N];
        match &self.0 {
            Source::System => getrandom::fill(&mut out).expect("the operating system gives random bytes"),
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

    /// A row id: UUIDv7, so that ids sort by the moment they were made (RFC 9562, section 5.7).
    pub fn uuid(&self, now: Moment) -> Uuid {
        let ms = u64::try_from(now.millis()).unwrap_or(0);
        uuid::Builder::from_unix_timestamp_millis(ms, &self.bytes()).into_uuid()
    }

    /// 32 random bytes as 43 characters of base64url: a name nobody can guess.
    pub fn unguessable(&self) -> String {
        URL_SAFE_NO_PAD.encode(self.bytes::<32>())
    }
}

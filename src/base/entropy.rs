//! The one source of randomness. Tests hand in a seed, so that ids and tokens repeat.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::Timestamp;

/// Gives random bytes; cheap to clone.
#[derive(Clone, Debug)]
pub struct Entropy(Source);

#[derive(Clone, Debug)]
enum Source {
    System(Arc<Mutex<Reserve>>),
    /// The seed, and how many blocks were drawn.
    Seeded(u64, Arc<AtomicU64>),
}

impl Entropy {
    /// The operating system's generator.
    pub fn system() -> Self {
        Self(Source::System(Arc::new(Mutex::new(Reserve { bytes: [0; RESERVE_BYTES], left: 0 }))))
    }

    /// A sequence that is the same for the same seed. For tests: it is no secret.
    pub fn seeded(seed: u64) -> Self {
        Self(Source::Seeded(seed, Arc::default()))
    }

    /// `N` random bytes.
    pub fn bytes<const N: usize>(&self) -> [u8; N] {
        let mut out = [0; N];
        match &self.0 {
            Source::System(_) => fill(&mut out),
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
    pub fn uuid(&self, now: Timestamp) -> Uuid {
        let ms = u64::try_from(now.millis()).unwrap_or(0);
        let random = match &self.0 {
            // Nothing that can panic half-way happens under this lock.
            Source::System(reserve) => reserve.lock().unwrap_or_else(PoisonError::into_inner).take(),
            Source::Seeded(..) => self.bytes(),
        };
        uuid::Builder::from_unix_timestamp_millis(ms, &random).into_uuid()
    }

    /// 32 random bytes as 43 characters of base64url: a name nobody can guess.
    pub fn unguessable(&self) -> String {
        URL_SAFE_NO_PAD.encode(self.bytes::<32>())
    }
}

/// How many random bytes are asked of the operating system at once for ids: every request has one, and a system call for
/// each would cost more than the rest of it.
const RESERVE_BYTES: usize = 1_000;

/// Random bytes for ids, drawn in advance. Secrets never come from here: they are drawn when they are made.
struct Reserve {
    bytes: [u8; RESERVE_BYTES],
    left: usize,
}

impl Reserve {
    /// The next bytes, which are forgotten here.
    fn take<const N: usize>(&mut self) -> [u8; N] {
        if self.left < N {
            fill(&mut self.bytes);
            self.left = RESERVE_BYTES;
        }
        let mut out = [0; N];
        let taken = &mut self.bytes[self.left - N..self.left];
        out.copy_from_slice(taken);
        taken.fill(0);
        self.left -= N;
        out
    }
}

impl fmt::Debug for Reserve {
    /// Without the bytes.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reserve").field("left", &self.left).finish_non_exhaustive()
    }
}

#[allow(clippy::disallowed_methods)] // the one owner of the system's generator
fn fill(bytes: &mut [u8]) {
    getrandom::fill(bytes).expect("the operating system gives random bytes");
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn ids_differ_while_the_reserve_is_used_up_and_filled_again() {
        let (entropy, now) = (Entropy::system(), Timestamp::from_millis(1_732_044_535_000).expect("a moment"));
        let ids: HashSet<Uuid> = (0..RESERVE_BYTES).map(|_| entropy.uuid(now)).collect();
        assert_eq!(ids.len(), RESERVE_BYTES, "ten fills of the reserve, no id twice");
        assert!(ids.iter().all(|id| id.get_version_num() == 7));
    }
}

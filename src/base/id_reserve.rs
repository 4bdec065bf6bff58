//! Random bytes for row ids, fetched from the operating system for many ids at once, so that an id costs no system call
//! (docs/performance.md). Not for secrets: the bytes of ids to come lie in memory.

use std::fmt;

/// The random bytes of an id (RFC 9562, section 5.7, with the bits of version and variant).
pub(super) const ID_BYTES: usize = 10;

/// How many ids are provided for at once.
const IDS: usize = 100;

/// Random bytes that no id has used yet.
pub(super) struct IdReserve {
    ids: [[u8; ID_BYTES]; IDS],
    /// The ids that are left.
    left: usize,
}

impl IdReserve {
    pub(super) fn empty() -> Self {
        Self { ids: [[0; ID_BYTES]; IDS], left: 0 }
    }

    /// Takes the bytes of one id. Calls `fill` if none are left.
    pub(super) fn take(&mut self, fill: impl FnOnce(&mut [u8])) -> [u8; ID_BYTES] {
        if self.left == 0 {
            fill(self.ids.as_flattened_mut());
            self.left = IDS;
        }
        self.left -= 1;
        self.ids[self.left]
    }
}

impl fmt::Debug for IdReserve {
    /// Without the bytes.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("IdReserve").field("left", &self.left).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_id_gets_bytes_of_its_own_and_the_system_is_asked_once_for_many() {
        let (mut reserve, mut asked) = (IdReserve::empty(), 0_u8);
        let ids = (0..2 * IDS).map(|_| {
            reserve.take(|bytes| {
                asked += 1;
                for (n, id) in bytes.chunks_mut(ID_BYTES).enumerate() {
                    id.fill(n as u8);
                    id[0] = asked;
                }
            })
        });
        assert_eq!(ids.collect::<BTreeSet<_>>().len(), 2 * IDS);
        assert_eq!(asked, 2);
        assert_eq!(format!("{reserve:?}"), "IdReserve { left: 0, .. }");
    }
}

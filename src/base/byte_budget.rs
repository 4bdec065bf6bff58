//! A budget of memory: the bytes that are held for others, in all and for each holder.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use foldhash::fast::RandomState;
use tokio::sync::Notify;
use tokio::time::timeout;
use uuid::Uuid;

/// The one for whom bytes are held.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Holder {
    /// A client address, or the first address of a network.
    Client(IpAddr),
    /// A partner with its live keys, or with its test keys.
    Partner {
        /// The id of the partner.
        id: Uuid,
        /// Whether its test keys are meant.
        test: bool,
    },
}

/// The budget. Clones share it.
#[derive(Clone, Debug)]
pub struct ByteBudget(Arc<Budget>);

#[derive(Debug)]
struct Budget {
    bytes_max: usize,
    bytes_max_each: usize,
    sums: Mutex<Sums>,
    /// Notified when bytes are returned.
    returned: Notify,
}

#[derive(Debug, Default)]
struct Sums {
    bytes: usize,
    by_holder: HashMap<Holder, usize, RandomState>,
}

/// Bytes of a budget; dropping them returns them.
#[derive(Debug)]
pub struct ByteReservation {
    budget: ByteBudget,
    holders: [Option<Holder>; 2],
    bytes: usize,
}

impl ByteBudget {
    /// Returns a budget of `bytes_max` in all, and `bytes_max_each` for each holder.
    pub fn new(bytes_max: usize, bytes_max_each: usize) -> Self {
        Self(Arc::new(Budget { bytes_max, bytes_max_each, sums: Mutex::default(), returned: Notify::new() }))
    }

    /// Starts to count for these holders, with 0 bytes.
    pub fn reserve(&self, holders: [Option<Holder>; 2]) -> ByteReservation {
        ByteReservation { budget: self.clone(), holders, bytes: 0 }
    }

    /// Whether no byte is left.
    pub fn is_full(&self) -> bool {
        self.sums().bytes >= self.0.bytes_max
    }

    fn sums(&self) -> MutexGuard<'_, Sums> {
        self.0.sums.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Sums {
    fn bytes_of(&self, holder: Holder) -> usize {
        self.by_holder.get(&holder).copied().unwrap_or_default()
    }
}

impl ByteReservation {
    /// Takes bytes until `bytes` are held. Returns false, and takes none, if the budget does not have them.
    ///
    /// What is larger than a maximum is taken while nothing else is held.
    #[must_use]
    pub fn grow_to(&mut self, bytes: usize) -> bool {
        let more = bytes.saturating_sub(self.bytes);
        if more == 0 {
            return true;
        }
        let mut sums = self.budget.sums();
        let fits = |of: usize, max: usize| of == self.bytes || of.saturating_add(more) <= max;
        let is_allowed = fits(sums.bytes, self.budget.0.bytes_max)
            && self.holders.iter().flatten().all(|holder| fits(sums.bytes_of(*holder), self.budget.0.bytes_max_each));
        if is_allowed {
            add(&mut sums, &self.holders, more);
            drop(sums);
            self.bytes += more;
        }
        is_allowed
    }

    /// Starts to count for the same holders, with 0 bytes.
    pub fn another(&self) -> Self {
        self.budget.reserve(self.holders)
    }

    /// Takes bytes until `bytes` are held, also beyond the maximum: for a response that cannot be refused.
    pub fn force_to(&mut self, bytes: usize) {
        let more = bytes.saturating_sub(self.bytes);
        add(&mut self.budget.sums(), &self.holders, more);
        self.bytes += more;
    }

    /// Waits until [`Self::grow_to`] takes the bytes. Returns false if that takes longer than `wait`.
    #[must_use]
    pub async fn wait_for(&mut self, bytes: usize, wait: Duration) -> bool {
        let budget = self.budget.clone();
        let taken = async {
            loop {
                let returned = budget.0.returned.notified();
                if self.grow_to(bytes) {
                    return;
                }
                returned.await;
            }
        };
        timeout(wait, taken).await.is_ok()
    }

    /// Returns bytes until `bytes` are held.
    pub fn shrink_to(&mut self, bytes: usize) {
        let less = self.bytes.saturating_sub(bytes);
        if less == 0 {
            return;
        }
        let mut sums = self.budget.sums();
        sums.bytes -= less;
        for holder in self.holders.iter().flatten() {
            if let Entry::Occupied(mut count) = sums.by_holder.entry(*holder) {
                *count.get_mut() -= less;
                if *count.get() == 0 {
                    count.remove();
                }
            }
        }
        drop(sums);
        self.bytes = bytes;
        self.budget.0.returned.notify_waiters();
    }
}

fn add(sums: &mut Sums, holders: &[Option<Holder>], more: usize) {
    sums.bytes += more;
    for holder in holders.iter().flatten().filter(|_| more > 0) {
        *sums.by_holder.entry(*holder).or_default() += more;
    }
}

impl Drop for ByteReservation {
    fn drop(&mut self) {
        self.shrink_to(0);
    }
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use super::*;

    const ONE: Holder = Holder::Client(IpAddr::V4(Ipv4Addr::new(192, 0, 2, 1)));
    const OTHER: Holder = Holder::Client(IpAddr::V4(Ipv4Addr::new(192, 0, 2, 2)));
    const PARTNER: Holder = Holder::Partner { id: Uuid::nil(), test: true };

    fn is_empty(budget: &ByteBudget) -> bool {
        let sums = budget.sums();
        sums.bytes == 0 && sums.by_holder.is_empty()
    }

    #[test]
    fn holder_has_its_share_and_no_more_and_gives_it_back() {
        let budget = ByteBudget::new(200, 100);
        let [mut first, mut second] = [ONE, ONE].map(|one| budget.reserve([Some(one), Some(PARTNER)]));
        let mut third = budget.reserve([Some(OTHER), Some(PARTNER)]);
        assert!(first.grow_to(60) && !second.grow_to(41) && second.grow_to(40), "two of one holder share");
        assert!(!third.grow_to(1), "each of two holders counts");
        let mut fourth = budget.reserve([Some(OTHER), None]);
        assert!(fourth.grow_to(100) && budget.is_full() && !budget.reserve([None, None]).grow_to(1));
        first.shrink_to(10);
        assert!(!budget.is_full() && second.grow_to(90));
        drop((first, second, third, fourth));
        assert!(is_empty(&budget));
    }

    #[test]
    fn what_cannot_be_refused_or_is_larger_than_all_is_held_and_given_back() {
        let budget = ByteBudget::new(100, 100);
        let mut large = budget.reserve([Some(ONE), None]);
        assert!(large.grow_to(1_000) && !budget.reserve([Some(OTHER), None]).grow_to(1));
        let mut forced = budget.reserve([Some(ONE), None]);
        forced.force_to(50);
        large.shrink_to(0);
        assert!(!large.grow_to(51) && large.grow_to(50));
        drop((large, forced));
        assert!(is_empty(&budget));
    }

    #[tokio::test]
    async fn waiting_ends_with_the_bytes_or_with_its_time() {
        let budget = ByteBudget::new(100, 100);
        let [mut first, mut second] = [(); 2].map(|()| budget.reserve([Some(ONE), None]));
        assert!(first.wait_for(100, Duration::ZERO).await && !second.wait_for(1, Duration::from_millis(1)).await);
        let returned = async {
            tokio::task::yield_now().await;
            drop(first);
        };
        let (is_taken, ()) = tokio::join!(second.wait_for(100, Duration::from_secs(60)), returned);
        assert!(is_taken);
        drop(second);
        assert!(is_empty(&budget));
    }
}

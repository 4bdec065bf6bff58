//! Limits the memory of responses that clients have not taken yet, for the whole process.
//!
//! Used by the router and by the bodies of responses. Source: limits, "Answers".

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Counts reserved bytes, up to a maximum.
#[derive(Debug)]
pub(super) struct Budget {
    reserved: AtomicUsize,
    max: usize,
}

/// Bytes of a budget; dropping it returns them.
#[derive(Debug)]
pub(super) struct Reservation {
    budget: Arc<Budget>,
    bytes: usize,
}

impl Budget {
    pub(super) fn new(max: usize) -> Arc<Self> {
        Arc::new(Self { reserved: AtomicUsize::new(0), max })
    }

    /// Whether the maximum is reached.
    pub(super) fn is_full(&self) -> bool {
        self.reserved.load(Ordering::Relaxed) >= self.max
    }

    /// Reserves `bytes`, or returns `None` if they exceed the maximum. A response larger than the maximum is accepted while
    /// nothing else is reserved.
    pub(super) fn reserve(self: &Arc<Self>, bytes: usize) -> Option<Reservation> {
        let reservation = self.reserve_always(bytes);
        let total = self.reserved.load(Ordering::Relaxed);
        (total <= self.max || total == bytes).then_some(reservation)
    }

    /// Reserves `bytes` even beyond the maximum: for a response that cannot be refused.
    pub(super) fn reserve_always(self: &Arc<Self>, bytes: usize) -> Reservation {
        self.reserved.fetch_add(bytes, Ordering::Relaxed);
        Reservation { budget: Arc::clone(self), bytes }
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        self.budget.reserved.fetch_sub(self.bytes, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reservation_beyond_the_maximum_is_refused_until_bytes_are_returned() {
        let budget = Budget::new(100);
        let first = budget.reserve(60).expect("60 of 100");
        assert!(budget.reserve(41).is_none(), "101 of 100");
        let second = budget.reserve(40).expect("a refused reservation returns its bytes");
        assert!(budget.is_full());
        let third = budget.reserve_always(10);
        drop((first, second));
        assert!(!budget.is_full());
        assert!(budget.reserve(91).is_none(), "10 are still reserved");
        drop(third);
        assert!(budget.reserve(1_000).is_some(), "a single answer may be larger than the maximum");
        assert!(budget.reserve(100).is_some(), "all bytes were returned");
    }
}

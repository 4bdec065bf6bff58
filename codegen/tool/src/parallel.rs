//! Does independent work on all processors. Generating a large schema is mostly the formatting of its items.

use std::panic::resume_unwind;
use std::thread;

/// Calls `work` for each item, and returns the results in the order of the items.
pub(crate) fn map<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let share = items.len().div_ceil(threads).max(1);
    let work = |items: &[T]| items.iter().map(&work).collect::<Vec<R>>();
    thread::scope(|scope| {
        let running: Vec<_> = items.chunks(share).map(|items| scope.spawn(|| work(items))).collect();
        running.into_iter().flat_map(|thread| thread.join().unwrap_or_else(|panic| resume_unwind(panic))).collect()
    })
}

#[cfg(test)]
mod tests {
    #[test]
    fn results_have_the_order_of_the_items() {
        for count in [0, 1, 2, 3, 100] {
            let items: Vec<usize> = (0..count).collect();
            assert_eq!(super::map(&items, |item| item * 2), items.iter().map(|item| item * 2).collect::<Vec<_>>());
        }
    }
}

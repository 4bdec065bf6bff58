//! How lookups are batched.

use std::collections::HashMap;
use std::panic::AssertUnwindSafe;
use std::sync::Mutex;

use futures_util::FutureExt as _;
use futures_util::future::{join, join_all};

use crate::{FieldError, Loader};

/// A table of squares that logs its lookups and does not know numbers from 1,000.
#[derive(Default)]
struct Squares(Mutex<Vec<Vec<u32>>>);

impl Squares {
    async fn find(&self, mut keys: Vec<u32>) -> Result<HashMap<u32, u32>, FieldError> {
        keys.sort_unstable();
        self.0.lock().expect("nobody panics").push(keys.clone());
        tokio::task::yield_now().await;
        match keys.contains(&7) {
            true => Err(FieldError::new("UNAVAILABLE", "no sevens")),
            false => Ok(keys.into_iter().filter(|key| *key < 1_000).map(|key| (key, key * key)).collect()),
        }
    }

    fn lookups(&self) -> Vec<Vec<u32>> {
        self.0.lock().expect("nobody panics").clone()
    }
}

async fn load(loader: &Loader<u32, u32>, squares: &Squares, key: u32) -> Result<Option<u32>, FieldError> {
    loader.load(key, |keys| squares.find(keys)).await
}

#[tokio::test]
async fn concurrent_loads_are_one_lookup_at_each_level() {
    let (loader, squares) = (Loader::default(), Squares::default());
    // More than the futures that `join_all` polls in a plain loop; the second level is a list in each item of a list.
    let item = |key: u32| {
        let (loader, squares) = (&loader, &squares);
        async move {
            let first = load(loader, squares, 10 + key / 2).await.expect("found").expect("known");
            join_all([2_000, 100 + key].map(|key| load(loader, squares, key))).await.swap_remove((first % 2) as usize)
        }
    };
    let answers = join_all((0..100).map(item)).await;
    assert_eq!(answers[2], Ok(Some(102 * 102)));
    assert_eq!(answers[0], Ok(None));
    let lookups = squares.lookups();
    assert_eq!(lookups[0], (10..60).collect::<Vec<_>>(), "each key once");
    assert_eq!(lookups[1..], [(100..200).chain([2_000]).collect::<Vec<_>>()]);
    // Nothing is kept.
    assert_eq!(load(&loader, &squares, 10).await, Ok(Some(100)));
    assert_eq!(squares.lookups().len(), 3);
}

#[tokio::test]
async fn error_of_a_lookup_is_the_error_of_each_key() {
    let (loader, squares) = (Loader::default(), Squares::default());
    let both = join(load(&loader, &squares, 7), load(&loader, &squares, 8)).await;
    let error = Err(FieldError::new("UNAVAILABLE", "no sevens"));
    assert_eq!(both, (error.clone(), error));
    assert_eq!(load(&loader, &squares, 8).await, Ok(Some(64)));
}

#[tokio::test]
async fn lookup_whose_field_is_dropped_is_done_by_the_next() {
    let (loader, squares) = (Loader::default(), Squares::default());
    let mut dropped = Box::pin(load(&loader, &squares, 1));
    let mut kept = Box::pin(load(&loader, &squares, 2));
    assert!(dropped.as_mut().now_or_never().is_none() && kept.as_mut().now_or_never().is_none(), "both join the batch");
    assert!(dropped.as_mut().now_or_never().is_none() && kept.as_mut().now_or_never().is_none(), "one looks up");
    drop(dropped);
    // A batch that is looked up takes no further keys.
    let (kept, later) = join(kept, load(&loader, &squares, 3)).await;
    assert_eq!((kept, later), (Ok(Some(4)), Ok(Some(9))));
    assert_eq!(squares.lookups(), [vec![1, 2], vec![1, 2], vec![3]]);
}

#[tokio::test]
async fn lookup_that_panics_leaves_no_field_waiting() {
    let (loader, squares) = (Loader::default(), Squares::default());
    let panicking = AssertUnwindSafe(loader.load(1, |_| async { panic!("as a bug would") })).catch_unwind();
    let (panicked, found) = join(panicking, load(&loader, &squares, 2)).await;
    assert!(panicked.is_err());
    assert_eq!(found, Ok(Some(4)));
}

//! Seeds and the inputs generated from them: the same inputs each time, or more with `FUZZ_CASES=<number>`.
//!
//! A seed is an interesting input, or one that once caused a failure. It is tried unchanged and with changes. A failure is
//! reported with the smallest input that causes it, which then becomes a seed.

use std::fmt::Debug;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;
use proptest::test_runner::{Config, RngSeed, TestRunner};

/// The seed of a run without `FUZZ_CASES`; fixed, so that runs repeat.
const SEED: u64 = 202_610;

/// Tries a property on `cases` generated values, the same each time, or on as many others as `FUZZ_CASES` says.
#[track_caller]
pub(crate) fn for_all<S: Strategy>(cases: u32, values: S, property: impl Fn(S::Value))
where
    S::Value: Debug,
{
    let asked = std::env::var("FUZZ_CASES").ok();
    let asked = asked.map(|number| number.parse().expect("FUZZ_CASES is a number"));
    let config = Config {
        cases: asked.unwrap_or(cases),
        rng_seed: if asked.is_some() { RngSeed::Random } else { RngSeed::Fixed(SEED) },
        failure_persistence: None,
        max_shrink_iters: 500,
        ..Config::default()
    };
    let held = TestRunner::new(config).run(&values, |value| {
        property(value);
        Ok(())
    });
    held.unwrap_or_else(|error| panic!("{error}"));
}

/// A change to some bytes.
#[derive(Clone, Debug)]
enum Edit {
    Remove { at: Index, length: usize },
    Insert { at: Index, bytes: Vec<u8> },
    Repeat { at: Index, length: usize, times: usize },
    Set { at: Index, byte: u8 },
    Splice { at: Index, other: Index, from: Index },
}

fn edit() -> impl Strategy<Value = Edit> {
    let at = any::<Index>;
    prop_oneof![
        (at(), 1..24_usize).prop_map(|(at, length)| Edit::Remove { at, length }),
        (at(), vec(any::<u8>(), 1..8)).prop_map(|(at, bytes)| Edit::Insert { at, bytes }),
        (at(), 1..12_usize, 1..40_usize).prop_map(|(at, length, times)| Edit::Repeat { at, length, times }),
        (at(), any::<u8>()).prop_map(|(at, byte)| Edit::Set { at, byte }),
        (at(), at(), at()).prop_map(|(at, other, from)| Edit::Splice { at, other, from }),
    ]
}

/// A seed, changed in a few places or in none.
pub(crate) fn changed(seeds: Vec<Vec<u8>>) -> impl Strategy<Value = Vec<u8>> {
    (any::<Index>(), vec(edit(), 0..6)).prop_map(move |(which, edits)| {
        let mut bytes = which.get(&seeds).clone();
        for edit in edits {
            apply(edit, &mut bytes, &seeds);
        }
        bytes
    })
}

fn apply(edit: Edit, bytes: &mut Vec<u8>, seeds: &[Vec<u8>]) {
    let length = bytes.len();
    let place = |at: Index| at.index(length + 1);
    let range = |at: Index, count: usize| place(at)..(place(at) + count).min(length);
    match edit {
        Edit::Remove { at, length } => drop(bytes.drain(range(at, length))),
        Edit::Insert { at, bytes: new } => drop(bytes.splice(place(at)..place(at), new)),
        Edit::Repeat { at, length, times } => {
            let part = bytes[range(at, length)].repeat(times);
            bytes.splice(place(at)..place(at), part);
        }
        Edit::Set { at, byte } => bytes.iter_mut().skip(place(at)).take(1).for_each(|old| *old = byte),
        Edit::Splice { at, other, from } => {
            let other = other.get(seeds);
            bytes.truncate(place(at));
            bytes.extend(&other[from.index(other.len() + 1)..]);
        }
    }
}

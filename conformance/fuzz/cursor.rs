//! Cursors: every way through a list comes past each item once, and a made-up cursor is refused or is a place in the list.

use std::cell::Cell;

use proptest::prelude::*;
use serde_json::{Value, json};

use super::seed::{changed_text, for_all};
use super::{any_text, assert_sound, seeds, wait};
use crate::app::{Answer, Caller, TestApp};

const SEEDS: &[&[u8]] = &[
    b"AnQAAAAAAAAAAAAAAAAAAAAA",
    b"AXT_____________________",
    b"10",
    b"AXQAAAAAAAAAAAAAAAAAAAAA",
    b"AXMAAQIDBAUGBwgJCgsMDQ4P",
    b"AXQAAAAAAAAAAQAAAAAAAAAD",
];
const HANDLES: [&str; 7] = ["a", "b", "c", "d", "e", "f", "g"];
const DOCUMENT: &str = "query ($first: Int, $after: String, $last: Int, $before: String) {
    themes(first: $first, after: $after, last: $last, before: $before) {
        nodes { handle } pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
    }
}";

async fn themes(app: &TestApp) {
    for (number, handle) in (0..).zip(HANDLES) {
        app.theme(handle, number / 2).await; // two of each position
    }
}

fn handles(answer: &Answer) -> Vec<String> {
    let data = answer.data();
    let nodes = data["themes"]["nodes"].as_array().expect("nodes").clone();
    nodes.iter().map(|node| node["handle"].as_str().expect("a handle").to_owned()).collect()
}

/// All items, in pages of these sizes, from the front or from the back.
async fn walk(live: &Caller, sizes: &[usize], backwards: bool) -> Vec<String> {
    let (mut all, mut cursor, mut sizes) = (Vec::new(), Value::Null, sizes.iter().cycle());
    loop {
        let size = sizes.next().expect("a size");
        let arguments = if backwards {
            json!({ "last": size, "before": cursor })
        } else {
            json!({ "first": size, "after": cursor })
        };
        let answer = live.graphql(DOCUMENT, arguments).await;
        let page = handles(&answer);
        assert!(page.len() <= *size);
        if backwards {
            all.splice(0..0, page)
        } else {
            all.splice(all.len().., page)
        };
        let info = answer.data()["themes"]["pageInfo"].take();
        let (more, next) = if backwards { ("hasPreviousPage", "startCursor") } else { ("hasNextPage", "endCursor") };
        if info[more] != true {
            return all;
        }
        cursor = info[next].clone();
    }
}

on_both_databases! {
    async fn list_is_the_same_in_pages_of_any_size_from_either_end(app: TestApp) {
        themes(&app).await;
        let live = app.live().await;
        let ways = (prop::collection::vec(1..9_usize, 1..4), any::<bool>());
        for_all(60, ways, |(sizes, backwards)| assert_eq!(wait(walk(&live, &sizes, backwards)), HANDLES));
    }

    async fn cursor_that_is_made_up_is_refused_or_is_a_place_in_the_list(app: TestApp) {
        themes(&app).await;
        let live = app.live().await;
        let first = live.graphql(DOCUMENT, json!({ "first": 3 })).await;
        let real = first.data()["themes"]["pageInfo"]["endCursor"].as_str().expect("a cursor").to_owned();
        let seeds: Vec<_> = seeds(SEEDS).into_iter().chain([real.into_bytes()]).collect();
        let values = (prop_oneof![3 => changed_text(seeds), 1 => any_text(30)], any::<bool>());
        let (refused, read) = (Cell::new(0), Cell::new(0));
        for_all(200, values, |(cursor, forwards)| {
            let place = if forwards { json!({ "first": 7, "after": cursor }) } else { json!({ "last": 7, "before": cursor }) };
            let answer = wait(live.graphql(DOCUMENT, place));
            assert_sound(&answer);
            if answer.json().get("errors").is_some() {
                assert_eq!(answer.error_code(), "BAD_USER_INPUT");
                refused.set(refused.get() + 1);
            } else {
                let page = handles(&answer);
                let rest = if forwards { &HANDLES[7 - page.len()..] } else { &HANDLES[..page.len()] };
                assert_eq!(page, rest, "{cursor:?}");
                read.set(read.get() + 1);
            }
        });
        assert!(refused.get() > 10 && read.get() > 5, "{} refused, {} read", refused.get(), read.get());
    }
}

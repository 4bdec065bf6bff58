//! Sizes, names and openings of files (house style, "Small files" and rules 1, 3 and 13).

use super::source::{Source, below};

const LINES_MAX: usize = 400;

/// Names that say where something lies and not what it is (rule 1).
const PLACES: [&str; 7] = ["util", "utils", "helper", "helpers", "common", "misc", "manager"];

fn written_by_hand() -> Vec<Source> {
    let folders = ["src", "codegen/schema/src", "codegen/tool/src", "conformance"].into_iter();
    folders.flat_map(below).filter(|source| !source.path.contains("/generated/")).collect()
}

/// Asserts that `broken` is empty; the failure lists it.
#[track_caller]
fn assert_kept(rule: &str, broken: &[String]) {
    assert!(broken.is_empty(), "{rule}:\n  {}", broken.join("\n  "));
}

#[test]
fn file_written_by_hand_has_at_most_400_lines() {
    let mut broken = Vec::new();
    for source in written_by_hand() {
        let lines = source.text.lines().count();
        if lines > LINES_MAX {
            broken.push(format!("{}: {lines} lines; split it by noun or verb", source.path));
        }
    }
    assert_kept("files stay small", &broken);
}

#[test]
fn file_opens_with_what_it_is() {
    let broken: Vec<_> = written_by_hand()
        .into_iter()
        .filter(|source| !source.text.starts_with("//!"))
        .filter(|source| !["src/lib.rs", "src/main.rs"].contains(&source.path.as_str()) || source.text.len() > 400)
        .map(|source| source.path)
        .collect();
    assert_kept("every module opens with `//!`", &broken);
}

#[test]
fn file_is_named_for_a_thing_or_an_act() {
    let broken: Vec<_> = written_by_hand()
        .into_iter()
        .map(|source| source.path)
        .filter(|path| path.split(['/', '.']).any(|part| PLACES.contains(&part)))
        .collect();
    assert_kept("a file is a noun or a verb, never a place", &broken);
}

#[test]
fn source_holds_no_unfinished_business() {
    let mut broken = Vec::new();
    for source in ["src", "codegen/schema/src", "codegen/tool/src"].into_iter().flat_map(below) {
        for (number, line) in source.text.lines().enumerate() {
            let unfinished = ["TODO", "FIXME", "XXX", "todo!(", "unimplemented!(", "dbg!("];
            if unfinished.iter().any(|word| line.contains(word)) {
                broken.push(format!("{}:{}: {}", source.path, number + 1, line.trim()));
            }
        }
    }
    assert_kept("nothing is left for later without an issue", &broken);
}

#[test]
fn time_and_randomness_come_from_their_services_alone() {
    let owners = [
        ("Utc::now", "src/base/clock.rs"),
        ("SystemTime::now", "src/base/clock.rs"),
        ("getrandom::", "src/base/entropy.rs"),
        ("Uuid::new_v4", ""),
        ("Uuid::now_v7", ""),
    ];
    let mut broken = Vec::new();
    for source in below("src") {
        for (number, line) in source.code() {
            for (call, owner) in owners {
                if line.contains(call) && source.path != owner {
                    broken.push(format!("{}:{number}: {call}", source.path));
                }
            }
        }
    }
    assert_kept("time and randomness come in as services (rule 11)", &broken);
}

//! Sizes, names and first lines of files, and the modules of a folder (docs/STYLE.md).

use std::collections::BTreeMap;
use std::path::Path;

use super::source::{Source, below};

const LINES_MAX: usize = 400;
const LINES_MIN: usize = 15;
const FILES_MAX: usize = 30;

/// File names that say where something is and not what it is.
const PLACES: [&str; 7] = ["util", "utils", "helper", "helpers", "common", "misc", "manager"];

/// Returns the sources that no generator wrote.
fn hand_written() -> Vec<Source> {
    let folders = ["src", "codegen/schema/src", "codegen/tool/src", "conformance"].into_iter();
    folders.flat_map(below).filter(|source| !source.path.contains("/generated/")).collect()
}

/// Asserts that `broken` is empty; the failure lists it.
#[track_caller]
fn assert_kept(rule: &str, broken: &[String]) {
    assert!(broken.is_empty(), "{rule}:\n  {}", broken.join("\n  "));
}

#[test]
fn file_has_at_most_400_lines() {
    let mut broken = Vec::new();
    for source in hand_written() {
        let lines = source.text.lines().count();
        if lines > LINES_MAX {
            broken.push(format!("{}: {lines} lines; split it by subject", source.path));
        }
    }
    assert_kept("a file has at most 400 lines", &broken);
}

#[test]
fn file_has_at_least_15_lines_unless_it_lists_modules() {
    let mut broken = Vec::new();
    for source in hand_written() {
        let lists_modules = ["mod.rs", "lib.rs", "main.rs"].iter().any(|name| source.path.ends_with(name));
        if source.text.lines().count() < LINES_MIN && !lists_modules {
            broken.push(source.path);
        }
    }
    assert_kept("a file has at least 15 lines", &broken);
}

#[test]
fn folder_has_at_most_30_files() {
    let mut folders = BTreeMap::new();
    for source in hand_written() {
        let (folder, _) = source.path.rsplit_once('/').expect("a file in a folder");
        *folders.entry(folder.to_owned()).or_insert(0) += 1;
    }
    folders.retain(|_, count| *count > FILES_MAX);
    let broken: Vec<_> = folders.into_iter().map(|(folder, count)| format!("{folder}: {count} files")).collect();
    assert_kept("a folder has at most 30 files", &broken);
}

#[test]
fn module_with_children_is_a_folder_with_mod_rs() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let with_folder = |path: &String| root.join(path.trim_end_matches(".rs")).is_dir();
    let broken: Vec<_> = hand_written().into_iter().map(|source| source.path).filter(with_folder).collect();
    assert_kept("a module with children is a folder with mod.rs", &broken);
}

#[test]
fn file_starts_with_its_documentation() {
    let broken: Vec<_> = hand_written()
        .into_iter()
        .filter(|source| !source.text.starts_with("//!"))
        .filter(|source| !["src/lib.rs", "src/main.rs"].contains(&source.path.as_str()) || source.text.len() > 400)
        .map(|source| source.path)
        .collect();
    assert_kept("every module starts with `//!`", &broken);
}

#[test]
fn file_name_is_a_noun_or_a_verb() {
    let broken: Vec<_> = hand_written()
        .into_iter()
        .map(|source| source.path)
        .filter(|path| path.split(['/', '.']).any(|part| PLACES.contains(&part)))
        .collect();
    assert_kept("a file is a noun or a verb, never a place", &broken);
}

#[test]
fn source_has_no_todo() {
    let mut broken = Vec::new();
    for source in ["src", "codegen/schema/src", "codegen/tool/src"].into_iter().flat_map(below) {
        for (number, line) in source.text.lines().enumerate() {
            let unfinished = ["TODO", "FIXME", "XXX", "todo!(", "unimplemented!(", "dbg!("];
            if unfinished.iter().any(|word| line.contains(word)) {
                broken.push(format!("{}:{}: {}", source.path, number + 1, line.trim()));
            }
        }
    }
    assert_kept("no TODO without an issue", &broken);
}

#[test]
fn time_and_randomness_have_one_owner() {
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
    assert_kept("time and randomness come from their services", &broken);
}

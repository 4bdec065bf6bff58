//! Other parsers judge what is SDL: async-graphql and cynic-parser wherever they agree, and graphql-js always (`.ci/foreign`).

#[path = "../../../conformance/fuzz/seed.rs"]
#[allow(clippy::disallowed_methods)] // FUZZ_CASES
mod seed;

use std::cell::RefCell;
use std::io::Write as _;
use std::panic::catch_unwind;
use std::path::Path;
use std::process::{Command, Stdio};
use std::{fs, thread};

use dated_graphql_syntax::parse_type_system;
use seed::{changed, for_all};

const SEEDS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../schema/tests/fuzz");
/// cynic-parser calls itself for each character of a string.
const STACK_BYTES: usize = 256 << 20;

/// Returns the texts of a folder.
fn texts(folder: impl AsRef<Path>) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    let mut files: Vec<_> = entries.filter(|file| file.extension().is_some_and(|ending| ending == "graphql")).collect();
    files.sort();
    files.iter().map(|file| fs::read_to_string(file).expect("a text")).collect()
}

/// Returns the seeds with changes.
fn mutated() -> Vec<String> {
    let seeds = texts(SEEDS).into_iter().map(String::into_bytes).collect();
    let mutated: RefCell<Vec<String>> = RefCell::default();
    for_all(4_000, changed(seeds), |bytes| {
        mutated.borrow_mut().push(String::from_utf8_lossy(&bytes).into_owned());
    });
    mutated.into_inner()
}

#[test]
fn sdl_of_both_judges_is_ours() {
    let judge = || {
        std::panic::set_hook(Box::new(|_| {})); // cynic-parser panics at each `\"""`
        let (mut accepted, mut refused) = (0, 0);
        for text in mutated() {
            let cynic = catch_unwind(|| cynic_parser::parse_type_system_document(&text).is_ok());
            let verdict = async_graphql_parser::parse_schema(&text).is_ok();
            if cynic.is_ok_and(|cynic| cynic == verdict) {
                assert_eq!(parse_type_system(&text).is_ok(), verdict, "{text}");
                *if verdict { &mut accepted } else { &mut refused } += 1;
            }
        }
        (accepted, refused)
    };
    let judge = thread::Builder::new().stack_size(STACK_BYTES).spawn(judge).expect("a thread");
    let (accepted, refused) = judge.join().expect("our parser agrees with both");
    assert!(accepted > 100 && refused > 1_000, "{accepted} accepted, {refused} refused");
}

#[test]
#[ignore = "needs graphql-js and real schemas: .ci/foreign"]
#[allow(clippy::disallowed_methods)] // FOREIGN
fn sdl_of_graphql_js_is_ours() {
    let folder = std::env::var("FOREIGN").expect("FOREIGN is a folder of schemas");
    let real = texts(&folder);
    assert!(!real.is_empty() && real.iter().all(|text| parse_type_system(text).is_ok()));
    let texts = [real, mutated()].concat();
    let mut command = Command::new("node");
    command.arg(Path::new(&folder).join("../judge.mjs")).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut node = command.spawn().expect("node starts");
    let sent: String = texts.iter().map(|text| format!("{}\n", serde_json::json!(text))).collect();
    let mut stdin = node.stdin.take().expect("it is piped");
    let writer = thread::spawn(move || stdin.write_all(sent.as_bytes()).expect("node reads"));
    let output = node.wait_with_output().expect("node ends").stdout;
    writer.join().expect("everything is sent");
    let verdicts = String::from_utf8(output).expect("lines");
    assert_eq!(verdicts.lines().count(), texts.len(), "a verdict for each text");
    for (text, verdict) in texts.iter().zip(verdicts.lines()) {
        assert_eq!(parse_type_system(text).is_ok().to_string(), verdict, "{text}");
    }
}

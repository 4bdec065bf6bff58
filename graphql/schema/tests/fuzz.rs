//! Parses generated schemas: each is accepted, or refused with spans in its text, and never panics. A schema has no changes
//! compared with itself.

#[path = "../../../conformance/fuzz/seed.rs"]
#[allow(clippy::disallowed_methods)] // FUZZ_CASES
mod seed;

use dated_graphql_schema::Sdl;
use dated_graphql_schema::diff::{Pair, find};
use dated_graphql_schema::format::format;
use proptest::prelude::*;

use seed::{changed, for_all};

/// The folders of the seeds.
const FOLDERS: [&str; 4] = [
    concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fuzz"),
    concat!(env!("CARGO_MANIFEST_DIR"), "/../compiled/cases/input"),
    concat!(env!("CARGO_MANIFEST_DIR"), "/../compiled/cases/resolved_field"),
    concat!(env!("CARGO_MANIFEST_DIR"), "/../compiled/cases/union_and_interface"),
];
const PATH: &str = "schema/2027-01.graphql";

/// Returns the schemas in a folder, in the order of their names.
fn seeds(folder: &str) -> Vec<Vec<u8>> {
    let entries = std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{folder}: {error}"));
    let mut files: Vec<_> =
        entries.map(|entry| entry.expect("an entry").path()).filter(|file| file.is_file()).collect();
    files.sort();
    assert!(!files.is_empty(), "{folder} holds seeds");
    files.iter().map(|file| std::fs::read(file).expect("a seed can be read")).collect()
}

/// Returns whether the text was accepted.
#[track_caller]
fn assert_read_or_refused(text: &str) -> bool {
    let report = match Sdl::parse("2027-01", PATH, text) {
        Ok(sdl) => {
            assert_eq!(sdl.source(), text);
            let again = Sdl::parse("2027-01", PATH, sdl.source()).expect("what was read is read again");
            let changes = find(Pair { old: &sdl, new: &again });
            assert!(changes.is_empty(), "a schema differs from itself: {:?}", changes[0].coordinate);
            assert_formatted(&sdl);
            return true;
        }
        Err(report) => report,
    };
    assert!(!report.diagnostics().is_empty(), "a refusal has a reason");
    for diagnostic in report.diagnostics() {
        let span = diagnostic.span;
        assert!(!diagnostic.message.is_empty());
        assert!(span.start <= span.end && span.end <= text.len(), "{span:?} lies in the text");
        assert!(text.is_char_boundary(span.start) && text.is_char_boundary(span.end), "{span:?} cuts no letter");
    }
    let lines_of_text = text.lines().count().max(1);
    for line in report.lines() {
        let place = line.strip_prefix(PATH).and_then(|rest| rest.split(':').nth(1));
        let number: usize = place.and_then(|number| number.parse().ok()).unwrap_or_else(|| panic!("{line}"));
        assert!((1..=lines_of_text).contains(&number), "{line}");
    }
    false
}

/// Formatting changes nothing that a client reads, keeps the comments, and is done after once.
#[track_caller]
fn assert_formatted(sdl: &Sdl) {
    let formatted = format(sdl.source());
    let again = Sdl::parse("2027-01", PATH, &formatted).unwrap_or_else(|report| panic!("{report}{formatted}"));
    let changes = find(Pair { old: sdl, new: &again });
    assert!(changes.is_empty(), "formatting changes {:?}\n{formatted}", changes[0].coordinate);
    assert_eq!(formatted.matches('#').count(), sdl.source().matches('#').count());
    assert_eq!(format(&formatted), formatted);
}

#[test]
fn generated_schema_is_read_or_refused() {
    let seeds: Vec<_> = FOLDERS.into_iter().flat_map(seeds).collect();
    let read = std::cell::Cell::new(0);
    for seed in &seeds {
        assert_read_or_refused(&String::from_utf8_lossy(seed));
    }
    for_all(4_000, changed(seeds), |bytes| {
        let text = String::from_utf8_lossy(&bytes);
        read.set(read.get() + u32::from(assert_read_or_refused(&text)));
    });
    assert!(read.get() > 50, "some are schemas still: {}", read.get());
}

#[test]
fn arbitrary_text_is_read_or_refused() {
    assert_read_or_refused("\"\"\"🌹");
    let signs = "type Query { } ( ) [ ] ! : = @ | & \" \"\"\" \\ # a 1 -1.5e9 $ ... input enum union interface scalar directive on \
                 extend implements schema null true é 🌹 \u{feff} \0";
    let signs: Vec<&str> = signs.split(' ').chain(["\n", " "]).collect();
    let signs = prop::sample::select(signs);
    for_all(4_000, prop::collection::vec(signs, 0..40), |signs| {
        assert_read_or_refused(&signs.concat());
    });
}

//! A schema with a word too few, a word twice, or two words swapped is generated or refused with a place in the file; it
//! never makes the generator fall over. Every word of the golden schemas has its turn.

#![allow(clippy::unwrap_used)] // a failure of a test

use std::fs;
use std::path::Path;

use schema_tool::emit::Names;
use schema_tool::{BuildError, Mode, build};

#[test]
fn mangled_schema_is_generated_or_refused() {
    let (mut generated, mut refused) = (0, 0);
    for case in ["union_and_interface", "input", "recursive_entity", "changed_argument"] {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(case).join("2027-01.graphql");
        let source = fs::read_to_string(file).unwrap();
        for mangled in mangle(&source) {
            match run(&mangled) {
                Ok(()) => generated += 1,
                Err(lines) => {
                    refused += 1;
                    let lines_of_file = mangled.lines().count();
                    for line in lines {
                        let place =
                            line.strip_prefix("schema/2027-01.graphql:").and_then(|rest| rest.split(':').next());
                        let number: usize = place.unwrap_or_else(|| panic!("{line}")).parse().unwrap();
                        assert!((1..=lines_of_file).contains(&number), "{line}\n{mangled}");
                    }
                }
            }
        }
    }
    assert!(generated > 50 && refused > 500, "{generated} generated, {refused} refused");
}

/// The text without each word, with each word twice, and with each two neighbours swapped.
fn mangle(source: &str) -> Vec<String> {
    let words: Vec<(usize, &str)> = words(source);
    let mut texts = vec![];
    for (at, (start, word)) in words.iter().enumerate() {
        let (before, after) = (&source[..*start], &source[start + word.len()..]);
        texts.push(format!("{before}{after}"));
        texts.push(format!("{before}{word} {word}{after}"));
        if let Some((next_start, next)) = words.get(at + 1) {
            let between = &source[start + word.len()..*next_start];
            texts.push(format!("{before}{next}{between}{word}{}", &source[next_start + next.len()..]));
        }
    }
    texts
}

/// Names and signs, with where they begin; strings count by their words too.
fn words(source: &str) -> Vec<(usize, &str)> {
    let mut words = vec![];
    let mut start = None;
    for (at, c) in source.char_indices().chain([(source.len(), ' ')]) {
        let part = c.is_alphanumeric() || c == '_';
        if let Some(begin) = start.filter(|_| !part) {
            words.push((begin, &source[begin..at]));
            start = None;
        }
        if part {
            start = start.or(Some(at));
        } else if !c.is_whitespace() {
            words.push((at, &source[at..at + c.len_utf8()]));
        }
    }
    words
}

/// Builds a project of this one version.
fn run(sdl: &str) -> Result<(), Vec<String>> {
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join("mangled");
    fs::create_dir_all(root.join("schema")).unwrap();
    fs::write(root.join("schema/2027-01.graphql"), sdl).unwrap();
    let entry = "[[version]]\nname = \"2027-01\"\nstatus = \"current\"\npublished = 2027-01-01\n";
    fs::write(root.join("schema/versions.toml"), entry).unwrap();
    match build(&root, &Names::default(), Mode::Write) {
        Ok(_) => Ok(()),
        Err(error @ BuildError::Schema(_)) => {
            assert!(error.pictures().contains("error: "));
            Err(error.lines())
        }
        Err(other) => panic!("{other}"),
    }
}

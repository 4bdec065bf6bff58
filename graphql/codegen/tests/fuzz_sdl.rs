//! Mutates schemas of `graphql/compiled`: each token is left out, duplicated and swapped with the next. The generator accepts the result
//! or refuses it with a position in the file, and never panics.

#![allow(clippy::unwrap_used)] // a failure of a test

use std::fs;
use std::path::Path;

use dated_graphql_codegen::{BuildError, Mode, build};

#[test]
fn mutated_schema_is_generated_or_refused() {
    let (mut generated, mut refused) = (0, 0);
    for case in ["union_and_interface", "input", "resolved_field", "recursive_value"] {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../compiled/cases").join(case).join("2027-01.graphql");
        let source = fs::read_to_string(file).unwrap();
        for mutated in mutations(&source) {
            match run(&mutated) {
                Ok(()) => generated += 1,
                Err(lines) => {
                    refused += 1;
                    let lines_of_file = mutated.lines().count();
                    for line in lines {
                        let place =
                            line.strip_prefix("schema/2027-01.graphql:").and_then(|rest| rest.split(':').next());
                        let number: usize = place.unwrap_or_else(|| panic!("{line}")).parse().unwrap();
                        assert!((1..=lines_of_file).contains(&number), "{line}\n{mutated}");
                    }
                }
            }
        }
    }
    assert!(generated > 50 && refused > 500, "{generated} generated, {refused} refused");
}

/// Returns the text without each token, with each token twice, and with each two neighbours swapped.
fn mutations(source: &str) -> Vec<String> {
    let tokens: Vec<(usize, &str)> = tokens(source);
    let mut texts = vec![];
    for (at, (start, token)) in tokens.iter().enumerate() {
        let (before, after) = (&source[..*start], &source[start + token.len()..]);
        texts.push(format!("{before}{after}"));
        texts.push(format!("{before}{token} {token}{after}"));
        if let Some((next_start, next)) = tokens.get(at + 1) {
            let between = &source[start + token.len()..*next_start];
            texts.push(format!("{before}{next}{between}{token}{}", &source[next_start + next.len()..]));
        }
    }
    texts
}

/// Splits the text into names and punctuation, also inside strings, with their positions.
fn tokens(source: &str) -> Vec<(usize, &str)> {
    let mut tokens = vec![];
    let mut start = None;
    for (at, c) in source.char_indices().chain([(source.len(), ' ')]) {
        let part = c.is_alphanumeric() || c == '_';
        if let Some(begin) = start.filter(|_| !part) {
            tokens.push((begin, &source[begin..at]));
            start = None;
        }
        if part {
            start = start.or(Some(at));
        } else if !c.is_whitespace() {
            tokens.push((at, &source[at..at + c.len_utf8()]));
        }
    }
    tokens
}

/// Builds a project of one version.
fn run(sdl: &str) -> Result<(), Vec<String>> {
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join("mutated");
    fs::create_dir_all(root.join("schema")).unwrap();
    fs::write(root.join("schema/2027-01.graphql"), sdl).unwrap();
    let entry = "[[version]]\nname = \"2027-01\"\nstatus = \"current\"\npublished = 2027-01-01\n";
    fs::write(root.join("schema/versions.toml"), entry).unwrap();
    match build(&root, Mode::Write) {
        Ok(_) => Ok(()),
        Err(error @ BuildError::Schema(_)) => {
            assert!(error.drawings().contains("error: "));
            Err(error.lines())
        }
        Err(other) => panic!("{other}"),
    }
}

//! Words that comments and identifiers avoid, because they are literary, vague or metaphors (docs/STYLE.md, "Writing").

use super::source::below;

const FOLDERS: [&str; 8] = [
    "src",
    "codegen/compiled",
    "codegen/schema/src",
    "codegen/schema/tests",
    "codegen/tool/src",
    "codegen/tool/tests",
    "conformance",
    "benches",
];

/// Folders that still use these words. A folder is removed from the list when it is clean; none is added.
const EXCEPTED: [&str; 2] = [
    "conformance/graphql_js_reference",
    "conformance/source_rules/words.rs", // the list itself
];

/// Words and phrases, in lower case.
const BANNED: [&str; 29] = [
    "afresh",
    "anew",
    "anybody",
    "are told",
    "at the moment",
    "beside",
    "by now",
    "far side",
    "hasten",
    "is told",
    "keeper",
    "keepers",
    "knock",
    "knocks",
    "no longer",
    "nobody",
    "rooms",
    "shelf",
    "shelves",
    "somebody",
    "spot",
    "spots",
    "stands",
    "stranger",
    "strangers",
    "under way",
    "whatever",
    "whoever",
    "zoo",
];

/// Returns the words of a line in lower case, each after a space, and whether a string continues on the next line. String
/// literals are left out, and names in snake_case and CamelCase are split.
fn words(line: &str, in_string: bool) -> (String, bool) {
    let comment = line.trim_start().starts_with("//");
    let (mut words, mut quoted, mut previous) = (String::from(" "), in_string, ' ');
    for character in line.chars() {
        if character == '"' && previous != '\\' && !comment {
            quoted = !quoted;
        }
        let starts_word = !previous.is_alphabetic() || (character.is_uppercase() && previous.is_lowercase());
        if character.is_alphabetic() && !quoted {
            if starts_word && !words.ends_with(' ') {
                words.push(' ');
            }
            words.extend(character.to_lowercase());
        }
        previous = character;
    }
    words.push(' ');
    (words, quoted && line.ends_with('\\'))
}

/// Returns the first banned word among words.
fn banned(words: &str) -> Option<&'static str> {
    BANNED.into_iter().find(|banned| words.contains(&format!(" {banned} ")))
}

#[test]
fn comment_or_identifier_holds_no_banned_word() {
    let mut broken = Vec::new();
    for source in FOLDERS.into_iter().flat_map(below) {
        if EXCEPTED.iter().any(|folder| source.path.starts_with(folder)) {
            continue;
        }
        let mut in_string = false;
        for (number, line) in source.text.lines().enumerate() {
            let words;
            (words, in_string) = self::words(line, in_string);
            if let Some(word) = banned(&words) {
                broken.push(format!("{}:{}: {word:?}", source.path, number + 1));
            }
        }
    }
    assert!(broken.is_empty(), "use plain words (docs/STYLE.md):\n  {}", broken.join("\n  "));
}

#[test]
fn banned_word_is_found_in_comments_and_names_only() {
    for line in ["// Stands here.", "fn asked_by_nobody()", "struct OtherStranger;", "/// what is told to it"] {
        assert!(banned(&words(line, false).0).is_some(), "{line}");
    }
    for line in ["let bedroom = 1;", "print(\"nobody\")", "// the understands_list"] {
        assert_eq!(banned(&words(line, false).0), None, "{line}");
    }
}

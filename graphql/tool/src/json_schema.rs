//! Checks that the JSON Schemas of a published version, for example of its notifications, keep their fields: compares them
//! with the merge base.

use std::fs;
use std::path::Path;

use dated_graphql_schema::Sdl;
use serde_json::Value;

use crate::finding::{Finding, Severity};
use crate::git::Commit;

/// Members of a JSON Schema that a receiver does not rely on.
const WORDS: [&str; 3] = ["$comment", "title", "description"];

/// Returns the paths and contents of the JSON Schemas of a version at a commit.
pub(crate) fn read_committed(root: &Path, commit: &Commit, folder: &str, version: &str) -> Vec<(String, Value)> {
    let paths = commit.files(root, &format!("{folder}/{version}")).into_iter();
    let schemas = paths.filter(|path| path.ends_with(".schema.json"));
    let read = schemas.filter_map(|path| {
        let json = serde_json::from_str(&commit.file(root, &path)?).ok()?;
        Some((path, json))
    });
    read.collect()
}

/// Reports the fields that were removed from the JSON Schemas of a published version, or changed in them.
pub(crate) fn findings(root: &Path, committed: &[(String, Value)], sdl: &Sdl) -> Vec<Finding> {
    let mut found = vec![];
    for (path, old) in committed {
        let now = fs::read(root.join(path)).ok().and_then(|text| serde_json::from_slice::<Value>(&text).ok());
        let mut parts = vec![];
        compare("", old, now.as_ref(), &mut parts);
        found.extend(parts.into_iter().map(|part| {
            let message = format!("{} is published: {path} changed at `{part}`", sdl.version());
            let finding = Finding::new("payload-changed", Severity::Error, message);
            finding
                .at(&sdl.path, sdl.top(), "this version")
                .help("take the change back: the JSON Schemas of a published version may only gain fields")
        }));
    }
    found
}

/// Adds the place of each part of `old` that `new` does not have as it was.
fn compare(at: &str, old: &Value, new: Option<&Value>, found: &mut Vec<String>) {
    match (old, new) {
        (Value::Object(old), Some(Value::Object(new))) => {
            // A property may have the name of a word.
            let kept = old.iter().filter(|(name, _)| at.ends_with("/properties") || !WORDS.contains(&name.as_str()));
            kept.for_each(|(name, old)| compare(&format!("{at}/{name}"), old, new.get(name), found));
        }
        (Value::Array(old), Some(Value::Array(new))) if at.ends_with("/required") => {
            let gone = old.iter().filter(|name| !new.contains(name));
            found.extend(gone.map(|name| format!("{at}/{}", name.as_str().unwrap_or_default())));
        }
        (old, new) if Some(old) == new => {}
        _ => found.push(at.to_owned()),
    }
}

//! Checks that the notifications of a published version keep their fields: compares their JSON Schemas with the merge base.

use std::path::Path;

use schema::payload::payloads;
use schema::sdl::Sdl;
use serde_json::Value;

use crate::finding::{Finding, Severity};
use crate::git::Commit;
use codegen::emit::payload_path;

/// Members of a JSON Schema that a receiver does not rely on.
const WORDS: [&str; 3] = ["$comment", "title", "description"];

/// Returns the topics and JSON Schemas of a version at a commit.
pub(crate) fn committed(root: &Path, commit: &Commit, sdl: &Sdl) -> Vec<(String, Value)> {
    let read = payloads(&sdl.schema).into_iter().filter_map(|payload| {
        let path = format!("generated/{}", payload_path(sdl.version(), &payload));
        Some((payload.topic, serde_json::from_str(&commit.file(root, &path)?).ok()?))
    });
    read.collect()
}

/// Returns what the notifications of a published version had, and have differently or no more.
pub(crate) fn findings(committed: &[(String, Value)], sdl: &Sdl) -> Vec<Finding> {
    let payloads = payloads(&sdl.schema);
    let now = |topic: &str| {
        let payload = payloads.iter().find(|payload| payload.topic == topic)?;
        serde_json::from_str::<Value>(&payload.text).ok()
    };
    let mut found = vec![];
    for (topic, old) in committed {
        let mut parts = vec![];
        compare("", old, now(topic).as_ref(), &mut parts);
        found.extend(parts.into_iter().map(|part| {
            let message = format!("{} is published: its notification {topic} changed at `{part}`", sdl.version());
            let finding = Finding::new("payload-changed", Severity::Error, message);
            finding.at(&sdl.path, sdl.top(), "the notifications of this version").help(
                "take the change back: a subscription gets notifications in its version, which may only gain fields",
            )
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

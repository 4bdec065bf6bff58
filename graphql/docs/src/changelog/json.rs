//! The changelog as data. New versions of the tool only add fields.

use serde::Serialize;

use super::{Change, Changelog, Entry};

#[derive(Serialize)]
struct Document<'a> {
    /// Changes only if a field changes its meaning.
    format: u32,
    versions: Vec<Version<'a>>,
    candidates: Vec<Version<'a>>,
}

#[derive(Serialize)]
struct Version<'a> {
    version: &'a str,
    status: &'static str,
    published: Option<&'a str>,
    deprecated: Option<&'a str>,
    sunset: Option<&'a str>,
    /// The older version that the changes are counted from.
    since: Option<&'a str>,
    changes: &'a [Change],
}

/// Writes the changelog as JSON.
pub fn json(changelog: &Changelog<'_>) -> String {
    let document = Document {
        format: 1,
        versions: changelog.published.iter().map(version).collect(),
        candidates: changelog.candidates.iter().map(version).collect(),
    };
    serde_json::to_string_pretty(&document).expect("texts become JSON") + "\n"
}

fn version<'a>(entry: &'a Entry<'_>) -> Version<'a> {
    let Entry { version, since, changes } = entry;
    Version {
        version: version.sdl.version(),
        status: version.status.as_str(),
        published: version.published,
        deprecated: version.deprecated,
        sunset: version.sunset,
        since: since.map(|since| since.version()),
        changes,
    }
}

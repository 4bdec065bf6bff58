//! What changed between two schemas: found, described, judged.
//!
//! `compare` finds: it walks both schemas side by side and yields what stands at each coordinate in the old and in the new.
//! `kind` describes: one file for each kind of change, which says of a spot whether it is one, and in which words. Each
//! carries its rule: a stable id, a level, and why. The levels are those of graphql-js (`conformance/schema_judge`), and
//! where ours are stricter the rule says why. What becomes of a change in a version is judged above, in `life`.

mod compatible;
mod default;
mod kind;
mod compare;

use crate::diagnostic::Span;
use crate::sdl::Sdl;
pub use kind::{RULES, find};

/// How bad a kind of change is for a client that does not follow it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// No client notices.
    Safe,
    /// A client may notice that was not written with such a change in mind.
    Dangerous,
    /// A request that was right is refused, or an answer no longer has the shape it had.
    Breaking,
}

impl Level {
    pub fn as_str(self) -> &'static str {
        match self {
            Level::Safe => "safe",
            Level::Dangerous => "dangerous",
            Level::Breaking => "breaking",
        }
    }
}

/// What a change is about, and so where a caret belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Aspect {
    /// The thing as a whole.
    Name,
    Type,
    Default,
    Description,
    Deprecation,
}

/// A kind of change.
#[derive(Debug)]
pub struct Rule {
    /// Its name; it never changes.
    pub id: &'static str,
    pub level: Level,
    /// What it is, in a sentence.
    pub summary: &'static str,
    /// Why it has its level.
    pub reason: &'static str,
    /// What graphql-js calls it, where it looks for it.
    pub graphql_js: Option<&'static str>,
    /// What graphql-inspector calls it; several where it has a kind for each.
    pub inspector: &'static [&'static str],
    /// Where ours is finer or stricter than theirs, and why.
    pub note: Option<&'static str>,
    aspect: Aspect,
    describe: fn(&compare::Spot<'_>) -> Option<String>,
}

/// One change between two schemas.
#[derive(Clone, Debug)]
pub struct Change {
    pub rule: &'static Rule,
    /// Where it is; see [`crate::coordinate`].
    pub coordinate: String,
    /// What it is, in one line.
    pub message: String,
    /// Where it stood in the old file.
    pub old: Option<Span>,
    /// Where it stands in the new file, or what it was taken from.
    pub new: Option<Span>,
    /// Whether something is gone.
    pub removed: bool,
    /// What the old schema said of its deprecation, where it was deprecated.
    pub deprecated: Option<String>,
}

/// Two schemas of which the second may follow the first.
#[derive(Clone, Copy)]
pub struct Pair<'a> {
    pub old: &'a Sdl,
    pub new: &'a Sdl,
}

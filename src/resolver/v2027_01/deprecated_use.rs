//! `Query.deprecatedUses`: what the partner uses that is deprecated, in the version that it uses or in a later one
//! (decisions H10).

use std::cmp::Reverse;

use crate::generated::v2027_01::DeprecatedUse;
use crate::graphql::FieldError;
use crate::model::KeyMode;
use crate::resolver::deprecation::{DEPRECATIONS, Deprecation};
use crate::resolver::{Context, outcome::failed};

/// The uses of the caller's keys, the latest day first.
pub(super) async fn deprecated_uses(cx: &Context) -> Result<Vec<DeprecatedUse>, FieldError> {
    // A candidate is for test keys alone.
    let visible = |it: &&Deprecation| !it.candidate || cx.caller.mode == KeyMode::Test;
    let visible: Vec<&'static Deprecation> = DEPRECATIONS.iter().filter(visible).collect();
    let mut coordinates: Vec<_> = visible.iter().map(|it| it.coordinate.as_str()).collect();
    coordinates.sort_unstable();
    coordinates.dedup();
    let mut uses = Vec::new();
    for coordinate in coordinates {
        for used in cx.services.store.last_uses(cx.caller.scope(), coordinate).await.map_err(failed)? {
            // The names of versions sort by time.
            let first = visible.iter().find(|it| it.coordinate == coordinate && it.version >= used.version.as_str());
            uses.extend(first.map(|it| DeprecatedUse {
                version: used.version.clone().into(),
                coordinate: coordinate.into(),
                test: used.mode == KeyMode::Test,
                last_used_on: used.day,
                deprecated_in: it.version.into(),
                reason: it.reason.as_str().into(),
                replacements: it.replacements.iter().map(|name| name.as_str().into()).collect(),
            }));
        }
    }
    uses.sort_by_key(|used| Reverse(used.last_used_on));
    Ok(uses)
}

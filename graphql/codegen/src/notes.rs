//! Decisions of the generator that the author of a schema may not expect. Printed by `cargo schema check` and `generate`.

use dated_graphql_schema::model::{Kind, Schema};

use crate::emit::{JSON, RustPaths};

/// A decision about one version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// The id of its rule.
    pub rule: &'static str,
    /// The coordinate of the first element that it concerns.
    pub coordinate: String,
    pub message: String,
    /// How to change it.
    pub help: Option<String>,
}

/// Returns the decisions about a version.
pub fn notes(schema: &Schema, names: &RustPaths) -> Vec<Note> {
    let unserved = schema.unserved.as_ref().map(|root| Note {
        rule: "subscription-unserved",
        coordinate: root.clone(),
        message: format!("subscriptions are not served: `{root}`, and types that nothing else leads to, are left out"),
        help: None,
    });
    let scalars = schema.types.iter().filter(|ty| matches!(ty.kind, Kind::Scalar { .. }));
    let untyped: Vec<&str> = scalars.map(|ty| &*ty.name).filter(|name| !names.scalars.contains_key(*name)).collect();
    let untyped = untyped.first().map(|first| Note {
        rule: "scalar-untyped",
        coordinate: (*first).to_owned(),
        message: format!("scalars without an entry in schema/project.toml are any JSON: `{}`", untyped.join("`, `")),
        help: Some(format!("`[scalar.{first}]` names its Rust types; without one they are `{JSON}`")),
    });
    unserved.into_iter().chain(untyped).collect()
}

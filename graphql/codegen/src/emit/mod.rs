//! Emits Rust from checked schemas: for each version a vocabulary (traits, structs, enums, inputs) and a dispatch.
//!
//! [`files`] is called by the build. [`lower`] makes every decision; `vocabulary` and `dispatch` write the result as tokens.
//! Nothing here touches a file.

mod cost;
mod dispatch;
mod docs;
mod grow;
mod imports;
mod item;
mod lower;
mod module;
mod names;
mod reuse;
mod rust_type;
mod shape;
mod skeleton;
mod source;
mod spelling;
mod version;
mod vocabulary;

use dated_graphql_schema::model::Schema;

use crate::versions::VersionEntry;
pub use cost::cost;
pub(crate) use names::JSON;
pub use names::{RustPaths, Scalar};
pub use skeleton::{StubImpl, Stubs, Written, skeletons, stubs};
pub(crate) use source::all_identifiers;
use spelling::Spelling;
use version::Version;

/// A file of `generated/`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// The path in the folder, with `/`.
    pub path: String,
    pub text: String,
}

/// Emits the files of all versions. `schemas` are oldest first; each version reuses the items of the previous one.
pub fn files(schemas: &[Schema], entries: &[VersionEntry], names: &RustPaths) -> Vec<File> {
    let versions = with_versions(schemas, names, |newest| {
        let mut versions: Vec<_> = std::iter::successors(Some(newest), |version| version.previous).collect();
        versions.reverse();
        let lowered = versions.into_iter().map(lower::lower);
        let of_version = |lowered| [vocabulary::file(&lowered, newest.names), dispatch::file(&lowered, newest.names)];
        Some(lowered.flat_map(of_version).collect::<Vec<_>>())
    });
    let module = module::file(schemas, entries, names);
    std::iter::once(module).chain(versions.unwrap_or_default()).collect()
}

/// Links the versions, and calls `with` with the newest; `None` if there is no version.
fn with_versions<R>(schemas: &[Schema], names: &RustPaths, with: impl FnOnce(&Version<'_>) -> Option<R>) -> Option<R> {
    let names = names.with_scalars(schemas);
    let spelling = Spelling::new(schemas, &names);
    link(&grow::grow(schemas, &names, &spelling), None, (&names, &spelling), with)
}

fn link<R>(
    schemas: &[Schema],
    previous: Option<&Version<'_>>,
    (names, spelling): (&RustPaths, &Spelling),
    with: impl FnOnce(&Version<'_>) -> Option<R>,
) -> Option<R> {
    match schemas.split_first() {
        Some((schema, rest)) => {
            let version = Version::new(schema, previous, names, spelling);
            link(rest, Some(&version), (names, spelling), with)
        }
        None => previous.and_then(with),
    }
}

//! Emits Rust from checked schemas: for each version a vocabulary (traits, structs, enums, inputs) and a dispatch.
//!
//! [`files`] is called by the build. [`lower`] makes every decision; `vocabulary` and `dispatch` write the result as tokens.
//! Nothing here touches a file.

mod dispatch;
mod docs;
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
mod version;
mod vocabulary;

use dated_graphql_schema::model::Schema;

use crate::versions::VersionEntry;
pub use names::{RustPaths, Scalar};
pub(crate) use names::{field_name, hidden_names, type_name};
pub use skeleton::{Part, skeletons};
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
    let mut files = vec![module::file(schemas, entries, names)];
    add_versions(schemas, None, names, &mut files);
    files
}

/// Links each of `schemas` to `previous`, and emits the files of each.
fn add_versions(schemas: &[Schema], previous: Option<&Version<'_>>, names: &RustPaths, files: &mut Vec<File>) {
    let Some((schema, rest)) = schemas.split_first() else { return };
    let version = Version::new(schema, previous, names);
    let lowered = lower::lower(&version);
    files.extend([vocabulary::file(&lowered, names), dispatch::file(&lowered, names)]);
    add_versions(rest, Some(&version), names, files);
}

//! Rust from checked schemas: per version the vocabulary (traits, structs, enums, inputs) and the dispatch under it.
//!
//! [`files`] is called by the build. Everything is decided in [`lower`]; `vocabulary` and `dispatch` only write down what
//! was decided; nothing here touches a file.

mod dispatch;
mod docs;
mod family;
mod imports;
mod item;
mod lower;
mod module;
mod names;
mod reuse;
mod rust_type;
mod source;
mod version;
mod vocabulary;

use crate::model::Schema;
use crate::versions::VersionEntry;
use family::Families;
pub use names::{Names, Scalar};
pub(crate) use names::{field_name, hidden_names, type_name};
use version::Version;

/// A file of `generated/`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// Relative to the folder, with `/`.
    pub path: String,
    pub text: String,
}

/// The files for all versions, oldest first; each reuses what the one before it already says.
pub fn files(schemas: &[Schema], entries: &[VersionEntry], names: &Names) -> Vec<File> {
    let mut files = vec![module::file(schemas, entries, names)];
    add_versions(schemas, None, names, &mut files);
    files
}

/// Puts each of `schemas` on top of `previous`, and adds the files of all once the newest is there.
fn add_versions(schemas: &[Schema], previous: Option<&Version<'_>>, names: &Names, files: &mut Vec<File>) {
    if let Some((schema, rest)) = schemas.split_first() {
        return add_versions(rest, Some(&Version::new(schema, previous, names)), names, files);
    }
    let Some(newest) = previous else { return };
    let families = Families::up_to(newest);
    for at in 0..families.versions.len() {
        let lowered = lower::lower(&families, at);
        files.push(vocabulary::file(&lowered, names));
        files.push(dispatch::file(&lowered, names));
    }
}

//! Generates the Rust of the cases: of each folder of `cases/`, with one SDL file per version.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use dated_graphql_codegen::emit::{RustPaths, Written, files, skeletons};
use dated_graphql_codegen::versions::VersionEntry;
use dated_graphql_schema::VersionStatus;
use dated_graphql_schema::model::Schema;

const PROJECT: &str = r#"
[rust]
schema_folder = "."

[resolve]
fields = ["Stadium.seats"]

[scalar.ID]
input = "String"
output = "crate::model::Id"
copy = true

[scalar.Json]
input = "serde_json::Value"
output = "serde_json::Value"

[scalar.BigInt]
input = "i64"
output = "i64"
copy = true

[scalar.Broken]
input = "crate::failing::Broken"
output = "crate::failing::Broken"
copy = true

[scalar.Point]
input = "crate::custom_scalar::Point"
output = "crate::custom_scalar::Point"
copy = true
"#;

/// Returns the names for a case; the case `hooks` has a context, and the case `skeleton` converts enums and inputs from and to another
/// model.
fn names_of(case: &Path) -> RustPaths {
    let names = RustPaths::parse("project.toml", PROJECT).unwrap_or_else(|report| panic!("{report}"));
    if case.ends_with("hooks") {
        let (context, model) = ("crate::hooks::Context".to_owned(), "crate::hooks".to_owned());
        return RustPaths { context, model, nullable_argument: "Patch".to_owned(), ..names };
    }
    if !case.ends_with("skeleton") {
        return names;
    }
    let (model, generated) = ("crate::skeleton::model".to_owned(), "crate::generated::skeleton".to_owned());
    RustPaths { model, generated, ..names }
}

#[allow(clippy::disallowed_methods)] // cargo passes the folder in the environment
fn main() {
    println!("cargo::rerun-if-changed=cases");
    let out = std::env::var_os("OUT_DIR").expect("cargo sets OUT_DIR");
    let out = Path::new(&out);
    let mut modules = String::new();
    for case in names(Path::new("cases"), "") {
        generate(&Path::new("cases").join(&case), &out.join(&case));
        let file = out.join(&case).join("mod.rs");
        writeln!(modules, "#[path = {file:?}]\npub mod {case};").expect("a string is writable");
    }
    write(&out.join("cases.rs"), &modules);
}

/// Writes the Rust of a case, and copies of its SDL.
fn generate(case: &Path, out: &Path) {
    let versions = names(case, ".graphql");
    let (mut schemas, mut entries) = (vec![], vec![]);
    for version in versions {
        let file = format!("{version}.graphql");
        let source = fs::read_to_string(case.join(&file)).expect("a case is readable");
        write(&out.join(file), &source);
        schemas.push(Schema::parse(&version, &source).unwrap_or_else(|report| panic!("{}: {report}", case.display())));
        entries.push(VersionEntry {
            published: Some(format!("{version}-01")),
            name: version,
            status: VersionStatus::Current,
            digest: None,
            deprecated: None,
            sunset: None,
        });
    }
    let names = names_of(case);
    for file in files(&schemas, &entries, &names) {
        write(&out.join(file.path), &file.text);
    }
    if case.ends_with("skeleton") {
        write_skeletons(&schemas, &names, out);
    }
}

/// Writes the skeletons of every version, as `cargo schema skeleton` prints them.
fn write_skeletons(schemas: &[Schema], names: &RustPaths, out: &Path) {
    for Schema { version, .. } in schemas {
        let text = skeletons(schemas, version, names, None, &Written::default()).expect("something to write");
        write(&out.join(format!("skeletons_{version}.rs")), &text);
    }
}

/// Returns the names of the files in a folder that have this ending, without it, in order.
fn names(folder: &Path, ending: &str) -> Vec<String> {
    let files = fs::read_dir(folder).expect("a folder of cases").map(|entry| entry.expect("a file").file_name());
    let mut names: Vec<String> =
        files.filter_map(|name| name.to_str()?.strip_suffix(ending).map(str::to_owned)).collect();
    names.sort();
    names
}

fn write(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().expect("a file is in a folder")).expect("OUT_DIR is writable");
    fs::write(path, text).expect("OUT_DIR is writable");
}

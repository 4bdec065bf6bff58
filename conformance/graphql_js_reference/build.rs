//! Generates the Rust of `test.graphql` with the project's own generator.

use std::fs;
use std::path::Path;

use dated_graphql_codegen::emit::{RustPaths, files};
use dated_graphql_schema::model::Schema;

const PROJECT: &str = r#"
[rust]
schema_folder = "."

[scalar.Day]
input = "dated_graphql::Parsed<chrono::NaiveDate>"
output = "chrono::NaiveDate"
copy = true

[scalar.Json]
input = "serde_json::Value"
output = "serde_json::Value"

[scalar.Address]
input = "String"
output = "str"
"#;

#[allow(clippy::disallowed_methods)] // cargo passes the folder in the environment
fn main() {
    println!("cargo::rerun-if-changed=test.graphql");
    let out = std::env::var_os("OUT_DIR").expect("cargo sets OUT_DIR");
    let write = |path: &str, text: &str| {
        let path = Path::new(&out).join(path);
        fs::create_dir_all(path.parent().expect("a file is in a folder")).expect("OUT_DIR is writable");
        fs::write(path, text).expect("OUT_DIR is writable");
    };
    let source = include_str!("test.graphql");
    let schema = Schema::parse("test", source).unwrap_or_else(|report| panic!("{report}"));
    write("test.graphql", source);
    let names = RustPaths::parse("project.toml", PROJECT).unwrap_or_else(|report| panic!("{report}"));
    for file in files(&[schema], &[], &names).into_iter().filter(|file| file.path != "mod.rs") {
        match file.path.split_once('/') {
            Some(_) => write(&file.path, &file.text),
            // Included (`include!`), where attributes of the file itself are not allowed.
            None => write(&file.path.replace(".rs", "/mod.rs"), &without_attributes(&file.text)),
        }
    }
}

/// Leaves out the file's attributes, and the attribute of inputs: a test reads only the fields that it compares.
fn without_attributes(text: &str) -> String {
    let is_left_out = |line: &&str| line.starts_with("//!") || line.starts_with("#![") || *line == "#[deny(dead_code)]";
    text.lines().filter(|line| !is_left_out(line)).flat_map(|line| [line, "\n"]).collect()
}

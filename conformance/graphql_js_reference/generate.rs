//! Generates the Rust of the two schemas of this folder, with the project's own generator; a module of the build script.

use std::fs;
use std::path::Path;

use schema::model::Schema;
use schema_tool::emit::{Names, Scalar, files};

const DAY: &str = "card_service::base::Parsed<chrono::NaiveDate>";
const ADDRESS: &str = "card_service::base::Parsed<card_service::base::HttpUrl>";

/// The scalars of both schemas except ID, which is a plain string in the test schema.
const SCALARS: [Scalar; 9] = [
    Scalar { name: "String", input: "String", output: "str", copy: false },
    Scalar { name: "Int", input: "i32", output: "i32", copy: true },
    Scalar { name: "Float", input: "f64", output: "f64", copy: true },
    Scalar { name: "Boolean", input: "bool", output: "bool", copy: true },
    Scalar { name: "Day", input: DAY, output: "chrono::NaiveDate", copy: true },
    Scalar { name: "Date", input: DAY, output: "chrono::NaiveDate", copy: true },
    Scalar { name: "Address", input: ADDRESS, output: "card_service::base::HttpUrl", copy: false },
    Scalar { name: "URL", input: ADDRESS, output: "card_service::base::HttpUrl", copy: false },
    Scalar {
        name: "DateTime",
        input: "card_service::base::Parsed<card_service::base::Timestamp>",
        output: "card_service::base::Timestamp",
        copy: true,
    },
];

fn names(model: &'static str, context: &'static str, id: Scalar) -> Names {
    let scalars: Vec<_> = SCALARS.into_iter().chain([id]).collect();
    Names {
        engine: "card_service::graphql::generated",
        model,
        context,
        patch: "card_service::base::Patch",
        schema_folder: ".",
        scalars: Vec::leak(scalars),
    }
}

/// Writes the module of each schema to a folder, with a copy of its SDL.
pub(crate) fn generate(folder: &Path) {
    let id = Scalar { name: "ID", input: "String", output: "str", copy: false };
    let context = "crate::graphql_js_reference::test_schema::Context";
    let test = names("crate::graphql_js_reference::test_schema::model", context, id);
    generate_version(folder, "test", include_str!("test.graphql"), &test);
    let id = Scalar { name: "ID", input: "String", output: "card_service::base::GlobalId", copy: true };
    let context = "crate::graphql_js_reference::shop_schema::Context";
    let shop = names("crate::graphql_js_reference::shop_schema::model", context, id);
    generate_version(folder, "2026-10", include_str!("../../schema/2026-10.graphql"), &shop);
}

fn generate_version(folder: &Path, version: &str, source: &str, names: &Names) {
    let schema = Schema::parse(version, source).unwrap_or_else(|report| panic!("{report}"));
    write(&folder.join(format!("{version}.graphql")), source);
    for file in files(&[schema], &[], names).into_iter().filter(|file| file.path != "mod.rs") {
        let (path, text) = match file.path.split_once('/') {
            Some(_) => (file.path.clone(), file.text),
            // Included (`include!`), where attributes of the file itself are not allowed.
            None => (file.path.replace(".rs", "/mod.rs"), without_attributes(&file.text)),
        };
        write(&folder.join(path), &text);
    }
}

/// Also without the attribute of inputs: a test reads only the fields that it compares.
fn without_attributes(text: &str) -> String {
    let is_left_out = |line: &&str| line.starts_with("//!") || line.starts_with("#![") || *line == "#[deny(dead_code)]";
    text.lines().filter(|line| !is_left_out(line)).flat_map(|line| [line, "\n"]).collect()
}

/// Writes a file if it changes, so that what includes it is not compiled again.
fn write(path: &Path, text: &str) {
    if fs::read_to_string(path).is_ok_and(|written| written == text) {
        return;
    }
    fs::create_dir_all(path.parent().expect("a file is in a folder")).expect("OUT_DIR is writable");
    fs::write(path, text).expect("OUT_DIR is writable");
}

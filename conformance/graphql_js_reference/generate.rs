//! The Rust of the judge's schemas, from the project's own generator under other names; committed, and kept current
//! here.
//!
//! A test of its own, because the judge itself does not compile while these files are stale.

#![allow(clippy::disallowed_methods)] // a test is told by the environment to write what it compares

use std::fs;
use std::path::Path;

use schema::model::Schema;
use schema_tool::emit::{Names, Scalar, files};

/// The environment variable that has the files written rather than compared.
const WRITE: &str = "JUDGE_WRITE";

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/conformance/graphql_js_reference/generated");

const DAY: &str = "card_service::base::Parsed<chrono::NaiveDate>";
const ADDRESS: &str = "card_service::base::Parsed<card_service::base::HttpUrl>";

/// The scalars of both schemas but for ids, which are texts in the zoo.
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

fn names(model: &'static str, context: &'static str, schema_folder: &'static str, id: Scalar) -> Names {
    let scalars: Vec<_> = SCALARS.into_iter().chain([id]).collect();
    Names {
        engine: "card_service::graphql::generated",
        model,
        context,
        patch: "card_service::base::Patch",
        schema_folder,
        scalars: Vec::leak(scalars),
    }
}

#[test]
fn generated_files_are_current() {
    let id = Scalar { name: "ID", input: "String", output: "str", copy: false };
    let zoo = names("crate::graphql_js_reference::zoo::model", "crate::graphql_js_reference::zoo::Context", "..", id);
    check("zoo", include_str!("zoo.graphql"), &zoo);
    let id = Scalar { name: "ID", input: "String", output: "card_service::base::GlobalId", copy: true };
    let shop = names(
        "crate::graphql_js_reference::shop::model",
        "crate::graphql_js_reference::shop::Context",
        "../../../schema",
        id,
    );
    check("2026-10", include_str!("../../schema/2026-10.graphql"), &shop);
}

fn check(version: &str, source: &str, names: &Names) {
    let schema = Schema::parse(version, source).unwrap_or_else(|report| panic!("{report}"));
    // The list of versions is the service's; the judge has its own.
    for file in files(&[schema], &[], names).into_iter().filter(|file| file.path != "mod.rs") {
        let path = Path::new(FOLDER).join(&file.path);
        if std::env::var_os(WRITE).is_some() {
            fs::create_dir_all(path.parent().expect("files lie in a folder")).expect("the folder can be made");
            fs::write(&path, &file.text).expect("the file can be written");
        }
        let kept = fs::read_to_string(&path).unwrap_or_default();
        assert!(kept == file.text, "{} is not current: run this test with {WRITE}=1 and commit", path.display());
    }
}

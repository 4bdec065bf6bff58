//! Documents that are written from a register of the binary are current.

use std::path::Path;

use card_service::services::{check_alerts, check_runbook, metrics_reference};

/// Compares a file with its current text; with `UPDATE_DOCS=1`, writes it.
#[allow(clippy::disallowed_methods)] // a switch of this test's own
pub fn assert_current(path: &str, current: &str) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(&file, current).expect("the document can be written");
    }
    let written = std::fs::read_to_string(&file).unwrap_or_default();
    let command = "UPDATE_DOCS=1 cargo test --workspace --all-features --test conformance";
    assert!(written == current, "{path} is not current: {command} <this test>");
}

#[test]
fn documents_of_the_checks_are_current() {
    assert_current("docs/checks.md", &check_runbook());
    assert_current("docs/operating/checks.yml", &check_alerts());
}

#[test]
fn document_of_the_schema_rules_is_current() {
    assert_current("docs/schema-rules.md", &tool::registry::page());
}

#[test]
fn editor_configuration_has_every_version() {
    let text = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(".graphqlrc.yml")).expect("a file");
    for (version, _) in crate::schema::versions() {
        assert!(text.contains(&format!("schema: schema/{version}.graphql\n")), "{version}");
    }
}

#[test]
fn document_of_the_metrics_is_current() {
    assert_current("docs/metrics.md", &metrics_reference());
}

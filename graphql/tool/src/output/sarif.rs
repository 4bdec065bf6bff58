//! SARIF 2.1.0 (OASIS standard), which GitHub code scanning reads. Describes every rule that has a finding.

use std::collections::BTreeSet;

use schema::diagnostic::Span;
use serde_json::{Value, json};

use crate::contract;
use crate::finding::{Finding, Findings, Location, Severity};
use crate::registry;

/// The JSON schema of the standard.
const SCHEMA: &str = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

pub(super) fn write(findings: &Findings) -> String {
    let list = findings.list();
    let ids: BTreeSet<&str> = list.iter().map(|finding| finding.rule).collect();
    let described = registry::all().into_iter().filter(|rule| ids.contains(rule.id));
    let rules: Vec<Value> = described
        .map(|rule| {
            json!({
                "id": rule.id,
                "shortDescription": { "text": rule.about },
                "defaultConfiguration": { "level": rule.severity.map_or("none", Severity::as_str) },
            })
        })
        .collect();
    let index = |id: &str| rules.iter().position(|rule| rule["id"] == id);
    let results: Vec<Value> = list.iter().map(|finding| result(findings, finding, index(finding.rule))).collect();
    let document = json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "cargo schema",
                "version": env!("CARGO_PKG_VERSION"),
                "rules": rules,
            } },
            "columnKind": "unicodeCodePoints",
            "originalUriBaseIds": { "ROOT": { "description": { "text": "The root of the repository." } } },
            "results": results,
        }],
    });
    serde_json::to_string_pretty(&document).expect("texts and numbers can be written") + "\n"
}

fn result(findings: &Findings, finding: &Finding, index: Option<usize>) -> Value {
    let mut message = vec![finding.message.clone()];
    message.extend(finding.notes.iter().cloned());
    message.extend(finding.help.clone());
    let mut result = json!({
        "ruleId": finding.rule,
        "level": finding.severity.as_str(),
        "message": { "text": message.join("\n") },
        "properties": { "coordinate": finding.coordinate, "level": finding.level.map(|level| level.as_str()) },
    });
    if let Some(index) = index {
        result["ruleIndex"] = json!(index);
    }
    let everything = Location { path: "schema/versions.toml".to_owned(), span: Span { start: 0, end: 0 } };
    let mut place = location(findings, finding.at.as_ref().unwrap_or(&everything));
    if let Some(coordinate) = &finding.coordinate {
        place["logicalLocations"] = json!([{ "fullyQualifiedName": coordinate }]);
    }
    result["locations"] = json!([place]);
    let same = format!("{}\n{}", finding.rule, finding.coordinate.as_ref().unwrap_or(&finding.message));
    result["partialFingerprints"] = json!({ "ruleAndCoordinate/v1": contract::sha256(&same) });
    if let Some((at, label)) = &finding.related {
        let mut location = location(findings, at);
        location["message"] = json!({ "text": label });
        result["relatedLocations"] = json!([location]);
    }
    result
}

/// Converts a location. Code scanning refuses a result without one, so a file whose text is not known has its first line.
fn location(findings: &Findings, at: &Location) -> Value {
    let mut physical = json!({ "artifactLocation": { "uri": at.path.replace(' ', "%20"), "uriBaseId": "ROOT" } });
    physical["region"] = match findings.position(at) {
        Some(position) => json!({
            "startLine": position.line,
            "startColumn": position.column,
            "endLine": position.end_line,
            "endColumn": position.end_column,
        }),
        None => json!({ "startLine": 1, "startColumn": 1 }),
    };
    json!({ "physicalLocation": physical })
}

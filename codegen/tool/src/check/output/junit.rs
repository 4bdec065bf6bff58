//! JUnit's XML: a test suite for each file, a test case for each finding; an error is a failure, a warning or a note is
//! only written out. Without findings there is one case that passed, so that a CI does not take the file for broken.

use std::collections::BTreeMap;

use crate::check::finding::{Finding, Findings, Severity};

pub(super) fn write(findings: &Findings) -> String {
    let mut suites: BTreeMap<&str, Vec<&Finding>> = BTreeMap::new();
    for finding in findings.list() {
        suites.entry(finding.at.as_ref().map_or("schema", |at| &at.path)).or_default().push(finding);
    }
    if suites.is_empty() {
        suites.insert("schema", vec![]);
    }
    let count = |list: &[&Finding]| list.iter().filter(|finding| finding.severity == Severity::Error).count();
    let tests: usize = suites.values().map(|list| list.len().max(1)).sum();
    let mut text = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let failures = findings.count(Severity::Error);
    text.push_str(&format!("<testsuites name=\"cargo schema\" tests=\"{tests}\" failures=\"{failures}\">\n"));
    for (path, list) in suites {
        let (tests, failures) = (list.len().max(1), count(&list));
        text.push_str(&format!(
            "  <testsuite name=\"{}\" tests=\"{tests}\" failures=\"{failures}\" errors=\"0\" skipped=\"0\">\n",
            escaped(path)
        ));
        if list.is_empty() {
            text.push_str("    <testcase classname=\"schema\" name=\"no findings\"/>\n");
        }
        list.into_iter().for_each(|finding| text.push_str(&case(findings, finding)));
        text.push_str("  </testsuite>\n");
    }
    text + "</testsuites>\n"
}

fn case(findings: &Findings, finding: &Finding) -> String {
    let name =
        finding.coordinate.as_ref().map_or_else(|| finding.message.clone(), |c| format!("{c}: {}", finding.message));
    let mut lines = vec![findings.line(finding)];
    lines.extend(finding.notes.iter().cloned());
    lines.extend(finding.help.clone());
    let (rule, name, body) = (escaped(finding.rule), escaped(&name), escaped(&lines.join("\n")));
    let head = format!("    <testcase classname=\"{rule}\" name=\"{name}\">\n");
    let inner = match finding.severity {
        Severity::Error => {
            format!("      <failure type=\"{rule}\" message=\"{}\">{body}</failure>\n", escaped(&finding.message))
        }
        Severity::Warning | Severity::Note => format!("      <system-out>{body}</system-out>\n"),
    };
    format!("{head}{inner}    </testcase>\n")
}

/// Text as XML 1.0 takes it: characters that it has no way to write are left out.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' => out.push_str("&#10;"),
            '\t' => out.push(c),
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => {}
            c => out.push(c),
        }
    }
    out
}

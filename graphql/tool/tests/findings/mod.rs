//! The findings of a case as text; used by the tests `change` and `lint`.

use dated_graphql_schema::Sdl;
use dated_graphql_tool::finding::{Finding, Findings};

use crate::cases::marked;

/// Describes findings in the schemas, a line each: position, message, text of the span with its label, related span. The help
/// follows.
pub(crate) fn described(found: Vec<Finding>, schemas: &[&Sdl]) -> String {
    let source = |path: &str| schemas.iter().find(|sdl| sdl.path == path).expect("the schema of a finding").source();
    let mut findings = Findings::default();
    schemas.iter().for_each(|sdl| findings.know_sdl(sdl));
    findings.extend(found);
    let mut text = String::new();
    for finding in findings.list() {
        text += &findings.line(finding);
        if let Some(at) = &finding.at {
            text += &format!(" | {}", marked(source(&at.path), at.span, &finding.label).trim_end());
        }
        if let Some((at, label)) = &finding.related {
            let (line, column) = findings.position(at).expect("a span in a schema");
            let marked = marked(source(&at.path), at.span, label);
            text += &format!(" | {}:{line}:{column} {}", at.path, marked.trim_end());
        }
        text.push('\n');
        text.extend(finding.help.iter().map(|help| format!("  help: {help}\n")));
    }
    text
}

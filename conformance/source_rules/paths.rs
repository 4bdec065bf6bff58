//! Every path that a document names exists, so that documents follow a move of files.

use std::fs;
use std::path::Path;

/// The first component of the paths that are checked; a shorter path such as `http/tls.rs` is in `src`.
const TOP_LEVEL: [&str; 9] =
    ["src/", "codegen/", "conformance/", "docs/", "benches/", "packaging/", "generated/", "migrations/", ".ci/"];
const MODULES: [&str; 15] = [
    "base/",
    "model/",
    "graphql/",
    "store/",
    "outbound/",
    "media/",
    "mail/",
    "webhook/",
    "services/",
    "operation/",
    "resolver/",
    "web/",
    "http/",
    "worker/",
    "cli/",
];

/// Returns the path that a code span names, from the root of the project.
fn path_in(span: &str) -> Option<String> {
    let plain = span.chars().all(|c| c.is_ascii_alphanumeric() || "/._-".contains(c));
    let starts_with = |prefixes: &[&str]| prefixes.iter().any(|prefix| span.starts_with(prefix));
    match plain {
        true if starts_with(&TOP_LEVEL) => Some(span.to_owned()),
        true if starts_with(&MODULES) => Some(format!("src/{span}")),
        _ => None,
    }
}

#[test]
fn path_in_a_document_exists() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = fs::read_dir(root.join("docs")).expect("docs").map(|entry| entry.expect("an entry").path());
    let documents = folder.filter(|path| path.extension().is_some_and(|extension| extension == "md"));
    let (mut broken, mut checked) = (Vec::new(), 0);
    for document in documents.chain(["README.md", "CONTRIBUTING.md"].map(|name| root.join(name))) {
        let text = fs::read_to_string(&document).expect("a document is UTF-8");
        for (number, line) in text.lines().enumerate() {
            for path in line.split('`').skip(1).step_by(2).filter_map(path_in) {
                checked += 1;
                if !root.join(&path).exists() {
                    broken.push(format!("{}:{}: {path}", document.display(), number + 1));
                }
            }
        }
    }
    assert!(checked > 50, "{checked} paths were found");
    assert!(broken.is_empty(), "a document names a path that does not exist:\n  {}", broken.join("\n  "));
}

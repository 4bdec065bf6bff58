//! Every citation of the decisions or the specification names an anchor of docs/decisions.md or docs/specification.md.
//!
//! Reads the forms of docs/STYLE.md, also across lines of a comment: "decisions W3", "decisions X1, X2 and X3", "decisions
//! X1 to X4", "decisions, section 4", "specification, section 4.3", and links to `decisions.md#…` and `specification.md#…`.
//! What names the GraphQL specification is not ours to check: "GraphQL specification, …" anywhere, and every citation of a
//! specification in `codegen/`, which knows no other.

use std::collections::HashSet;
use std::fs;
use std::path::Path;

const FOLDERS: [&str; 8] =
    ["src", "codegen/schema/src", "codegen/tool/src", "conformance", "benches", "migrations", "docs", ".ci"];
const EXTENSIONS: [&str; 6] = ["rs", "md", "sql", "sh", "mjs", "toml"];
const MARKS: [&str; 6] = ["//!", "///", "//", "--", "#", "*"];

/// A citation: its line, and the anchor it names, such as `decisions.md#w3`.
#[derive(Debug, PartialEq)]
struct Citation {
    line: usize,
    anchor: String,
}

/// The anchors of a document, each with the document's name before it.
fn anchors(root: &Path, document: &str) -> HashSet<String> {
    let text = fs::read_to_string(root.join("docs").join(document)).expect("the document is there");
    let ids = text.split("<a id=\"").skip(1).filter_map(|rest| rest.split('"').next());
    ids.map(|id| format!("{document}#{id}")).collect()
}

/// Splits a word into its leading code or number, and the punctuation behind it.
fn split_item(word: &str) -> (&str, &str) {
    let end = word.find(|c: char| !c.is_ascii_alphanumeric() && c != '.').unwrap_or(word.len());
    let item = word[..end].trim_end_matches('.');
    (item, &word[item.len()..])
}

fn is_code(item: &str) -> bool {
    let digits = item.strip_prefix(|c: char| c.is_ascii_uppercase()).unwrap_or_default();
    (1..=2).contains(&digits.len()) && digits.bytes().all(|b| b.is_ascii_digit())
}

fn is_section(item: &str) -> bool {
    item.split('.').all(|part| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit()))
}

/// Returns the citations of a text in their order. `graphql` says that its "specification" is that of GraphQL.
fn citations(text: &str, graphql: bool) -> Vec<Citation> {
    let mut words = Vec::new();
    let mut found = Vec::new();
    for (line, content) in text.lines().enumerate().map(|(index, content)| (index + 1, content.trim_start())) {
        let content = MARKS.iter().find_map(|mark| content.strip_prefix(mark)).unwrap_or(content);
        words.extend(content.split_whitespace().map(|word| (line, word)));
        for document in ["decisions.md#", "specification.md#"] {
            for rest in content.split(document).skip(1) {
                let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && !"-.".contains(c)).unwrap_or(rest.len());
                found.push(Citation { line, anchor: format!("{document}{}", rest[..end].trim_end_matches('.')) });
            }
        }
    }
    for (index, (_, word)) in words.iter().enumerate() {
        let named = word.trim_start_matches(|c: char| !c.is_alphanumeric()).trim_end_matches(',').to_lowercase();
        let after_graphql = index > 0 && words[index - 1].1.ends_with("GraphQL");
        match named.as_str() {
            "decisions" => list("decisions.md", &words[index + 1..], &mut found),
            "specification" if !graphql && !after_graphql => {
                list("specification.md", &words[index + 1..], &mut found);
            }
            _ => {}
        }
    }
    found
}

/// Reads the codes and sections behind the name of a document, until something else comes.
fn list(document: &str, words: &[(usize, &str)], found: &mut Vec<Citation>) {
    let (mut in_sections, mut range_from) = (false, None);
    for (line, word) in words {
        match *word {
            "section" | "sections" => in_sections = true,
            "and" | "or" => {}
            "to" => range_from = found.last().and_then(|last| last.anchor.rsplit_once('#')?.1[1..].parse::<u32>().ok()),
            _ => {
                let (item, rest) = split_item(word);
                let anchor = match (is_code(item), in_sections && is_section(item)) {
                    (true, _) => item.to_lowercase(),
                    (_, true) => format!("section-{item}"),
                    _ => return,
                };
                if let (Some(from), true) = (range_from.take(), is_code(item)) {
                    let to = item[1..].parse::<u32>().expect("a code ends in digits");
                    let between = (from + 1..to).map(|number| format!("{document}#{}{number}", &anchor[..1]));
                    found.extend(between.map(|anchor| Citation { line: *line, anchor }));
                }
                found.push(Citation { line: *line, anchor: format!("{document}#{anchor}") });
                if !["", ","].contains(&rest) {
                    return;
                }
            }
        }
    }
}

fn check(folder: &Path, root: &Path, known: &HashSet<String>, broken: &mut Vec<String>) -> usize {
    let mut count = 0;
    for path in fs::read_dir(folder).expect("the folder is there").map(|entry| entry.expect("an entry").path()) {
        let name = path.strip_prefix(root).expect("below the root").display().to_string();
        let skipped = ["generated", "node_modules"].iter().any(|folder| path.ends_with(folder)) || name == file!();
        if path.is_dir() && !skipped {
            count += check(&path, root, known, broken);
        } else if !skipped && EXTENSIONS.iter().any(|extension| path.extension().is_some_and(|own| own == *extension)) {
            let text = fs::read_to_string(&path).expect("a source file is UTF-8");
            for Citation { line, anchor } in citations(&text, name.starts_with("codegen/")) {
                count += 1;
                if !known.contains(&anchor) {
                    broken.push(format!("{name}:{line}: docs/{anchor} is no anchor"));
                }
            }
        }
    }
    count
}

#[test]
fn every_citation_names_an_anchor() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let known: HashSet<_> = ["decisions.md", "specification.md"].iter().flat_map(|name| anchors(root, name)).collect();
    let mut broken = Vec::new();
    let count: usize = FOLDERS.iter().map(|folder| check(&root.join(folder), root, &known, &mut broken)).sum();
    assert!(count > 400, "{count} citations were found");
    assert!(broken.is_empty(), "a citation names an anchor that is there:\n  {}", broken.join("\n  "));
}

#[test]
fn citation_of_each_form_is_read_with_its_line() {
    let read = |text: &str| citations(text, false).into_iter().map(|c| (c.line, c.anchor)).collect::<Vec<_>>();
    let at = |line: usize, anchors: &[&str]| anchors.iter().map(|a| (line, a.to_string())).collect::<Vec<_>>();
    assert_eq!(read("// (decisions W99)."), at(1, &["decisions.md#w99"]));
    let known = anchors(Path::new(env!("CARGO_MANIFEST_DIR")), "decisions.md");
    assert!(known.contains("decisions.md#w3") && !known.contains("decisions.md#w99"), "W99 is a wrong code");
    assert_eq!(
        read("decisions H1 to H3, K1 and section 4; RFC 9110, section 15"),
        at(1, &["decisions.md#h1", "decisions.md#h2", "decisions.md#h3", "decisions.md#k1", "decisions.md#section-4"])
    );
    assert_eq!(read("//! See the specification,\n//! section 4.3. Next"), at(2, &["specification.md#section-4.3"]));
    assert_eq!(read("sections of the GraphQL specification, section 99; decisions are 7"), []);
    assert_eq!(read("[W3](docs/decisions.md#w3)."), at(1, &["decisions.md#w3"]));
    assert_eq!(citations("specification, section 5.8.5", true), []);
}

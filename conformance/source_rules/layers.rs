//! Imports go down only (design, section 4): a floor names no floor that stands above it.

use super::source::{Source, below};

/// The floors of `src`, lowest first, as `src/lib.rs` lists them. The engine knows no card, and the model knows nothing
/// of GraphQL: each is told so below.
const FLOORS: [&str; 17] = [
    "base",
    "model",
    "graphql",
    "store",
    "outbound",
    "media",
    "mail",
    "webhook",
    "services",
    "operation",
    "generated",
    "resolver",
    "web",
    "http",
    "worker",
    "app",
    "cli",
];

/// Floors that must not name each other although one stands lower: what they are told comes from above.
const FORBIDDEN_IMPORTS: [(&str, &str); 5] =
    [("graphql", "store"), ("store", "graphql"), ("outbound", "store"), ("media", "store"), ("operation", "graphql")];

fn rank(floor: &str) -> Option<usize> {
    FLOORS.iter().position(|known| *known == floor)
}

/// The floor that a file belongs to.
fn floor_of(source: &Source) -> Option<&str> {
    let rest = source.path.strip_prefix("src/")?;
    rest.split(['/', '.']).next()
}

/// The floors that a line names: `crate::store::…` and the members of `use crate::{…}`.
fn named(line: &str) -> Vec<&str> {
    line.match_indices("crate::")
        .filter_map(|(start, prefix)| {
            let rest = &line[start + prefix.len()..];
            let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
            (!rest[..end].is_empty()).then_some(&rest[..end])
        })
        .collect()
}

#[test]
fn floor_names_only_floors_below_it() {
    let mut broken = Vec::new();
    for source in below("src") {
        let Some(own) = floor_of(&source) else { continue };
        let Some(height) = rank(own) else { continue };
        for (number, line) in source.code() {
            for other in named(line) {
                let above = rank(other).is_some_and(|other| other > height);
                if above || FORBIDDEN_IMPORTS.contains(&(own, other)) {
                    broken.push(format!("{}:{number}: {own} names {other}", source.path));
                }
            }
        }
    }
    assert!(broken.is_empty(), "imports go down only:\n  {}", broken.join("\n  "));
}

#[test]
fn floors_are_listed_in_their_order() {
    let lib = below("src").into_iter().find(|source| source.path == "src/lib.rs").expect("there is a lib.rs");
    let listed: Vec<_> = lib
        .code()
        .filter_map(|(_, line)| {
            let line = line.trim().trim_start_matches("pub ").trim_start_matches("(crate) ");
            line.strip_prefix("mod ")?.strip_suffix(';')
        })
        .collect();
    let mut ordered = listed.clone();
    ordered.sort_by_key(|floor| rank(floor).unwrap_or_else(|| panic!("{floor} is a floor of the design")));
    assert_eq!(listed, ordered, "src/lib.rs lists the floors from the lowest up");
}

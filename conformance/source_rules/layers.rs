//! Imports go one way: a module of `src` imports only modules that src/lib.rs lists before it.

use super::source::{Source, below};

/// The modules of `src` in the order of `src/lib.rs`.
const LAYERS: [&str; 17] = [
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

/// Imports that the order would allow: these modules get their input from their callers.
const FORBIDDEN_IMPORTS: [(&str, &str); 5] =
    [("graphql", "store"), ("store", "graphql"), ("outbound", "store"), ("media", "store"), ("operation", "graphql")];

fn rank(layer: &str) -> Option<usize> {
    LAYERS.iter().position(|known| *known == layer)
}

/// Returns the module that a file belongs to.
fn layer_of(source: &Source) -> Option<&str> {
    let rest = source.path.strip_prefix("src/")?;
    rest.split(['/', '.']).next()
}

/// Returns the modules that a line names: `crate::store::…`.
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
fn module_imports_only_modules_before_it() {
    let mut broken = Vec::new();
    for source in below("src") {
        let Some(own) = layer_of(&source) else { continue };
        let Some(own_rank) = rank(own) else { continue };
        for (number, line) in source.code() {
            for other in named(line) {
                let after = rank(other).is_some_and(|other| other > own_rank);
                if after || FORBIDDEN_IMPORTS.contains(&(own, other)) {
                    broken.push(format!("{}:{number}: {own} names {other}", source.path));
                }
            }
        }
    }
    assert!(broken.is_empty(), "a module imports only modules before it in src/lib.rs:\n  {}", broken.join("\n  "));
}

#[test]
fn modules_are_listed_in_their_order() {
    let lib = below("src").into_iter().find(|source| source.path == "src/lib.rs").expect("there is a lib.rs");
    let listed: Vec<_> = lib
        .code()
        .filter_map(|(_, line)| {
            let line = line.trim().trim_start_matches("pub ").trim_start_matches("(crate) ");
            line.strip_prefix("mod ")?.strip_suffix(';')
        })
        .collect();
    let mut ordered = listed.clone();
    ordered.sort_by_key(|layer| rank(layer).unwrap_or_else(|| panic!("{layer} has a place in LAYERS")));
    assert_eq!(listed, ordered, "src/lib.rs lists the modules in the order of LAYERS");
}

//! Imports go one way: a module of `src` imports only modules that src/lib.rs lists before it, and the modules of a crate of
//! `graphql` import each other in no circle. A foreign crate that shapes the code around it is imported by one module.

use std::collections::{BTreeMap, BTreeSet};

use super::source::{Source, below};

/// Imports that the order would allow: these modules get their input from their callers.
const FORBIDDEN: [(&str, &str); 2] = [("outbound", "store"), ("media", "store")];

/// A crate, and the paths that may name it.
const OWNERS: [(&str, &[&str]); 17] = [
    ("diesel", &["src/store"]),
    ("diesel_async", &["src/store"]),
    ("tokio_postgres", &["src/store/postgres"]),
    ("reqwest", &[]), // the client of the object store
    ("tower_service", &["src/outbound"]),
    ("hyper", &["src/http", "src/outbound", "src/cli/demo_receiver.rs"]),
    ("hyper_util", &["src/http", "src/outbound", "src/cli/demo_receiver.rs"]),
    ("lettre", &["src/mail"]),
    ("image", &["src/media"]),
    ("heifer", &["src/media"]),
    ("mozjpeg", &["src/media"]),
    ("resvg", &["src/media"]),
    ("maud", &["src/letter", "src/web"]),
    ("multer", &["src/web"]),
    ("governor", &["src/base/clock.rs", "src/http/throttle.rs", "src/web/session_guard.rs"]),
    ("prometheus_client", &["src/services/metrics"]),
    ("clap", &["src/cli", "src/main.rs"]),
];

/// Returns the modules of `src/lib.rs` in their order.
fn layers(sources: &[Source]) -> Vec<String> {
    let lib = sources.iter().find(|source| source.path == "src/lib.rs").expect("there is a lib.rs");
    let modules = lib.code().filter_map(|(_, line)| line.trim_start_matches("pub ").strip_prefix("mod "));
    modules.map(|name| name.trim_end_matches(';').to_owned()).collect()
}

/// Returns the names that follow `prefix` in a line, where a path begins with it.
fn names_after<'l>(line: &'l str, prefix: &str) -> Vec<&'l str> {
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    line.match_indices(prefix)
        .filter(|(start, _)| !line[..*start].ends_with(is_name))
        .map(|(start, _)| line[start + prefix.len()..].split(|c| !is_name(c)).next().unwrap_or_default())
        .collect()
}

#[test]
fn module_imports_only_modules_before_it() {
    let sources = below("src");
    let layers = layers(&sources);
    assert!(layers.len() > 10, "{layers:?}");
    let rank = |name: &str| layers.iter().position(|layer| layer == name);
    let mut broken = Vec::new();
    for source in &sources {
        let own = source.path["src/".len()..].split(['/', '.']).next().unwrap_or_default();
        let Some(own_rank) = rank(own) else { continue };
        for (number, line) in source.code() {
            assert!(!line.contains("crate::{"), "{}:{number}: a module is imported by its path", source.path);
            for other in names_after(line, "crate::") {
                if rank(other).is_some_and(|other| other > own_rank) || FORBIDDEN.contains(&(own, other)) {
                    broken.push(format!("{}:{number}: {own} imports {other}", source.path));
                }
            }
        }
    }
    assert!(broken.is_empty(), "a module imports only modules before it in src/lib.rs:\n  {}", broken.join("\n  "));
}

/// Returns the imports of each module of a crate of `graphql`, by the names of the modules with the folder of the crate.
fn imports_of_framework(sources: &[Source]) -> BTreeMap<String, BTreeSet<String>> {
    let mut imports: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for source in sources {
        let Some((folder, path)) = source.path.split_once("/src/") else { continue };
        let module = path.split(['/', '.']).next().unwrap_or_default();
        let depth = path.trim_end_matches("/mod.rs").matches('/').count();
        let root = "super::".repeat(depth + 1);
        let code = source.code().map(|(_, line)| line.trim_start());
        for line in code.take_while(|line| *line != "#[cfg(test)]") {
            // `super::super::` is the root of the crate for a file of a folder, in which `super::` is its folder.
            let own = line.matches("super::").count() == depth + 1;
            let named =
                names_after(line, "crate::").into_iter().chain(names_after(line, &root).into_iter().filter(|_| own));
            let others = named.filter(|other| *other != module).map(|other| format!("{folder}/{other}"));
            imports.entry(format!("{folder}/{module}")).or_default().extend(others);
        }
    }
    imports
}

/// Removes the modules that import no other module of the map, until none is left or each of the rest leads to a circle.
fn circles(mut imports: BTreeMap<String, BTreeSet<String>>) -> Vec<String> {
    loop {
        let leads_on = |others: &BTreeSet<String>| others.iter().any(|other| imports.contains_key(other));
        let done: Vec<String> =
            imports.iter().filter(|(_, others)| !leads_on(others)).map(|(module, _)| module.clone()).collect();
        if done.is_empty() {
            return imports.into_keys().collect();
        }
        imports.retain(|module, _| !done.contains(module));
    }
}

#[test]
fn modules_of_the_framework_import_in_no_circle() {
    let imports = imports_of_framework(&below("graphql"));
    let engine = imports.get("graphql/engine/engine").expect("the engine has a module of its name");
    assert!(engine.contains("graphql/engine/planner"), "{engine:?}");
    let found = circles(imports);
    assert!(found.is_empty(), "these modules lead to a circle of imports:\n  {}", found.join("\n  "));
    let map = |pairs: [(&str, &str); 3]| pairs.map(|(from, to)| (from.to_owned(), BTreeSet::from([to.to_owned()])));
    let circle = circles(map([("a", "b"), ("b", "a"), ("c", "d")]).into());
    assert_eq!(circle, ["a", "b"]);
}

#[test]
fn foreign_crate_is_named_by_its_owner_only() {
    let mut broken = Vec::new();
    for source in below("src") {
        for (number, line) in source.code() {
            for (name, owners) in OWNERS {
                let named = !names_after(line, &format!("{name}::")).is_empty();
                if named && !owners.iter().any(|owner| source.path.starts_with(owner)) {
                    broken.push(format!("{}:{number}: {name} belongs to {}", source.path, owners.join(", ")));
                }
            }
        }
    }
    assert!(broken.is_empty(), "a foreign crate outside its owner:\n  {}", broken.join("\n  "));
}

#[test]
fn framework_names_nothing_of_the_service() {
    const WORDS: [&str; 7] = ["card", "partner", "memorial", "funeral", "gid://", "docs/", "(decisions"];
    let mut broken = Vec::new();
    for source in below("graphql").iter().filter(|source| source.path.contains("/src/")) {
        for (line, text) in source.text.lines().enumerate() {
            let text = text.to_lowercase().replace("discard", "").replace("wildcard", "");
            if let Some(word) = WORDS.iter().find(|word| text.contains(**word)) {
                broken.push(format!("{}:{}: {word}", source.path, line + 1));
            }
        }
    }
    assert!(broken.is_empty(), "graphql/ serves any schema:\n  {}", broken.join("\n  "));
}

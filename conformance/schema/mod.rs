//! The published schema: introspection answers what the file of each version contains (specification, sections
//! 4 and 9; design 1).

mod examples;
mod from_sdl;
mod introspection;
mod limit;
mod recorded;

pub use from_sdl::fields_of;

/// Every version in `schema/` with its SDL, oldest first: a version that is added is tested without another word.
pub fn versions() -> Vec<(String, String)> {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("schema");
    let files = std::fs::read_dir(folder).expect("there is a schema").map(|entry| entry.expect("an entry").path());
    let schemas = files.filter(|path| path.extension().is_some_and(|ending| ending == "graphql"));
    let mut versions: Vec<(String, String)> = schemas
        .map(|path| {
            let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
            (name, std::fs::read_to_string(&path).expect("an SDL file is UTF-8"))
        })
        .collect();
    versions.sort();
    assert!(versions.iter().any(|(name, _)| name == "2026-10"), "the first version is there");
    versions
}

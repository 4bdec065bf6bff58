//! `schema/` to `generated/`: a shell over the crate `codegen`. Elsewhere it writes; under `CI` it fails on a difference.

use std::path::Path;
use std::process::exit;

use codegen::{Mode, build};

#[allow(clippy::disallowed_methods)] // a build script has no settings: cargo speaks to it through the environment
fn main() {
    println!("cargo::rerun-if-changed=schema");
    println!("cargo::rerun-if-changed=generated");
    println!("cargo::rerun-if-changed=migrations"); // embed_migrations! does not notice a new file by itself
    println!("cargo::rerun-if-env-changed=CI");
    let mode = if std::env::var_os("CI").is_some() { Mode::Check } else { Mode::Write };
    if let Err(error) = build(Path::new("."), mode) {
        eprint!("{}", error.pictures());
        error.lines().iter().for_each(|line| println!("cargo::error={line}"));
        exit(1);
    }
}

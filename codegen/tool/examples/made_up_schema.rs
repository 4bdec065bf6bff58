//! Writes a project with a made-up schema: `cargo run -p schema-tool --example made_up_schema -- <types> <folder>`.
//! docs/performance.md measures `cargo schema` on it.

#![allow(clippy::unwrap_used)] // a tool for measurements

#[path = "../tests/scale/made_up.rs"]
mod made_up;

use std::fs;
use std::path::PathBuf;

fn main() {
    let mut args = std::env::args().skip(1);
    let types = args.next().unwrap().parse().unwrap();
    let folder = PathBuf::from(args.next().unwrap()).join("schema");
    fs::create_dir_all(&folder).unwrap();
    for version in made_up::VERSIONS {
        fs::write(folder.join(format!("{version}.graphql")), made_up::sdl(types, version)).unwrap();
    }
    fs::write(folder.join("versions.toml"), made_up::VERSIONS_TOML).unwrap();
}

//! `schema/` to `generated/`: a shell over the crate `codegen`. Elsewhere it writes; under `CI` it fails on a difference. Also says how
//! the server is linked.

use std::path::Path;
use std::process::{Command, exit};

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
    link();
}

/// Links so that the server takes 2 MB less memory (docs/performance.md): code that seldom runs lies apart from the rest, and addresses
/// that the loader corrects take an eightieth of the bytes, where glibc knows the format. Linkers ignore what they do not know.
#[allow(clippy::disallowed_methods)] // as above
fn link() {
    if std::env::var("CARGO_CFG_TARGET_ENV").is_ok_and(|libc| libc == "gnu") {
        println!("cargo::rustc-link-arg-bins=-Wl,-z,keep-text-section-prefix");
        if host_glibc() >= Some((2, 36)) {
            println!("cargo::rustc-link-arg-bins=-Wl,-z,pack-relative-relocs");
        }
    }
}

/// The version of glibc on this machine.
fn host_glibc() -> Option<(u32, u32)> {
    let output = Command::new("getconf").arg("GNU_LIBC_VERSION").output().ok()?;
    let (major, minor) = str::from_utf8(&output.stdout).ok()?.trim().strip_prefix("glibc ")?.split_once('.')?;
    Some((major.parse().ok()?, minor.parse().ok()?))
}

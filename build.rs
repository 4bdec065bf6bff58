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
    print_link_options();
}

/// Prints options of the linker: cold functions have a section of their own, and relative relocations are packed (DT_RELR, which glibc
/// loads since 2.36). rust-lld takes both, GNU ld warns that it ignores the first, and gold, which is no longer maintained, refuses the second.
#[allow(clippy::disallowed_methods)] // a build script has no settings
fn print_link_options() {
    let is = |name, value: &str| std::env::var(name).is_ok_and(|found| found == value);
    if !is("CARGO_CFG_TARGET_OS", "linux") || !is("CARGO_CFG_TARGET_ENV", "gnu") {
        return;
    }
    println!("cargo::rustc-link-arg-bins=-Wl,-z,keep-text-section-prefix");
    let is_native = std::env::var("TARGET").is_ok_and(|target| is("HOST", &target));
    if is_native && read_glibc_version() >= Some((2, 36)) {
        println!("cargo::rustc-link-arg-bins=-Wl,-z,pack-relative-relocs");
    }
}

/// Returns the version of glibc on this machine, or `None` without it.
fn read_glibc_version() -> Option<(u32, u32)> {
    let output = Command::new("getconf").arg("GNU_LIBC_VERSION").output().ok()?;
    let (major, minor) = str::from_utf8(&output.stdout).ok()?.trim().strip_prefix("glibc ")?.split_once('.')?;
    Some((major.parse().ok()?, minor.parse().ok()?))
}

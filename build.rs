//! `schema/` to `generated/`: a shell over the crate `dated_graphql_codegen`. Elsewhere it writes; under `CI` it fails on a difference.
//! Also says how the server is linked.

use std::process::Command;

use dated_graphql_codegen::{Mode, build_script};

#[allow(clippy::disallowed_methods)] // a build script has no settings: cargo speaks to it through the environment
fn main() {
    println!("cargo::rerun-if-changed=migrations"); // embed_migrations! does not notice a new file by itself
    println!("cargo::rerun-if-env-changed=CI");
    build_script(if std::env::var_os("CI").is_some() { Mode::Check } else { Mode::Write });
    print_link_options();
}

/// Prints two options of the linker: `keep-text-section-prefix` gives cold functions a section of their own, and `pack-relative-relocs`
/// packs relative relocations (DT_RELR, which glibc loads since version 2.36). GNU ld ignores `keep-text-section-prefix` with a warning.
/// A build with gold, a linker that is no longer maintained, fails: gold refuses `pack-relative-relocs`.
#[allow(clippy::disallowed_methods)] // a build script has no settings
fn print_link_options() {
    let variable = |name| std::env::var(name).unwrap_or_default();
    if variable("CARGO_CFG_TARGET_OS") != "linux" || variable("CARGO_CFG_TARGET_ENV") != "gnu" {
        return;
    }
    println!("cargo::rustc-link-arg-bins=-Wl,-z,keep-text-section-prefix");
    // A cross build cannot read the version of glibc on the target.
    if variable("TARGET") == variable("HOST") && read_glibc_version() >= Some((2, 36)) {
        println!("cargo::rustc-link-arg-bins=-Wl,-z,pack-relative-relocs");
    }
}

/// Returns the version of glibc on this machine, or `None` without it.
fn read_glibc_version() -> Option<(u32, u32)> {
    let output = Command::new("getconf").arg("GNU_LIBC_VERSION").output().ok()?;
    let (major, minor) = str::from_utf8(&output.stdout).ok()?.trim().strip_prefix("glibc ")?.split_once('.')?;
    Some((major.parse().ok()?, minor.parse().ok()?))
}

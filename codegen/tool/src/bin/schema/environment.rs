//! The environment variables that the commands read: those of continuous integration.

#![allow(clippy::disallowed_methods)] // a build tool without the server's settings

use std::env;

/// Returns whether this runs in continuous integration, where a warning is not read. All common services set `CI`.
pub(crate) fn is_ci() -> bool {
    env::var_os("CI").is_some_and(|ci| !ci.is_empty() && ci != "false")
}

/// Returns the address of docs/schema-rules.md in the commit that GitHub Actions checks.
pub(crate) fn rules_page_at_github() -> Option<String> {
    let [server, repository, commit] = ["GITHUB_SERVER_URL", "GITHUB_REPOSITORY", "GITHUB_SHA"].map(env::var);
    Some(format!("{}/{}/blob/{}/docs/schema-rules.md", server.ok()?, repository.ok()?, commit.ok()?))
}

//! Finds the merge base and reads files of commits. Runs `git`.

use std::path::Path;
use std::process::Command;

/// The possible names of the main branch; the first that exists is used.
const TRUNKS: [&str; 5] = ["origin/HEAD", "origin/main", "origin/master", "main", "master"];

/// The commit that published versions are compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Base<'a> {
    /// The merge base with the main branch. If it is required, its absence is an error instead of a warning.
    Trunk { required: bool },
    /// The merge base with a branch or commit.
    Of(&'a str),
    /// No commit.
    Nothing,
}

/// A commit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Commit {
    pub id: String,
    /// A description for messages.
    pub name: String,
}

/// Why no commit was found.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum GitError {
    #[error("`git` cannot be run: {0}")]
    Missing(String),
    #[error("this is no git repository")]
    NoRepository,
    #[error("there is no branch to compare with (looked for {})", TRUNKS.join(", "))]
    NoTrunk,
    #[error("`{0}` is no commit here")]
    NoCommit(String),
    #[error("{0} has no commit in common with this branch; where the clone is shallow, fetch its history")]
    NoCommonCommit(String),
    #[error("{0} is the whole history of this shallow clone: fetch the commit before it")]
    Shallow(String),
}

impl Commit {
    /// Finds the commits to compare with, the oldest first; none for [`Base::Nothing`]. On the main branch itself the merge
    /// base is the current commit, which may hold the change, so the commit before it counts too.
    pub(crate) fn find(root: &Path, base: Base<'_>) -> Result<Vec<Self>, GitError> {
        let trunk = match base {
            Base::Nothing => return Ok(vec![]),
            Base::Of(name) => {
                repository(root)?;
                commit(root, name).ok_or_else(|| GitError::NoCommit(name.to_owned()))?;
                name
            }
            Base::Trunk { .. } => {
                repository(root)?;
                TRUNKS.into_iter().find(|name| commit(root, name).is_some()).ok_or(GitError::NoTrunk)?
            }
        };
        let Some(id) = git(root, &["merge-base", "HEAD", trunk])? else {
            return Err(GitError::NoCommonCommit(trunk.to_owned()));
        };
        let short: String = id.chars().take(10).collect();
        let mut found = vec![];
        if commit(root, "HEAD").as_ref() == Some(&id) {
            match commit(root, "HEAD^") {
                Some(parent) => found.push(Self { name: format!("{parent:.10}, the commit before"), id: parent }),
                None if is_shallow(root)? => return Err(GitError::Shallow(short)),
                None => {}
            }
        }
        found.push(Self { id, name: format!("{short}, where this branch left {trunk}") });
        Ok(found)
    }

    /// Returns the paths of the files of a folder, relative to `root`.
    pub(crate) fn files(&self, root: &Path, folder: &str) -> Vec<String> {
        let listed = output(root, &["ls-tree", "--name-only", &self.id, "--", &format!("{folder}/")]);
        listed.unwrap_or_default().lines().map(str::to_owned).collect()
    }

    /// Reads a file of this commit, relative to `root`; `None` if it did not exist.
    pub(crate) fn file(&self, root: &Path, path: &str) -> Option<String> {
        show(root, &format!("{}:./{path}", self.id))
    }
}

/// Reads an object such as `main:schema/2026-10.graphql`; `None` if it does not exist.
pub(crate) fn show(root: &Path, thing: &str) -> Option<String> {
    output(root, &["show", thing])
}

/// Returns what a command prints; `None` if it fails.
fn output(root: &Path, args: &[&str]) -> Option<String> {
    let output = Command::new("git").arg("-C").arg(root).args(args).output().ok()?;
    output.status.success().then(|| String::from_utf8(output.stdout).ok()).flatten()
}

fn repository(root: &Path) -> Result<(), GitError> {
    git(root, &["rev-parse", "--git-dir"])?.map(|_| ()).ok_or(GitError::NoRepository)
}

fn is_shallow(root: &Path) -> Result<bool, GitError> {
    Ok(git(root, &["rev-parse", "--is-shallow-repository"])?.is_some_and(|answer| answer == "true"))
}

fn commit(root: &Path, name: &str) -> Option<String> {
    git(root, &["rev-parse", "--verify", "--quiet", &format!("{name}^{{commit}}")]).ok().flatten()
}

/// Returns the first line that a command prints; `None` if it fails or prints nothing.
fn git(root: &Path, args: &[&str]) -> Result<Option<String>, GitError> {
    let output = Command::new("git").arg("-C").arg(root).args(args).output();
    let output = output.map_err(|error| GitError::Missing(error.to_string()))?;
    let text = String::from_utf8_lossy(&output.stdout);
    let line = text.lines().next().map(str::to_owned).filter(|line| !line.is_empty());
    Ok(line.filter(|_| output.status.success()))
}

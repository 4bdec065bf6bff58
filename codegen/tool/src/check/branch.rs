//! What a branch changes in the newest version: the candidate compared with the candidate at the merge base.

use schema::diff::{Level, Pair};
use schema::sdl::Sdl;

use super::compat;
use super::finding::{Finding, Findings};
use super::frozen::Before;

/// The changes of a branch.
#[derive(Debug)]
pub struct BranchChanges {
    pub version: String,
    /// In words.
    pub compared_with: String,
    pub findings: Findings,
}

/// Compares the newest version with the same version at the merge base, or with the previous version if it is new.
pub(super) fn changes(sdls: &[Sdl], before: &[Before]) -> Option<BranchChanges> {
    let new = sdls.last().filter(|_| !before.is_empty())?;
    let version = new.version().to_owned();
    let (old, compared_with) = match before.iter().find(|before| before.entry.name == version) {
        Some(before) => (before.sdl.as_ref()?, format!("compared with {}", before.commit)),
        None => {
            let old = sdls.iter().rev().nth(1)?;
            (old, format!("new on this branch, compared with {}", old.version()))
        }
    };
    let mut findings = Findings::default();
    findings.know_sdl(new);
    findings.extend(compat::compare(Pair { old, new }).into_iter().map(|finding| match finding.level {
        Some(Level::Safe) => Finding { notes: vec![], ..finding },
        _ => finding,
    }));
    Some(BranchChanges { version, compared_with, findings })
}

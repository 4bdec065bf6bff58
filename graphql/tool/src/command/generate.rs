//! `cargo schema generate`: writes `generated/` from `schema/`.

use dated_graphql_codegen::{BuildError, Difference, Mode, build};

use super::Project;
use super::exit::{Exit, Failure};
use crate::finding::Findings;

/// Write generated/ from schema/.
#[derive(clap::Args)]
pub(crate) struct Generate {
    /// Write nothing; fail if generated/ is stale.
    #[arg(long)]
    check: bool,
}

impl Generate {
    pub(crate) fn run(&self, project: &Project) -> Result<Exit, Failure> {
        let mode = if self.check { Mode::Check } else { Mode::Write };
        match build(&project.root, mode) {
            Ok(outcome) => {
                print_changed(&outcome.changed);
                outcome.notes.iter().for_each(|note| println!("note: {}", note.message));
                Ok(Exit::Ok)
            }
            Err(BuildError::Schema(reports)) => {
                let mut findings = Findings::default();
                reports.iter().for_each(|report| findings.add_report(report));
                Err(findings.into())
            }
            Err(error) => {
                error.lines().iter().for_each(|line| eprintln!("error: {line}"));
                Ok(if matches!(error, BuildError::Stale(_)) { Exit::Stale } else { Exit::ToolFailed })
            }
        }
    }
}

/// Prints the files that were written and deleted.
pub(crate) fn print_changed(Difference { missing, stale, extra, .. }: &Difference) {
    missing.iter().chain(stale).for_each(|path| println!("wrote generated/{path}"));
    extra.iter().for_each(|path| println!("deleted generated/{path}"));
}

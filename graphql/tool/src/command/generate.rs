//! `cargo schema generate`: writes `generated/` from `schema/`.

use std::path::Path;

use dated_graphql_codegen::{BuildError, Difference, Mode, build, load, stub};
use dated_graphql_schema::model::Schema;
use dated_graphql_schema::walk;

use super::exit::{Exit, Failure};
use super::{Project, input};
use crate::finding::Findings;

/// Write generated/ from schema/, and the resolvers that are missing in the folder of `[rust] stubs_folder`.
#[derive(clap::Args, Default)]
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
                if !self.check {
                    add_stubs(&project.root)?;
                }
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

/// Adds the resolvers that the project lacks, if `schema/project.toml` has a folder for them.
pub(crate) fn add_stubs(root: &Path) -> Result<(), Failure> {
    let names = load::names(root)?.0.map_err(|report| Findings::from(&report))?;
    if !names.stubs_folder.is_empty() {
        let sdls = input::versions(root)?;
        let schemas: Vec<Schema> = sdls.into_iter().map(|sdl| walk::without_subscriptions(sdl.schema)).collect();
        stub::add(root, &schemas, &names)?.iter().for_each(|line| println!("{line}"));
    }
    Ok(())
}

/// Prints the files that were written and deleted.
pub(crate) fn print_changed(Difference { missing, stale, extra, .. }: &Difference) {
    missing.iter().chain(stale).for_each(|path| println!("wrote generated/{path}"));
    extra.iter().for_each(|path| println!("deleted generated/{path}"));
}

//! `cargo schema generate`: writes `generated/` from `schema/`.

use codegen::{BuildError, Difference, Mode, build};

use super::Project;
use super::exit::{Exit, Failure};

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
        let error = match build(&project.root, mode) {
            Ok(outcome) => {
                print_changed(&outcome.changed);
                return Ok(Exit::Ok);
            }
            Err(error) => error,
        };
        eprint!("{}", error.pictures());
        error.lines().iter().for_each(|line| eprintln!("error: {line}"));
        Ok(match error {
            BuildError::Schema(_) => Exit::Findings,
            BuildError::Stale(_) => Exit::Stale,
            BuildError::Foreign(_) | BuildError::Files(_) => Exit::ToolFailed,
        })
    }
}

/// Prints the files that were written and deleted.
pub(crate) fn print_changed(Difference { missing, stale, extra, .. }: &Difference) {
    missing.iter().chain(stale).for_each(|path| println!("wrote generated/{path}"));
    extra.iter().for_each(|path| println!("deleted generated/{path}"));
}

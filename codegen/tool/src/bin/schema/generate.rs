//! `cargo schema generate`: brings generated/ in line with schema/.

use schema_tool::emit::Names;
use schema_tool::{BuildError, Difference, Mode, build};

use crate::Place;
use crate::exit::{Exit, Failure};

/// Bring generated/ in line with schema/.
#[derive(clap::Args)]
pub struct Args {
    /// Only say whether it is in line.
    #[arg(long)]
    check: bool,
}

pub fn run(args: &Args, place: &Place) -> Result<Exit, Failure> {
    let mode = if args.check { Mode::Check } else { Mode::Write };
    let error = match build(&place.root(), &Names::default(), mode) {
        Ok(outcome) => {
            say(&outcome.changed);
            return Ok(Exit::Fine);
        }
        Err(error) => error,
    };
    eprint!("{}", error.pictures());
    error.lines().iter().for_each(|line| eprintln!("error: {line}"));
    Ok(match error {
        BuildError::Schema(_) => Exit::Findings,
        BuildError::Stale(_) => Exit::Stale,
        BuildError::Foreign(_) | BuildError::Files(_) => Exit::Tool,
    })
}

/// Says what was written.
pub fn say(Difference { missing, stale, extra, .. }: &Difference) {
    missing.iter().chain(stale).for_each(|path| println!("wrote generated/{path}"));
    extra.iter().for_each(|path| println!("deleted generated/{path}"));
}

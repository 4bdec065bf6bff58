//! `cargo schema diff`: what changed between two schemas, by the level of each kind.

use schema::diff::Pair;
use schema_tool::check::finding::{Findings, Severity};
use schema_tool::check::{judge, output};

use crate::exit::{Exit, Failure};
use crate::{Place, Shown, text};

/// Show what changed between two schemas: breaking, dangerous, safe.
#[derive(clap::Args)]
pub struct Args {
    /// A version of schema/, a file, or a file of a commit (`main:schema/2026-10.graphql`).
    old: String,
    new: String,
    /// Show only changes of this level and worse.
    #[arg(long, value_enum, default_value = "safe")]
    level: Least,
    #[command(flatten)]
    shown: Shown,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Least {
    Safe,
    Dangerous,
    Breaking,
}

pub fn run(args: &Args, place: &Place) -> Result<Exit, Failure> {
    let root = place.root();
    let mut findings = Findings::default();
    let mut read = |name: &str| -> Result<_, Failure> {
        let sdl = text::sdl(&root, name)?.map_err(|report| findings.add_report(&report)).ok();
        sdl.iter().for_each(|sdl| findings.know_sdl(sdl));
        Ok(sdl)
    };
    let (old, new) = (read(&args.old)?, read(&args.new)?);
    if let (Some(old), Some(new)) = (&old, &new) {
        findings.extend(judge::by_level(Pair { old, new }));
    }
    let least = match args.level {
        Least::Safe => Severity::Note,
        Least::Dangerous => Severity::Warning,
        Least::Breaking => Severity::Error,
    };
    let exit = if findings.failed() { Exit::Findings } else { Exit::Fine };
    print!("{}", output::write(&findings.at_least(least), args.shown.format()));
    Ok(exit)
}

//! `cargo schema lint`: what a schema owes its readers.

use schema_tool::check::finding::Findings;
use schema_tool::check::lint::{Scope, lint};
use schema_tool::check::output;

use crate::exit::{Exit, Failure};
use crate::{Place, Shown, text};

/// Lint schemas as if all of them were new.
#[derive(clap::Args)]
pub struct Args {
    /// Versions of schema/, or files; by default every version.
    schemas: Vec<String>,
    #[command(flatten)]
    shown: Shown,
}

pub fn run(args: &Args, place: &Place) -> Result<Exit, Failure> {
    let root = place.root();
    let mut findings = Findings::default();
    let sdls = if args.schemas.is_empty() {
        text::versions(&root)?.unwrap_or_else(|mistakes| {
            findings = mistakes;
            vec![]
        })
    } else {
        let mut sdls = vec![];
        for name in &args.schemas {
            match text::sdl(&root, name)? {
                Ok(sdl) => sdls.push(sdl),
                Err(report) => findings.add_report(&report),
            }
        }
        sdls
    };
    for sdl in &sdls {
        findings.know_sdl(sdl);
        findings.extend(lint(sdl, &Scope::Everything));
    }
    print!("{}", output::write(&findings, args.shown.format()));
    Ok(if findings.failed() { Exit::Findings } else { Exit::Fine })
}

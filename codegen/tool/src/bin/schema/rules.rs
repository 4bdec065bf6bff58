//! `cargo schema rules`: the page docs/schema-rules.md.

use std::fs;

use schema_tool::check::registry;

use crate::Place;
use crate::exit::{Exit, Failure};

/// Write every rule down, with its level and why: docs/schema-rules.md.
#[derive(clap::Args)]
pub struct Args {
    /// Write the file; otherwise the page is printed.
    #[arg(long)]
    write: bool,
}

pub fn run(args: &Args, place: &Place) -> Result<Exit, Failure> {
    if args.write {
        fs::write(place.root().join("docs/schema-rules.md"), registry::page())?;
    } else {
        print!("{}", registry::page());
    }
    Ok(Exit::Fine)
}

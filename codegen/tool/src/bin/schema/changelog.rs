//! `cargo schema changelog`: what changed from version to version, in Markdown.

use schema_tool::check::output::{self, Format};

use crate::exit::{Exit, Failure};
use crate::{Place, text};

/// Write what changed from version to version, in Markdown.
#[derive(clap::Args)]
pub struct Args {}

pub fn run(_: &Args, place: &Place) -> Result<Exit, Failure> {
    match text::versions(&place.root())? {
        Ok(versions) => {
            print!("{}", schema::changelog::markdown(&versions));
            Ok(Exit::Fine)
        }
        Err(findings) => {
            print!("{}", output::write(&findings, Format::Human));
            Ok(Exit::Findings)
        }
    }
}

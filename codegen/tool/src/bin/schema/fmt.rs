//! `cargo schema fmt`: formats the SDL files.

use std::fs;

use schema::format::format;
use schema_tool::check::output::{self, Format};

use crate::exit::{Exit, Failure, print};
use crate::{Project, input};

/// Format the SDL of every version: indentation, spaces and blank lines. Comments and descriptions stay.
#[derive(clap::Args)]
pub(crate) struct Fmt {
    /// Write nothing; fail if a file is not formatted.
    #[arg(long)]
    check: bool,
}

impl Fmt {
    pub(crate) fn run(&self, project: &Project) -> Result<Exit, Failure> {
        let root = project.root();
        let sdls = match input::versions(&root)? {
            Ok(sdls) => sdls,
            Err(findings) => {
                print(&output::write(&findings, Format::Human))?;
                return Ok(Exit::Findings);
            }
        };
        let mut exit = Exit::Ok;
        for sdl in sdls {
            let formatted = format(sdl.source());
            if formatted == sdl.source() {
                continue;
            }
            if self.check {
                println!("{} is not formatted: run `cargo schema fmt`", sdl.path);
                exit = Exit::Findings;
            } else {
                fs::write(root.join(&sdl.path), formatted)?;
                println!("formatted {}", sdl.path);
            }
        }
        Ok(exit)
    }
}

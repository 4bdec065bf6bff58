//! `cargo schema docs`: the reference site, in a folder.

use std::fs;
use std::path::PathBuf;

use schema::docs::{Addresses, Edition, site};
use schema_tool::check::output::{self, Format};
use schema_tool::versions::{Status, VersionEntry};

use crate::exit::{Exit, Failure};
use crate::{Place, text};

/// Write the reference site: a page for each version, a changelog, and a list of versions.
#[derive(clap::Args)]
pub struct Args {
    /// The folder to write it to; files of other names are left alone.
    #[arg(long)]
    out: PathBuf,
}

pub fn run(args: &Args, place: &Place) -> Result<Exit, Failure> {
    let root = place.root();
    let (sdls, entries) = match text::versions(&root)?.and_then(|sdls| Ok((text::entries(&root, &sdls)?, sdls))) {
        Ok((entries, sdls)) => (sdls, entries),
        Err(findings) => {
            print!("{}", output::write(&findings, Format::Human));
            return Ok(Exit::Findings);
        }
    };
    let editions: Vec<Edition<'_>> = sdls.iter().zip(&entries).map(|(sdl, entry)| edition(sdl, entry)).collect();
    fs::create_dir_all(&args.out)?;
    for file in site(&editions, Addresses::Files) {
        fs::write(args.out.join(&file.path), &file.bytes)?;
        println!("wrote {}", args.out.join(&file.path).display());
    }
    Ok(Exit::Fine)
}

fn edition<'a>(sdl: &'a schema::Sdl, entry: &'a VersionEntry) -> Edition<'a> {
    Edition {
        sdl,
        status: match entry.status {
            Status::Candidate => "candidate",
            Status::Current => "current",
            Status::Deprecated => "deprecated",
        },
        published: entry.published.as_deref(),
        deprecated: entry.deprecated.as_deref(),
        sunset: entry.sunset.as_deref(),
    }
}

//! `cargo schema docs`: writes the reference site.

use std::fs;
use std::path::PathBuf;

use dated_graphql_docs::{Addresses, Service, site};

use super::exit::{Exit, Failure};
use super::{Project, input};

/// Write the reference site: the reference of each version, a changelog, and a list of versions.
#[derive(clap::Args)]
pub(crate) struct Docs {
    /// The folder to write it to; files of other names are left alone.
    #[arg(long)]
    out: PathBuf,
}

impl Docs {
    pub(crate) fn run(&self, project: &Project) -> Result<Exit, Failure> {
        let (sdls, entries) = input::dated_versions(&project.root)?;
        let pages: Vec<_> = sdls.iter().zip(&entries).map(input::dated).collect();
        for file in site(&Service::default(), &pages, Addresses::Files) {
            let path = self.out.join(&file.path);
            path.parent().map_or(Ok(()), fs::create_dir_all)?;
            fs::write(&path, &file.bytes)?;
            println!("wrote {}", path.display());
        }
        Ok(Exit::Ok)
    }
}

//! `cargo schema docs`, `rules` and `explain`: write documents about the schema.

use std::fs;
use std::path::PathBuf;

use schema::DatedSdl;
use schema::docs::{Addresses, site};
use schema_tool::check::finding::Findings;
use schema_tool::check::{levels, registry};

use crate::exit::{Exit, Failure, print};
use crate::{Project, input};

/// Write the site for partners: guide and reference of each version, a changelog, and a list of versions.
#[derive(clap::Args)]
pub(crate) struct Docs {
    /// The folder to write it to; files of other names are left alone.
    #[arg(long)]
    out: PathBuf,
}

impl Docs {
    pub(crate) fn run(&self, project: &Project) -> Result<Exit, Failure> {
        let (sdls, entries) = match input::dated_versions(&project.root())? {
            Ok(versions) => versions,
            Err(findings) => return input::mistakes(&findings),
        };
        let pages: Vec<DatedSdl<'_>> = sdls.iter().zip(&entries).map(input::dated).collect();
        for file in site(&pages, Addresses::Files) {
            let path = self.out.join(&file.path);
            path.parent().map_or(Ok(()), fs::create_dir_all)?;
            fs::write(&path, &file.bytes)?;
            println!("wrote {}", path.display());
        }
        Ok(Exit::Ok)
    }
}

/// Write every rule with its level and reason: docs/schema-rules.md.
#[derive(clap::Args)]
pub(crate) struct Rules {
    /// Write the file; otherwise the page is printed.
    #[arg(long)]
    write: bool,
}

impl Rules {
    pub(crate) fn run(&self, project: &Project) -> Result<Exit, Failure> {
        if self.write {
            fs::write(project.root().join("docs/schema-rules.md"), registry::page())?;
        } else {
            print(&registry::page())?;
        }
        Ok(Exit::Ok)
    }
}

/// Explain a rule: what it finds, why, what to do instead, and how to waive it.
#[derive(clap::Args)]
pub(crate) struct Explain {
    /// The id of the rule, such as `field-type-changed`.
    rule: String,
}

impl Explain {
    pub(crate) fn run(&self, _: &Project) -> Result<Exit, Failure> {
        let address = Findings::default().rule_address(&self.rule);
        let text = registry::explain(&self.rule, &address).ok_or_else(|| Failure(levels::no_rule(&self.rule)))?;
        print(&text)?;
        Ok(Exit::Ok)
    }
}

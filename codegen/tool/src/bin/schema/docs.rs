//! `cargo schema docs`, `changelog` and `rules`: write documents about the schema.

use std::fs;
use std::path::PathBuf;

use schema::changelog;
use schema::docs::{Addresses, VersionPage, site};
use schema_tool::check::finding::Findings;
use schema_tool::check::output::{self, Format};
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
        let root = project.root();
        let sdls = input::versions(&root)?;
        let (sdls, entries) = match sdls.and_then(|sdls| Ok((input::entries(&root, &sdls)?, sdls))) {
            Ok((entries, sdls)) => (sdls, entries),
            Err(findings) => {
                print(&output::write(&findings, Format::Human))?;
                return Ok(Exit::Findings);
            }
        };
        let pages = sdls.iter().zip(&entries).map(|(sdl, entry)| VersionPage {
            sdl,
            status: entry.status,
            published: entry.published.as_deref(),
            deprecated: entry.deprecated.as_deref(),
            sunset: entry.sunset.as_deref(),
        });
        for file in site(&pages.collect::<Vec<_>>(), Addresses::Files) {
            let path = self.out.join(&file.path);
            path.parent().map_or(Ok(()), fs::create_dir_all)?;
            fs::write(&path, &file.bytes)?;
            println!("wrote {}", path.display());
        }
        Ok(Exit::Ok)
    }
}

/// Write what changed from version to version, in Markdown.
#[derive(clap::Args)]
pub(crate) struct Changelog {}

impl Changelog {
    pub(crate) fn run(&self, project: &Project) -> Result<Exit, Failure> {
        match input::versions(&project.root())? {
            Ok(versions) => {
                print(&changelog::markdown(&versions))?;
                Ok(Exit::Ok)
            }
            Err(findings) => {
                print(&output::write(&findings, Format::Human))?;
                Ok(Exit::Findings)
            }
        }
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

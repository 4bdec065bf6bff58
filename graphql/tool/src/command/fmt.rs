//! `cargo schema fmt`: formats the SDL files.

use std::fs;

use crate::finding::Findings;
use dated_graphql_codegen::load;
use dated_graphql_schema::format::format;
use dated_graphql_schema::parse::check_syntax;

use super::Project;
use super::exit::{Exit, Failure};

/// Format the SDL of every version: indentation, spaces and blank lines. Comments and descriptions stay.
#[derive(clap::Args)]
pub(crate) struct Fmt {
    /// Write nothing; fail if a file is not formatted.
    #[arg(long)]
    check: bool,
}

impl Fmt {
    pub(crate) fn run(&self, project: &Project) -> Result<Exit, Failure> {
        let (mut findings, mut exit) = (Findings::default(), Exit::Ok);
        for name in load::version_names(&project.root.join("schema"))? {
            let path = format!("schema/{name}.graphql");
            let source = load::text(&project.root.join(&path))?;
            if let Err(report) = check_syntax(&path, &source) {
                findings.add_report(&report);
                continue;
            }
            let formatted = format(&source);
            if formatted == source {
                continue;
            }
            if self.check {
                println!("{path} is not formatted: run `cargo schema fmt`");
                exit = Exit::Findings;
            } else {
                fs::write(project.root.join(&path), formatted)?;
                println!("formatted {path}");
            }
        }
        if findings.failed() { Err(findings.into()) } else { Ok(exit) }
    }
}

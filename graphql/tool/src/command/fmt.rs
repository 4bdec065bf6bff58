//! `cargo schema fmt`: formats SDL files.

use std::fs;
use std::io::{self, Read as _};
use std::path::Path;

use crate::finding::Findings;
use dated_graphql_codegen::load;
use dated_graphql_schema::format::format;
use dated_graphql_schema::parse::check_syntax;

use super::Project;
use super::exit::{Exit, Failure, print};

/// Format SDL: indentation, spaces and blank lines. Comments and descriptions stay.
#[derive(clap::Args)]
pub(crate) struct Fmt {
    /// Write nothing; fail if a file is not formatted.
    #[arg(long)]
    check: bool,
    /// Files, or `-` to format standard input to standard output; by default those of every version.
    files: Vec<String>,
}

impl Fmt {
    pub(crate) fn run(&self, project: &Project) -> Result<Exit, Failure> {
        let (mut findings, mut exit) = (Findings::default(), Exit::Ok);
        for (path, source) in self.read(&project.root)? {
            if let Err(report) = check_syntax(&path, &source) {
                findings.add_report(&report);
                continue;
            }
            let formatted = format(&source);
            if self.check && formatted != source {
                print(&format!("{path} is not formatted: run `cargo schema fmt`\n"))?;
                exit = Exit::Findings;
            } else if path == "-" && !self.check {
                print(&formatted)?;
            } else if formatted != source {
                let file = if self.files.is_empty() { project.root.join(&path) } else { path.clone().into() };
                fs::write(file, formatted)?;
                print(&format!("formatted {path}\n"))?;
            }
        }
        if findings.failed() { Err(findings.into()) } else { Ok(exit) }
    }

    /// Reads the files, each with its path.
    fn read(&self, root: &Path) -> Result<Vec<(String, String)>, Failure> {
        let mut read = vec![];
        if self.files.is_empty() {
            let folder = root.join("schema");
            for name in load::version_names(&folder)? {
                let parts = load::version(&folder, &name)?;
                read.extend(parts.parts().into_iter().map(|(path, text)| (path.to_owned(), text.to_owned())));
            }
        }
        for path in &self.files {
            let mut text = String::new();
            match &**path {
                "-" => drop(io::stdin().read_to_string(&mut text)?),
                file => {
                    text = load::text(Path::new(file)).map_err(|error| Failure::new(format!("{file}: {error}")))?;
                }
            }
            read.push((path.clone(), text));
        }
        Ok(read)
    }
}

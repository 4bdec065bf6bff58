//! `cargo schema changelog`: what changes for clients from version to version, or from one version to another.

use dated_graphql_docs::DatedSdl;
use dated_graphql_docs::changelog::{Changelog as Log, markdown};
use dated_graphql_schema::nearest;

use super::exit::{Exit, Failure, print};
use super::{Project, input};

/// Write what changes for clients, with dates, reasons and replacements: of every version since the previous version, or
/// between two versions.
#[derive(clap::Args)]
pub(crate) struct Changelog {
    /// The version that a client uses; by default the version before `--to`.
    #[arg(long, value_name = "VERSION")]
    from: Option<String>,
    /// The version that it moves to; by default the newest.
    #[arg(long, value_name = "VERSION")]
    to: Option<String>,
}

impl Changelog {
    pub(crate) fn run(&self, project: &Project) -> Result<Exit, Failure> {
        let (sdls, entries) = input::dated_versions(&project.root)?;
        let versions: Vec<DatedSdl<'_>> = sdls.iter().zip(&entries).map(input::dated).collect();
        let log = match self.find(&versions)? {
            Some((from, to)) => Log::between(&versions, from, to),
            None => Log::new(&versions),
        };
        print(&markdown(&log))?;
        Ok(Exit::Ok)
    }

    /// Returns the indices of the two versions; `None` if none is named.
    fn find(&self, versions: &[DatedSdl<'_>]) -> Result<Option<(usize, usize)>, Failure> {
        if self.from.is_none() && self.to.is_none() {
            return Ok(None);
        }
        let names: Vec<&str> = versions.iter().map(|version| version.sdl.version()).collect();
        let index = |name: &String| {
            names.iter().position(|known| known == name).ok_or_else(|| {
                let meant = nearest(name, names.iter().copied()).map(|near| format!("; did you mean {near}?"));
                Failure::new(format!("there is no version {name}{}", meant.unwrap_or_default()))
            })
        };
        let to = self.to.as_ref().map(index).transpose()?.unwrap_or(names.len().saturating_sub(1));
        let from = self.from.as_ref().map(index).transpose()?;
        match from.or(to.checked_sub(1)) {
            Some(from) if from < to => Ok(Some((from, to))),
            Some(from) => Err(Failure::new(format!("{} is not older than {}", names[from], names[to]))),
            None => Err(Failure::new(format!("{} is the first version: none is before it", names[to]))),
        }
    }
}

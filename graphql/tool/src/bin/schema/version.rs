//! `cargo schema new` and `publish`: the first and the last step of a candidate.

use tool::begin::{BeginError, begin};
use tool::output::{self, Format};
use tool::publish::{PublishError, publish};

use crate::check::BaseArgs;
use crate::exit::{Exit, Failure, print};
use crate::{Project, generate, input};

/// Begin the next version: a copy of the latest, as a candidate that only test keys see.
#[derive(clap::Args)]
pub(crate) struct New {
    /// Year and month, such as 2027-01.
    version: String,
}

impl New {
    pub(crate) fn run(&self, project: &Project) -> Result<Exit, Failure> {
        let version = &self.version;
        let begun = match begin(&project.root, version) {
            Ok(begun) => begun,
            Err(BeginError::Mistakes(findings)) => return input::mistakes(&findings),
            Err(error) => return Err(error.into()),
        };
        println!("wrote schema/{version}.graphql, a copy of {}", begun.from);
        println!("wrote its entry in schema/versions.toml, with the status \"candidate\"");
        println!("wrote generated/v{}.rs", version.replace('-', "_"));
        if !begun.removable.is_empty() {
            println!("\n{} deprecates these, so they may be removed after the notice:", begun.from);
            begun.removable.iter().for_each(|coordinate| println!("  {coordinate}"));
        }
        println!(
            "\nNext steps:\n\
             \x20 1. edit schema/{version}.graphql; `cargo schema check` says what breaks,\n\
             \x20    `cargo schema diff {} {version}` what changed\n\
             \x20 2. `cargo check`: the compiler names the resolvers that are missing (src/resolver/)\n\
             \x20 3. test it with a test key: a live key does not see a candidate\n\
             \x20 4. `cargo schema publish {version}`: after that only descriptions can change",
            begun.from
        );
        Ok(Exit::Ok)
    }
}

/// Publish a candidate: after that only the words of its descriptions can change.
#[derive(clap::Args)]
pub(crate) struct Publish {
    /// The version, such as 2027-01.
    version: String,
    /// Write nothing: show the warnings and the waived findings that it would be published with.
    #[arg(long)]
    dry_run: bool,
    #[command(flatten)]
    base: BaseArgs,
}

impl Publish {
    pub(crate) fn run(&self, project: &Project) -> Result<Exit, Failure> {
        let (version, Project { root, today }) = (&self.version, project);
        let published = match publish(root, self.base.base(), version, *today, self.dry_run) {
            Ok(published) => published,
            Err(PublishError::Unfit(name, findings)) => {
                eprintln!("error: {name} is not fit to be published; nothing was written");
                return input::mistakes(&findings);
            }
            Err(error) => return Err(error.into()),
        };
        if today.to_string() < *version {
            println!("{today} is before the month of {version}: a notice that begins with it runs from this day");
        }
        let Some(changed) = published.changed else {
            print(&output::write(&published.findings, Format::Text))?;
            println!("{version} can be published on {today}; nothing was written");
            return Ok(Exit::Ok);
        };
        println!("published {version}: its entry in schema/versions.toml is \"current\", with day and digest");
        println!("{}", published.digest);
        generate::print_changed(&changed);
        println!("commit schema/ and generated/ together");
        Ok(Exit::Ok)
    }
}

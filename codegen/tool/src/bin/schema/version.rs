//! `cargo schema new` and `publish`: the first and the last step of a candidate.

use schema_tool::check::begin::{BeginError, begin};
use schema_tool::check::git;
use schema_tool::check::output::{self, Format};
use schema_tool::check::publish::{Publication, PublishError, publish};

use crate::check::BaseArgs;
use crate::exit::{Exit, Failure, print};
use crate::{Project, generate};

/// Begin the next version: a copy of the latest, as a candidate that only test keys see.
#[derive(clap::Args)]
pub(crate) struct New {
    /// Year and month, such as 2027-01.
    version: String,
}

impl New {
    pub(crate) fn run(&self, project: &Project) -> Result<Exit, Failure> {
        let version = &self.version;
        let begun = match begin(&project.root(), version) {
            Ok(begun) => begun,
            Err(BeginError::Mistakes(findings)) => {
                print(&output::write(&findings, Format::Human))?;
                return Ok(Exit::Findings);
            }
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
            "\nNext steps (docs/adding-a-version.md):\n\
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

/// Publish a candidate: after that only its descriptions can change.
///
/// For a version that was published without a digest or a sign-off, record them.
#[derive(clap::Args)]
pub(crate) struct Publish {
    /// The version, such as 2027-01.
    version: String,
    /// Write nothing: show the warnings and the waived findings that it would be published with.
    #[arg(long)]
    dry_run: bool,
    /// The person who signs the digest off in schema/published.txt; by default the author of git.
    #[arg(long, value_name = "NAME <ADDRESS>")]
    signed_off_by: Option<String>,
    /// Publish a version again that was published and changed since: everybody who uses it must agree.
    #[arg(long)]
    change_published: bool,
    #[command(flatten)]
    base: BaseArgs,
}

impl Publish {
    pub(crate) fn run(&self, project: &Project) -> Result<Exit, Failure> {
        let version = &self.version;
        let root = project.root();
        let signed_off_by = self.signed_off_by.clone().or_else(|| git::author(&root));
        let publication = Publication {
            version,
            today: project.today(),
            signed_off_by: signed_off_by.as_deref(),
            change: self.change_published,
            dry_run: self.dry_run,
        };
        let published = match publish(&root, self.base.base(), &publication) {
            Ok(published) => published,
            Err(PublishError::Unfit(name, findings)) => {
                print(&output::write(&findings, Format::Human))?;
                eprintln!("error: {name} is not fit to be published; nothing was written");
                return Ok(Exit::Findings);
            }
            Err(error) => return Err(error.into()),
        };
        let Some(changed) = published.changed else {
            print(&output::write(&published.findings, Format::Human))?;
            println!("{version} can be published on {}; nothing was written", project.today());
            return Ok(Exit::Ok);
        };
        if published.was_candidate {
            println!("published {version}: its entry in schema/versions.toml is \"current\", with day and digest");
        } else {
            println!("recorded the digest of {version} and its sign-off");
        }
        println!("{}", published.digest);
        generate::print_changed(&changed);
        println!("commit schema/ and generated/ together");
        Ok(Exit::Ok)
    }
}

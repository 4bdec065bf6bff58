//! `cargo schema new`: begins the next version.

use schema_tool::check::begin::{BeginError, begin};
use schema_tool::check::output::{self, Format};

use crate::Place;
use crate::exit::{Exit, Failure};

/// Begin the next version: a copy of the latest, as a candidate that only test keys see.
#[derive(clap::Args)]
pub struct Args {
    /// Year and month, such as 2027-01.
    version: String,
}

pub fn run(args: &Args, place: &Place) -> Result<Exit, Failure> {
    let version = &args.version;
    let begun = match begin(&place.root(), version) {
        Ok(begun) => begun,
        Err(BeginError::Mistakes(findings)) => {
            print!("{}", output::write(&findings, Format::Human));
            return Ok(Exit::Findings);
        }
        Err(error) => return Err(error.into()),
    };
    println!("wrote schema/{version}.graphql, a copy of {}", begun.from);
    println!("wrote its entry in schema/versions.toml, with the status \"candidate\"");
    println!("wrote generated/v{}.rs", version.replace('-', "_"));
    if !begun.may_go.is_empty() {
        println!("\n{} deprecated these, so they may go now:", begun.from);
        begun.may_go.iter().for_each(|coordinate| println!("  {coordinate}"));
    }
    println!(
        "\nNow, as docs/adding-a-version.md tells:\n\
         \x20 1. edit schema/{version}.graphql; `cargo schema check` says what breaks,\n\
         \x20    `cargo schema diff {} {version}` what changed\n\
         \x20 2. `cargo check`: the compiler names the resolvers that are missing (src/resolver/)\n\
         \x20 3. test it with a test key: a live key does not see a candidate\n\
         \x20 4. `cargo schema publish {version}`: from then on only descriptions change",
        begun.from
    );
    Ok(Exit::Fine)
}

//! `cargo schema publish`: publishes a candidate.

use schema_tool::check::output::{self, Format};
use schema_tool::check::publish::{PublishError, publish};

use crate::Place;
use crate::check::Compared;
use crate::exit::{Exit, Failure};
use crate::generate;

/// Publish a candidate: from then on only its descriptions may change.
///
/// Of a version that was published without a digest, record the digest.
#[derive(clap::Args)]
pub struct Args {
    /// The version, such as 2027-01.
    version: String,
    #[command(flatten)]
    compared: Compared,
}

pub fn run(args: &Args, place: &Place) -> Result<Exit, Failure> {
    let version = &args.version;
    let published = match publish(&place.root(), version, place.today(), args.compared.base()) {
        Ok(published) => published,
        Err(PublishError::Unfit(name, findings)) => {
            print!("{}", output::write(&findings, Format::Human));
            eprintln!("error: {name} is not fit to be published; nothing was written");
            return Ok(Exit::Findings);
        }
        Err(error) => return Err(error.into()),
    };
    if published.was_candidate {
        println!("published {version}: its entry in schema/versions.toml is \"current\", with day and digest");
    } else {
        println!("recorded the digest of {version}, which was published before");
    }
    println!("{}", published.digest);
    generate::say(&published.changed);
    println!("commit schema/ and generated/ together");
    Ok(Exit::Fine)
}

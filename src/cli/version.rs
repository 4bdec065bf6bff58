//! `version list|deprecate|retire`.

use chrono::NaiveDate;
use clap::Subcommand;
use serde_json::{Value, json};

use super::audit::Audited;
use super::failure::CliFailure;
use super::output::{Output, render_table};
use super::view::text;
use crate::http::version_lives;
use crate::model::VersionLife;
use crate::operation::usage::LiveUse;
use crate::operation::version;
use crate::services::Services;

#[derive(Debug, Subcommand)]
pub(super) enum VersionCommand {
    /// List the versions of the API with their state, and the partners that used them with a live key in the last 30 days
    List,
    /// Deprecate a version, which every response of it announces; repeated, set another date
    Deprecate {
        /// The version, such as 2026-10
        version: String,
        /// The day on which it ends, in UTC: at least six months after its deprecation
        #[arg(long, value_name = "YYYY-MM-DD", required_unless_present = "undo")]
        sunset: Option<NaiveDate>,
        /// The URL of a page with more information for partners
        #[arg(long, value_name = "URL")]
        link: Option<String>,
        /// Undo every decision about the version, its retirement too, so that its release applies again
        #[arg(long, conflicts_with_all = ["sunset", "link"])]
        undo: bool,
    },
    /// Retire a deprecated version: every request to it is answered with 404
    Retire {
        /// The version, such as 2026-10
        version: String,
        /// Do it before its sunset, or while partners use it
        #[arg(long)]
        force: bool,
    },
}

impl VersionCommand {
    /// The audit record of the command; `None` if it only reads.
    pub(super) fn audit_entry(&self) -> Option<Audited> {
        match self {
            VersionCommand::Deprecate { version, .. } => {
                Audited::new("version deprecate", version, &["status", "sunset", "link"])
            }
            VersionCommand::Retire { version, .. } => Audited::new("version retire", version, &["status"]),
            VersionCommand::List => None,
        }
    }
}

pub(super) async fn run(services: &Services, command: VersionCommand, output: Output) -> Result<(), CliFailure> {
    match command {
        VersionCommand::List => {
            let listed = version::list(services, version_lives()).await?;
            let views: Vec<_> = listed.iter().map(|(life, uses)| with_uses(life, uses)).collect();
            output.show(&json!({ "versions": views }), || table(&listed))
        }
        VersionCommand::Deprecate { version, sunset: None, .. } => {
            let life = version::restore(services, version_lives(), &version).await?;
            show(&life, output, &format!("{version} is {} again, as its release says.", life.stage.as_str()))
        }
        VersionCommand::Deprecate { version, sunset: Some(sunset), link, .. } => {
            let life = version::deprecate(services, version_lives(), &version, sunset, link.as_deref()).await?;
            show(&life, output, &format!("{version} is deprecated and ends on {sunset}. Every answer of it says so."))
        }
        VersionCommand::Retire { version, force } => {
            let life = version::retire(services, version_lives(), &version, force).await?;
            show(
                &life,
                output,
                &format!("{version} is retired: requests to it are answered with 404 VERSION_NOT_FOUND."),
            )
        }
    }
}

/// Running servers follow on their own.
fn show(life: &VersionLife, output: Output, done: &str) -> Result<(), CliFailure> {
    output
        .show(&json!({ "version": version_object(life) }), || format!("{done} Running servers follow within seconds."))
}

fn version_object(life: &VersionLife) -> Value {
    json!({
        "name": life.name,
        "status": life.stage.as_str(),
        "published": text(life.published),
        "deprecated": text(life.deprecated),
        "sunset": text(life.sunset),
        "link": text(life.link.as_ref()),
        "retiredAt": text(life.retired_at),
    })
}

fn with_uses(life: &VersionLife, uses: &[LiveUse]) -> Value {
    let mut object = version_object(life);
    let view = |used: &LiveUse| json!({ "partner": used.partner, "last": used.last.to_string() });
    object["liveUses"] = uses.iter().map(view).collect();
    object
}

fn table(listed: &[(VersionLife, Vec<LiveUse>)]) -> String {
    let row = |(life, uses): &(VersionLife, Vec<LiveUse>)| {
        let mut row = version_object(life);
        row["uses"] = uses.iter().map(|used| format!("{} (last {})", used.partner, used.last)).collect();
        row
    };
    let columns = "version: name | status | published | deprecated | sunset | retired: retiredAt | \
                   used by, with a live key: uses";
    render_table(columns, &listed.iter().map(row).collect::<Vec<_>>())
}

//! `version list|deprecate|retire`.

use chrono::NaiveDate;
use clap::Subcommand;
use serde::Serialize;
use serde_json::json;

use super::audit::Audited;
use super::failure::CliFailure;
use super::output::Output;
use super::output::Table;
use crate::http::released;
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
        /// The day on which it ends, in UTC
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
    /// What the command changes; `None` if it only reads.
    pub(super) fn audited(&self) -> Option<Audited> {
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
            let listed = version::list(services, released()).await?;
            let views: Vec<_> = listed.iter().map(|(life, uses)| VersionView::new(life, Some(uses))).collect();
            output.show(&json!({ "versions": views }), || table(&views))
        }
        VersionCommand::Deprecate { version, sunset: None, .. } => {
            let life = version::restore(services, released(), &version).await?;
            show(&life, output, &format!("{version} is {} again, as its release says.", life.stage.as_str()))
        }
        VersionCommand::Deprecate { version, sunset: Some(sunset), link, .. } => {
            let life = version::deprecate(services, released(), &version, sunset, link.as_deref()).await?;
            show(&life, output, &format!("{version} is deprecated and ends on {sunset}. Every answer of it says so."))
        }
        VersionCommand::Retire { version, force } => {
            let life = version::retire(services, released(), &version, force).await?;
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
    let view = json!({ "version": VersionView::new(life, None) });
    output.show(&view, || format!("{done} Running servers follow within seconds."))
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct VersionView {
    name: &'static str,
    status: &'static str,
    published: Option<String>,
    deprecated: Option<String>,
    sunset: Option<String>,
    link: Option<String>,
    retired_at: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    live_uses: Option<Vec<LiveUseView>>,
}

#[derive(Debug, Serialize)]
struct LiveUseView {
    partner: String,
    last: String,
}

impl VersionView {
    fn new(life: &VersionLife, uses: Option<&Vec<LiveUse>>) -> Self {
        let day = |day: Option<NaiveDate>| day.map(|day| day.to_string());
        let view = |used: &LiveUse| LiveUseView { partner: used.partner.clone(), last: used.last.to_string() };
        Self {
            name: life.name,
            status: life.stage.as_str(),
            published: day(life.published),
            deprecated: day(life.deprecated),
            sunset: day(life.sunset),
            link: life.link.as_ref().map(ToString::to_string),
            retired_at: life.retired_at.map(|moment| moment.to_string()),
            live_uses: uses.map(|uses| uses.iter().map(view).collect()),
        }
    }
}

fn table(views: &[VersionView]) -> String {
    let mut table =
        Table::new(&["version", "status", "published", "deprecated", "sunset", "retired", "used by, with a live key"]);
    for view in views {
        let uses = view.live_uses.iter().flatten().map(|used| format!("{} (last {})", used.partner, used.last));
        table.row([
            view.name.to_owned(),
            view.status.to_owned(),
            view.published.clone().unwrap_or_default(),
            view.deprecated.clone().unwrap_or_default(),
            view.sunset.clone().unwrap_or_default(),
            view.retired_at.clone().unwrap_or_default(),
            uses.collect::<Vec<_>>().join(", "),
        ]);
    }
    table.render()
}

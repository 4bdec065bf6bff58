//! `admin link|list|revoke`: who may use the administration, the operator's pages at ADMIN_LISTEN.

use clap::Subcommand;
use serde_json::json;

use super::audit::Audited;
use super::failure::{CliError, CliFailure};
use super::output::{Output, render_table};
use super::view::text;
use crate::app::Settings;
use crate::model::{AdminSession, AdminState, admin_link_path};
use crate::operation::admin;
use crate::services::Services;

#[derive(Debug, Subcommand)]
pub(super) enum AdminCommand {
    /// Print a link that opens the administration once, within ten minutes, for at most 12 hours
    Link {
        /// Who opens it: the audit log names its changes so
        #[arg(long)]
        name: String,
    },
    /// List the links and sessions of the last 30 days
    List,
    /// End the unused links and open sessions of an operator
    Revoke {
        /// The name that the links were made for
        #[arg(long)]
        name: String,
    },
}

impl AdminCommand {
    /// The audit record of the command; `None` if it only reads.
    pub(super) fn audit_entry(&self) -> Option<Audited> {
        match self {
            AdminCommand::Link { name } => Audited::new("admin link", name, &[]),
            AdminCommand::Revoke { name } => Audited::new("admin revoke", name, &["endedAt"]),
            AdminCommand::List => None,
        }
    }
}

pub(super) async fn run(
    services: &Services,
    settings: &Settings,
    command: AdminCommand,
    output: Output,
) -> Result<(), CliFailure> {
    match command {
        AdminCommand::Link { name } => {
            let base = settings.admin_base().ok_or(CliError::NoAdministration)?;
            let (link, token) = admin::create_link(services, &name).await?;
            let (url, end) = (base + &admin_link_path(&token), link.expires_at.to_string());
            output.show(&json!({ "operator": link.operator, "url": url, "expiresAt": end }), || {
                format!("{url}\n\nIt opens the administration for \"{}\" once, until {end}.", link.operator)
            })
        }
        AdminCommand::List => list(services, output).await,
        AdminCommand::Revoke { name } => {
            let ended = admin::revoke(services, &name).await?;
            output.show(&json!({ "ended": ended }), || format!("Ended {ended} links and sessions of \"{name}\"."))
        }
    }
}

async fn list(services: &Services, output: Output) -> Result<(), CliFailure> {
    let all = admin::list(services).await?;
    let view = |(session, state): &(AdminSession, AdminState)| {
        json!({
            "operator": session.operator,
            "state": state.as_str(),
            "createdAt": session.created_at.to_string(),
            "openedAt": text(session.opened_at),
            "seenAt": text(session.seen_at),
            "endedAt": text(session.ended_at),
        })
    };
    let views: Vec<_> = all.iter().map(view).collect();
    let columns = "operator | state | created: createdAt | opened: openedAt | last used: seenAt | ended: endedAt";
    output.show(&json!({ "sessions": views }), || render_table(columns, &views))
}

//! `session list`, `session revoke`: links and browser sessions of the service's own pages. Neither shows a token: an id is
//! the start of a digest.

use clap::{Args, Subcommand};
use serde_json::{Value, json};

use super::audit::Audited;
use super::card;
use super::failure::{CliError, CliFailure};
use super::output::{Output, render_table};
use super::view::text;
use crate::base::{GlobalId, Kind};
use crate::model::{OpenSession, SessionId, SessionSelection, audit};
use crate::operation::{Failure, key, partner, session};
use crate::services::Services;

#[derive(Debug, Subcommand)]
pub(super) enum SessionCommand {
    /// List unused links and open browser sessions
    #[command(mut_group("SessionFilter", |group| group.required(true)))]
    List {
        #[command(flatten)]
        filter: SessionFilter,
    },
    /// End sessions at once; saved work stays, and a family asks the partner for a new link
    Revoke {
        /// The id of a session, as session list shows it
        #[arg(required_unless_present_any = ["card", "key", "partner"], conflicts_with_all = ["card", "key", "partner"])]
        id: Option<String>,
        #[command(flatten)]
        filter: SessionFilter,
    },
}

/// Selects the sessions of one card, key or partner.
#[derive(Debug, Args)]
#[group(multiple = false)]
pub(super) struct SessionFilter {
    /// The sessions on this card: gid://service/Card/<uuid>
    #[arg(long, value_name = "GID")]
    card: Option<String>,
    /// The sessions that this key opened: its id, or the last four characters of its token
    #[arg(long)]
    key: Option<String>,
    /// The sessions on all cards of this partner, by its name
    #[arg(long)]
    partner: Option<String>,
}

impl SessionCommand {
    /// The audit record of the command; `None` if it only reads.
    pub(super) fn audit_entry(&self) -> Option<Audited> {
        match self {
            SessionCommand::List { .. } => None,
            SessionCommand::Revoke { id, filter } => {
                let subject = [id, &filter.card, &filter.key, &filter.partner].into_iter().flatten().next();
                Audited::with_words(audit::SESSION_REVOKE, subject.cloned().unwrap_or_default())
            }
        }
    }
}

pub(super) async fn run(services: &Services, command: SessionCommand, output: Output) -> Result<(), CliFailure> {
    match command {
        SessionCommand::List { filter } => list(services, filter, output).await,
        SessionCommand::Revoke { id, filter } => revoke(services, id, filter, output).await,
    }
}

async fn list(services: &Services, filter: SessionFilter, output: Output) -> Result<(), CliFailure> {
    let scope = scope_of(services, None, filter).await?;
    let mut views = Vec::new();
    for open in session::list_open(services, scope).await? {
        views.push(view(services, &open).await?);
    }
    output.show(&json!({ "sessions": views }), || table(&views))
}

async fn revoke(
    services: &Services,
    id: Option<String>,
    filter: SessionFilter,
    output: Output,
) -> Result<(), CliFailure> {
    let scope = scope_of(services, id.as_deref(), filter).await?;
    let ended = session::revoke(services, scope).await?;
    if let (SessionSelection::One(id), 0) = (scope, ended) {
        return Err(CliError::NoSession(id.to_string()).into());
    }
    output.show(&json!({ "ended": ended }), || match ended {
        1 => "Ended 1 session.".to_owned(),
        _ => format!("Ended {ended} sessions."),
    })
}

/// Resolves the arguments to the sessions they select.
async fn scope_of(
    services: &Services,
    id: Option<&str>,
    filter: SessionFilter,
) -> Result<SessionSelection, CliFailure> {
    let SessionFilter { card: gid, key: which, partner: name } = filter;
    Ok(match (id, gid, which, name) {
        (Some(id), ..) => {
            let found = SessionId::parse(id.trim()).ok_or_else(|| CliError::NoSessionId(id.to_owned()))?;
            SessionSelection::One(found)
        }
        (_, Some(gid), ..) => SessionSelection::Card(card::find_one(services, &gid).await?.id),
        (_, _, Some(which), _) => SessionSelection::Key(key::find(services, &which).await?.1.id),
        (_, _, _, Some(name)) => SessionSelection::Partner(partner::find(services, &name).await?.id),
        (None, None, None, None) => unreachable!("the command line asks for one of them"),
    })
}

/// A link (unused) or browser session; `key` is null if the link of an order mail opened it.
async fn view(services: &Services, session: &OpenSession) -> Result<Value, Failure> {
    let card = services.store.any_card(session.card_id).await?;
    let partner = match card {
        Some(card) => services.store.partner(card.partner_id).await?,
        None => None,
    };
    Ok(json!({
        "id": session.id().to_string(),
        "kind": session.kind.as_str(),
        "card": GlobalId::new(Kind::Card, session.card_id).to_string(),
        "partner": partner.map(|partner| partner.name).unwrap_or_default(),
        "target": session.target.as_str(),
        "key": text(session.key_id),
        "createdAt": session.created_at.to_string(),
        "seenAt": text(session.seen_at),
    }))
}

fn table(sessions: &[Value]) -> String {
    if sessions.is_empty() {
        return "No session is open.".to_owned();
    }
    let columns = "id | kind | target | partner | card | key | created: createdAt | last used: seenAt";
    render_table(columns, sessions)
}

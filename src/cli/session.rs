//! `session list`, `session revoke`: what is open on the service's own pages. Neither shows a token: an id is the beginning
//! of a digest.

use clap::{Args, Subcommand};
use serde::Serialize;
use serde_json::json;

use super::audit::Change;
use super::card;
use super::failure::CliFailure;
use super::stdout::Stdout;
use super::table::Table;
use crate::base::{GlobalId, Kind};
use crate::model::{OpenSession, SessionId, SessionsOf};
use crate::operation::session::survey;
use crate::operation::{Failure, Services, key, partner};

#[derive(Debug, Subcommand)]
pub(super) enum SessionCommand {
    /// List the links that were not used yet and the browser sessions that are open
    List(Of),
    /// End them at once; saved work stays, and a family asks the partner for a new link
    Revoke {
        /// The id of one, as session list shows it
        #[arg(required_unless_present_any = ["card", "key", "partner"], conflicts_with_all = ["card", "key", "partner"])]
        id: Option<String>,
        #[command(flatten)]
        of: OfAny,
    },
}

/// Whose sessions: one of them.
#[derive(Debug, Args)]
#[group(required = true, multiple = false)]
pub(super) struct Of {
    /// Those on this card: gid://service/Card/<uuid>
    #[arg(long, value_name = "GID")]
    card: Option<String>,
    /// Those that this key opened: its id, or the last four characters of its token
    #[arg(long)]
    key: Option<String>,
    /// Those on all cards of this partner, by its name
    #[arg(long)]
    partner: Option<String>,
}

/// The same, where an id may stand in their place.
#[derive(Debug, Args)]
#[group(multiple = false)]
pub(super) struct OfAny {
    /// All on this card: gid://service/Card/<uuid>
    #[arg(long, value_name = "GID")]
    card: Option<String>,
    /// All that this key opened: its id, or the last four characters of its token
    #[arg(long)]
    key: Option<String>,
    /// All on the cards of this partner, by its name
    #[arg(long)]
    partner: Option<String>,
}

impl From<Of> for OfAny {
    fn from(of: Of) -> Self {
        Self { card: of.card, key: of.key, partner: of.partner }
    }
}

/// What a command changes.
pub(super) fn change(command: &SessionCommand) -> Option<Change> {
    match command {
        SessionCommand::List(_) => None,
        SessionCommand::Revoke { id, of } => {
            let subject = [id, &of.card, &of.key, &of.partner].into_iter().flatten().next();
            Change::new("session revoke", subject.cloned().unwrap_or_default(), &[])
        }
    }
}

pub(super) async fn run(services: &Services, command: SessionCommand, stdout: Stdout) -> Result<(), CliFailure> {
    match command {
        SessionCommand::List(of) => list(services, of.into(), stdout).await,
        SessionCommand::Revoke { id, of } => revoke(services, id, of, stdout).await,
    }
}

async fn list(services: &Services, of: OfAny, stdout: Stdout) -> Result<(), CliFailure> {
    let of = meant(services, None, of).await?;
    let mut views = Vec::new();
    for session in survey::list(services, of).await? {
        views.push(view(services, &session).await?);
    }
    stdout.show(&json!({ "sessions": views }), || table(&views))?;
    Ok(())
}

async fn revoke(services: &Services, id: Option<String>, of: OfAny, stdout: Stdout) -> Result<(), CliFailure> {
    let of = meant(services, id.as_deref(), of).await?;
    let ended = survey::end(services, of).await?;
    if let (SessionsOf::One(id), 0) = (of, ended) {
        return Err(CliFailure::NoSession(id.to_string()));
    }
    stdout.show(&json!({ "ended": ended }), || match ended {
        1 => "Ended 1 session.".to_owned(),
        _ => format!("Ended {ended} sessions."),
    })?;
    Ok(())
}

/// What was named on the command line.
async fn meant(services: &Services, id: Option<&str>, of: OfAny) -> Result<SessionsOf, CliFailure> {
    let OfAny { card: gid, key: which, partner: name } = of;
    Ok(match (id, gid, which, name) {
        (Some(id), ..) => {
            let found = SessionId::parse(id.trim()).ok_or_else(|| CliFailure::NoSessionId(id.to_owned()))?;
            SessionsOf::One(found)
        }
        (_, Some(gid), ..) => SessionsOf::Card(card::find_one(services, &gid).await?.id),
        (_, _, Some(which), _) => SessionsOf::Key(key::find(services, &which).await?.1.id),
        (_, _, _, Some(name)) => SessionsOf::Partner(partner::find(services, &name).await?.id),
        (None, None, None, None) => unreachable!("the command line asks for one of them"),
    })
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct SessionView {
    id: String,
    /// `link` (not used yet) or `browser`.
    kind: &'static str,
    /// The global id.
    card: String,
    /// The name of the partner.
    partner: String,
    target: &'static str,
    /// The id of the key that made the link; null where an order mail's link opened it.
    key: Option<String>,
    created_at: String,
    /// When a browser last used it.
    seen_at: Option<String>,
}

async fn view(services: &Services, session: &OpenSession) -> Result<SessionView, Failure> {
    let card = services.store.any_card(session.card_id).await?;
    let partner = match card {
        Some(card) => services.store.partner(card.partner_id).await?,
        None => None,
    };
    Ok(SessionView {
        id: session.id().to_string(),
        kind: session.kind.as_str(),
        card: GlobalId::new(Kind::Card, session.card_id).to_string(),
        partner: partner.map(|partner| partner.name).unwrap_or_default(),
        target: session.target.as_str(),
        key: session.key_id.map(|id| id.to_string()),
        created_at: session.created_at.to_string(),
        seen_at: session.seen_at.map(|moment| moment.to_string()),
    })
}

fn table(views: &[SessionView]) -> String {
    if views.is_empty() {
        return "No session is open.".to_owned();
    }
    let mut table = Table::new(&["id", "kind", "target", "partner", "card", "key", "created", "last used"]);
    for view in views {
        table.row([
            view.id.clone(),
            view.kind.to_owned(),
            view.target.to_owned(),
            view.partner.clone(),
            view.card.clone(),
            view.key.clone().unwrap_or_default(),
            view.created_at.clone(),
            view.seen_at.clone().unwrap_or_default(),
        ]);
    }
    table.render()
}

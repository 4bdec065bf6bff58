//! Retention: deletes data that is older than the operator keeps it (docs/operating.md).
//!
//! By default no card, invitee or event is deleted. Each deletion of them leaves an audit record: one for a card, one for a batch of
//! invitees or events.
//!
//! Called by its worker, a batch at a time, and by the command that counts the rows that are due.

use uuid::Uuid;

use super::Failure;
use super::card::{self, CardStateError};
use super::invitee::{self, InviteeSelection};
use crate::base::{GlobalId, Kind, Timestamp, limits};
use crate::model::{CardStatus, SERVICE_ACTOR, audit};
use crate::services::Services;
use crate::store::CardAge;

/// How many rows are due, or were deleted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Expired {
    /// Cards that were never ordered.
    pub drafts: usize,
    /// Cards that are online.
    pub cards: usize,
    pub invitees: usize,
    pub events: usize,
    pub audit: usize,
    /// Including links to the administration, with their sessions.
    pub session_links: usize,
    /// Files of mails, where the service writes them.
    pub mail_files: usize,
}

/// The times before which data is not kept; `None` keeps all.
struct Ends {
    drafts: Option<Timestamp>,
    cards: Option<Timestamp>,
    invitees: Option<Timestamp>,
    events: Option<Timestamp>,
    audit: Option<Timestamp>,
    session_links: Timestamp,
    mail_files: Timestamp,
}

impl Ends {
    fn now(services: &Services) -> Self {
        let (now, kept) = (services.clock.now(), services.policy.retention);
        let end = |kept: Option<std::time::Duration>| kept.map(|kept| now.before(kept));
        Self {
            drafts: end(kept.drafts),
            cards: end(kept.cards),
            invitees: end(kept.invitees),
            events: end(kept.events),
            audit: end(kept.audit),
            session_links: now.before(limits::SESSION_LINKS_KEPT),
            mail_files: now.before(limits::MAIL_KEPT),
        }
    }

    /// Whether a card is due. One that is ordered and not online yet is kept: its family has paid for it.
    fn is_due(&self, card: &CardAge) -> bool {
        match card.status {
            CardStatus::Draft => self.drafts.is_some_and(|end| card.updated_at < end),
            CardStatus::Active => self.cards.is_some_and(|end| card.activated_at.is_some_and(|at| at < end)),
            CardStatus::Ordered => false,
        }
    }

    /// Reads the next cards after `after` that were created before both ends. Fewer than
    /// [`limits::RETENTION_CARDS_READ_AT_ONCE`] are the last ones.
    async fn cards_after(&self, services: &Services, after: Uuid) -> Result<Vec<CardAge>, Failure> {
        let Some(end) = self.drafts.max(self.cards) else { return Ok(Vec::new()) };
        Ok(services.store.card_ages(after, end, limits::RETENTION_CARDS_READ_AT_ONCE).await?)
    }
}

/// Counts the rows that are due. Reads all old cards, so it takes a second for a million of them.
pub async fn count_due(services: &Services) -> Result<Expired, Failure> {
    let (ends, store, mut due) = (Ends::now(services), &services.store, Expired::default());
    let mut after = Uuid::nil();
    loop {
        let cards = ends.cards_after(services, after).await?;
        for card in cards.iter().filter(|card| ends.is_due(card)) {
            *due.count_mut(card.status) += 1;
        }
        let Some(last) = cards.last() else { break };
        after = last.id;
    }
    let count = |number: i64| usize::try_from(number).unwrap_or_default();
    if let Some(end) = ends.invitees {
        due.invitees = invitee::count(services, InviteeSelection::AddedBefore(end)).await?;
    }
    if let Some(end) = ends.events {
        due.events = count(store.events_before(end).await?);
    }
    if let Some(end) = ends.audit {
        due.audit = count(store.audit_before(end).await?);
    }
    due.session_links = count(store.session_links_before(ends.session_links).await?)
        + count(store.admin_sessions_before(ends.session_links).await?);
    due.mail_files = services.mailer.files_before(ends.mail_files).await.map_err(Failure::MailFolder)?.len();
    Ok(due)
}

/// Deletes a batch of each kind of data, of the cards those with ids greater than `after`. Returns what was deleted and the last card
/// that was looked at, or nil at the end of the table: the next step begins there. Replicas may run it concurrently.
pub async fn step(services: &Services, after: Uuid) -> Result<(Expired, Uuid), Failure> {
    let (ends, store, at_once) = (Ends::now(services), &services.store, limits::RETENTION_ROWS_DELETED_AT_ONCE);
    let mut deleted = Expired::default();
    let cards = ends.cards_after(services, after).await?;
    for found in cards.iter().filter(|card| ends.is_due(card)) {
        let subject = GlobalId::new(Kind::Card, found.id).to_string();
        match card::delete(&audit(services, subject), found.id).await {
            Ok(_) => *deleted.count_mut(found.status) += 1,
            Err(CardStateError::Failed(failure)) => return Err(failure),
            Err(_) => {} // another replica or the operator deleted it
        }
    }
    if let Some(end) = ends.invitees
        && store.invitees_before(end).await? + store.invitation_notes_before(end).await? > 0
    {
        let services = audit(services, format!("invitees and notes before {end}"));
        deleted.invitees = services.store.delete_invitees_before(end, at_once).await?;
    }
    if let Some(end) = ends.events
        && store.events_before(end).await? > 0
    {
        let services = audit(services, format!("events before {end}"));
        deleted.events = services.store.delete_events_before(end, at_once).await?;
    }
    if let Some(end) = ends.audit {
        deleted.audit = store.delete_audit_before(end, at_once).await?;
    }
    deleted.session_links = store.delete_session_links_before(ends.session_links, at_once).await?
        + store.delete_admin_sessions_before(ends.session_links).await?;
    deleted.mail_files = services.mailer.delete_files_before(ends.mail_files).await.map_err(Failure::MailFolder)?;
    let is_full = i64::try_from(cards.len()).is_ok_and(|count| count == limits::RETENTION_CARDS_READ_AT_ONCE);
    Ok((deleted, cards.last().filter(|_| is_full).map_or(Uuid::nil(), |last| last.id)))
}

/// Returns services whose first write adds an audit record of the server.
fn audit(services: &Services, subject: String) -> Services {
    services.with_audit(SERVICE_ACTOR.to_owned(), audit::RETENTION, subject)
}

impl Expired {
    /// The count of cards with this status.
    fn count_mut(&mut self, status: CardStatus) -> &mut usize {
        if status == CardStatus::Draft { &mut self.drafts } else { &mut self.cards }
    }
}

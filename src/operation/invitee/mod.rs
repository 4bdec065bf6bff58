//! The invitee list of a card (specification, section 2.7; decisions S6).

mod paste;

use std::collections::HashMap;

use uuid::Uuid;

use super::Failure;
use super::session::digest;
use crate::base::{HttpUrl, Progress, Step, Timestamp, is_hidden, limits};
use crate::model::{
    BrowserSession, InvitationNote, Invitee, InviteeListLink, Mail, MailState, SessionTarget, has_web_address,
};
use crate::services::Services;
use crate::store::{Invitation, InvitationLimits, InviteeAddition, Queue};

pub use paste::{LeftLine, LeftReason, LineProblem, PastedList, PastedPerson, check, read_list};

/// A person with a checked name and address (see [`check`]).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewInvitee {
    pub name: String,
    pub email: Option<String>,
}

/// A person on the list, with the last invitation as long as it is kept ([`limits::MAIL_KEPT`]).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedInvitee {
    pub invitee: Invitee,
    pub invitation: Option<Mail>,
}

impl ListedInvitee {
    /// Whether the person has an address and no invitation: none was sent, is queued, or was refused.
    pub fn is_uninvited(&self) -> bool {
        let last = self.invitation.as_ref().map(|mail| mail.state);
        let is_open = matches!(last, None | Some(MailState::GivenUp(_)));
        is_open && self.invitee.email.is_some() && self.invitee.mail_count == 0
    }
}

/// The people on the list of a card, in the order in which they were added.
pub async fn list(services: &Services, card_id: Uuid) -> Result<Vec<ListedInvitee>, Failure> {
    let mails = services.store.mails_of(card_id).await?;
    // Mails are read oldest first, so each invitee's newest mail is kept.
    let mut last: HashMap<Uuid, Mail> = mails.into_iter().filter_map(|mail| Some((mail.invitee_id?, mail))).collect();
    let invitees = services.store.invitees_of(card_id).await?;
    let with_mail = |invitee: Invitee| ListedInvitee { invitation: last.remove(&invitee.id), invitee };
    Ok(invitees.into_iter().map(with_mail).collect())
}

/// Adds the people who are not on the list yet, up to the maximum. Returns the results in the order of the people.
pub async fn add(services: &Services, card_id: Uuid, people: Vec<NewInvitee>) -> Result<Vec<InviteeAddition>, Failure> {
    let now = services.clock.now();
    let invitees = people
        .into_iter()
        .map(|person| Invitee {
            id: services.entropy.uuid(now),
            card_id,
            name: person.name,
            email: person.email,
            token: services.entropy.unguessable(),
            created_at: now,
            mail_count: 0,
            last_mail_at: None,
            seen_at: None,
        })
        .collect();
    Ok(services.store.add_invitees(card_id, invitees, limits::INVITEES_MAX).await?)
}

/// Queues a mail with the personal link, within the limits of its address, its card and its partner: the service cannot be
/// used to send spam.
pub async fn invite(services: &Services, card_id: Uuid, invitee_id: Uuid) -> Result<Invitation, Failure> {
    let now = services.clock.now();
    let mail = Mail::invitation(services.entropy.uuid(now), card_id, invitee_id, now);
    let limits = InvitationLimits {
        per_address: limits::INVITATIONS_MAX,
        again_after: limits::INVITATION_AGAIN_AFTER,
        day: services.clock.today(),
        per_card: limits::INVITATIONS_PER_CARD_AND_DAY,
        per_partner: services.policy.invitations_per_partner_and_day,
    };
    let outcome = services.store.invite(mail, limits).await?;
    match outcome {
        Invitation::Queued => services.store.notify(Queue::Mails),
        Invitation::CardLimit => {
            tracing::warn!(%card_id, max = limits.per_card, "invitations of a card were refused: its limit for today is reached");
        }
        Invitation::PartnerLimit { partner_id } => {
            let max = limits.per_partner;
            tracing::warn!(%card_id, %partner_id, max, "invitations of a partner were refused: its limit for today is reached");
        }
        Invitation::TooSoon(_) | Invitation::TooMany | Invitation::NotFound => {}
    }
    Ok(outcome)
}

/// Records that an invitee opened the card: the first time only, without address, device or count.
pub async fn note_seen(services: &Services, invitee: &Invitee) -> Result<(), Failure> {
    if invitee.seen_at.is_none() {
        services.store.note_seen(invitee.id, services.clock.now()).await?;
    }
    Ok(())
}

/// The invitees that the operator deletes: of one card, or those added before a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InviteeSelection {
    OfCard(Uuid),
    AddedBefore(Timestamp),
}

/// The number of the selected invitees.
pub async fn count(services: &Services, selection: InviteeSelection) -> Result<usize, Failure> {
    Ok(match selection {
        InviteeSelection::OfCard(card_id) => services.store.invitees_of(card_id).await?.len(),
        InviteeSelection::AddedBefore(timestamp) => {
            usize::try_from(services.store.invitees_before(timestamp).await?).unwrap_or_default()
        }
    })
}

/// Deletes the selected invitees with their personal links and queued mails, and returns their number. An interrupted
/// deletion can be repeated.
pub async fn delete(services: &Services, selection: InviteeSelection, progress: &Progress) -> Result<usize, Failure> {
    let timestamp = match selection {
        InviteeSelection::OfCard(card_id) => return Ok(services.store.delete_invitees_of(card_id).await?),
        InviteeSelection::AddedBefore(timestamp) => timestamp,
    };
    let (at_once, mut all) = (limits::INVITEES_DELETED_AT_ONCE, 0);
    let count = progress.begin(Step::DeleteInvitees, None);
    loop {
        let deleted = services.store.delete_invitees_before(timestamp, at_once).await?;
        all += deleted;
        count.add(deleted as u64);
        if i64::try_from(deleted).is_ok_and(|deleted| deleted < at_once) {
            return Ok(all);
        }
    }
}

/// Why a note is refused: this service mails it to people who did not ask for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoteFault {
    TooLong,
    /// A control character other than a line break, or an invisible character.
    Character,
    HttpUrl,
}

/// The result of changing the note.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoteChange {
    Stored,
    /// Another person has changed the note since it was read.
    Overtaken,
    Refused(NoteFault),
}

/// Stores the note of a card, and whether answers go to the family contact. `seen` is when the note that its writer saw was changed.
pub async fn change_note(
    services: &Services,
    card_id: Uuid,
    note: &str,
    answers: bool,
    seen: Option<Timestamp>,
) -> Result<NoteChange, Failure> {
    if let Some(fault) = fault(note) {
        return Ok(NoteChange::Refused(fault));
    }
    let note = InvitationNote { card_id, note: note.to_owned(), answers, changed_at: services.clock.now() };
    let is_stored = services.store.change_invitation_note(note, seen).await?;
    Ok(if is_stored { NoteChange::Stored } else { NoteChange::Overtaken })
}

fn fault(note: &str) -> Option<NoteFault> {
    if note.chars().count() > limits::INVITATION_NOTE_CHARS_MAX {
        return Some(NoteFault::TooLong);
    }
    if note.chars().any(|c| c != '\n' && is_hidden(c)) {
        return Some(NoteFault::Character);
    }
    has_web_address(note).then_some(NoteFault::HttpUrl)
}

/// A new link, which is returned once and not stored.
#[derive(Clone, Debug)]
pub struct ListLink {
    pub address: HttpUrl,
    pub expires_at: Timestamp,
}

/// The result of opening a link.
#[derive(Clone, Debug)]
pub enum OpenedListLink {
    /// The cookie's value is returned once and not stored.
    Opened {
        browser_session: BrowserSession,
        cookie: String,
    },
    Expired(InviteeListLink),
    Unknown,
}

/// Creates a link to the list of a card.
pub async fn list_link(services: &Services, card_id: Uuid) -> Result<ListLink, Failure> {
    let token = services.entropy.unguessable();
    let created_at = services.clock.now();
    let expires_at = created_at.after(limits::INVITEE_LIST_LINK_VALID);
    let link = InviteeListLink { digest: digest(&token), card_id, created_at, expires_at };
    services.store.add_invitee_list_link(link).await?;
    Ok(ListLink { address: services.list_link_address(&token), expires_at })
}

/// Returns when the last link to the list of a card stops working; `None` if there is none that works.
pub async fn list_link_until(services: &Services, card_id: Uuid) -> Result<Option<Timestamp>, Failure> {
    let until = services.store.invitee_list_links_until(card_id).await?;
    Ok(until.filter(|until| *until > services.clock.now()))
}

/// Opens the invitee list in the browser that has this session of the customizer. The new session ends no later, and with the same key.
/// Returns the value of its cookie, which is not stored; `None` if the session has ended.
pub async fn open_list(services: &Services, customizer: &[u8; 32]) -> Result<Option<String>, Failure> {
    let Some(from) = services.store.browser_session(customizer).await? else { return Ok(None) };
    let cookie = services.entropy.unguessable();
    let list = BrowserSession {
        digest: digest(&cookie),
        target: SessionTarget::InviteeList,
        seen_at: services.clock.now(),
        ..from
    };
    services.store.add_browser_session(list).await?;
    Ok(Some(cookie))
}

/// Opens a browser session of the invitee list by a link from a mail.
pub async fn open_list_link(services: &Services, token: &str) -> Result<OpenedListLink, Failure> {
    let now = services.clock.now();
    let Some(link) = services.store.invitee_list_link(&digest(token)).await? else {
        return Ok(OpenedListLink::Unknown);
    };
    if link.expires_at <= now {
        return Ok(OpenedListLink::Expired(link));
    }
    let cookie = services.entropy.unguessable();
    let browser_session = BrowserSession {
        digest: digest(&cookie),
        card_id: link.card_id,
        target: SessionTarget::InviteeList,
        created_at: now,
        seen_at: now,
        key_id: None,
    };
    services.store.add_browser_session(browser_session.clone()).await?;
    Ok(OpenedListLink::Opened { browser_session, cookie })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn note_of_a_family_is_accepted() {
        for note in [
            "",
            "Lieve allemaal,\n\nPapa is thuis, om 11.00 uur... wij missen hem. Dhr. J.W. de Vries, m.v.g.",
            "Bel ons: 06-12345678, of schrijf naar els@voorbeeld.nl. (of <jan@voorbeeld.nl>)",
            "محمد عبد الله 👩\u{200d}👧",
            &"é".repeat(limits::INVITATION_NOTE_CHARS_MAX),
        ] {
            assert_eq!(fault(note), None, "{note:?}");
        }
    }

    #[test]
    fn addresses_hidden_characters_and_long_notes_are_refused() {
        for note in ["zie https://x", "zie\nvoorbeeld.nl"] {
            assert_eq!(fault(note), Some(NoteFault::HttpUrl), "{note:?}");
        }
        for hidden in ['\0', '\t', '\r', '\u{85}', '\u{ad}', '\u{200b}', '\u{202e}', '\u{2028}', '\u{feff}'] {
            assert_eq!(fault(&format!("a{hidden}b")), Some(NoteFault::Character), "{hidden:?}");
        }
        assert_eq!(fault(&"é".repeat(limits::INVITATION_NOTE_CHARS_MAX + 1)), Some(NoteFault::TooLong));
    }
}

//! The people on an invitee list: added, invited, seen and deleted (decisions S6, S10).

use std::collections::HashMap;

use uuid::Uuid;

use crate::base::{Timestamp, limits};
use crate::model::{Invitee, Mail, MailState};
use crate::operation::Failure;
use crate::services::Services;
use crate::store::{Invitation, InvitationLimits, InviteeAddition, Queue};

/// A person with a checked name and address (see [`super::read_lines`]).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewInvitee {
    pub name: String,
    pub email: Option<String>,
}

/// The results, in the order of the people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Added {
    pub name: String,
    pub outcome: InviteeAddition,
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
pub async fn listed(services: &Services, card_id: Uuid) -> Result<Vec<ListedInvitee>, Failure> {
    let mails = services.store.mails_of(card_id).await?;
    // Of one invitee the newest is kept: they are read oldest first.
    let mut last: HashMap<Uuid, Mail> = mails.into_iter().filter_map(|mail| Some((mail.invitee_id?, mail))).collect();
    let invitees = services.store.invitees_of(card_id).await?;
    let with_mail = |invitee: Invitee| ListedInvitee { invitation: last.remove(&invitee.id), invitee };
    Ok(invitees.into_iter().map(with_mail).collect())
}

/// Adds the people who are not on the list yet, up to the maximum.
pub async fn add(services: &Services, card_id: Uuid, people: Vec<NewInvitee>) -> Result<Vec<Added>, Failure> {
    let now = services.clock.now();
    let names: Vec<_> = people.iter().map(|person| person.name.clone()).collect();
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
    let outcomes = services.store.add_invitees(card_id, invitees, limits::INVITEES_MAX).await?;
    Ok(names.into_iter().zip(outcomes).map(|(name, outcome)| Added { name, outcome }).collect())
}

/// Queues a mail with the personal link, within the limits of its address, its card and its partner, so that the service cannot be used to send
/// spam.
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
            tracing::warn!(%card_id, max = limits.per_card, "a card has sent as many invitations today as it may");
        }
        Invitation::PartnerLimit { partner_id } => {
            let max = limits.per_partner;
            tracing::warn!(%card_id, %partner_id, max, "a partner has sent as many invitations today as it may");
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
        InviteeSelection::AddedBefore(moment) => {
            usize::try_from(services.store.invitees_before(moment).await?).unwrap_or_default()
        }
    })
}

/// Deletes the selected invitees with their personal links and queued mails, and returns their number. An interrupted
/// deletion can be repeated.
pub async fn delete(services: &Services, selection: InviteeSelection) -> Result<usize, Failure> {
    let moment = match selection {
        InviteeSelection::OfCard(card_id) => return Ok(services.store.delete_invitees_of(card_id).await?),
        InviteeSelection::AddedBefore(moment) => moment,
    };
    let (at_once, mut all) = (limits::INVITEES_DELETED_AT_ONCE, 0);
    loop {
        let deleted = services.store.delete_invitees_before(moment, at_once).await?;
        all += deleted;
        if i64::try_from(deleted).is_ok_and(|deleted| deleted < at_once) {
            return Ok(all);
        }
    }
}

//! The mails of a card: what becomes of each (decisions S10), and the limits on invitations (decisions S6).

use card_service::base::{Timestamp, limits};
use card_service::model::{CardStatus, Mail, MailKind, MailState, counted_address};
use card_service::store::Invitation;
use chrono::NaiveDate;
use uuid::Uuid;

use super::Model;
use crate::network::MailMood;
use crate::process::INVITATIONS_PER_PARTNER_AND_DAY;

/// What the worker does with a mail that is due.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Prepared {
    SendTo(String),
    /// The card is not online yet.
    Early(Timestamp),
    /// There is no recipient.
    Impossible,
}

impl Model {
    /// The mails that are due, with their card, earliest first.
    pub fn mails_due(&self, now: Timestamp) -> Vec<Mail> {
        let mails = self.cards.values().flat_map(|dossier| &dossier.mails);
        let mut due: Vec<Mail> =
            mails.filter(|mail| matches!(mail.state, MailState::Due(at) if at <= now)).cloned().collect();
        due.sort_by_key(|mail| match mail.state {
            MailState::Due(at) => at,
            _ => now,
        });
        due
    }

    pub fn prepared(&self, mail: &Mail, now: Timestamp) -> Prepared {
        let dossier = &self.cards[&mail.card_id];
        let is_online = dossier.card.status == CardStatus::Active;
        let is_waiting = now < mail.created_at.after(limits::ORDER_MAIL_WAITS);
        match mail.kind {
            MailKind::Order if !is_online && is_waiting => {
                return Prepared::Early(now.after(limits::ORDER_MAIL_CHECKED_EVERY));
            }
            MailKind::CardOnline | MailKind::Invitation if !is_online => {
                return Prepared::Early(now.after(limits::CARD_ONLINE_MAIL_CHECKED_EVERY));
            }
            _ => {}
        }
        let to = if dossier.card.test {
            self.account(dossier.card.partner_id).partner.test_address.clone()
        } else if mail.kind == MailKind::Invitation {
            let invited = dossier.invitees.iter().find(|invitee| Some(invitee.id) == mail.invitee_id);
            invited.and_then(|invitee| invitee.email.clone())
        } else {
            dossier.order.as_ref().and_then(|order| order.customer.as_ref()).map(|customer| customer.email.clone())
        };
        to.map_or(Prepared::Impossible, Prepared::SendTo)
    }

    /// Writes what becomes of a mail that was claimed; the mail that follows it is not known yet.
    pub fn mail_tried(&mut self, mail: &Mail, prepared: &Prepared, mood: MailMood, now: Timestamp) {
        let dossier = self.cards.get_mut(&mail.card_id).expect("a mail has a card");
        let follows = mail.kind == MailKind::Order && dossier.card.status != CardStatus::Active;
        let row = dossier.mails.iter_mut().find(|row| row.id == mail.id).expect("it was claimed");
        let attempts = row.attempts + 1;
        match (prepared, mood) {
            (Prepared::Early(at), _) => {
                row.state = MailState::Due(*at);
                return;
            }
            (Prepared::Impossible, _) => row.state = MailState::GivenUp(now),
            (Prepared::SendTo(_), MailMood::Accepts) => (row.state, row.answer) = (MailState::Sent(now), None),
            (Prepared::SendTo(_), MailMood::Refuses) => row.state = MailState::Refused(now),
            (Prepared::SendTo(_), MailMood::Busy) => {
                let wait = usize::try_from(attempts - 1).ok().and_then(|tried| limits::MAIL_RETRY_AFTER.get(tried));
                row.state = wait.map_or(MailState::GivenUp(now), |wait| MailState::Due(now.after(*wait)));
            }
        }
        row.attempts = attempts;
        if !matches!(row.state, MailState::Sent(_)) {
            return;
        }
        if let Some(invitee) = dossier.invitees.iter_mut().find(|invitee| Some(invitee.id) == mail.invitee_id) {
            invitee.mail_count += 1;
            invitee.last_mail_at = Some(now);
        }
        if follows {
            dossier.mails.push(Mail::card_online(Uuid::nil(), mail.card_id, now));
        }
    }

    /// Queues an invitation within its limits.
    pub fn invite(&mut self, card_id: Uuid, invitee_id: Uuid, now: Timestamp, today: NaiveDate) -> Invitation {
        let Some(dossier) = self.cards.get(&card_id) else { return Invitation::NotFound };
        let (partner_id, test) = (dossier.card.partner_id, dossier.card.test);
        let Some(invitee) = dossier.invitees.iter().find(|invitee| invitee.id == invitee_id) else {
            return Invitation::NotFound;
        };
        let Some(email) = &invitee.email else { return Invitation::NotFound };
        let address = counted_address(card_id, email);
        if let Some((sent, last)) = self.invited.get(&address) {
            if *sent >= limits::INVITATIONS_MAX {
                return Invitation::TooMany;
            }
            let again = last.after(limits::INVITATION_AGAIN_AFTER);
            if again > now {
                return Invitation::TooSoon(again);
            }
        }
        let on_day = |owner| (owner, test, today);
        if *self.invited_on.entry(on_day(partner_id)).or_default() >= INVITATIONS_PER_PARTNER_AND_DAY {
            return Invitation::PartnerLimit { partner_id };
        }
        *self.invited_on.entry(on_day(partner_id)).or_default() += 1;
        *self.invited_on.entry(on_day(card_id)).or_default() += 1;
        let count = self.invited.entry(address).or_insert((0, now));
        *count = (count.0 + 1, now);
        let dossier = self.cards.get_mut(&card_id).expect("it was there");
        dossier.mails.push(Mail::invitation(Uuid::nil(), card_id, invitee_id, now));
        Invitation::Queued
    }
}

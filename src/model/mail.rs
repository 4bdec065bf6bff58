//! Queued mails: their kind and card, without recipient and text (decisions S10).
//!
//! The queue holds no personal data: recipient and text are looked up when the mail is sent. The mails of an order go to the
//! card's contact as it is then, or to the address of the order if the contact has none; an invitation goes to the invitee.

use uuid::Uuid;

use crate::base::{Timestamp, text_enum};

/// The kind of a mail.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MailKind {
    /// To the family contact, when the card is ordered or gets another address: the links to the card and to the invitee list.
    Order,
    /// To the family contact, when the card is online, if the order mail was sent before that.
    CardOnline,
    /// To an invitee: the personal link to the card.
    Invitation,
}

text_enum!(MailKind { Order => "ORDER", CardOnline => "CARD_ONLINE", Invitation => "INVITATION" });

/// A queued mail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mail {
    pub id: Uuid,
    pub card_id: Uuid,
    pub kind: MailKind,
    /// Set for an invitation only.
    pub invitee_id: Option<Uuid>,
    pub created_at: Timestamp,
    /// The number of attempts that count, including a running one: those that asked the mail server for the recipient.
    pub attempts: i32,
    pub state: MailState,
    /// The response of the mail server to the last failed attempt, without the address; or why nothing could be sent.
    pub answer: Option<String>,
    /// Since when every attempt failed by a fault of the mail server or of our account there.
    pub blocked_since: Option<Timestamp>,
}

/// The state of a mail and when it began.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MailState {
    /// To be sent at this time. While a worker holds the mail: when its lease ends.
    Due(Timestamp),
    /// The mail server accepted it.
    Sent(Timestamp),
    /// The mail server refused it permanently.
    Refused(Timestamp),
    /// The last attempt failed, or there was no recipient.
    GivenUp(Timestamp),
}

/// The state of a mail without its time, as the operator reads it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MailStateKind {
    Queued,
    Sent,
    Refused,
    GivenUp,
}

text_enum!(MailStateKind { Queued => "QUEUED", Sent => "SENT", Refused => "REFUSED", GivenUp => "GIVEN_UP" });

impl MailState {
    /// When the state began; of a queued mail, when it is sent.
    pub const fn time(self) -> Timestamp {
        match self {
            MailState::Due(at) | MailState::Sent(at) | MailState::Refused(at) | MailState::GivenUp(at) => at,
        }
    }

    pub const fn kind(self) -> MailStateKind {
        match self {
            MailState::Due(_) => MailStateKind::Queued,
            MailState::Sent(_) => MailStateKind::Sent,
            MailState::Refused(_) => MailStateKind::Refused,
            MailState::GivenUp(_) => MailStateKind::GivenUp,
        }
    }
}

impl Mail {
    /// The mail of an order, due at once.
    pub fn order(id: Uuid, card_id: Uuid, now: Timestamp) -> Self {
        Self::new(id, card_id, MailKind::Order, None, now)
    }

    /// The same mail, due at another time.
    pub fn due_at(self, due: Timestamp) -> Self {
        Self { state: MailState::Due(due), ..self }
    }

    /// The mail with the address of the card, due at once; the worker holds it until the card is online.
    pub fn card_online(id: Uuid, card_id: Uuid, now: Timestamp) -> Self {
        Self::new(id, card_id, MailKind::CardOnline, None, now)
    }

    /// The mail with an invitee's personal link, due at once.
    pub fn invitation(id: Uuid, card_id: Uuid, invitee_id: Uuid, now: Timestamp) -> Self {
        Self::new(id, card_id, MailKind::Invitation, Some(invitee_id), now)
    }

    /// Another mail of the same kind, card and invitee, due at once.
    pub fn again(&self, id: Uuid, now: Timestamp) -> Self {
        Self::new(id, self.card_id, self.kind, self.invitee_id, now)
    }

    fn new(id: Uuid, card_id: Uuid, kind: MailKind, invitee_id: Option<Uuid>, now: Timestamp) -> Self {
        Self {
            id,
            card_id,
            kind,
            invitee_id,
            created_at: now,
            attempts: 0,
            state: MailState::Due(now),
            answer: None,
            blocked_since: None,
        }
    }
}

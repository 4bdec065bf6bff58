//! Mails that wait to be sent: what is to be told about which card, never to whom or in which words (decisions S10).
//!
//! A mail names its card and its invitee alone: the queue holds nothing personal. Address and text are looked up when it is
//! sent. The mails of an order go to the address of that order, whatever the card says since; an invitation goes to the
//! invitee as the list has it at that moment.

use uuid::Uuid;

use crate::base::{Timestamp, text_enum};

/// What a mail tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MailKind {
    /// To the address of the order, once the card is ordered: the links to the card and to the invitee list.
    Order,
    /// To the address of the order: the card is online, after an order mail that went out before it was.
    CardOnline,
    /// To an invitee: the personal link to the card.
    Invitation,
}

text_enum!(MailKind { Order => "ORDER", CardOnline => "CARD_ONLINE", Invitation => "INVITATION" });

/// A mail of the queue.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mail {
    pub id: Uuid,
    pub card_id: Uuid,
    pub kind: MailKind,
    /// There for an invitation, and for nothing else.
    pub invitee_id: Option<Uuid>,
    pub created_at: Timestamp,
    /// How often it was handed to the mail server, or will have been when the worker that holds it is done.
    pub attempts: i32,
    pub state: MailState,
    /// What the mail server said at the last attempt that failed, in its own words but for the address; or why nothing could be
    /// sent.
    pub answer: Option<String>,
}

/// Where a mail is on its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MailState {
    /// To be sent from this moment on. A worker that holds it has moved the moment to the end of its lease.
    Due(Timestamp),
    /// The mail server took it.
    Sent(Timestamp),
    /// The mail server refused it for good.
    Refused(Timestamp),
    /// Tried as often as it may be, or there was nobody to send it to.
    GivenUp(Timestamp),
}

impl MailState {
    /// For the operator.
    pub const fn as_str(self) -> &'static str {
        match self {
            MailState::Due(_) => "QUEUED",
            MailState::Sent(_) => "SENT",
            MailState::Refused(_) => "REFUSED",
            MailState::GivenUp(_) => "GIVEN_UP",
        }
    }
}

impl Mail {
    /// The mail that an order brings about, due at once.
    pub fn order(id: Uuid, card_id: Uuid, now: Timestamp) -> Self {
        Self::new(id, card_id, MailKind::Order, None, now)
    }

    /// The mail that says where the card is, due at once: it waits by itself until the card is online.
    pub fn card_online(id: Uuid, card_id: Uuid, now: Timestamp) -> Self {
        Self::new(id, card_id, MailKind::CardOnline, None, now)
    }

    /// The mail with an invitee's personal link, due at once.
    pub fn invitation(id: Uuid, card_id: Uuid, invitee_id: Uuid, now: Timestamp) -> Self {
        Self::new(id, card_id, MailKind::Invitation, Some(invitee_id), now)
    }

    fn new(id: Uuid, card_id: Uuid, kind: MailKind, invitee_id: Option<Uuid>, now: Timestamp) -> Self {
        Self { id, card_id, kind, invitee_id, created_at: now, attempts: 0, state: MailState::Due(now), answer: None }
    }
}

//! One-time links into the service's own pages (specification, section 2.7; decisions S1).

use uuid::Uuid;

use crate::base::{Timestamp, text_enum};

/// The environment a session link opens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SessionTarget {
    Customizer,
    InviteeList,
}

text_enum!(SessionTarget { Customizer => "CUSTOMIZER", InviteeList => "INVITEE_LIST" });

/// A link as it is stored: never the link itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionLink {
    /// SHA-256 of the unguessable part of the link.
    pub digest: [u8; 32],
    pub card_id: Uuid,
    pub target: SessionTarget,
    pub created_at: Timestamp,
    pub expires_at: Timestamp,
    pub used_at: Option<Timestamp>,
    /// The key that made it; unknown for those that are older than this record. It ends when that key is revoked.
    pub key_id: Option<Uuid>,
}

/// The lasting link to the invitee list that an order mail holds: never the link itself.
///
/// A mail is read again weeks later, so this link opens more than once, until it expires; each time it opens a session
/// of its own, which ends like any other (decisions S2).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InviteeListLink {
    /// SHA-256 of the unguessable part of the link.
    pub digest: [u8; 32],
    pub card_id: Uuid,
    pub created_at: Timestamp,
    pub expires_at: Timestamp,
}

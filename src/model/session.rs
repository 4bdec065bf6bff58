//! One-time links into the service's own pages (specification, section 2.7; decisions S1).

use uuid::Uuid;

use crate::base::{Timestamp, text_enum};

/// The pages that a session link opens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SessionTarget {
    Customizer,
    InviteeList,
}

text_enum!(SessionTarget { Customizer => "CUSTOMIZER", InviteeList => "INVITEE_LIST" });

/// A stored link, without its token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionLink {
    /// SHA-256 of the unguessable part of the link.
    pub digest: [u8; 32],
    pub card_id: Uuid,
    pub target: SessionTarget,
    pub created_at: Timestamp,
    pub expires_at: Timestamp,
    pub used_at: Option<Timestamp>,
    /// The key that created the link; `None` for links older than this column. The link ends when the key is revoked.
    pub key_id: Option<Uuid>,
}

/// The link to the invitee list in an order mail, without its token.
///
/// It opens more than once until it expires, because a mail is read again weeks later. Each time it opens a session of its
/// own (decisions S2).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InviteeListLink {
    /// SHA-256 of the unguessable part of the link.
    pub digest: [u8; 32],
    pub card_id: Uuid,
    pub created_at: Timestamp,
    pub expires_at: Timestamp,
}

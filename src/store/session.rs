//! What redeeming a session link finds (decisions S2).

use crate::model::{BrowserSession, SessionLink};

/// A session link that somebody opened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenedSession {
    /// As it is afterwards.
    pub session: SessionLink,
    /// Opened now; `None`: the link was used before, or has expired.
    pub browser_session: Option<BrowserSession>,
}

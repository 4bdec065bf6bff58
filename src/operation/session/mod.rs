//! Session links and browser sessions of the service's own pages (specification, section 2.7; decisions S1, S2).

mod create;
mod open_sessions;
mod redeem;

pub(crate) use create::{CreatedSession, create};
pub(crate) use open_sessions::{list_open, revoke};
pub(super) use redeem::digest;
pub(crate) use redeem::{LinkState, Redeemed, browser_session, link_state, redeem};

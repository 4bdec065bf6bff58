//! `/gasten/…`: the invitee list, where the family adds people, invites them, and sees who has seen the card (decisions S6).
//!
//! `serve` routes its requests, `page` renders the list, and `act` handles its forms.

mod act;
mod page;
mod serve;

pub(super) use serve::{open, serve};

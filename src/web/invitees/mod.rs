//! `/gasten/…`: the invitee list, where the family adds people, invites them, and sees who has seen the card (decisions S6).
//!
//! `serve` routes its requests, `page` renders the list with the `people` on it, and `act` handles its forms.

mod act;
mod page;
mod people;
mod serve;

pub(super) use serve::{open, serve};

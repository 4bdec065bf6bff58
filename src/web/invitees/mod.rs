//! `/gasten/…`: the invitee list, where the family adds people, invites them, and sees who has seen the card (decisions S6).
//!
//! `serve` routes its requests, `page` renders the list with the `people` on it, `act` handles its forms, and `note` is the
//! note in the invitations.

mod act;
mod note;
mod page;
mod people;
mod serve;

pub(super) use serve::{open, serve};

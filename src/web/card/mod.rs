//! The card itself: as the family previews it, and as everybody sees it once it is online (decisions S7).
//!
//! - [`view::CardView`] is what a card shows, looked up; `page.rs` renders it: [`render`] is called by the public page and
//!   by the customizer's preview alike.
//! - `look.rs` gives each shipped theme its style sheet.
//! - `serve.rs` answers `/kaart/…`: the public address, and an invitee's personal link.

mod look;
mod page;
pub(super) mod serve;
mod view;

pub(super) use page::{Frame, render};
pub(super) use view::CardView;

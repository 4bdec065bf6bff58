//! The invitee list of a card: who is on it, who has seen the card, who is sent a link (specification, section 2.7;
//! decisions S6).
//!
//! Called by the pages of the invitee list and of the public card, and by the mail worker.

mod add;
mod invite;
mod list_link;
mod paste;
mod purge;
mod seen;

pub use add::{Added, NewInvitee, add};
pub use invite::invite;
pub use list_link::{ListLink, OpenedListLink, list_link, open_list_link};
pub use paste::{LineProblem, PastedLine, is_email, read_lines};
pub use purge::{Purge, count, purge};
pub use seen::note_seen;

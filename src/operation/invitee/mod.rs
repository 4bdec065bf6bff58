//! The invitee list of a card (specification, section 2.7; decisions S6).

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

//! The invitee list of a card (specification, section 2.7; decisions S6).

mod list_link;
mod note;
mod paste;
mod people;

pub use list_link::{ListLink, OpenedListLink, list_link, list_link_until, open_list, open_list_link};
pub use note::{NoteChange, NoteFault, change_note};
pub use paste::{LineProblem, PastedLine, is_email, read_lines};
pub use people::{Added, InviteeSelection, ListedInvitee, NewInvitee, add, count, delete, invite, listed, note_seen};

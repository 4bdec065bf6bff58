//! The note of the family in its invitations: its form on the list, and what the form does.

use http::StatusCode;
use maud::{Markup, html};

use super::page::{Message, Shown, back, show};
use crate::base::{Timestamp, limits};
use crate::model::InvitationNote;
use crate::operation::invitee::{self, NoteChange, NoteFault};
use crate::web::context::PageContext;
use crate::web::form::{Form, shorten};
use crate::web::page::Outcome;
use crate::web::session_guard::SessionUser;
use crate::web::text::invitees as text;

/// The fields of the form: the note, and when the note that the page showed was changed.
pub(super) const NOTE: &str = "bericht";
const SEEN: &str = "gezien";

/// A note that was not stored.
pub(super) struct UnsavedNote {
    note: String,
    /// Why it is refused; `None` if another person has changed the note.
    fault: Option<NoteFault>,
}

/// Stores the note of a form, or shows the form again.
pub(super) async fn change(context: &PageContext, user: &SessionUser, form: &Form) -> Outcome {
    let note = form.text(NOTE);
    let seen = form.text(SEEN).parse().ok().and_then(Timestamp::from_millis);
    let (status, fault) = match invitee::change_note(&context.services, user.card.id, note, seen).await? {
        NoteChange::Stored if note.is_empty() => return Ok(back(context, user, Message::NoteDeleted)),
        NoteChange::Stored => return Ok(back(context, user, Message::NoteStored)),
        NoteChange::Overtaken => (StatusCode::CONFLICT, None),
        NoteChange::Refused(fault) => (StatusCode::UNPROCESSABLE_ENTITY, Some(fault)),
    };
    let shown = Shown { note: Some(UnsavedNote { note: note.to_owned(), fault }), ..Shown::default() };
    show(context, user, status, shown).await
}

/// The form, which is collapsed until it is needed.
pub(super) fn form(
    user: &SessionUser,
    list: &str,
    stored: Option<&InvitationNote>,
    unsaved: Option<&UnsavedNote>,
) -> Markup {
    let shown = unsaved.map_or_else(|| stored.map_or("", |stored| &stored.note), |unsaved| &unsaved.note);
    let problem = unsaved.map(|unsaved| unsaved.fault.map_or_else(|| text::NOTE_OVERTAKEN.to_owned(), fault_text));
    let described = if problem.is_some() { "bericht-fout bericht-hulp" } else { "bericht-hulp" };
    html! {
        details.many open[unsaved.is_some()] {
            summary { (text::NOTE_TITLE) @if stored.is_some() { " " span.chip.seen { (text::NOTE_THERE) } } }
            form.fields method="post" action={ (list) "/" (NOTE) } {
                (user.token_field())
                @if let Some(stored) = stored { input type="hidden" name=(SEEN) value=(stored.changed_at.millis()); }
                @if let (Some(UnsavedNote { fault: None, .. }), Some(stored)) = (unsaved, stored) {
                    p.hint { (text::NOTE_NOW) }
                    blockquote dir="auto" { (stored.note) }
                }
                p {
                    label for=(NOTE) { (text::NOTE_LABEL) }
                    // Browsers drop the first line break after the tag, so one is added.
                    textarea id=(NOTE) name=(NOTE) rows="6" dir="auto" autocomplete="off"
                        data-chars-max=(limits::INVITATION_NOTE_CHARS_MAX)
                        data-chars-left=(text::NOTE_LEFT) data-chars-over=(text::NOTE_OVER)
                        aria-invalid=[problem.as_ref().map(|_| "true")] aria-describedby=(described) {
                        "\n" (shorten(shown, limits::REFUSED_TEXT_CHARS_SHOWN_MAX))
                    }
                }
                @if let Some(problem) = problem { p.problem id="bericht-fout" { (problem) } }
                p.hint id="bericht-hulp" { (text::note_hint()) }
                p { button { (text::SAVE) } }
            }
        }
    }
}

fn fault_text(fault: NoteFault) -> String {
    match fault {
        NoteFault::TooLong => text::note_too_long(),
        NoteFault::Character => text::NOTE_CHARACTER.to_owned(),
        NoteFault::HttpUrl => text::NOTE_WEB_ADDRESS.to_owned(),
    }
}

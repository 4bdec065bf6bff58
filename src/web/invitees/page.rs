//! The page of the invitee list, the messages that its forms lead to, and the note of the family in its invitations.

use chrono::Days;
use http::StatusCode;
use http::header::SET_COOKIE;
use maud::{Markup, html};
use uuid::Uuid;

use super::people::{invite_all, people, search};
use crate::base::{Timestamp, limits, text_enum};
use crate::model::{InvitationNote, MailState, SessionTarget, Visibility, path};
use crate::operation::invitee::{self, ListedInvitee, NoteChange, NoteFault};
use crate::request::RequestHead;
use crate::response::{self, Response, ResponseExt as _};
use crate::text::date;
use crate::text::invitees as text;
use crate::web::context::PageContext;
use crate::web::field::{Errors, TextArea, TextField, is_ticked, tick_box};
use crate::web::form::Form;
use crate::web::last_save::{self, SavedBy};
use crate::web::page::{self, Outcome};
use crate::web::session_guard::SessionUser;

/// The list as it is stored.
struct List {
    /// Those who have not seen the card first, each by name.
    invitees: Vec<ListedInvitee>,
    note: Option<InvitationNote>,
    /// When the last link in a mail stops working.
    link_until: Option<Timestamp>,
}

/// What the page shows besides the list.
#[derive(Default)]
pub(super) struct Shown {
    pub message: Option<Message>,
    /// When a refused action can be repeated.
    pub again: Option<Timestamp>,
    /// From 1.
    pub page: usize,
    /// The text that the list is searched for.
    pub query: String,
    pub errors: Errors,
    pub one: Option<One>,
    /// How many people of a pasted list were added.
    pub added: Option<usize>,
    /// The pasted text that was not read, and why.
    pub pasted: String,
    pub problem: Option<&'static str>,
    pub note: Option<UnsavedNote>,
}

/// The input for an invitee who was not added or changed.
#[derive(Default)]
pub(super) struct One {
    pub name: String,
    pub email: String,
}

impl One {
    /// The address, if one was filled in.
    pub(super) fn address(&self) -> Option<String> {
        Some(self.email.clone()).filter(|email| !email.is_empty())
    }
}

/// Responds with the list and what `shown` adds to it.
pub(super) async fn show(context: &PageContext, user: &SessionUser, status: StatusCode, shown: Shown) -> Outcome {
    let mut invitees = invitee::list(&context.services, user.card.id).await?;
    let has_seen = |listed: &ListedInvitee| listed.invitee.seen_at.is_some();
    invitees.sort_by_cached_key(|listed| (has_seen(listed), listed.invitee.name.to_lowercase()));
    let list = List {
        invitees,
        note: context.services.store.invitation_note(user.card.id).await?,
        link_until: invitee::list_link_until(&context.services, user.card.id).await?,
    };
    Ok(render(context, user, status, &list, &shown))
}

/// Redirects to the list with a message.
pub(super) fn back(context: &PageContext, user: &SessionUser, message: Message) -> Response {
    let list = context.path(&path::environment(user.card.id, SessionTarget::InviteeList));
    response::see_other(&format!("{list}?melding={}", message.as_str()))
}

/// Redirects to the list with a message that holds a time.
pub(super) fn back_until(context: &PageContext, user: &SessionUser, message: Message, again: Timestamp) -> Response {
    let list = context.path(&path::environment(user.card.id, SessionTarget::InviteeList));
    response::see_other(&format!("{list}?melding={}&om={}", message.as_str(), again.millis()))
}

/// A message about the last form, carried in the query of the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Message {
    Added,
    Changed,
    Removed,
    NoteStored,
    NoteDeleted,
    Invited,
    InvitedAll,
    NoneToInvite,
    TooSoon,
    TooMany,
    CardLimit,
    PartnerLimit,
    Gone,
    NotOnline,
}

text_enum!(Message {
    Added => "toegevoegd",
    Changed => "gewijzigd",
    Removed => "verwijderd",
    NoteStored => "bericht-opgeslagen",
    NoteDeleted => "bericht-weg",
    Invited => "uitgenodigd",
    InvitedAll => "allen-uitgenodigd",
    NoneToInvite => "niemand",
    TooSoon => "te-snel",
    TooMany => "te-vaak",
    CardLimit => "vandaag-genoeg",
    PartnerLimit => "vandaag-vol",
    Gone => "weg",
    NotOnline => "niet-online",
});

fn render(context: &PageContext, user: &SessionUser, status: StatusCode, stored: &List, shown: &Shown) -> Response {
    let (card, invitees) = (&user.card, &stored.invitees);
    let seen = invitees.iter().filter(|listed| listed.invitee.seen_at.is_some()).count();
    let list = context.path(&path::environment(card.id, SessionTarget::InviteeList));
    let main = html! {
        (user.notice())
        h1 { (text::TITLE) }
        @if let Some(name) = card.deceased.full_name() { p.subject { (text::card_of(&name)) } }
        (shown.errors.summary())
        @if let Some(message) = shown.message { (message_box(context, message, shown.again, invitees)) }
        @if let Some(added) = shown.added { p.said.not[added == 0] role="status" { (text::added(added)) } }
        @if let Some(problem) = shown.problem { p.said.not role="status" { (problem) } }
        @if card.test { p.hint { (text::TEST) } }
        @if card.slug.is_none() { p { (text::NOT_ONLINE) } }
        @if !invitees.is_empty() {
            p #genodigden { (text::counted(invitees.len(), seen)) }
            (invite_all(user, &list, invitees))
        }
        @if user.may_change() {
            (add_one(user, &list, shown.one.as_ref(), invitees.is_empty(), &shown.errors))
            (add_many(user, &list, shown))
            (note_form(context, user, &list, stored.note.as_ref(), shown))
        }
        h2 { (text::LIST_TITLE) }
        @if invitees.is_empty() {
            p { (text::EMPTY) }
        } @else {
            (search(&list, invitees.len(), &shown.query))
            (people(context, user, &list, invitees, shown.page, &shown.query))
            p.hint { (text::ABOUT_SEEN) }
        }
        @if let Some(slug) = &card.slug {
            p.hint {
                (if card.visibility == Visibility::Invitation { text::ABOUT_INVITATION } else { text::ABOUT_OPEN }) " "
                a href=(context.local(&context.services.card_address(slug))) { (text::VIEW_CARD) }
            }
        }
        @if let Some(until) = stored.link_until {
            p.hint { (text::link_until(&date::day(until), user.partner.shown_name())) }
        }
    };
    page::show(context, &user.partner, status, &shown.errors.mark(text::TITLE), main)
}

fn message_box(
    context: &PageContext,
    message: Message,
    again: Option<Timestamp>,
    invitees: &[ListedInvitee],
) -> Markup {
    let due = |listed: &&ListedInvitee| {
        listed.invitation.as_ref().is_some_and(|mail| matches!(mail.state, MailState::Due(_)))
    };
    let tomorrow = || date::in_full(context.services.clock.today() + Days::new(1));
    let (words, is_done) = match message {
        Message::Added => (text::DONE_ADDED.to_owned(), true),
        Message::Changed => (text::DONE_CHANGED.to_owned(), true),
        Message::Removed => (text::DONE_REMOVED.to_owned(), true),
        Message::NoteStored => (text::NOTE_STORED.to_owned(), true),
        Message::NoteDeleted => (text::NOTE_DELETED.to_owned(), true),
        Message::Invited => (text::DONE_INVITED.to_owned(), true),
        Message::InvitedAll => (text::invited_all(invitees.iter().filter(due).count()), true),
        Message::NoneToInvite => (text::NONE_TO_INVITE.to_owned(), false),
        Message::TooSoon => (text::too_soon(again.map(date::with_time).as_deref()), false),
        Message::TooMany => (text::too_many(), false),
        Message::CardLimit => (text::card_limit(&tomorrow()), false),
        Message::PartnerLimit => (text::partner_limit(&tomorrow()), false),
        Message::Gone => (text::GONE.to_owned(), false),
        Message::NotOnline => (text::STILL_NOT_ONLINE.to_owned(), false),
    };
    html! { p.said.not[!is_done] role="status" { (words) } }
}

/// The form is collapsed while there are people and nothing is wrong with it.
fn add_one(user: &SessionUser, list: &str, one: Option<&One>, is_first: bool, errors: &Errors) -> Markup {
    html! {
        details.many open[is_first || one.is_some()] {
            summary { (text::ADD_TITLE) }
            form method="post" action={ (list) "/toevoegen" } novalidate {
                (user.token_field())
                (fields(one.unwrap_or(&One::default()), errors))
                p { button { (text::ADD) } }
            }
        }
    }
}

/// The fields of one invitee.
fn fields(one: &One, errors: &Errors) -> Markup {
    let (label, hint) = (text::EMAIL, Some(text::EMAIL_HINT));
    html! {
        (TextField { name: NAME, label: text::NAME, hint: None, value: &one.name, kind: "text", autocomplete: "off" }.show(errors))
        (TextField { name: EMAIL, label, hint, value: &one.email, kind: "email", autocomplete: "off" }.show(errors))
    }
}

/// Responds with the page that changes an invitee.
pub(super) fn show_change(context: &PageContext, user: &SessionUser, id: Uuid, one: &One, errors: &Errors) -> Response {
    let list = context.path(&path::environment(user.card.id, SessionTarget::InviteeList));
    let main = html! {
        (user.notice())
        h1 { (text::CHANGE_TITLE) }
        (errors.summary())
        p { (text::ABOUT_CHANGE) }
        form method="post" action={ (list) "/wijzigen" } novalidate {
            (user.token_field())
            input type="hidden" name="wie" value=(id);
            (fields(one, errors))
            div.actions {
                @if user.may_change() { button { (text::SAVE) } }
                a.button.quiet href=(list) { (text::TO_LIST) }
            }
        }
    };
    page::show(context, &user.partner, errors.status(), &errors.mark(text::CHANGE_TITLE), main)
}

fn add_many(user: &SessionUser, list: &str, shown: &Shown) -> Markup {
    let (label, hint, placeholder) = (text::MANY_LABEL, text::MANY_HINT, Some(text::MANY_EXAMPLE));
    html! {
        details.many open[shown.problem.is_some()] {
            summary { (text::MANY_TITLE) }
            form method="post" action={ (list) "/plakken" } novalidate {
                (user.token_field())
                (TextArea { name: MANY, label, hint, value: &shown.pasted, placeholder, ..TextArea::default() }.show(&Errors::default()))
                p { button { (text::READ_MANY) } }
            }
        }
    }
}

/// The fields of the forms. The note has the tick that lets invitees answer, and when the note that the page showed was changed.
pub(super) const NAME: &str = "naam";
pub(super) const EMAIL: &str = "email";
pub(super) const MANY: &str = "lijst";
pub(super) const NOTE: &str = "bericht";
const ANSWERS: &str = "antwoorden";
const SEEN: &str = "gezien";

/// A note that was not stored.
pub(super) struct UnsavedNote {
    note: String,
    answers: bool,
    /// Whether the note was changed meanwhile.
    is_overtaken: bool,
    /// The id of its form.
    form_id: Markup,
}

/// Stores the note of a form, or shows the form again.
pub(super) async fn change_note(
    context: &PageContext,
    head: &RequestHead<'_>,
    user: &SessionUser,
    form: &Form,
) -> Outcome {
    let (services, card_id) = (&context.services, user.card.id);
    let (note, answers) = (form.text(NOTE), is_ticked(form, ANSWERS));
    let seen = form.text(SEEN).parse().ok().and_then(Timestamp::from_millis);
    let mut change = invitee::change_note(services, card_id, note, answers, seen).await?;
    let mut saved_by = SavedBy::SomebodyElse;
    if change == NoteChange::Overtaken {
        let stored = services.store.invitation_note(card_id).await?;
        saved_by = SavedBy::find(head, form, &version_of(stored.as_ref()));
        if saved_by == SavedBy::ThisForm {
            change = invitee::change_note(services, card_id, note, answers, stored.map(|note| note.changed_at)).await?;
        }
    }
    let (status, fault) = match change {
        NoteChange::Stored => {
            let version = version_of(services.store.invitation_note(card_id).await?.as_ref());
            let cookie = last_save::cookie(context, &context.path(head.parts.uri.path()), form, &version);
            let message = if note.is_empty() { Message::NoteDeleted } else { Message::NoteStored };
            return Ok(back(context, user, message).with(SET_COOKIE, cookie));
        }
        NoteChange::Overtaken if saved_by == SavedBy::ThisBrowser => {
            (StatusCode::CONFLICT, text::NOTE_OVERTAKEN_BY_YOU.to_owned())
        }
        NoteChange::Overtaken => (StatusCode::CONFLICT, text::NOTE_OVERTAKEN.to_owned()),
        NoteChange::Refused(fault) => (StatusCode::UNPROCESSABLE_ENTITY, fault_text(fault)),
    };
    let form_id = last_save::id_field(context, Some(form));
    let is_overtaken = status == StatusCode::CONFLICT;
    let unsaved = UnsavedNote { note: note.to_owned(), answers, is_overtaken, form_id };
    let shown = Shown { errors: Errors::of_field(NOTE, fault), note: Some(unsaved), ..Shown::default() };
    show(context, user, status, shown).await
}

/// When the note was changed, in milliseconds; empty without a note.
fn version_of(note: Option<&InvitationNote>) -> String {
    note.map_or_else(String::new, |note| note.changed_at.millis().to_string())
}

/// The form, which is collapsed until it is needed.
fn note_form(
    context: &PageContext,
    user: &SessionUser,
    list: &str,
    stored: Option<&InvitationNote>,
    shown: &Shown,
) -> Markup {
    let unsaved = shown.note.as_ref();
    let value = unsaved.map_or_else(|| stored.map_or("", |stored| &stored.note), |unsaved| &unsaved.note);
    let answers = unsaved.map_or_else(|| stored.is_some_and(|stored| stored.answers), |unsaved| unsaved.answers);
    let counted = Some((limits::INVITATION_NOTE_CHARS_MAX, text::NOTE_LEFT, text::NOTE_OVER));
    let note =
        TextArea { name: NOTE, label: text::NOTE_LABEL, hint: &text::note_hint(), value, counted, placeholder: None };
    html! {
        details.many open[unsaved.is_some()] {
            summary { (text::NOTE_TITLE) @if stored.is_some() { " " span.chip.seen { (text::NOTE_THERE) } } }
            form method="post" action={ (list) "/" (NOTE) } novalidate {
                (user.token_field())
                @match unsaved { Some(unsaved) => (unsaved.form_id), None => (last_save::id_field(context, None)) }
                input type="hidden" name=(SEEN) value=(version_of(stored)) autocomplete="off";
                @if let Some(stored) = stored {
                    @if unsaved.is_some_and(|unsaved| unsaved.is_overtaken) {
                        p.hint { (text::NOTE_NOW) }
                        blockquote dir="auto" { (stored.note) }
                    }
                }
                (note.show(&shown.errors))
                @if let Some(email) = &user.card.family_contact.email {
                    (tick_box(ANSWERS, &text::answers(email), answers, &shown.errors))
                }
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

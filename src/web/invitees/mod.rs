//! `/gasten/…`: the invitee list, where the family adds people, invites them, and sees who has seen the card (decisions S6): routes the
//! requests and handles the forms. `page` renders the list, with the `people` on it, and `pasted` checks a
//! list that was pasted.

mod page;
mod pasted;
mod people;

use http::header::{RETRY_AFTER, SET_COOKIE};
use http::{HeaderValue, Method, StatusCode};
use uuid::Uuid;

use self::page::{EMAIL, MANY, Message, NAME, NOTE, One, Shown, back, back_until, show, show_change};
use self::pasted::CHECK;
use self::people::SEARCH;
use super::context::PageContext;
use super::error_pages;
use super::field::{Errors, shorten};
use super::form::{Body, Form};
use super::page::Outcome;
use super::session_guard::{self, SessionUser, admit, admit_form, card_and_partner, refresh_link};
use crate::base::{Timestamp, email_address, limits, trim_invisible};
use crate::model::{CardStatus, SessionTarget, clean_name, has_web_address, messages as partner_text, path};
use crate::operation::invitee::{self, NewInvitee, OpenedListLink};
use crate::request::RequestHead;
use crate::response::{self, Response, ResponseExt as _};
use crate::store::{Invitation, InviteeAddition, InviteeChange};
use crate::text::invitees as text;

const TARGET: SessionTarget = SessionTarget::InviteeList;

/// `/gasten/<card>[/<action>]`: shows the list, or handles one of its forms.
pub(in crate::web) async fn serve(
    context: &PageContext,
    head: &RequestHead<'_>,
    body: Body<'_>,
    card_id: Uuid,
    action: &str,
) -> Outcome {
    match (head.is_read(), action) {
        (true, "") => {
            let user = admit(context, head, card_id, TARGET).await?;
            let shown = Shown {
                message: head.parameter("melding").and_then(|code| Message::parse(&code)),
                again: head.parameter("om").and_then(|ms| ms.parse().ok()).and_then(Timestamp::from_millis),
                query: head
                    .parameter(SEARCH)
                    .map(|query| shorten(query.trim(), limits::NAME_CHARS_MAX).to_owned())
                    .unwrap_or_default(),
                page: head.parameter("pagina").and_then(|number| number.parse().ok()).unwrap_or(1),
                ..Shown::default()
            };
            show(context, &user, StatusCode::OK, shown).await
        }
        (true, "wijzigen") => {
            let user = admit(context, head, card_id, TARGET).await?;
            let id = head.parameter("wie").and_then(|id| Uuid::try_parse(&id).ok());
            let invitee = match id {
                Some(id) => context.services.store.invitee(card_id, id).await?,
                None => None,
            };
            let Some(invitee) = invitee else { return Ok(back(context, &user, Message::Gone)) };
            let one = One { name: invitee.name, email: invitee.email.unwrap_or_default() };
            Ok(show_change(context, &user, invitee.id, &one, &Errors::default()))
        }
        (false, "toevoegen" | "wijzigen" | "plakken" | CHECK | "lijst" | NOTE) if *head.method() == Method::POST => {
            let (user, form) = admit_form(context, head, body, card_id, TARGET, input_of).await?;
            match action {
                "toevoegen" => add_one(context, &user, &form).await,
                "wijzigen" => change_one(context, &user, &form).await,
                "plakken" => pasted::check(context, &user, &form).await,
                CHECK => pasted::add(context, &user, &form).await,
                NOTE => page::change_note(context, head, &user, &form).await,
                _ => handle_list(context, &user, &form).await,
            }
        }
        (true, "toevoegen" | "plakken" | CHECK | "lijst" | NOTE) => {
            // A reload of the page that a form led to.
            Ok(response::see_other(&context.path(&path::environment(card_id, TARGET))))
        }
        (false, "") => Ok(error_pages::method_not_allowed(context, "GET, HEAD")),
        _ => Ok(error_pages::not_found(context)),
    }
}

/// Returns the input of a form with its labels.
fn input_of(form: &Form) -> Vec<(&'static str, String)> {
    let fields = [(text::NAME, NAME), (text::EMAIL, EMAIL), (text::MANY_LABEL, MANY), (text::NOTE_TITLE, NOTE)];
    let typed = fields.map(|(label, name)| (label, form.text(name).to_owned()));
    typed.into_iter().chain([(text::MANY_LABEL, pasted::lines_of(form))]).collect()
}

/// `/gasten/open/<token>`: opens a browser session by the lasting link of an order mail (see
/// `operation/invitee/mod.rs`). The link works many times, so a mail scanner that opens it first does no harm.
pub(in crate::web) async fn open(context: &PageContext, head: &RequestHead<'_>, token: &str) -> Outcome {
    match *head.method() {
        Method::GET if head.is_prefetch() => {
            let later = response::empty(StatusCode::SERVICE_UNAVAILABLE);
            return Ok(later.with(RETRY_AFTER, HeaderValue::from_static("0")));
        }
        Method::GET => {}
        Method::HEAD => return Ok(response::empty(StatusCode::OK)),
        _ => return Ok(error_pages::method_not_allowed(context, "GET, HEAD")),
    }
    match invitee::open_list_link(&context.services, token).await? {
        OpenedListLink::Opened { browser_session, cookie } => {
            let environment =
                response::see_other(&context.path(&path::environment(browser_session.card_id, browser_session.target)));
            Ok(environment.with(
                SET_COOKIE,
                session_guard::set_cookie(context, browser_session.card_id, browser_session.target, &cookie),
            ))
        }
        OpenedListLink::Expired(link) => {
            let partner = card_and_partner(context, link.card_id).await?.map(|(_, partner)| partner);
            let refresh = partner.as_ref().and_then(|partner| refresh_link(partner, link.card_id, TARGET));
            Ok(error_pages::expired(context, partner.as_ref(), text::LINK_EXPIRED_TITLE, text::LINK_EXPIRED, refresh)
                .with_code("LIST_LINK_EXPIRED"))
        }
        OpenedListLink::Unknown => Ok(error_pages::unknown_link(context)),
    }
}

/// Returns the name and the optional mail address of a form, and what is wrong with them.
fn read_one(form: &Form) -> (One, Errors) {
    let one = One { name: clean_name(form.text(NAME)), email: trim_invisible(form.text(EMAIL)).to_owned() };
    let mut errors = Errors::default();
    match one.name.chars().count() {
        0 => errors.add(NAME, text::NAME_BLANK),
        count if count > limits::NAME_CHARS_MAX => errors.add(NAME, text::name_too_long()),
        _ if has_web_address(&one.name) => errors.add(NAME, partner_text::NAME_WEB_ADDRESS),
        _ => {}
    }
    if !one.email.is_empty() && email_address::parse(&one.email).is_none() {
        errors.add(EMAIL, text::EMAIL_INVALID);
    }
    (one, errors)
}

/// Adds one invitee, with a name and an optional mail address.
pub(super) async fn add_one(context: &PageContext, user: &SessionUser, form: &Form) -> Outcome {
    let (one, mut errors) = read_one(form);
    if errors.is_empty() {
        let person = NewInvitee { name: one.name.clone(), email: one.address() };
        let added = invitee::add(&context.services, user.card.id, vec![person]).await?;
        match added.first() {
            Some(InviteeAddition::Duplicate) => errors.add(EMAIL, text::ALREADY_LISTED),
            Some(InviteeAddition::Full) => errors.add(NAME, text::list_full()),
            Some(InviteeAddition::Added) | None => return Ok(back(context, user, Message::Added)),
        }
    }
    let shown = Shown { one: Some(one), errors, ..Shown::default() };
    show(context, user, StatusCode::UNPROCESSABLE_ENTITY, shown).await
}

/// Changes the name and the mail address of an invitee.
async fn change_one(context: &PageContext, user: &SessionUser, form: &Form) -> Outcome {
    let (one, mut errors) = read_one(form);
    let Ok(id) = Uuid::try_parse(form.text("wie")) else { return Ok(back(context, user, Message::Gone)) };
    if errors.is_empty() {
        let (name, email) = (one.name.clone(), one.address());
        match context.services.store.change_invitee(user.card.id, id, name, email).await? {
            InviteeChange::Changed => return Ok(back(context, user, Message::Changed)),
            InviteeChange::NotFound => return Ok(back(context, user, Message::Gone)),
            InviteeChange::Duplicate => errors.add(EMAIL, text::ALREADY_LISTED),
        }
    }
    Ok(show_change(context, user, id, &one, &errors))
}

/// Handles the buttons on the list. The value of the pressed button is the invitee.
async fn handle_list(context: &PageContext, user: &SessionUser, form: &Form) -> Outcome {
    let whom = |field: &str| Uuid::try_parse(form.text(field)).ok();
    if form.has("verwijderen") {
        let removed = match whom("verwijderen") {
            Some(id) => context.services.store.delete_invitee(user.card.id, id).await?,
            None => false,
        };
        return Ok(back(context, user, if removed { Message::Removed } else { Message::Gone }));
    }
    if user.card.status != CardStatus::Active {
        return Ok(back(context, user, Message::NotOnline));
    }
    if form.has("allen") {
        return invite_all(context, user).await;
    }
    let outcome = match whom("uitnodigen") {
        Some(id) => invitee::invite(&context.services, user.card.id, id).await?,
        None => Invitation::NotFound,
    };
    Ok(after_invitation(context, user, outcome))
}

/// Invites everyone who has a mail address and no invitation, within the limits of the day.
async fn invite_all(context: &PageContext, user: &SessionUser) -> Outcome {
    let (mut queued, mut refused) = (0, None);
    let listed = invitee::list(&context.services, user.card.id).await?;
    for person in listed.iter().filter(|person| person.is_uninvited()) {
        match invitee::invite(&context.services, user.card.id, person.invitee.id).await? {
            Invitation::Queued => queued += 1,
            // The limit of the day holds for all others too.
            limit @ (Invitation::CardLimit | Invitation::PartnerLimit { .. }) => {
                return Ok(after_invitation(context, user, limit));
            }
            other => refused = refused.or(Some(other)),
        }
    }
    Ok(match refused {
        _ if queued > 0 => back(context, user, Message::InvitedAll),
        Some(refused) => after_invitation(context, user, refused),
        None => back(context, user, Message::NoneToInvite),
    })
}

/// Redirects to the list with the outcome of an invitation.
fn after_invitation(context: &PageContext, user: &SessionUser, outcome: Invitation) -> Response {
    match outcome {
        Invitation::Queued => back(context, user, Message::Invited),
        Invitation::TooSoon(again) => back_until(context, user, Message::TooSoon, again),
        Invitation::TooMany => back(context, user, Message::TooMany),
        Invitation::CardLimit => back(context, user, Message::CardLimit),
        Invitation::PartnerLimit { .. } => back(context, user, Message::PartnerLimit),
        Invitation::NotFound => back(context, user, Message::Gone),
    }
}

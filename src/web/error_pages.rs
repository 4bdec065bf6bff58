//! Error pages: each says what happened and what to do (decisions S2 to S4 and section 8).
//!
//! A form that is refused gets its input back, which is stored nowhere, with a button that sends it again. Input is shown only if a page
//! of the service sent it, so that no other site puts words on these pages.

use std::time::Duration;

use http::header::{ALLOW, RETRY_AFTER};
use http::{HeaderValue, StatusCode};
use maud::{Markup, html};

use super::context::PageContext;
use super::form::Form;
use super::{page, session_guard};
use crate::base::limits;
use crate::model::Partner;
use crate::request::RequestHead;
use crate::response::{Response, ResponseExt as _};
use crate::text::error_pages as text;

/// Makes a page whose text says both what happened and what to do.
pub(super) fn page(
    context: &PageContext,
    partner: Option<&Partner>,
    status: StatusCode,
    title: &str,
    story: &str,
) -> Response {
    error_page(context, partner, status, title, story, html! {})
}

/// The page for an invitee list link that has expired.
pub(super) fn expired(
    context: &PageContext,
    partner: Option<&Partner>,
    title: &str,
    story: &str,
    refresh: Option<String>,
) -> Response {
    error_page(context, partner, StatusCode::GONE, title, story, new_link(refresh.as_deref(), false))
}

/// Makes a page of a title, what happened, and what to do.
/// `partner` is the partner of the card, if it is known.
pub(super) fn error_page(
    context: &PageContext,
    partner: Option<&Partner>,
    status: StatusCode,
    title: &str,
    story: &str,
    way_out: Markup,
) -> Response {
    let main = html! {
        h1 { (title) }
        p { (story) }
        (way_out)
    };
    page::show_public(context, partner, status, title, main)
}

pub(super) fn not_found(context: &PageContext) -> Response {
    error_page(context, None, StatusCode::NOT_FOUND, text::NOT_FOUND_TITLE, text::NOT_FOUND, html! {})
}

pub(super) fn method_not_allowed(context: &PageContext, allowed: &'static str) -> Response {
    let answer =
        error_page(context, None, StatusCode::METHOD_NOT_ALLOWED, text::NOT_FOUND_TITLE, text::NOT_FOUND, html! {});
    answer.with(ALLOW, HeaderValue::from_static(allowed))
}

pub(super) fn internal(context: &PageContext) -> Response {
    error_page(context, None, StatusCode::INTERNAL_SERVER_ERROR, text::INTERNAL_TITLE, text::INTERNAL, html! {})
}

pub(super) fn unavailable(context: &PageContext) -> Response {
    error_page(context, None, StatusCode::SERVICE_UNAVAILABLE, text::UNAVAILABLE_TITLE, text::UNAVAILABLE, html! {})
}

/// The page for a form that is too large. `form` is the path of its page.
pub(super) fn too_large(context: &PageContext, partner: Option<&Partner>, form: &str) -> Response {
    error_page(
        context,
        partner,
        StatusCode::PAYLOAD_TOO_LARGE,
        text::TOO_LARGE_TITLE,
        text::TOO_LARGE,
        html! { p { a.button href=(context.path(form)) { (text::TO_FORM) } } },
    )
}

/// A page for a form that is not taken, which the user sends again.
fn not_taken(
    context: &PageContext,
    partner: Option<&Partner>,
    status: StatusCode,
    title: &str,
    story: &str,
) -> Response {
    error_page(context, partner, status, title, story, html! { p { (text::GO_BACK) } })
}

pub(super) fn bad_form(context: &PageContext, partner: Option<&Partner>) -> Response {
    not_taken(context, partner, StatusCode::BAD_REQUEST, text::BAD_FORM_TITLE, text::BAD_FORM)
}

/// The page for a form of which nothing more arrived.
pub(super) fn too_slow(context: &PageContext, partner: Option<&Partner>) -> Response {
    not_taken(context, partner, StatusCode::REQUEST_TIMEOUT, text::BAD_FORM_TITLE, text::TOO_SLOW)
}

/// The page for a browser session that sends too many files at a time.
pub(super) fn too_many_uploads(context: &PageContext, partner: Option<&Partner>) -> Response {
    let (title, story) = (text::TOO_MANY_UPLOADS_TITLE, text::TOO_MANY_UPLOADS);
    not_taken(context, partner, StatusCode::TOO_MANY_REQUESTS, title, story)
        .with(RETRY_AFTER, seconds(limits::RETRY_UNAVAILABLE))
}

/// The page for a browser session that sends too many requests.
pub(super) fn too_many_requests(context: &PageContext, partner: &Partner, wait: Duration) -> Response {
    let (title, story) = (text::TOO_MANY_REQUESTS_TITLE, text::TOO_MANY_REQUESTS);
    not_taken(context, Some(partner), StatusCode::TOO_MANY_REQUESTS, title, story)
        .with(RETRY_AFTER, seconds(wait.max(Duration::from_secs(1))))
}

/// The page for a full upload budget.
pub(super) fn too_busy(context: &PageContext, partner: Option<&Partner>) -> Response {
    not_taken(context, partner, StatusCode::SERVICE_UNAVAILABLE, text::TOO_BUSY_TITLE, text::TOO_BUSY)
        .with(RETRY_AFTER, seconds(limits::RETRY_UNAVAILABLE))
}

fn seconds(time: Duration) -> HeaderValue {
    HeaderValue::from(time.as_secs())
}

/// The page for a browser that has no session, and says of none that has ended.
pub(super) fn link_needed(context: &PageContext, partner: Option<&Partner>, refresh: Option<&str>) -> Response {
    let story = text::link_needed(partner.map(Partner::shown_name));
    let (status, way_out) = (StatusCode::FORBIDDEN, new_link(refresh, false));
    error_page(context, partner, status, text::LINK_NEEDED_TITLE, &story, way_out)
}

/// The page for a missing or expired browser session.
pub(super) fn no_browser_session(context: &PageContext, partner: Option<&Partner>, refresh: Option<&str>) -> Response {
    let (status, way_out) = (StatusCode::FORBIDDEN, new_link(refresh, false));
    error_page(context, partner, status, text::NO_SESSION_TITLE, text::NO_SESSION, way_out)
}

pub(super) fn unknown_link(context: &PageContext) -> Response {
    error_page(
        context,
        None,
        StatusCode::NOT_FOUND,
        text::UNKNOWN_TITLE,
        text::UNKNOWN,
        html! { p { (text::ASK_SENDER) } },
    )
}

/// The page for a session link that cannot be opened any more. `go_on` is the environment, if this browser has it open.
pub(super) fn gone(
    context: &PageContext,
    partner: Option<&Partner>,
    title: &str,
    story: &str,
    refresh: Option<String>,
    go_on: Option<String>,
) -> Response {
    let is_open = go_on.is_some();
    let way_out = html! {
        @if let Some(environment) = go_on {
            p { (text::STILL_OPEN) }
            p { a.button href=(environment) { (text::GO_ON_BUTTON) } }
        }
        (new_link(refresh.as_deref(), is_open))
    };
    error_page(context, partner, StatusCode::GONE, title, story, way_out)
}

/// How to get a new link: from the page of the partner, if it has one. `second` if the page has another, better button.
fn new_link(refresh: Option<&str>, second: bool) -> Markup {
    html! {
        @match refresh {
            Some(address) => p { a.button.quiet[second] href=(address) { (text::REQUEST_NEW) } },
            None => p { (text::ASK_SENDER) },
        }
    }
}

/// The input of a form, as pairs of label and value.
pub(super) type Input = Vec<(&'static str, String)>;

/// The browser session has ended. The user can open a new link in this browser, come back, and save. A file cannot be given back.
pub(super) fn session_ended(
    context: &PageContext,
    partner: Option<&Partner>,
    head: &RequestHead<'_>,
    form: &Form,
    typed: &Input,
    has_file: bool,
    refresh: Option<&str>,
) -> Response {
    let file = html! { @if has_file { p { (text::FILE_UNSAVED) } } };
    if is_empty(typed) {
        let way_out = html! { (file) (new_link(refresh, false)) };
        let (title, story) = (text::NO_SESSION_TITLE, text::NO_SESSION);
        return error_page(context, partner, StatusCode::FORBIDDEN, title, story, way_out);
    }
    let way_out = html! {
        p { (text::UNSAVED) }
        (show_input(typed))
        (file)
        h2 { (text::GO_ON_TITLE) }
        p { (text::GO_ON) }
        @match refresh {
            // In a new tab: only this page holds the input.
            Some(address) => p {
                a.button href=(address) target="_blank" rel="noopener" { (text::REQUEST_NEW) " " (text::NEW_TAB) }
            },
            None => p { (text::ASK_SENDER) },
        }
        (repeat_form(context, head, form, None, text::SAVE_AFTER_ALL))
    };
    error_page(context, partner, StatusCode::FORBIDDEN, text::NO_SESSION_TITLE, text::NO_SESSION, way_out)
}

/// The partner of the card is blocked: the card can be read but not changed.
pub(super) fn read_only(context: &PageContext, partner: &Partner, typed: &Input) -> Response {
    let way_out = html! {
        @if !is_empty(typed) {
            p { (text::UNSAVED) }
            (show_input(typed))
        }
    };
    error_page(
        context,
        Some(partner),
        StatusCode::FORBIDDEN,
        text::READ_ONLY_TITLE,
        &text::read_only(partner.shown_name()),
        way_out,
    )
}

/// A form without the token of this browser session. The page holds the form again, with `token`: a form that another site
/// sent has no effect until the user has seen it and presses the button.
pub(super) fn foreign_form(
    context: &PageContext,
    partner: &Partner,
    head: &RequestHead<'_>,
    form: &Form,
    typed: &Input,
    token: &Markup,
) -> Response {
    let (title, story) = (text::FOREIGN_FORM_TITLE, text::FOREIGN_FORM);
    if is_empty(typed) || form.is_longer_than(limits::FOREIGN_FORM_BYTES_MAX) {
        return error_page(
            context,
            Some(partner),
            StatusCode::FORBIDDEN,
            text::FILL_IN_AGAIN_TITLE,
            story,
            html! { p { (text::FILL_IN_AGAIN) } },
        );
    }
    let way_out = html! {
        p { (text::LOOK_AND_SAVE) }
        (show_input(typed))
        (repeat_form(context, head, form, Some(token), text::SAVE))
    };
    error_page(context, Some(partner), StatusCode::FORBIDDEN, title, story, way_out)
}

fn is_empty(typed: &Input) -> bool {
    typed.iter().all(|(_, value)| value.is_empty())
}

fn show_input(typed: &Input) -> Markup {
    html! {
        dl.facts.typed {
            @for (label, value) in typed.iter().filter(|(_, value)| !value.is_empty()) {
                dt { (label) }
                dd { span data-copy=(text::COPY) data-copied=(text::COPIED) { (value) } }
            }
        }
    }
}

/// The form as it was sent, with another token, or without one if there is no browser session.
fn repeat_form(
    context: &PageContext,
    head: &RequestHead<'_>,
    form: &Form,
    token: Option<&Markup>,
    label: &str,
) -> Markup {
    html! {
        form method="post" action=(context.path(head.parts.uri.path())) {
            @if let Some(token) = token { (token) }
            @for (name, value) in form.fields().filter(|(name, _)| *name != session_guard::TOKEN_FIELD) {
                input type="hidden" name=(name) value=(value);
            }
            p { button.quiet[token.is_none()] { (label) } }
        }
    }
}

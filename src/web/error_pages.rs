//! Error pages: each says what happened and what to do (decisions S3 and section 8).

use std::time::Duration;

use http::header::{ALLOW, RETRY_AFTER};
use http::{HeaderValue, StatusCode};
use maud::{Markup, html};

use super::context::PageContext;
use super::page;
use super::text::{error_pages as text, session_link};
use crate::base::limits;
use crate::model::Partner;
use crate::response::{Response, ResponseExt as _};

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
/// `partner` is that of the card, if it is known.
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

pub(super) fn bad_form(context: &PageContext, partner: Option<&Partner>) -> Response {
    let (title, way_out) = (text::BAD_FORM_TITLE, html! { p { (text::GO_BACK) } });
    error_page(context, partner, StatusCode::BAD_REQUEST, title, text::BAD_FORM, way_out)
}

/// The page for a form of which nothing more arrived.
pub(super) fn too_slow(context: &PageContext, partner: Option<&Partner>) -> Response {
    let (title, way_out) = (text::BAD_FORM_TITLE, html! { p { (text::GO_BACK) } });
    error_page(context, partner, StatusCode::REQUEST_TIMEOUT, title, text::TOO_SLOW, way_out)
}

/// The page for a browser session that sends too many files at a time.
pub(super) fn too_many_uploads(context: &PageContext, partner: Option<&Partner>) -> Response {
    let (title, story) = (text::TOO_MANY_UPLOADS_TITLE, text::TOO_MANY_UPLOADS);
    let answer =
        error_page(context, partner, StatusCode::TOO_MANY_REQUESTS, title, story, html! { p { (text::GO_BACK) } });
    answer.with(RETRY_AFTER, seconds(limits::RETRY_UNAVAILABLE))
}

/// The page for a browser session that sends too many requests.
pub(super) fn too_many_requests(context: &PageContext, partner: &Partner, wait: Duration) -> Response {
    let (title, story) = (text::TOO_MANY_REQUESTS_TITLE, text::TOO_MANY_REQUESTS);
    let status = StatusCode::TOO_MANY_REQUESTS;
    let answer = error_page(context, Some(partner), status, title, story, html! { p { (text::GO_BACK) } });
    answer.with(RETRY_AFTER, seconds(wait.max(Duration::from_secs(1))))
}

/// The page for a full upload budget.
pub(super) fn too_busy(context: &PageContext, partner: Option<&Partner>) -> Response {
    let (title, story) = (text::TOO_BUSY_TITLE, text::TOO_BUSY);
    let answer =
        error_page(context, partner, StatusCode::SERVICE_UNAVAILABLE, title, story, html! { p { (text::GO_BACK) } });
    answer.with(RETRY_AFTER, seconds(limits::RETRY_UNAVAILABLE))
}

fn seconds(time: Duration) -> HeaderValue {
    HeaderValue::from(time.as_secs())
}

/// The page for a browser that has no session, and says of none that has ended.
pub(super) fn link_needed(context: &PageContext, partner: Option<&Partner>, refresh: Option<&str>) -> Response {
    error_page(
        context,
        partner,
        StatusCode::FORBIDDEN,
        text::LINK_NEEDED_TITLE,
        text::NO_SESSION,
        new_link(refresh, false),
    )
}

/// The page for a missing or expired browser session.
pub(super) fn no_browser_session(context: &PageContext, partner: Option<&Partner>, refresh: Option<&str>) -> Response {
    error_page(
        context,
        partner,
        StatusCode::FORBIDDEN,
        text::NO_SESSION_TITLE,
        text::NO_SESSION,
        new_link(refresh, false),
    )
}

pub(super) fn unknown_link(context: &PageContext) -> Response {
    error_page(
        context,
        None,
        StatusCode::NOT_FOUND,
        session_link::UNKNOWN_TITLE,
        session_link::UNKNOWN,
        html! { p { (session_link::ASK_SENDER) } },
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
            p { (session_link::STILL_OPEN) }
            p { a.button href=(environment) { (session_link::GO_ON) } }
        }
        (new_link(refresh.as_deref(), is_open))
    };
    error_page(context, partner, StatusCode::GONE, title, story, way_out)
}

/// How to get a new link: from the page of the partner, if it has one. `second` if the page has another, better button.
pub(super) fn new_link(refresh: Option<&str>, second: bool) -> Markup {
    html! {
        @match refresh {
            Some(address) => p { a.button.quiet[second] href=(address) { (session_link::REQUEST_NEW) } },
            None => p { (session_link::ASK_SENDER) },
        }
    }
}

//! Pages for when something is not as hoped: each says what happened, and what to do now (decisions S3 and section 8).

use std::time::Duration;

use http::header::{ALLOW, RETRY_AFTER};
use http::{HeaderValue, StatusCode};
use maud::{Markup, html};

use super::answer::WebAnswer;
use super::layout;
use super::site::Site;
use super::text::{error_pages as text, session_link};
use crate::base::limits;

/// A page that says what happened, and in the same words what to do.
pub(super) fn page(site: &Site, status: StatusCode, title: &str, story: &str) -> WebAnswer {
    error_page(site, status, title, story, html! {})
}

/// A lasting link that has ended.
pub(super) fn expired(site: &Site, title: &str, story: &str, refresh: Option<String>) -> WebAnswer {
    error_page(site, StatusCode::GONE, title, story, new_link(refresh.as_deref(), false))
}

/// A title, what happened, and what can be done.
pub(super) fn error_page(site: &Site, status: StatusCode, title: &str, story: &str, way_out: Markup) -> WebAnswer {
    let main = html! {
        h1 { (title) }
        p { (story) }
        (way_out)
    };
    WebAnswer::page(status, layout::page(site, title, main))
}

pub(super) fn not_found(site: &Site) -> WebAnswer {
    error_page(site, StatusCode::NOT_FOUND, text::NOT_FOUND_TITLE, text::NOT_FOUND, html! {})
}

pub(super) fn method_not_allowed(site: &Site, allowed: &'static str) -> WebAnswer {
    let answer = error_page(site, StatusCode::METHOD_NOT_ALLOWED, text::NOT_FOUND_TITLE, text::NOT_FOUND, html! {});
    answer.with(ALLOW, HeaderValue::from_static(allowed))
}

pub(super) fn internal(site: &Site) -> WebAnswer {
    error_page(site, StatusCode::INTERNAL_SERVER_ERROR, text::INTERNAL_TITLE, text::INTERNAL, html! {})
}

pub(super) fn unavailable(site: &Site) -> WebAnswer {
    error_page(site, StatusCode::SERVICE_UNAVAILABLE, text::UNAVAILABLE_TITLE, text::UNAVAILABLE, html! {})
}

pub(super) fn too_large(site: &Site) -> WebAnswer {
    error_page(
        site,
        StatusCode::PAYLOAD_TOO_LARGE,
        text::TOO_LARGE_TITLE,
        text::TOO_LARGE,
        html! { p { (text::GO_BACK) } },
    )
}

pub(super) fn bad_form(site: &Site, status: StatusCode) -> WebAnswer {
    error_page(site, status, text::BAD_FORM_TITLE, text::BAD_FORM, html! { p { (text::GO_BACK) } })
}

/// The browser session sends as many files as it may already.
pub(super) fn too_many_uploads(site: &Site) -> WebAnswer {
    let (title, story) = (text::TOO_MANY_UPLOADS_TITLE, text::TOO_MANY_UPLOADS);
    let answer = error_page(site, StatusCode::TOO_MANY_REQUESTS, title, story, html! { p { (text::GO_BACK) } });
    answer.with(RETRY_AFTER, seconds(limits::RETRY_UNAVAILABLE))
}

/// There is no memory for one more body now.
pub(super) fn too_busy(site: &Site) -> WebAnswer {
    let (title, story) = (text::TOO_BUSY_TITLE, text::TOO_BUSY);
    let answer = error_page(site, StatusCode::SERVICE_UNAVAILABLE, title, story, html! { p { (text::GO_BACK) } });
    answer.with(RETRY_AFTER, seconds(limits::RETRY_UNAVAILABLE))
}

fn seconds(time: Duration) -> HeaderValue {
    HeaderValue::from(time.as_secs())
}

/// No visit, or one that has ended.
pub(super) fn no_browser_session(site: &Site, refresh: Option<&str>) -> WebAnswer {
    error_page(site, StatusCode::FORBIDDEN, text::NO_VISIT_TITLE, text::NO_VISIT, new_link(refresh, false))
}

pub(super) fn unknown_link(site: &Site) -> WebAnswer {
    error_page(
        site,
        StatusCode::NOT_FOUND,
        session_link::UNKNOWN_TITLE,
        session_link::UNKNOWN,
        html! { p { (session_link::ASK_SENDER) } },
    )
}

/// A session link that was used up or has expired. `go_on`: this browser may still be in the environment it opened.
pub(super) fn gone(site: &Site, used: bool, refresh: Option<String>, go_on: Option<String>) -> WebAnswer {
    let (title, story) = if used {
        (session_link::USED_TITLE, session_link::USED)
    } else {
        (session_link::EXPIRED_TITLE, session_link::EXPIRED)
    };
    let is_open = go_on.is_some();
    let way_out = html! {
        @if let Some(environment) = go_on {
            p { (session_link::STILL_OPEN) }
            p { a.button href=(environment) { (session_link::GO_ON) } }
        }
        (new_link(refresh.as_deref(), is_open))
    };
    error_page(site, StatusCode::GONE, title, story, way_out)
}

/// How to come by a new link: at the partner's own page, where there is one. `second`: there is a better way on.
pub(super) fn new_link(refresh: Option<&str>, second: bool) -> Markup {
    html! {
        @match refresh {
            Some(address) => p { a.button.quiet[second] href=(address) { (session_link::REQUEST_NEW) } },
            None => p { (session_link::ASK_SENDER) },
        }
    }
}

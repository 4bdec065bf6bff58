//! Responses to a form that was not accepted: its browser session has ended, or it was made in an earlier session. The page
//! shows the input, which is stored nowhere, and a button sends it again (decisions S2, S4 and section 8).
//!
//! Called by the session guard. Input is shown only if a page of the service sent it, so that no other site puts words on
//! these pages.

use http::StatusCode;
use maud::{Markup, html};

use super::context::PageContext;
use super::form::Form;
use super::text::{error_pages as text, session_link};
use super::{browser_session, error_pages};
use crate::base::limits;
use crate::model::Partner;
use crate::request::RequestHead;
use crate::response::Response;

/// The input of a form, as pairs of label and value.
pub(super) type Typed = Vec<(&'static str, String)>;

/// The browser session has ended. The user can open a new link in this browser, come back, and save.
pub(super) fn ended(
    context: &PageContext,
    partner: Option<&Partner>,
    head: &RequestHead<'_>,
    form: &Form,
    typed: &Typed,
    refresh: Option<&str>,
) -> Response {
    if is_empty(typed) {
        return error_pages::no_browser_session(context, partner, refresh);
    }
    let way_out = html! {
        p { (text::UNSAVED) }
        (shown(typed))
        h2 { (text::GO_ON_TITLE) }
        p { (text::GO_ON) }
        @match refresh {
            // In a new tab: only this page holds the input.
            Some(address) => p {
                a.button href=(address) target="_blank" rel="noopener" { (session_link::REQUEST_NEW) " " (text::NEW_TAB) }
            },
            None => p { (session_link::ASK_SENDER) },
        }
        (again(context, head, form, None, text::SAVE_AFTER_ALL))
    };
    error_pages::error_page(context, partner, StatusCode::FORBIDDEN, text::NO_SESSION_TITLE, text::NO_SESSION, way_out)
}

/// The browser session has ended, and the form held a file, which cannot be given back.
pub(super) fn ended_with_file(context: &PageContext, partner: Option<&Partner>, refresh: Option<&str>) -> Response {
    let way_out = html! {
        p { (text::FILE_UNSAVED) }
        (error_pages::new_link(refresh, false))
    };
    error_pages::error_page(context, partner, StatusCode::FORBIDDEN, text::NO_SESSION_TITLE, text::NO_SESSION, way_out)
}

/// The partner of the card is blocked: the card can be read but not changed.
pub(super) fn read_only(context: &PageContext, partner: &Partner, typed: &Typed) -> Response {
    let way_out = html! {
        @if !is_empty(typed) {
            p { (text::UNSAVED) }
            (shown(typed))
        }
    };
    error_pages::error_page(
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
    typed: &Typed,
    token: &Markup,
) -> Response {
    let (title, story) = (text::FOREIGN_FORM_TITLE, text::FOREIGN_FORM);
    if is_empty(typed) || form.is_longer_than(limits::FOREIGN_FORM_BYTES_MAX) {
        return error_pages::error_page(
            context,
            Some(partner),
            StatusCode::FORBIDDEN,
            title,
            story,
            html! { p { (text::FILL_IN_AGAIN) } },
        );
    }
    let way_out = html! {
        p { (text::LOOK_AND_SAVE) }
        (shown(typed))
        (again(context, head, form, Some(token), text::SAVE))
    };
    error_pages::error_page(context, Some(partner), StatusCode::FORBIDDEN, title, story, way_out)
}

fn is_empty(typed: &Typed) -> bool {
    typed.iter().all(|(_, value)| value.is_empty())
}

fn shown(typed: &Typed) -> Markup {
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
fn again(context: &PageContext, head: &RequestHead<'_>, form: &Form, token: Option<&Markup>, label: &str) -> Markup {
    html! {
        form method="post" action=(context.path(head.parts.uri.path())) {
            @if let Some(token) = token { (token) }
            @for (name, value) in form.fields().filter(|(name, _)| *name != browser_session::TOKEN_FIELD) {
                input type="hidden" name=(name) value=(value);
            }
            p { button.quiet[token.is_none()] { (label) } }
        }
    }
}

//! A form that came in vain: its visit has ended, or it comes from a page of an earlier one. What somebody typed into it
//! is shown to the one who sent it, and kept nowhere; a button sends it once more (decisions S2, S4 and section 8).
//!
//! Called by the door of the environments. Only what a page of ours sent is shown: no other site puts words on our pages.

use http::StatusCode;
use maud::{Markup, html};

use super::answer::WebAnswer;
use super::form::Form;
use super::request::WebRequest;
use super::site::Site;
use super::text::{error_pages as text, session_link};
use super::{error_pages, form_token};
use crate::model::Partner;

/// What somebody typed into a form, in the words of its page: label and value.
pub(super) type Typed = Vec<(&'static str, String)>;

/// The visit of the form has ended. Who opens a new link in this browser and comes back can still save.
pub(super) fn ended(
    site: &Site,
    request: &WebRequest<'_>,
    form: &Form,
    typed: &Typed,
    refresh: Option<&str>,
) -> WebAnswer {
    if is_empty(typed) {
        return error_pages::no_browser_session(site, refresh);
    }
    let way_out = html! {
        p { (text::UNSAVED) }
        (shown(typed))
        h2 { (text::GO_ON_TITLE) }
        p { (text::GO_ON) }
        @match refresh {
            // This page stays open: it is the only place that holds what was typed.
            Some(address) => p {
                a.button href=(address) target="_blank" rel="noopener" { (session_link::REQUEST_NEW) " " (text::NEW_TAB) }
            },
            None => p { (session_link::ASK_SENDER) },
        }
        (again(site, request, form, None, text::SAVE_AFTER_ALL))
    };
    error_pages::error_page(site, StatusCode::FORBIDDEN, text::NO_VISIT_TITLE, text::NO_VISIT, way_out)
}

/// The visit has ended, and the form held a file, which cannot be given back.
pub(super) fn ended_with_file(site: &Site, refresh: Option<&str>) -> WebAnswer {
    let way_out = html! {
        p { (text::FILE_UNSAVED) }
        (error_pages::new_link(refresh, false))
    };
    error_pages::error_page(site, StatusCode::FORBIDDEN, text::NO_VISIT_TITLE, text::NO_VISIT, way_out)
}

/// The partner of the card is blocked: it can be read, and not changed.
pub(super) fn read_only(site: &Site, partner: &Partner, typed: &Typed) -> WebAnswer {
    let way_out = html! {
        @if !is_empty(typed) {
            p { (text::UNSAVED) }
            (shown(typed))
        }
    };
    error_pages::error_page(
        site,
        StatusCode::FORBIDDEN,
        text::READ_ONLY_TITLE,
        &text::read_only(&partner.name),
        way_out,
    )
}

/// A form without the token of this visit. `token` makes it one of this visit, once somebody has looked at it and presses
/// the button: a form that another site sends changes nothing by itself.
pub(super) fn foreign_form(
    site: &Site,
    request: &WebRequest<'_>,
    form: &Form,
    typed: &Typed,
    token: &Markup,
) -> WebAnswer {
    let (title, story) = (text::FOREIGN_FORM_TITLE, text::FOREIGN_FORM);
    if is_empty(typed) {
        return error_pages::error_page(
            site,
            StatusCode::FORBIDDEN,
            title,
            story,
            html! { p { (text::FILL_IN_AGAIN) } },
        );
    }
    let way_out = html! {
        p { (text::LOOK_AND_SAVE) }
        (shown(typed))
        (again(site, request, form, Some(token), text::SAVE))
    };
    error_pages::error_page(site, StatusCode::FORBIDDEN, title, story, way_out)
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

/// The form as it was sent, with another token, or with none for as long as there is no visit.
fn again(site: &Site, request: &WebRequest<'_>, form: &Form, token: Option<&Markup>, label: &str) -> Markup {
    html! {
        form method="post" action=(site.path(request.path)) {
            @if let Some(token) = token { (token) }
            @for (name, value) in form.fields().filter(|(name, _)| *name != form_token::FIELD) {
                input type="hidden" name=(name) value=(value);
            }
            p { button.quiet[token.is_none()] { (label) } }
        }
    }
}

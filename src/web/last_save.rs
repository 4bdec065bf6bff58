//! What a browser saved last with a form. The back button brings a page back as it was, with the version from before the save: the same
//! form, sent again, is no conflict of two people (decisions S5).
//!
//! A cookie for the path of the form holds the id of the form and the version that it made.

use http::HeaderValue;
use maud::{Markup, html};

use super::context::PageContext;
use super::form::Form;
use super::session_guard::set_cookie_at;
use crate::request::RequestHead;

/// The form field with the id of the form.
const FIELD: &str = "form_id";
const COOKIE: &str = "opgeslagen";

/// Who saved a version that a form had not seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SavedBy {
    /// The same form, sent before.
    ThisForm,
    /// Another form of this browser: a second tab.
    ThisBrowser,
    SomebodyElse,
}

impl SavedBy {
    /// Returns who saved `version`.
    pub(super) fn find(head: &RequestHead<'_>, form: &Form, version: &str) -> Self {
        match head.cookie(COOKIE).and_then(|saved| saved.split_once('.')) {
            Some((id, own)) if own == version => {
                if id == form.text(FIELD) {
                    SavedBy::ThisForm
                } else {
                    SavedBy::ThisBrowser
                }
            }
            _ => SavedBy::SomebodyElse,
        }
    }
}

/// A hidden field with the id of a form: that of `form`, which is shown again, or a new one.
pub(super) fn id_field(context: &PageContext, form: Option<&Form>) -> Markup {
    let new = || context.services.entropy.uuid(context.services.clock.now()).simple().to_string();
    let id = form.map(|form| form.text(FIELD)).filter(|id| !id.is_empty()).map_or_else(new, str::to_owned);
    // A browser that fills in a form again leaves this field as it is.
    html! { input type="hidden" name=(FIELD) value=(id) autocomplete="off"; }
}

/// The value of `Set-Cookie` after `form` made `version`. `path`: that of the form.
pub(super) fn cookie(context: &PageContext, path: &str, form: &Form, version: &str) -> HeaderValue {
    let id = form.text(FIELD).chars().filter(char::is_ascii_alphanumeric).take(32).collect::<String>();
    set_cookie_at(context, path, COOKIE, &format!("{id}.{version}"))
}

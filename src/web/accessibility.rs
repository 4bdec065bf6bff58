//! `/toegankelijkheid`: what of the pages is accessible, by which standard, and how to complain (Directive 2019/882, annex V).

use http::StatusCode;
use maud::html;

use super::context::PageContext;
use super::page;
use super::text::accessibility as text;
use crate::response::Response;

/// Makes the page.
pub(super) fn show(context: &PageContext) -> Response {
    let main = html! {
        h1 { (text::TITLE) }
        p.intro { (text::INTRO) }
        @for (title, paragraphs) in text::PARTS {
            h2 { (title) }
            @for paragraph in *paragraphs { p { (paragraph) } }
        }
    };
    page::show_public(context, None, StatusCode::OK, text::TITLE, main)
}

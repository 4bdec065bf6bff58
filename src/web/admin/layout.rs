//! The layout of the pages of the administration, and the parts that they share: tables, buttons, messages.

use chrono_tz::Europe::Amsterdam;
use http::StatusCode;
use maud::{DOCTYPE, Markup, html};

use super::OperatorRequest;
use crate::base::Timestamp;
use crate::model::ADMIN_PATH;
use crate::response::{self, Response};
use crate::web::asset::{ADMIN_STYLE, PAGE_SCRIPT, PAGE_STYLE};
use crate::web::context::PageContext;
use crate::web::page::respond;

const SITE: &str = "Card service administration";

/// The pages of the navigation: path and name.
const PAGES: [(&str, &str); 8] = [
    ("", "Overview"),
    ("/cards", "Cards"),
    ("/orders", "Orders"),
    ("/partners", "Partners"),
    ("/subscriptions", "Subscriptions"),
    ("/mails", "Mails"),
    ("/themes", "Themes"),
    ("/checks", "Checks"),
];

/// The result of a form: the code in the query of the page that it leads to, and the message there.
const DONE: [(&str, &str); 5] = [
    ("mail", "The mail is queued again."),
    ("delivery", "The notification is sent again."),
    ("session", "The session has ended."),
    ("key", "The key is revoked. Running servers refuse it within five seconds, and its sessions have ended."),
    ("resumed", "The subscription is resumed, and what it missed is being sent."),
];

/// The outcome of a form that the page shows: what was done, or why not.
pub(super) type Problem = Option<String>;

/// Makes a page for an operator with a session. `main` follows the heading and the outcome of a form.
pub(super) fn page(request: &OperatorRequest<'_>, title: &str, problem: &Problem, main: Markup) -> Response {
    let done = request.head.parameter("done");
    let done = DONE.iter().find(|(code, _)| done.as_deref() == Some(code)).filter(|_| request.form.is_none());
    let main = html! {
        h1 { (title) }
        @if let Some((_, text)) = done { p.said role="status" { (text) } }
        @if let Some(problem) = problem { p.said.not role="alert" { (problem) } }
        (main)
    };
    let status = if problem.is_some() { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
    respond(status, document(request.context, title, Some(request), main))
}

/// Makes a page of a title and a text, for everyone.
pub(super) fn refusal(context: &PageContext, status: StatusCode, title: &str, text: &str) -> Response {
    let main = html! {
        h1 { (title) }
        p { (text) }
    };
    respond(status, document(context, title, None, main))
}

pub(super) fn not_found(context: &PageContext) -> Response {
    refusal(
        context,
        StatusCode::NOT_FOUND,
        "This page does not exist",
        "The address leads to nothing, or what it named was deleted.",
    )
}

fn document(context: &PageContext, title: &str, request: Option<&OperatorRequest<'_>>, main: Markup) -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (title) " – " (SITE) }
                meta name="robots" content="noindex, nofollow";
                meta name="referrer" content="no-referrer";
                meta name="color-scheme" content="light dark";
                link rel="stylesheet" href=(PAGE_STYLE.address(context));
                link rel="stylesheet" href=(ADMIN_STYLE.address(context));
                script src=(PAGE_SCRIPT.address(context)) defer {}
            }
            body {
                a.skip href="#content" { "Skip to the content" }
                header.site {
                    p { (SITE) }
                    @if let Some(request) = request { (navigation(request)) }
                }
                main #content tabindex="-1" { (main) }
                footer.site {
                    @if let Some(request) = request {
                        form.inline method="post" action=(context.path("/leave")) {
                            (request.operator.token_field())
                            p { "Signed in as " (request.operator.session.operator) "." }
                            button.quiet { "Sign out" }
                        }
                    }
                }
            }
        }
    }
}

fn navigation(request: &OperatorRequest<'_>) -> Markup {
    let own = request.head.parts.uri.path().strip_prefix(ADMIN_PATH).unwrap_or_default();
    html! {
        nav aria-label="Pages" {
            ul {
                @for (path, name) in PAGES {
                    li { a href=(request.context.path(path)) aria-current=[(own == path).then_some("page")] { (name) } }
                }
            }
        }
    }
}

/// A table that scrolls by itself where the screen is narrow. A row is its cells.
pub(super) fn table(caption: &str, heads: &[&str], rows: &[Vec<Markup>]) -> Markup {
    html! {
        @if rows.is_empty() {
            h2 { (caption) }
            p { "None." }
        } @else {
            div.wide role="region" aria-label=(caption) tabindex="0" {
                table {
                    caption { (caption) }
                    thead { tr { @for head in heads { th scope="col" { (head) } } } }
                    tbody {
                        @for row in rows { tr { @for cell in row { td { (cell) } } } }
                    }
                }
            }
        }
    }
}

/// A form of one button. `about` tells it from the others of a table, for those who do not see its row.
pub(super) fn button(request: &OperatorRequest<'_>, name: &str, value: &str, label: &str, about: &str) -> Markup {
    html! {
        form method="post" action=(request.head.parts.uri.path()) {
            (request.operator.token_field())
            button.quiet name=(name) value=(value) { (label) span.unseen { " " (about) } }
        }
    }
}

/// Facts: names and values.
pub(super) fn facts(facts: &[(&str, Markup)]) -> Markup {
    html! {
        dl.facts { @for (name, value) in facts { dt { (name) } dd { (value) } } }
    }
}

/// A time as people write it, in the time zone of the Netherlands: `24 Nov 2026 23:51:20`.
pub(super) fn time(at: Timestamp) -> Markup {
    html! { time datetime=(at) title=(at) { (at.utc().with_timezone(&Amsterdam).format("%-d %b %Y %H:%M:%S")) } }
}

/// A time that may be missing.
pub(super) fn optional_time(at: Option<Timestamp>) -> Markup {
    html! { @if let Some(at) = at { (time(at)) } }
}

/// Redirects to the page of the form, with the code of what it did.
pub(super) fn back(request: &OperatorRequest<'_>, done: &str) -> Response {
    response::see_other(&format!("{}?done={done}", request.head.parts.uri.path()))
}

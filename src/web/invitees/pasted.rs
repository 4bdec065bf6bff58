//! The check of a pasted list (decisions S6): the page shows what was read, in fields, and adds it when the family agrees.

use http::StatusCode;
use maud::{Markup, html};

use super::page::{MANY, Shown, show};
use crate::base::limits;
use crate::model::{SessionTarget, messages as partner_text, path};
use crate::operation::invitee::{self, LeftLine, LeftReason, LineProblem, read_list};
use crate::response::{Response, ResponseExt as _};
use crate::store::InviteeAddition;
use crate::text::invitees as text;
use crate::web::context::PageContext;
use crate::web::field::shorten;
use crate::web::form::Form;
use crate::web::page::{self, Outcome};
use crate::web::session_guard::SessionUser;

/// The last segment of the path of the check.
pub(super) const CHECK: &str = "overnemen";
/// The fields of a row. Each stands in the form once for each row, in turn.
const NAME: &str = "n";
const EMAIL: &str = "e";

/// A person as the page shows it.
#[derive(Default)]
struct Row {
    name: String,
    email: String,
    /// Why the person cannot be added.
    problem: Option<String>,
}

/// Reads a pasted list, and shows what was read. Nothing is stored.
pub(super) async fn check(context: &PageContext, user: &SessionUser, form: &Form) -> Outcome {
    let pasted = form.text(MANY);
    let problem = match read_list(pasted) {
        None => text::TOO_MANY_LINES,
        Some(list) if list.people.is_empty() => text::NOTHING_PASTED,
        Some(list) => {
            let rows = list.people.into_iter().map(|person| Row {
                name: person.name,
                email: person.email,
                problem: person.problem.map(problem_text),
            });
            return Ok(render(context, user, StatusCode::OK, 0, rows.collect(), &list.left));
        }
    };
    let shown = Shown { pasted: pasted.to_owned(), problem: Some(problem), ..Shown::default() };
    show(context, user, StatusCode::UNPROCESSABLE_ENTITY, shown).await
}

/// Adds the people of the check. Those who cannot be added are shown again, with the reason.
pub(super) async fn add(context: &PageContext, user: &SessionUser, form: &Form) -> Outcome {
    let (mut people, mut added_rows, mut refused) = (Vec::new(), Vec::new(), Vec::new());
    for row in rows_of(form) {
        match invitee::check(&row.name, &row.email) {
            Ok(None) => {}
            Ok(Some(person)) => {
                people.push(person);
                added_rows.push(row);
            }
            Err(problem) => refused.push(Row { problem: Some(problem_text(problem)), ..row }),
        }
    }
    let additions = invitee::add(&context.services, user.card.id, people).await?;
    let mut added = 0;
    for (row, addition) in added_rows.into_iter().zip(additions) {
        let problem = match addition {
            InviteeAddition::Added => {
                added += 1;
                continue;
            }
            InviteeAddition::Duplicate => text::ALREADY_LISTED.to_owned(),
            InviteeAddition::Full => text::list_full(),
        };
        refused.push(Row { problem: Some(problem), ..row });
    }
    let status = if added == 0 { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
    let page = match refused.is_empty() {
        true => show(context, user, status, Shown { added: Some(added), ..Shown::default() }).await?,
        false => render(context, user, status, added, refused, &[]),
    };
    Ok(if added == 0 { page } else { page.with_change() })
}

/// The rows of the form.
fn rows_of(form: &Form) -> Vec<Row> {
    let mut rows: Vec<Row> = Vec::new();
    for (name, value) in form.fields() {
        match (name, rows.last_mut()) {
            (NAME, _) => rows.push(Row { name: value.to_owned(), ..Row::default() }),
            (EMAIL, Some(row)) => value.clone_into(&mut row.email),
            _ => {}
        }
    }
    rows
}

/// The people of the form as lines that can be pasted again.
pub(super) fn lines_of(form: &Form) -> String {
    let line = |row: Row| if row.email.is_empty() { row.name } else { format!("{} <{}>", row.name, row.email) };
    rows_of(form).into_iter().map(line).collect::<Vec<_>>().join("\n")
}

/// Shows the rows, those with a problem first. `added`: how many people the form before has added.
fn render(
    context: &PageContext,
    user: &SessionUser,
    status: StatusCode,
    added: usize,
    mut rows: Vec<Row>,
    left: &[LeftLine],
) -> Response {
    rows.sort_by_key(|row| row.problem.is_none());
    let wrong = rows.iter().filter(|row| row.problem.is_some()).count();
    let list = context.path(&path::environment(user.card.id, SessionTarget::InviteeList));
    let main = html! {
        (user.notice())
        h1 { (text::CHECK_TITLE) }
        @if added > 0 { p.said role="status" { (text::added(added)) } }
        @if wrong > 0 { p.said.not role="status" { (text::to_mend(wrong)) } }
        p { (text::read(rows.len())) " " (text::CHECK) }
        form method="post" action={ (list) "/" (CHECK) } novalidate {
            (user.token_field())
            ol.check {
                li aria-hidden="true" { span { (text::NAME) } span { (text::EMAIL) } }
                @for (row, number) in rows.iter().zip(1..) { (render_row(row, number)) }
            }
            div.actions {
                button { (text::ADD_MANY) }
                a.button.quiet href=(list) { (text::CANCEL) }
            }
        }
        (left_out(left))
    };
    page::show(context, &user.partner, status, text::CHECK_TITLE, main)
}

fn render_row(row: &Row, number: usize) -> Markup {
    let error = row.problem.as_ref().map(|_| format!("fout-{number}"));
    let shown = |value| shorten(value, limits::REFUSED_LINE_CHARS_SHOWN_MAX).to_owned();
    html! {
        li.wrong[error.is_some()] {
            @if let (Some(problem), Some(error)) = (&row.problem, &error) { p.error id=(error) { (problem) } }
            input name=(NAME) value=(shown(&row.name)) type="text" placeholder=(text::NAME) dir="auto" autocomplete="off" spellcheck="false"
                aria-label=(text::numbered(text::NAME, number)) aria-describedby=[error.as_ref()];
            input name=(EMAIL) value=(shown(&row.email)) type="email" placeholder=(text::EMAIL) dir="auto" autocomplete="off" autocapitalize="none"
                aria-label=(text::numbered(text::EMAIL, number)) aria-describedby=[error.as_ref()];
        }
    }
}

/// The lines that are no person.
fn left_out(left: &[LeftLine]) -> Markup {
    let others = left.len().saturating_sub(limits::PASTED_PROBLEMS_SHOWN_MAX);
    html! {
        @if !left.is_empty() {
            h2 { (text::LEFT_TITLE) }
            ul {
                @for left in left.iter().take(limits::PASTED_PROBLEMS_SHOWN_MAX) {
                    li { strong { (text::line(left.line)) } ": " q { (shorten(&left.content, 60)) } " " (reason_text(left.reason)) }
                }
                @if others > 0 { li { (text::more_lines(others)) } }
            }
        }
    }
}

const fn reason_text(reason: LeftReason) -> &'static str {
    match reason {
        LeftReason::Titles => text::LINE_TITLES,
        LeftReason::NoPerson => text::LINE_EMPTY,
        LeftReason::Repeated => text::LINE_REPEATED,
    }
}

fn problem_text(problem: LineProblem) -> String {
    match problem {
        LineProblem::AddressInvalid => text::EMAIL_INVALID.to_owned(),
        LineProblem::SeveralAddresses => text::LINE_SEVERAL.to_owned(),
        LineProblem::TooLong => text::LINE_TOO_LONG.to_owned(),
        LineProblem::NameTooLong => text::name_too_long(),
        LineProblem::NameWebAddress => partner_text::NAME_WEB_ADDRESS.to_owned(),
    }
}

//! The pages that change nothing: orders, themes and checks.

use maud::{Markup, html};
use uuid::Uuid;

use super::OperatorRequest;
use super::layout::{self, optional_time, table};
use crate::model::euros;
use crate::operation::report::{self, Month};
use crate::operation::theme;
use crate::services::{Checks, Outcome as CheckOutcome};
use crate::web::card::{self, CardView, Frame};
use crate::web::page::Outcome;

/// The number of months before this one that the page begins with.
const MONTHS_BEFORE: u32 = 11;

pub(super) async fn show_orders(request: &OperatorRequest<'_>) -> Outcome {
    let services = &request.context.services;
    let now = Month::from_timestamp(services.clock.now());
    let given = |name: &str| request.head.parameter(name).and_then(|text| Month::parse(&text));
    let (from, to) = (given("from").unwrap_or(now.before(MONTHS_BEFORE)), given("to").unwrap_or(now));
    let partner = match request.head.parameter("partner").and_then(|id| Uuid::try_parse(&id).ok()) {
        Some(id) => services.store.partner(id).await?,
        None => None,
    };
    let sums = report::orders(services, from, to, partner.as_ref()).await?;
    let rows = sums.iter().map(|sum| {
        vec![html! { (sum.month) }, html! { (sum.partner) }, html! { (sum.orders) }, html! { (euros(sum.cents)) }]
    });
    let main = html! {
        form method="get" {
            @if let Some(partner) = &partner { input type="hidden" name="partner" value=(partner.id); }
            div.row {
                div.field {
                    label for="from" { "First month" }
                    input #from type="month" name="from" value=(from) pattern="[0-9]{4}-[0-9]{2}" placeholder="2026-01";
                }
                div.field {
                    label for="to" { "Last month" }
                    input #to type="month" name="to" value=(to) pattern="[0-9]{4}-[0-9]{2}" placeholder="2026-12";
                }
                div.field { button { "Show" } }
            }
        }
        p.hint { "Months are of the Netherlands. Test cards do not count." }
        (table("Orders", &["Month", "Partner", "Orders", "With VAT"], &rows.collect::<Vec<_>>()))
    };
    Ok(layout::page(request, "Orders", &None, main))
}

pub(super) async fn list_themes(request: &OperatorRequest<'_>) -> Outcome {
    let services = &request.context.services;
    let all = theme::list(services).await?;
    let rows = all.iter().map(|(theme, retired_at)| {
        let preview = request.context.path(&format!("/themes/{}", theme.number));
        vec![
            html! { (theme.position) },
            html! { (theme.number) },
            html! { a href=(preview) { (theme.title) } },
            html! { (theme.handle) },
            html! { @if let Some(cover) = theme.cover() {
                img.thumb src=(request.context.local(&services.theme_image_address(&cover.key))) alt="" width="90" height="60" loading="lazy";
            } },
            html! { (theme.images.len()) },
            html! { (theme.videos.len()) },
            optional_time(*retired_at),
        ]
    });
    let heads = ["Position", "Number", "Title and preview", "Handle", "Cover", "Images", "Videos", "Retired"];
    Ok(layout::page(request, "Themes", &None, table("Themes", &heads, &rows.collect::<Vec<_>>())))
}

/// `/admin/themes/<number>`: a card with the data of an example.
pub(super) async fn preview_theme(request: &OperatorRequest<'_>, number: &str) -> Outcome {
    let all = theme::list(&request.context.services).await?;
    let Some((theme, _)) = all.into_iter().find(|(theme, _)| theme.number.to_string() == number) else {
        return Ok(layout::not_found(request.context));
    };
    let notice = html! {
        span lang="en" {
            "Preview of the theme " (theme.title) ". "
            a href=(request.context.path("/themes")) { "Back to the themes" }
        }
    };
    let view = CardView::example(request.context, &theme);
    Ok(card::render(request.context, &view, &Frame { notice: Some(notice), ..Frame::default() }))
}

/// The mark of an outcome, its words, and its reason.
fn describe(outcome: &CheckOutcome) -> (&'static str, &'static str, Option<&str>) {
    match outcome {
        CheckOutcome::Ok => ("\u{2713}", "passes", None),
        CheckOutcome::Failed(reason) | CheckOutcome::Impaired(reason) => ("\u{2717}", "fails", Some(reason)),
        CheckOutcome::NotAsked(reason) => ("\u{2013}", "not asked", Some(reason)),
    }
}

/// The state of every check as a mark and words, and in full what is wrong.
pub(super) async fn show_states(request: &OperatorRequest<'_>, checks: &Checks) -> Markup {
    let all = checks.run_all().await;
    let wrong: Vec<_> = all.iter().filter_map(|(check, outcome)| Some((check, outcome.problem()?))).collect();
    html! {
        section aria-labelledby="checks" {
            h2 #checks { a href=(request.context.path("/checks")) { "Checks of this replica" } }
            @for (check, problem) in &wrong {
                div.said.not {
                    p { strong { (check.question) " No: " (problem) "." } }
                    p { (check.action) }
                }
            }
            ul.marks {
                @for (check, outcome) in &all {
                    @let (mark, state, _) = describe(outcome);
                    li class=[outcome.problem().map(|_| "wrong")] {
                        span.mark.good[mark == "\u{2713}"] aria-hidden="true" { (mark) } " " (check.name) " " span.hint { (state) }
                    }
                }
            }
        }
    }
}

pub(super) async fn list_checks(request: &OperatorRequest<'_>, checks: &Checks) -> Outcome {
    let mut rows = Vec::new();
    for (check, outcome) in checks.run_all().await {
        let (_, state, reason) = describe(&outcome);
        let is_failed = outcome.problem().is_some();
        rows.push(vec![
            html! { (check.name) },
            html! { (check.question) },
            html! { @if is_failed { strong { (state) } } @else { (state) } },
            html! { @if let Some(reason) = reason { (reason) } },
            html! { @if is_failed { (check.action) } },
        ]);
    }
    let main = table("Checks of this replica", &["Check", "Question", "Result", "Reason", "What to do"], &rows);
    Ok(layout::page(request, "Checks", &None, main))
}

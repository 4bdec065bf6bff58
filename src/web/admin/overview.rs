//! What happened in the last days, drawn and as a table: on the first page for all partners, and on the page of a partner.

use chrono::NaiveDate;
use maud::{Markup, html};

use super::OperatorRequest;
use super::layout::table;
use crate::base::limits::ACTIVITY_DAYS;
use crate::model::Partner;
use crate::operation::{Failure, activity};

/// The width of a day in a drawing, and the height of the highest bar.
const DAY_WIDTH: usize = 10;
const BAR_HEIGHT: usize = 60;

/// Makes a drawing of each measure with a link to the list behind it, and a table of all numbers. The parameter `kind=test` chooses test
/// cards.
pub(super) async fn show_activity(request: &OperatorRequest<'_>, partner: Option<&Partner>) -> Result<Markup, Failure> {
    let is_test = request.head.parameter("kind").as_deref() == Some("test");
    let activity = activity::count(&request.context.services, partner, is_test).await?;
    let kind = if is_test { "test" } else { "live" };
    let of_partner = partner.map(|partner| format!("&partner={}", partner.id)).unwrap_or_default();
    let list = |path: &str| request.context.path(path);
    let subscriptions = if partner.is_some() { "#subscriptions".to_owned() } else { list("/subscriptions") };
    let orders = activity.days.first().map(|day| format!("/orders?from={}{of_partner}", day.format("%Y-%m")));
    let measures = [
        ("Cards made", list(&format!("/cards?kind={kind}{of_partner}")), &activity.created),
        ("Cards ordered", list(&orders.unwrap_or_default()), &activity.ordered),
        ("Cards gone online", list(&format!("/cards?kind={kind}&status=ACTIVE{of_partner}")), &activity.online),
        ("Notifications failed", subscriptions, &activity.failed_deliveries),
        ("Mails waiting", list("/mails#waiting"), &activity.waiting_mails),
        ("Mails lost", list("/mails#lost"), &activity.failed_mails),
    ];
    let rows = activity.days.iter().enumerate().rev().map(|(nth, day)| {
        let counts = measures.iter().map(|(_, _, counts)| html! { (counts[nth]) });
        std::iter::once(html! { time datetime=(day) { (day_name(*day)) } }).chain(counts).collect()
    });
    let heads: Vec<_> = std::iter::once("Day").chain(measures.iter().map(|(name, _, _)| *name)).collect();
    let own = request.head.parts.uri.path();
    Ok(html! {
        section aria-labelledby="activity" {
            h2 #activity { "The last " (ACTIVITY_DAYS) " days" }
            p.hint {
                @if is_test { "Test cards alone." } @else { "Live cards alone." }
                " Days are of the Netherlands. A notification counts on the day of its event, a mail that waits on the day on which it \
                 was queued. "
                @if is_test { a href=(own) { "Show live cards" } } @else { a href={ (own) "?kind=test" } { "Show test cards" } }
            }
            ul.figures {
                @for (name, address, counts) in &measures {
                    li {
                        p { a href=(address) { (name) } " " strong { (counts.iter().sum::<usize>()) } }
                        (draw_bars(name, &activity.days, counts))
                    }
                }
            }
            details {
                summary { "The numbers as a table" }
                (table("On each day", &heads, &rows.collect::<Vec<_>>()))
            }
        }
    })
}

/// Draws the counts of days as bars, of which the highest one has the full height. A bar has its day and count as title.
fn draw_bars(name: &str, days: &[NaiveDate], counts: &[usize]) -> Markup {
    let (most, sum) = (counts.iter().copied().max().unwrap_or_default(), counts.iter().sum::<usize>());
    let mut label = format!("{name}: {sum} in {} days", days.len());
    if let Some(nth) = counts.iter().position(|count| *count == most && most > 0) {
        label.push_str(&format!(", at most {most} on a day, {}", day_name(days[nth])));
    }
    let (width, height) = (days.len() * DAY_WIDTH, BAR_HEIGHT + 1);
    html! {
        svg.bars role="img" aria-label=(label) viewBox={ "0 0 " (width) " " (height) } preserveAspectRatio="none" {
            @for (nth, (day, count)) in days.iter().zip(counts).enumerate().filter(|(_, (_, count))| **count > 0) {
                // A day with one of very many is seen too.
                @let length = (count * BAR_HEIGHT).div_ceil(most).max(2);
                rect x=(nth * DAY_WIDTH + 1) y=(BAR_HEIGHT - length) width=(DAY_WIDTH - 2) height=(length) {
                    title { (day_name(*day)) ": " (count) }
                }
            }
            rect.base x="0" y=(BAR_HEIGHT) width=(width) height="1" {}
        }
    }
}

fn day_name(day: NaiveDate) -> String {
    day.format("%-d %b").to_string()
}

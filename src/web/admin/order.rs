//! `/admin/orders`: the orders of each month and partner, for invoices.

use maud::html;

use super::page::{self, table};
use super::site::OperatorRequest;
use crate::operation::report::{self, Month};
use crate::web::page::Outcome;

/// The number of months before this one that the page begins with.
const MONTHS_BEFORE: u32 = 11;

pub(super) async fn show(request: &OperatorRequest<'_>) -> Outcome {
    let services = &request.context.services;
    let now = Month::of(services.clock.now());
    let given = |name: &str| request.head.parameter(name).and_then(|text| Month::parse(&text));
    let (from, to) = (given("from").unwrap_or(now.before(MONTHS_BEFORE)), given("to").unwrap_or(now));
    let sums = report::orders(services, from, to, None).await?;
    let rows = sums.iter().map(|sum| {
        vec![
            html! { (sum.month) },
            html! { (sum.partner) },
            html! { (sum.orders) },
            html! { (sum.cents / 100) "." (format!("{:02}", sum.cents % 100)) },
        ]
    });
    let main = html! {
        form method="get" {
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
        (table("Orders", &["Month", "Partner", "Orders", "Euros with VAT"], &rows.collect::<Vec<_>>()))
    };
    Ok(page::page(request, "Orders", &None, main))
}

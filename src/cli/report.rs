//! `report orders`.

use clap::Subcommand;
use serde_json::json;

use super::failure::{CliError, CliFailure};
use super::output::{Output, Table, csv};
use crate::model::Partner;
use crate::operation::partner;
use crate::operation::report::{self, Month, NamedOrder, OrderSum};
use crate::services::Services;

#[derive(Debug, Subcommand)]
pub(super) enum ReportCommand {
    /// The orders of each month (of the Netherlands) and partner, without test cards
    Orders {
        /// The first month, such as 2026-01; by default this month
        #[arg(long, value_name = "MONTH", value_parser = month)]
        from: Option<Month>,
        /// The last month; by default the first one
        #[arg(long, value_name = "MONTH", value_parser = month)]
        to: Option<Month>,
        /// Only the orders of this partner
        #[arg(long)]
        partner: Option<String>,
        /// List each order with its day and dossier number, instead of the sums: so that a partner can check its invoice
        #[arg(long)]
        lines: bool,
        /// As CSV, for a spreadsheet
        #[arg(long, conflicts_with = "json")]
        csv: bool,
    },
}

fn month(text: &str) -> Result<Month, String> {
    Month::parse(text).ok_or_else(|| "a month, such as 2026-01".to_owned())
}

pub(super) async fn run(services: &Services, command: ReportCommand, output: Output) -> Result<(), CliFailure> {
    let ReportCommand::Orders { from, to, partner, lines, csv: as_csv } = command;
    let partner = match partner {
        Some(name) => Some(partner::find(services, &name).await?),
        None => None,
    };
    let from = from.unwrap_or_else(|| Month::from_timestamp(services.clock.now()));
    let to = to.unwrap_or(from);
    if to < from {
        return Err(CliError::Reversed.into());
    }
    if lines {
        return order_lines(services, from, to, partner.as_ref(), as_csv, output).await;
    }
    let sums = report::orders(services, from, to, partner.as_ref()).await?;
    let objects = sums.iter().map(|sum| {
        json!({ "month": sum.month.to_string(), "partner": sum.partner, "orders": sum.orders, "cents": sum.cents })
    });
    output.show(&json!({ "orders": objects.collect::<Vec<_>>() }), || {
        let row =
            |sum: &OrderSum| [sum.month.to_string(), sum.partner.clone(), sum.orders.to_string(), euros(sum.cents)];
        render(["month", "partner", "orders", "euros"], sums.iter().map(row), as_csv)
    })
}

async fn order_lines(
    services: &Services,
    from: Month,
    to: Month,
    partner: Option<&Partner>,
    as_csv: bool,
    output: Output,
) -> Result<(), CliFailure> {
    let lines = report::order_lines(services, from, to, partner).await?;
    let day = |order: &NamedOrder| report::dutch_day(order.line.ordered_at).to_string();
    let objects = lines.iter().map(|order| {
        json!({
            "day": day(order),
            "partner": order.partner,
            "number": order.line.number,
            "externalDossierId": order.line.external_dossier_id,
            "cents": order.line.price.cents(),
        })
    });
    output.show(&json!({ "lines": objects.collect::<Vec<_>>() }), || {
        let row = |order: &NamedOrder| {
            let dossier = order.line.external_dossier_id.clone().unwrap_or_default();
            [day(order), order.partner.clone(), order.line.number.clone(), dossier, euros(order.line.price.cents())]
        };
        render(["day", "partner", "order", "dossier", "euros"], lines.iter().map(row), as_csv)
    })
}

fn euros(cents: i64) -> String {
    format!("{}.{:02}", cents / 100, cents % 100)
}

fn render<const N: usize>(heads: [&str; N], rows: impl Iterator<Item = [String; N]>, as_csv: bool) -> String {
    if as_csv {
        let rows: Vec<_> = std::iter::once(heads.map(str::to_owned)).chain(rows).collect();
        return csv(&rows);
    }
    let mut table = Table::new(&heads);
    rows.for_each(|row| table.row(row));
    table.render()
}

//! `report orders`.

use clap::Subcommand;
use serde_json::json;

use super::failure::CliFailure;
use super::output::Output;
use super::progress;
use super::table::{Table, csv};
use crate::operation::partner;
use crate::operation::report::{self, Month};
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
        /// As CSV, for a spreadsheet
        #[arg(long, conflicts_with = "json")]
        csv: bool,
    },
}

fn month(text: &str) -> Result<Month, String> {
    Month::parse(text).ok_or_else(|| "a month, such as 2026-01".to_owned())
}

pub(super) async fn run(services: &Services, command: ReportCommand, output: Output) -> Result<(), CliFailure> {
    let ReportCommand::Orders { from, to, partner, csv: as_csv } = command;
    let partner = match partner {
        Some(name) => Some(partner::find(services, &name).await?),
        None => None,
    };
    let from = from.unwrap_or_else(|| Month::of(services.clock.now()));
    let to = to.unwrap_or(from);
    if to < from {
        return Err(CliFailure::Reversed);
    }
    let sums = report::orders(services, from, to, partner.as_ref());
    let sums = progress::waiting("Adding up orders", output, sums).await?;
    let objects = sums.iter().map(|sum| {
        json!({ "month": sum.month.to_string(), "partner": sum.partner, "orders": sum.orders, "cents": sum.cents })
    });
    output.show(&json!({ "orders": objects.collect::<Vec<_>>() }), || {
        let euros = |cents: i64| format!("{}.{:02}", cents / 100, cents % 100);
        let mut rows = vec![["month", "partner", "orders", "euros"].map(str::to_owned)];
        rows.extend(
            sums.iter()
                .map(|sum| [sum.month.to_string(), sum.partner.clone(), sum.orders.to_string(), euros(sum.cents)]),
        );
        if as_csv {
            return csv(&rows);
        }
        let mut table = Table::new(&["month", "partner", "orders", "euros"]);
        rows.into_iter().skip(1).for_each(|row| table.row(row));
        table.render()
    })
}

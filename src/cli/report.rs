//! `report orders`.

use serde_json::json;

use super::definition::ReportCommand;
use super::failure::CliFailure;
use super::progress;
use super::stdout::Stdout;
use super::table::{Table, csv};
use crate::operation::report::{self, Month};
use crate::operation::{Services, partner};

pub(super) async fn run(services: &Services, command: ReportCommand, stdout: Stdout) -> Result<(), CliFailure> {
    let ReportCommand::Orders { from, to, partner, csv: as_csv } = command;
    let partner = match partner {
        Some(name) => Some(partner::find(services, &name).await?),
        None => None,
    };
    let from = from.unwrap_or_else(|| Month::of(services.clock.now()));
    let sums = report::orders(services, from, to.unwrap_or(from), partner.as_ref());
    let sums = progress::waiting("Adding up orders", stdout, sums).await?;
    let objects = sums.iter().map(|sum| {
        json!({ "month": sum.month.to_string(), "partner": sum.partner, "orders": sum.orders, "cents": sum.cents })
    });
    stdout.show(&json!({ "orders": objects.collect::<Vec<_>>() }), || {
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
    })?;
    Ok(())
}

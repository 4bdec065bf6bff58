//! `card list`: cards by what people call them, or by partner, status, mode and age, newest first.

use clap::{Args, ValueEnum};
use serde_json::json;

use crate::base::Timestamp;
use crate::cli::duration::day;
use crate::cli::failure::CliFailure;
use crate::cli::key::Mode;
use crate::cli::output::Output;
use crate::cli::table::Table;
use crate::cli::view::CardSummary;
use crate::model::{CardStatus, KeyMode};
use crate::operation::{Failure, partner};
use crate::services::Services;
use crate::store::CardFilter;

#[derive(Debug, Args)]
pub(in crate::cli) struct CardList {
    /// A dossier number, order number, global id or public address, never a name; without it, cards by the options
    #[arg(conflicts_with_all = ["partner", "status", "mode", "since", "offline"])]
    pub(super) what: Option<String>,
    /// Only the cards of this partner
    #[arg(long)]
    partner: Option<String>,
    /// Only cards with this status
    #[arg(long)]
    status: Option<Status>,
    /// Only live cards, or only test cards
    #[arg(long)]
    mode: Option<Mode>,
    /// Only cards created since this day, such as 2026-01-31
    #[arg(long, value_name = "DAY", value_parser = day)]
    since: Option<Timestamp>,
    /// Only cards that were taken offline
    #[arg(long)]
    offline: bool,
    /// At most so many
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..))]
    limit: u32,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Status {
    Draft,
    Ordered,
    Active,
}

impl CardList {
    pub(super) async fn run(self, services: &Services, output: Output) -> Result<(), CliFailure> {
        let partner = match &self.partner {
            Some(name) => Some(partner::find(services, name).await?),
            None => None,
        };
        let filter = CardFilter {
            partner_id: partner.map(|partner| partner.id),
            status: self.status.map(|status| match status {
                Status::Draft => CardStatus::Draft,
                Status::Ordered => CardStatus::Ordered,
                Status::Active => CardStatus::Active,
            }),
            test: self.mode.map(|mode| KeyMode::from(mode) == KeyMode::Test),
            created_since: self.since,
            offline: self.offline,
        };
        let limit = usize::try_from(self.limit).unwrap_or(usize::MAX);
        let cards = services.store.latest_cards(filter, limit).await.map_err(Failure::from)?;
        let partners = partner::list(services).await?;
        let name = |id| partners.iter().find(|partner| partner.id == id).map(|partner| partner.name.clone());
        let views: Vec<_> = cards
            .iter()
            .map(|card| CardSummary::new(card, name(card.partner_id).unwrap_or_default(), &services.public_base))
            .collect();
        output.show(&json!({ "cards": views }), || match views.is_empty() {
            true => "There are no such cards.".to_owned(),
            false => table(views.iter()),
        })
    }
}

/// A table of cards, a row for each.
pub(super) fn table<'a>(cards: impl Iterator<Item = &'a CardSummary>) -> String {
    let mut table = Table::new(&["partner", "dossier", "kind", "status", "created", "id"]);
    for card in cards {
        table.row([
            card.partner.clone(),
            card.external_dossier_id.clone(),
            if card.test { "test" } else { "live" }.to_owned(),
            if card.offline_since.is_some() { "OFFLINE" } else { card.status }.to_owned(),
            card.created_at.clone(),
            card.id.clone(),
        ]);
    }
    table.render()
}

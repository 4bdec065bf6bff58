//! The commands of `card …`, and `list` by what people call a card, and `show`.

use std::path::PathBuf;

use clap::Subcommand;
use serde_json::json;

use super::find_one::{find_one, id_of, with_gid};
use super::list::{self, CardList};
use super::{delete, export};
use crate::base::Timestamp;
use crate::cli::audit::Audited;
use crate::cli::duration::day;
use crate::cli::failure::CliFailure;
use crate::cli::mail;
use crate::cli::output::Output;
use crate::cli::table::{Table, one_line};
use crate::cli::view::{CardFacts, CardView};
use crate::model::{Actor, Card};
use crate::operation::Failure;
use crate::operation::card::{self, OrderError};
use crate::services::Services;

#[derive(Debug, Subcommand)]
pub(in crate::cli) enum CardCommand {
    /// Find cards by a number, id or address, or list them, newest first
    List(CardList),
    /// Order a card for the family, if it has everything that an order needs: DRAFT becomes ORDERED, and the server activates
    /// it unless CARD_ACTIVATION is operator
    Order {
        /// The global id of the card: gid://service/Card/<uuid>
        gid: String,
    },
    /// Activate a card: ORDERED becomes ACTIVE
    Activate {
        /// The global id of the card: gid://service/Card/<uuid>
        gid: String,
    },
    /// Take a card that is ACTIVE offline: its pages say so and its mails wait; its status and the API stay
    TakeOffline {
        /// The global id of the card: gid://service/Card/<uuid>
        gid: String,
        /// Put it online again
        #[arg(long)]
        undo: bool,
    },
    /// Show a card, its events and the state of its mails
    Show {
        /// The global id of the card: gid://service/Card/<uuid>
        gid: String,
    },
    /// Delete a card with its photo and all personal data, or the test cards of a partner, for good
    Delete {
        /// The global id of the card: gid://service/Card/<uuid>
        #[arg(required_unless_present_any = ["listed", "test_cards_of"])]
        gid: Option<String>,
        /// Instead the test cards of this partner
        #[arg(long, value_name = "PARTNER", conflicts_with_all = ["gid", "listed"])]
        test_cards_of: Option<String>,
        /// Only test cards created before this day, such as 2026-01-31
        #[arg(long, value_name = "DAY", value_parser = day, requires = "test_cards_of")]
        before: Option<Timestamp>,
        /// Instead the cards of this list that exist, such as deleted-cards.txt next to the backups: after pg_restore
        #[arg(long, value_name = "FILE", conflicts_with = "gid")]
        listed: Option<PathBuf>,
        /// Do it; without this, only report what would be deleted
        #[arg(long)]
        yes: bool,
    },
    /// Write everything that is stored about a card into a new folder: card.json, invitees.csv and the portrait
    Export {
        /// The global id of the card: gid://service/Card/<uuid>
        gid: String,
        /// A folder that does not exist yet
        folder: PathBuf,
    },
}

impl CardCommand {
    /// What the command changes; `None` if it only reads.
    pub(crate) fn audited(&self) -> Option<Audited> {
        match self {
            CardCommand::Order { gid } => Audited::new("card order", gid, &["status"]),
            CardCommand::Activate { gid } => Audited::new("card activate", gid, &["status", "cardUrl"]),
            CardCommand::TakeOffline { gid, .. } => Audited::new("card take-offline", gid, &["offlineSince"]),
            CardCommand::Delete { gid, test_cards_of, listed, .. } => {
                let listed = listed.as_ref().map(|list| list.display().to_string());
                let tests = test_cards_of.as_ref().map(|partner| format!("test cards of {partner}"));
                Audited::new("card delete", gid.clone().or(tests).or(listed).unwrap_or_default(), &[])
            }
            CardCommand::Export { gid, .. } => Audited::new("card export", gid, &[]),
            CardCommand::List(_) | CardCommand::Show { .. } => None,
        }
    }
}

pub(in crate::cli) async fn run(services: &Services, command: CardCommand, output: Output) -> Result<(), CliFailure> {
    match command {
        CardCommand::List(CardList { what: Some(what), .. }) => find(services, &what, output).await,
        CardCommand::List(list) => list.run(services, output).await,
        CardCommand::Order { gid } => {
            let id = id_of(&gid)?;
            let ordered = card::order(services, id, Actor::Operator, services.activation).await;
            let ordered = ordered.map_err(|error| match error {
                OrderError::NotFound => CliFailure::NoCard(gid),
                other => other.into(),
            })?;
            show_card(services, ordered, output).await
        }
        CardCommand::Activate { gid } => {
            let id = id_of(&gid)?;
            show_card(services, card::activate(services, id, Actor::Operator).await.map_err(with_gid(gid))?, output)
                .await
        }
        CardCommand::TakeOffline { gid, undo } => {
            let id = id_of(&gid)?;
            let changed = match undo {
                true => card::put_online(services, id).await,
                false => card::take_offline(services, id).await,
            };
            show_card(services, changed.map_err(with_gid(gid))?, output).await
        }
        CardCommand::Show { gid } => show_card(services, find_one(services, &gid).await?, output).await,
        CardCommand::Delete { listed: Some(list), yes, .. } => delete::listed(services, &list, yes, output).await,
        CardCommand::Delete { test_cards_of: Some(partner), before, yes, .. } => {
            delete::test_cards(services, &partner, before, yes, output).await
        }
        CardCommand::Delete { gid, yes, .. } => delete::one(services, gid.unwrap_or_default(), yes, output).await,
        CardCommand::Export { gid, folder } => export::run(services, gid, &folder, output).await,
    }
}

async fn show_card(services: &Services, card: Card, output: Output) -> Result<(), CliFailure> {
    let view = view(services, &card).await?;
    output.show(&json!({ "card": view }), || text(&view))
}

async fn find(services: &Services, what: &str, output: Output) -> Result<(), CliFailure> {
    let mut views = Vec::new();
    for card in card::find(services, what).await? {
        views.push(view(services, &card).await?);
    }
    if views.is_empty() {
        return Err(CliFailure::UnknownCard(what.to_owned()));
    }
    output.show(&json!({ "cards": views }), || list::table(views.iter().map(|view| &view.card)))
}

async fn view(services: &Services, card: &Card) -> Result<CardView, Failure> {
    let store = &services.store;
    let partner = store.partner(card.partner_id).await?.map_or_else(|| card.partner_id.to_string(), |p| p.name);
    let theme = match card.theme_id {
        Some(id) => store.theme(id).await?.map(|theme| theme.handle),
        None => None,
    };
    let (events, mails) = (store.events_of(card.id).await?, store.mails_of(card.id).await?);
    Ok(CardFacts { card, partner, theme, events: &events, mails: &mails, public_base: &services.public_base }.into())
}

fn text(view: &CardView) -> String {
    let mut text = String::new();
    let card = &view.card;
    let kind = if card.test { "test card" } else { "live card" };
    for (name, value) in [
        ("Card", card.id.as_str()),
        ("Partner", &card.partner),
        ("Dossier", &card.external_dossier_id),
        ("Kind", kind),
        ("Status", card.status),
        ("Theme", view.theme.as_deref().unwrap_or("-")),
        ("Address", card.card_url.as_deref().unwrap_or("-")),
        ("Offline", card.offline_since.as_deref().unwrap_or("-")),
        ("Created", &card.created_at),
        ("Changed", &card.updated_at),
    ] {
        text.push_str(&format!("{name:<8}  {}\n", one_line(value)));
    }
    let mut events = Table::new(&["event", "topic", "actor", "moment", "fields"]);
    for event in &view.events {
        events.row([
            event.sequence.to_string(),
            event.topic.to_owned(),
            event.actor.to_owned(),
            event.occurred_at.clone(),
            event.changed_fields.join(", "),
        ]);
    }
    text += &format!("\n{}", events.render());
    if !view.mails.is_empty() {
        text += &format!("\n{}", mail::table(&view.mails));
    }
    text
}

//! `card list` finds cards by a number, id or address, or by partner, status, mode and age, newest first;
//! `card export` writes the data of one.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use serde_json::{Value, json};

use super::{id_of, with_gid};
use crate::base::{GlobalId, Kind, Timestamp, private};
use crate::cli::duration::day;
use crate::cli::failure::{CliError, CliFailure};
use crate::cli::key::Mode;
use crate::cli::output::{Output, csv, render_table};
use crate::cli::view::{card_object, event_object};
use crate::model::{Card, CardField, CardStatus, Invitee, KeyMode, MailState};
use crate::operation::card::CardExport;
use crate::operation::{Failure, card, partner};
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
        let view = |card: &Card| card_object(card, &name(card.partner_id).unwrap_or_default(), &services.public_base);
        let views: Vec<_> = cards.iter().map(view).collect();
        output.show(&json!({ "cards": views }), || match views.is_empty() {
            true => "There are no such cards.".to_owned(),
            false => table(&views),
        })
    }
}

/// Renders cards as a table.
pub(super) fn table(cards: &[Value]) -> String {
    let row = |card: &Value| {
        let mut card = card.clone();
        card["kind"] = kind(&card).into();
        if !card["offlineSince"].is_null() {
            card["status"] = "OFFLINE".into();
        }
        card
    };
    let columns = "partner | dossier: externalDossierId | kind | status | created: createdAt | id";
    render_table(columns, &cards.iter().map(row).collect::<Vec<_>>())
}

/// The mode of a card or subscription.
pub(in crate::cli) fn kind(object: &Value) -> &'static str {
    if object["test"] == true { "test" } else { "live" }
}

pub(super) async fn export_card(
    services: &Services,
    gid: String,
    folder: &Path,
    output: Output,
) -> Result<(), CliFailure> {
    let id = id_of(&gid)?;
    if folder.exists() {
        return Err(CliError::FolderExists(folder.to_owned()).into());
    }
    let export = card::export(services, id).await.map_err(with_gid(gid))?;
    let write = |name: &str, bytes: &[u8]| -> Result<PathBuf, CliFailure> {
        let path = folder.join(name);
        private::write_file(&path, bytes).map_err(|error| CliError::Write(path.clone(), error))?;
        Ok(path)
    };
    private::create_folder(folder).map_err(|error| CliError::Write(folder.to_owned(), error))?;
    let card = serde_json::to_vec_pretty(&object(services, &export)).expect("texts and numbers can be written");
    let mut files = vec![write("card.json", &card)?, write("invitees.csv", invitees(services, &export).as_bytes())?];
    if let (Some(bytes), Some(key)) = (&export.portrait, &export.card.deceased.photo) {
        let extension = key.as_str().rsplit_once('.').map_or("photo", |(_, extension)| extension);
        files.push(write(&format!("portrait.{extension}"), bytes)?);
    }
    let files: Vec<_> = files.iter().map(|path| path.display().to_string()).collect();
    output.show(&json!({ "folder": folder.display().to_string(), "files": files }), || {
        format!("Wrote {}. They hold personal data: hand them over safely, and keep no copy.", files.join(", "))
    })
}

/// `card.json`: the fields by their names in the schema, and everything else that is stored about the card.
fn object(services: &Services, export: &CardExport) -> Value {
    let CardExport { card, partner, theme, order, events, mails, note, .. } = export;
    let timestamp = |timestamp: Timestamp| timestamp.to_string();
    let order = order.as_ref().map(|order| {
        json!({
            "number": order.number.to_string(),
            "orderedAt": timestamp(order.ordered_at),
            "priceCents": order.price.cents(),
            "customer": order.customer.as_ref().map(|c| json!({ "name": c.name, "email": c.email })),
        })
    });
    let mails = mails.iter().map(|mail| {
        let sent_at = if let MailState::Sent(at) = mail.state { Some(timestamp(at)) } else { None };
        json!({ "kind": mail.kind.as_str(), "createdAt": timestamp(mail.created_at), "sentAt": sent_at, "state": mail.state.kind().as_str(),
            "answer": mail.answer })
    });
    let mut object = json!({
        "id": GlobalId::new(Kind::Card, card.id).to_string(),
        "partner": partner.name,
        "externalDossierId": card.external_dossier_id,
        "test": card.test,
        "createdAt": timestamp(card.created_at),
        "updatedAt": timestamp(card.updated_at),
        "order": order,
        "events": events.iter().map(event_object).collect::<Vec<_>>(),
        "mails": mails.collect::<Vec<_>>(),
        "invitationNote": note.as_ref().map(|note| json!({ "note": note.note, "answers": note.answers, "changedAt": timestamp(note.changed_at) })),
    });
    for CardField { path, value, .. } in card.fields() {
        let value = match path {
            "deceased.photoUrl" => continue, // exported as a file
            "theme" => theme.as_ref().map(|theme| theme.handle.as_str().into()),
            "cardUrl" => card.slug.as_ref().map(|slug| services.card_address(slug).to_string().into()),
            _ => value,
        };
        match path.split_once('.') {
            Some((parent, name)) => object[parent][name] = json!(value),
            None => object[path] = json!(value),
        }
    }
    object
}

/// `invitees.csv`.
fn invitees(services: &Services, export: &CardExport) -> String {
    let head = ["name", "email", "link", "added", "mails", "first seen"].map(str::to_owned);
    let row = |invitee: &Invitee| {
        [
            invitee.name.clone(),
            invitee.email.clone().unwrap_or_default(),
            services.invitation_address(&invitee.token).to_string(),
            invitee.created_at.to_string(),
            invitee.mail_count.to_string(),
            invitee.seen_at.map(|at| at.to_string()).unwrap_or_default(),
        ]
    };
    csv(&std::iter::once(head).chain(export.invitees.iter().map(row)).collect::<Vec<_>>())
}

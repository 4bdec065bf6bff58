//! `card list|show|order|activate|take-offline|delete|export`.

mod list;

use std::io;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Subcommand;
use serde_json::{Value, json};
use uuid::Uuid;

use self::list::CardList;
pub(super) use self::list::kind;
use super::audit::Audited;
use super::duration::day;
use super::failure::{CliError, CliFailure};
use super::mail;
use super::output::{Output, one_line, render_lines, render_table};
use super::view::{card_object, event_object, mail_object};
use crate::base::{GlobalId, Kind, Step, Timestamp};
use crate::model::{Actor, Card};
use crate::operation::backup::{delete_listed, list_deleted};
use crate::operation::card::{CardStateError, Deletion, OrderError};
use crate::operation::{Failure, card, partner};
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
    /// Write all stored data of a card into a new folder: card.json, invitees.csv and the portrait
    Export {
        /// The global id of the card: gid://service/Card/<uuid>
        gid: String,
        /// A folder that does not exist yet
        folder: PathBuf,
    },
}

impl CardCommand {
    /// The audit record of the command; `None` if it only reads.
    pub(crate) fn audit_entry(&self) -> Option<Audited> {
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
            let ordered = match card::order_by_operator(services, id, Actor::Operator, services.activation).await {
                Err(OrderError::NotFound) => return Err(CliError::NoCard(gid).into()),
                ordered => ordered?,
            };
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
        CardCommand::Delete { listed: Some(list), yes, .. } => delete_list(services, &list, yes, output).await,
        CardCommand::Delete { test_cards_of: Some(partner), before, yes, .. } => {
            test_cards(services, &partner, before, yes, output).await
        }
        CardCommand::Delete { gid, yes, .. } => one(services, gid.unwrap_or_default(), yes, output).await,
        CardCommand::Export { gid, folder } => list::export_card(services, gid, &folder, output).await,
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
        return Err(CliError::UnknownCard(what.to_owned()).into());
    }
    output.show(&json!({ "cards": views }), || list::table(&views))
}

/// A card with the handle of its theme, its events, and its mails: oldest first, finished ones for 30 days.
async fn view(services: &Services, card: &Card) -> Result<Value, Failure> {
    let store = &services.store;
    let partner = store.partner(card.partner_id).await?.map_or_else(|| card.partner_id.to_string(), |p| p.name);
    let theme = store.theme_of(card).await?.map(|theme| theme.handle.clone());
    let (events, mails) = (store.events_of(card.id).await?, store.mails_of(card.id).await?);
    let mut object = card_object(card, &partner, &services.public_base);
    object["theme"] = json!(theme);
    object["events"] = events.iter().map(event_object).collect();
    object["mails"] = mails.iter().map(mail_object).collect();
    Ok(object)
}

fn text(view: &Value) -> String {
    let mut card = view.clone();
    card["kind"] = format!("{} card", list::kind(view)).into();
    let fields = "Card: id | Partner: partner | Dossier: externalDossierId | Kind: kind | Status: status | \
                  Theme: theme | Address: cardUrl | Offline: offlineSince | Created: createdAt | \
                  Changed: updatedAt";
    let events = "event: sequence | topic | actor | moment: occurredAt | fields: changedFields";
    let objects = |name: &str| view[name].as_array().map_or(&[][..], Vec::as_slice);
    let mut text = format!("{}\n{}", render_lines(fields, &card), render_table(events, objects("events")));
    if !objects("mails").is_empty() {
        text += &format!("\n{}", mail::table(objects("mails")));
    }
    text
}

pub(super) fn id_of(gid: &str) -> Result<Uuid, CliFailure> {
    GlobalId::uuid_of(gid, Kind::Card).ok_or_else(|| CliError::NoCardId(gid.to_owned()).into())
}

/// The card with this global id.
pub(in crate::cli) async fn find_one(services: &Services, gid: &str) -> Result<Card, CliFailure> {
    let found = services.store.any_card(id_of(gid)?).await.map_err(Failure::from)?;
    found.map(Arc::unwrap_or_clone).ok_or_else(|| CliError::NoCard(gid.to_owned()).into())
}

/// Names the card by the global id that the operator typed.
pub(super) fn with_gid(gid: String) -> impl FnOnce(CardStateError) -> CliFailure {
    |error| match error {
        CardStateError::NotFound(_) => CliError::NoCard(gid).into(),
        other => other.into(),
    }
}

/// What an operator does who interrupted a deletion.
const DELETE_AGAIN: &str = "The counted cards are deleted. Run it again for the others.";

/// Deletes the cards of a list, such as the one next to the backups, that exist.
pub(super) async fn delete_list(services: &Services, list: &Path, yes: bool, output: Output) -> Result<(), CliFailure> {
    if !yes {
        let what = format!("This deletes the cards that {} lists, with all personal data, for good.", list.display());
        return Err(CliFailure::dry_run(what, None));
    }
    let progress = output.progress();
    progress.plan([Step::DeleteCards], DELETE_AGAIN);
    let count = delete_listed(services, list, progress).await?;
    output.show(&json!({ "deletedListed": count }), || format!("Deleted {count} cards of the list."))
}

pub(super) async fn one(services: &Services, gid: String, yes: bool, output: Output) -> Result<(), CliFailure> {
    let found = find_one(services, &gid).await?;
    let what = format!("the {} card of dossier {}", found.status.as_str(), one_line(&found.external_dossier_id));
    if !yes {
        let what = format!("This deletes {what}, with its photo, its invitees and all personal data, for good.");
        return Err(CliFailure::dry_run(what, 1));
    }
    let deleted = card::delete(services, found.id).await.map_err(with_gid(gid.clone()))?;
    note_deleted(services, &[found.id]).await?;
    let mut object = json!({ "deleted": gid });
    if deleted.photo_waits {
        object["photoWaits"] = true.into();
    }
    output.show(&object, || format!("Deleted {what}, and {} invitees.{}", deleted.card.invitees, later(&deleted)))
}

pub(super) async fn test_cards(
    services: &Services,
    partner: &str,
    before: Option<Timestamp>,
    yes: bool,
    output: Output,
) -> Result<(), CliFailure> {
    let partner = partner::find(services, partner).await?;
    // Without a day: the cards that exist now.
    let before = before.unwrap_or_else(|| services.clock.now());
    let ids = card::test_cards(services, &partner, before).await?;
    if !yes {
        let what = format!("This deletes {} test cards of \"{}\", for good.", ids.len(), partner.name);
        return Err(CliFailure::dry_run(what, ids.len()));
    }
    let progress = output.progress();
    progress.plan([Step::DeleteCards], DELETE_AGAIN);
    let (count, mut deleted, mut waiting) =
        (progress.begin(Step::DeleteCards, Some(ids.len())), Vec::with_capacity(ids.len()), 0);
    for &id in &ids {
        let gid = GlobalId::new(Kind::Card, id).to_string();
        waiting += usize::from(card::delete(services, id).await.map_err(with_gid(gid.clone()))?.photo_waits);
        deleted.push(gid);
        count.add(1);
    }
    note_deleted(services, &ids).await?;
    output.show(&json!({ "deleted": deleted, "photosWaiting": waiting }), || {
        let later = if waiting > 0 { format!(" The server removes {waiting} photos later.") } else { String::new() };
        format!("Deleted {} test cards of \"{}\".{later}", deleted.len(), partner.name)
    })
}

/// Adds the cards to the list next to the backups, so that a restore deletes them again. Says so if that fails.
async fn note_deleted(services: &Services, ids: &[Uuid]) -> Result<(), CliFailure> {
    if let Some((list, Err(error))) = list_deleted(services, ids).await? {
        let list = list.display();
        // A closed stderr loses the warning.
        let _ = writeln!(
            io::stderr(),
            "Warning: {list} could not be written ({error}). Backups still hold the card: delete it again after a restore."
        );
    }
    Ok(())
}

/// The files that are not deleted yet; `None` if all are.
fn later(deleted: &Deletion) -> &'static str {
    match deleted.photo_waits {
        true => " The object store does not answer: the server removes the photo once it does.",
        false => "",
    }
}

//! Lists behind the numbers of the first page: the newest cards, and the mails that wait or were lost.

use std::collections::BTreeMap;

use maud::{Markup, html};
use uuid::Uuid;

use super::OperatorRequest;
use super::card::{address, kind};
use super::layout::{self, table, time};
use crate::base::limits::{ADMIN_LIST_ROWS_MAX, ADMIN_LIST_SINCE};
use crate::model::{Card, CardStatus, Mail};
use crate::operation::Failure;
use crate::store::CardFilter;
use crate::web::page::Outcome;

/// `/admin/cards`: the newest live cards, or test cards for `kind=test`; of a partner or a status if the address has one.
pub(super) async fn list_cards(request: &OperatorRequest<'_>) -> Outcome {
    let services = &request.context.services;
    let status = request.head.parameter("status").and_then(|status| CardStatus::parse(&status));
    let is_test = request.head.parameter("kind").as_deref() == Some("test");
    let partner_id = request.head.parameter("partner").and_then(|id| Uuid::try_parse(&id).ok());
    let created_since = Some(services.clock.now().before(ADMIN_LIST_SINCE));
    let filter = CardFilter { partner_id, status, test: Some(is_test), created_since, ..CardFilter::default() };
    let cards = services.store.latest_cards(filter, ADMIN_LIST_ROWS_MAX).await?;
    let partners = partner_names(request).await?;
    let rows: Vec<_> = cards.iter().map(|card| card_row(card, &partners)).collect();
    let option = |value: &str, chosen: bool, name: &str| html! { option value=(value) selected[chosen] { (name) } };
    let main = html! {
        form method="get" {
            @if let Some(partner_id) = partner_id { input type="hidden" name="partner" value=(partner_id); }
            div.row {
                div.field {
                    label for="status" { "Status" }
                    select #status name="status" {
                        (option("", status.is_none(), "all"))
                        @for one in CardStatus::ALL { (option(one.as_str(), status == Some(one), one.as_str())) }
                    }
                }
                div.field {
                    label for="kind" { "Kind" }
                    select #kind name="kind" {
                        (option("live", !is_test, "live cards"))
                        (option("test", is_test, "test cards"))
                    }
                }
                div.field { button { "Show" } }
            }
        }
        p.hint {
            "At most " (ADMIN_LIST_ROWS_MAX) ", made in the last " (ADMIN_LIST_SINCE.as_secs() / 86_400) " days. All others: the search, or "
            code { "card-service card list" } "."
        }
        (table("Newest cards", &CARD_HEADS, &rows))
    };
    Ok(layout::page(request, "Cards", &None, main))
}

/// The heads of a table of cards.
pub(super) const CARD_HEADS: [&str; 5] = ["Dossier", "Partner", "Status", "Kind", "Created"];

/// A card as a row of a table.
pub(super) fn card_row(card: &Card, partners: &BTreeMap<Uuid, String>) -> Vec<Markup> {
    vec![
        html! { a href=(address(card.id)) { (card.external_dossier_id) } },
        html! { (partners.get(&card.partner_id).map_or("?", String::as_str)) },
        html! { (card.status.as_str()) },
        html! { (kind(card)) },
        time(card.created_at),
    ]
}

/// `/admin/mails`: the mails that wait, and the mails that were refused or given up and not sent again.
pub(super) async fn list_mails(request: &OperatorRequest<'_>) -> Outcome {
    let services = &request.context.services;
    let since = services.clock.now().before(ADMIN_LIST_SINCE);
    let waiting = services.store.waiting_mails(ADMIN_LIST_ROWS_MAX).await?;
    let lost = services.store.failed_mails_since(since, ADMIN_LIST_ROWS_MAX).await?;
    let partners = partner_names(request).await?;
    let main = html! {
        p.hint { "At most " (ADMIN_LIST_ROWS_MAX) " of each. A mail is sent again on the page of its card." }
        div #waiting { (mail_table(request, "Mails that wait", &waiting, &partners).await?) }
        div #lost { (mail_table(request, "Mails that were refused or given up, and not sent again", &lost, &partners).await?) }
    };
    Ok(layout::page(request, "Mails", &None, main))
}

async fn mail_table(
    request: &OperatorRequest<'_>,
    caption: &str,
    mails: &[Mail],
    partners: &BTreeMap<Uuid, String>,
) -> Result<Markup, Failure> {
    let mut rows = Vec::new();
    for mail in mails {
        // Deleted since the mails were read.
        let Some(card) = request.context.services.store.any_card(mail.card_id).await? else { continue };
        rows.push(vec![
            time(mail.created_at),
            html! { a href=(address(card.id)) { (card.external_dossier_id) } },
            html! { (partners.get(&card.partner_id).map_or("?", String::as_str)) },
            html! { (kind(&card)) },
            html! { (mail.kind.as_str()) },
            html! { (mail.state.kind().as_str()) " " (time(mail.state.time())) },
            html! { (mail.answer.as_deref().unwrap_or_default()) },
        ]);
    }
    Ok(table(caption, &["Queued", "Dossier", "Partner", "Kind", "Mail", "State", "Answer"], &rows))
}

/// Returns the name of each partner.
pub(super) async fn partner_names(request: &OperatorRequest<'_>) -> Result<BTreeMap<Uuid, String>, Failure> {
    let partners = request.context.services.store.partners().await?;
    Ok(partners.into_iter().map(|partner| (partner.id, partner.name)).collect())
}

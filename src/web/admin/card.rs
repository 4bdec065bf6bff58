//! Cards: the first page with the search, and the page of one card with its timeline. No page shows a name or a mail address of a family.

use std::collections::BTreeMap;

use maud::{Markup, html};
use uuid::Uuid;

use super::OperatorRequest;
use super::layout::{self, Problem, back, button, facts, table, time};
use super::list::{CARD_HEADS, card_row, partner_names};
use super::overview::show_activity;
use super::read_only::show_states;
use crate::base::limits::{self, TIMELINE_ROWS_MAX};
use crate::base::{GlobalId, Kind, Timestamp};
use crate::model::{
    ADMIN_PATH, Card, Delivery, DeliveryState, Event, Mail, MailStateKind, OpenSession, SessionId, SessionSelection,
    audit, delivery_id,
};
use crate::operation::mail::{self, ResendMailError};
use crate::operation::webhook::delivery::{SendAgainError, resend, subscriptions_of};
use crate::operation::{Failure, card, session};
use crate::response::{self, Response};
use crate::services::Checks;
use crate::web::form::Form;
use crate::web::page::{Outcome, PageError};

/// `/admin`: the search, the state of the service, and what happened lately. A form, so that no number of a case is in an address.
pub(super) async fn search(request: &OperatorRequest<'_>, checks: &Checks) -> Outcome {
    let what = request.form.as_ref().map(|form| form.text("what")).filter(|what| !what.is_empty());
    let found = match what {
        Some(what) => card::find(&request.context.services, what).await?,
        None => Vec::new(),
    };
    if let [card] = found.as_slice() {
        return Ok(response::see_other(&address(card.id)));
    }
    let problem = what.filter(|_| found.is_empty()).map(|what| format!("No card is known by \u{201c}{what}\u{201d}."));
    let partners = partner_names(request).await?;
    let rows: Vec<_> = found.iter().map(|card| card_row(card, &partners)).collect();
    let main = html! {
        form method="post" action=(ADMIN_PATH) {
            (request.operator.token_field())
            div.field {
                label for="what" { "Dossier, order number, id or address of a card" }
                input #what type="text" name="what" value=(what.unwrap_or_default()) maxlength="2048" autocomplete="off" required;
            }
            button { "Find" }
        }
        @if what.is_none() {
            (show_states(request, checks).await)
            (show_activity(request, None).await?)
            (newest_orders(request, &partners).await?)
        }
        @if !rows.is_empty() { (table("Cards", &CARD_HEADS, &rows)) }
    };
    Ok(layout::page(request, "Overview", &problem, main))
}

/// The newest live orders of the last week, each with a button that finds its card.
async fn newest_orders(request: &OperatorRequest<'_>, partners: &BTreeMap<Uuid, String>) -> Outcome<Markup> {
    let services = &request.context.services;
    let since = services.clock.now().before(limits::NEWEST_ORDERS_SINCE);
    let lines = services.store.newest_orders(since, limits::NEWEST_ORDERS_SHOWN).await?;
    let rows = lines.iter().map(|line| {
        vec![
            time(line.ordered_at),
            html! { (line.external_dossier_id.as_deref().unwrap_or("deleted")) },
            html! { (partners.get(&line.partner_id).map_or("?", String::as_str)) },
            html! { (line.price) },
            button(request, "what", &line.number, "Show", &line.number),
        ]
    });
    Ok(table("Newest orders", &["Ordered", "Dossier", "Partner", "Price", "Card"], &rows.collect::<Vec<_>>()))
}

/// `/admin/card/<uuid>`: a card with its timeline, and the buttons on it.
pub(super) async fn show(request: &OperatorRequest<'_>, id: &str) -> Outcome {
    let card = match Uuid::try_parse(id) {
        Ok(id) => request.context.services.store.any_card(id).await?,
        Err(_) => None,
    };
    let Some(card) = card else { return Ok(layout::not_found(request.context)) };
    let problem = match &request.form {
        Some(form) => match act(request, &card, form).await? {
            Ok(done) => return Ok(back(request, done)),
            Err(problem) => Some(problem),
        },
        None => None,
    };
    page_of(request, &card, &problem).await
}

/// Runs the action of a button on the timeline. Returns its code, or why nothing was done.
async fn act(request: &OperatorRequest<'_>, card: &Card, form: &Form) -> Outcome<Result<&'static str, String>> {
    let timeline = Timeline::read(request, card).await?;
    if let Some(mail) = timeline.mails.iter().find(|mail| form.text("mail") == mail.id.to_string()) {
        let services = request.audited(audit::MAIL_RESEND, mail.id.to_string());
        return match mail::resend(&services, &mail.id.to_string()).await {
            Ok(_) => Ok(Ok("mail")),
            Err(ResendMailError::Failed(failure)) => Err(PageError::Failed(failure)),
            Err(refused) => Ok(Err(refused.to_string())),
        };
    }
    if let Some(delivery) = timeline.deliveries.iter().find(|one| form.text("delivery") == one.id.to_string()) {
        let services = request.audited(audit::WEBHOOK_REPLAY, delivery.id.to_string());
        return match resend(&services, delivery).await {
            Ok(()) => Ok(Ok("delivery")),
            Err(SendAgainError::Failed(failure)) => Err(PageError::Failed(failure)),
            Err(refused) => Ok(Err(refused.to_string())),
        };
    }
    if let Some(open) = timeline.sessions.iter().find(|open| form.text("session") == open.id().to_string()) {
        let id: SessionId = open.id();
        session::revoke(&request.audited(audit::SESSION_REVOKE, id.to_string()), SessionSelection::One(id)).await?;
        return Ok(Ok("session"));
    }
    Ok(Err("It is not there any more: nothing was changed.".to_owned()))
}

/// The events, mails, deliveries and open sessions of a card.
struct Timeline {
    /// The newest ones, newest first.
    events: Vec<Event>,
    /// The number of events that are older than these.
    older_events: usize,
    mails: Vec<Mail>,
    deliveries: Vec<Delivery>,
    sessions: Vec<OpenSession>,
    /// The addresses of the subscriptions of the partner, by id.
    receivers: Vec<(Uuid, String)>,
}

impl Timeline {
    async fn read(request: &OperatorRequest<'_>, card: &Card) -> Result<Self, Failure> {
        let services = &request.context.services;
        let store = &services.store;
        let (events, count) = store.newest_events(card.id, TIMELINE_ROWS_MAX).await?;
        let mails = store.mails_of(card.id).await?;
        let subscriptions = subscriptions_of(services, card.partner_id).await?;
        let ids = events.iter().flat_map(|event| subscriptions.iter().map(|one| delivery_id(event.id, one.id)));
        let deliveries = store.deliveries_among(ids.collect()).await?;
        let sessions = session::list_open(services, SessionSelection::Card(card.id)).await?;
        let receivers = subscriptions.iter().map(|one| (one.id, one.callback_url.to_string())).collect();
        Ok(Self { older_events: count.saturating_sub(events.len()), events, mails, deliveries, sessions, receivers })
    }

    /// The rows of the table, oldest first, each with its time.
    fn rows(&self, request: &OperatorRequest<'_>) -> Vec<Vec<Markup>> {
        let mut rows: Vec<(Timestamp, Vec<Markup>)> = Vec::new();
        let mut add = |at, what: String, state: Markup, detail: Markup, action: Markup| {
            rows.push((at, vec![time(at), html! { (what) }, state, detail, action]));
        };
        for event in self.events.iter().rev() {
            let what = format!("Event {} {}", event.sequence, event.topic.as_str());
            let by = html! { "by " (event.actor.as_str()) };
            add(event.occurred_at, what, by, html! { (event.changed_fields.join(", ")) }, html! {});
        }
        for delivery in &self.deliveries {
            let receiver = self.receivers.iter().find(|(id, _)| *id == delivery.subscription_id);
            let receiver = receiver.map_or("", |(_, address)| address);
            let what = format!("Notification of event {}", delivery.sequence);
            let state =
                state_of(delivery.state.as_str(), delivery.attempt_count, delivery.due_at.or(delivery.finished_at));
            let again =
                button(request, "delivery", &delivery.id.to_string(), "Send again", &format!("{what} to {receiver}"));
            let waits = delivery.state == DeliveryState::Waiting;
            add(delivery.created_at, what, state, html! { "to " (receiver) }, html! { @if !waits { (again) } });
        }
        for mail in &self.mails {
            let what = format!("Mail {}", mail.kind.as_str());
            let state = state_of(mail.state.kind().as_str(), i64::from(mail.attempts), Some(mail.state.time()));
            let about = format!("{what} of {}", mail.created_at);
            let again = button(request, "mail", &mail.id.to_string(), "Send again", &about);
            let queued = mail.state.kind() == MailStateKind::Queued;
            let answer = html! { (mail.answer.as_deref().unwrap_or_default()) };
            add(mail.created_at, what, state, answer, html! { @if !queued { (again) } });
        }
        for open in &self.sessions {
            let what = format!("Session ({}) {}", open.kind.as_str(), open.target.as_str());
            let end = button(request, "session", &open.id().to_string(), "End", &format!("{what} {}", open.id()));
            let seen = html! { @if let Some(at) = open.seen_at { "used " (time(at)) } @else { "unused" } };
            add(open.created_at, what, seen, html! { "id " (open.id()) }, end);
        }
        rows.sort_by_key(|(at, _)| *at);
        rows.into_iter().map(|(_, row)| row).collect()
    }
}

/// A state, since or until when, and the number of attempts.
fn state_of(state: &str, attempts: i64, at: Option<Timestamp>) -> Markup {
    html! {
        (state) @if let Some(at) = at { " " (time(at)) }
        @if attempts > 1 { ", attempt " (attempts) }
    }
}

async fn page_of(request: &OperatorRequest<'_>, card: &Card, problem: &Problem) -> Outcome<Response> {
    let services = &request.context.services;
    let theme = services.store.theme_of(card).await?.map(|theme| theme.handle.clone());
    let partner = partner_name(request, card).await?;
    let address = card.slug.as_ref().map(|slug| services.card_address(slug).to_string());
    let known = facts(&[
        ("Id", html! { (GlobalId::new(Kind::Card, card.id)) }),
        ("Partner", html! { a href=(request.context.path(&format!("/partners/{}", card.partner_id))) { (partner) } }),
        ("Kind", html! { (kind(card)) }),
        ("Status", html! { (card.status.as_str()) }),
        ("Theme", html! { (theme.as_deref().unwrap_or("none")) }),
        (
            "Address",
            html! {
                @match &address { Some(address) => a href=(address) rel="noreferrer" { (address) }, None => "none" }
            },
        ),
        ("Offline", html! { @match card.offline_since { Some(at) => { "since " (time(at)) }, None => "no" } }),
        ("Created", time(card.created_at)),
        ("Changed", time(card.updated_at)),
    ]);
    let timeline = Timeline::read(request, card).await?;
    let rows = timeline.rows(request);
    let first = rows.len().saturating_sub(TIMELINE_ROWS_MAX);
    let older = first + timeline.older_events;
    let main = html! {
        (known)
        @if older > 0 { p.hint { (older) " older rows are not shown." } }
        (table("Timeline", &["Time", "What", "State", "Details", "Action"], &rows[first..]))
    };
    let title = format!("Card {}", card.external_dossier_id);
    Ok(layout::page(request, &title, problem, main))
}

async fn partner_name(request: &OperatorRequest<'_>, card: &Card) -> Result<String, Failure> {
    let partner = request.context.services.store.partner(card.partner_id).await?;
    Ok(partner.map_or_else(|| card.partner_id.to_string(), |partner| partner.name))
}

pub(super) fn kind(card: &Card) -> &'static str {
    if card.test { "test card" } else { "live card" }
}

pub(super) fn address(id: Uuid) -> String {
    format!("{ADMIN_PATH}/card/{id}")
}

//! `webhook list|show`.

use serde_json::json;

use super::view::{AttemptView, DeliveryView, SubscriptionView};
use crate::cli::failure::CliFailure;
use crate::cli::output::Output;
use crate::cli::table::Table;
use crate::operation::partner;
use crate::operation::webhook::inspect;
use crate::services::Services;

pub(super) async fn list(services: &Services, partner: Option<&str>, output: Output) -> Result<(), CliFailure> {
    let partner = match partner {
        Some(name) => Some(partner::find(services, name).await?),
        None => None,
    };
    let summaries = inspect::subscriptions(services, partner.as_ref()).await?;
    let views: Vec<_> = summaries.iter().map(SubscriptionView::from).collect();
    output.show(&json!({ "subscriptions": views }), || table(&views))
}

fn table(views: &[SubscriptionView]) -> String {
    if views.is_empty() {
        return "There are no subscriptions. Partners make them: see docs/webhooks.md.".to_owned();
    }
    let mut table = Table::new(&["partner", "topic", "mode", "state", "pending", "failed", "address", "id"]);
    for view in views {
        table.row([
            view.partner.clone(),
            view.topic.to_owned(),
            mode(view).to_owned(),
            view.state.to_owned(),
            view.pending.to_string(),
            view.failed.to_string(),
            view.callback_url.clone(),
            view.id.clone(),
        ]);
    }
    table.render()
}

pub(super) async fn show(services: &Services, which: &str, output: Output) -> Result<(), CliFailure> {
    let summary = inspect::subscription(services, which).await?;
    let deliveries = inspect::deliveries(services, summary.subscription.id).await?;
    let view = SubscriptionView::from(&summary);
    let deliveries: Vec<_> = deliveries.iter().map(DeliveryView::from).collect();
    output.show(&json!({ "subscription": view, "deliveries": deliveries }), || text(&view, &deliveries))
}

fn text(view: &SubscriptionView, deliveries: &[DeliveryView]) -> String {
    let mut text = String::new();
    for (name, value) in [
        ("Subscription", view.id.clone()),
        ("Partner", view.partner.clone()),
        ("Topic", view.topic.to_owned()),
        ("Address", view.callback_url.clone()),
        ("Version", view.api_version.clone()),
        ("Mode", mode(view).to_owned()),
        ("Since", view.created_at.clone()),
        ("State", state(view)),
        ("Pending", view.pending.to_string()),
        ("Failed", view.failed.to_string()),
    ] {
        text.push_str(&format!("{name:<12}  {value}\n"));
    }
    if deliveries.is_empty() {
        return text + "\nThere are no notifications for it yet.";
    }
    let mut table = Table::new(&["state", "topic", "card", "event", "attempts", "next or last", "delivery"]);
    for delivery in deliveries {
        table.row([
            delivery.state.to_owned(),
            delivery.topic.to_owned(),
            format!("{} #{}", delivery.card, delivery.sequence),
            delivery.event.clone(),
            delivery.attempts.to_string(),
            delivery.due_at.clone().or_else(|| delivery.finished_at.clone()).unwrap_or_default(),
            delivery.id.clone(),
        ]);
    }
    text + "\n" + &table.render()
}

/// The mode of the cards that it is notified of.
fn mode(view: &SubscriptionView) -> &'static str {
    if view.test { "test" } else { "live" }
}

/// The state in a sentence.
fn state(view: &SubscriptionView) -> String {
    match (&view.paused_at, view.pause_reason, &view.failing_since) {
        (Some(at), Some("GONE"), _) => format!("paused since {at}: the receiver answered 410 (resume it with --yes)"),
        (Some(at), Some("OPERATOR"), _) => format!("paused since {at} by the operator (resume it with --yes)"),
        (Some(at), ..) => format!("paused since {at}: nothing but failures for days (resume it with --yes)"),
        (None, _, Some(since)) => format!("failing since {since}: {} attempts in a row", view.failure_count),
        _ => "sending".to_owned(),
    }
}

pub(super) async fn attempts(services: &Services, which: &str, output: Output) -> Result<(), CliFailure> {
    let delivery = inspect::delivery(services, which).await?;
    let attempts = inspect::attempts(services, &delivery).await?;
    let view = DeliveryView::from(&delivery);
    let attempts: Vec<_> = attempts.iter().map(AttemptView::from).collect();
    output.show(&json!({ "delivery": view, "attempts": attempts }), || {
        let head = format!("{} of {} #{}, {}: {}", view.topic, view.card, view.sequence, view.event, view.state);
        if attempts.is_empty() {
            return head + "\n\nNo attempt was made yet.";
        }
        let mut table = Table::new(&["attempt", "started", "took", "outcome"]);
        for attempt in &attempts {
            let outcome = match (attempt.status, attempt.failure) {
                (Some(status), _) => format!("status {status}"),
                (None, failure) => failure.unwrap_or_default().to_owned(),
            };
            let took = format!("{} ms", attempt.duration_ms);
            table.row([attempt.number.to_string(), attempt.started_at.clone(), took, outcome]);
        }
        format!("{head}\n\n{}", table.render())
    })
}

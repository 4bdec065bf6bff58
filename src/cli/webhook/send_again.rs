//! `webhook pause|resume|replay`. Each but `pause` requires `--yes`, and without it reports what it would do.

use serde_json::json;

use super::view::{DeliveryView, SubscriptionView};
use crate::cli::duration::Since;
use crate::cli::failure::CliFailure;
use crate::cli::output::Output;
use crate::operation::webhook::{inspect, send_again};
use crate::services::Services;

pub(super) async fn pause(services: &Services, which: &str, output: Output) -> Result<(), CliFailure> {
    send_again::pause(services, inspect::subscription(services, which).await?.subscription.id).await?;
    let view = SubscriptionView::from(&inspect::subscription(services, which).await?);
    output.show(&json!({ "subscription": view }), || {
        format!("Nothing is sent to {} until it is resumed.", view.callback_url)
    })
}

pub(super) async fn resume(services: &Services, which: &str, yes: bool, output: Output) -> Result<(), CliFailure> {
    let before = inspect::subscription(services, which).await?;
    let waiting = before.pending + before.failed;
    let address = before.subscription.callback_url.to_string();
    if !yes {
        return Err(CliFailure::dry_run(
            format!("This sends {waiting} notifications to {address}."),
            usize::try_from(waiting).ok(),
        ));
    }
    let id = before.subscription.id;
    send_again::resume(services, id).await?;
    let after = SubscriptionView::from(&inspect::subscription(services, which).await?);
    output.show(&json!({ "subscription": after, "released": waiting }), || {
        format!("{address} is sent to again; {waiting} notifications are on their way, in the order of their cards.")
    })
}

pub(super) async fn resend(services: &Services, which: &str, yes: bool, output: Output) -> Result<(), CliFailure> {
    let delivery = inspect::delivery(services, which).await?;
    if !yes {
        let view = DeliveryView::from(&delivery);
        let what = format!("This sends {} {} of {} again, which is {}.", view.event, view.topic, view.card, view.state);
        return Err(CliFailure::dry_run(what, None));
    }
    send_again::resend(services, &delivery).await?;
    let view = DeliveryView::from(&inspect::delivery(services, &delivery.id.to_string()).await?);
    output
        .show(&json!({ "delivery": view }), || format!("{} {} of {} is sent again.", view.event, view.topic, view.card))
}

pub(super) async fn replay(
    services: &Services,
    which: &str,
    since: Since,
    yes: bool,
    output: Output,
) -> Result<(), CliFailure> {
    let summary = inspect::subscription(services, which).await?;
    let since = since.timestamp(services.clock.now());
    let address = summary.subscription.callback_url.to_string();
    if !yes {
        let what =
            format!("This sends to {address} again what happened at {since} or later and is delivered or given up.");
        return Err(CliFailure::dry_run(what, None));
    }
    let count = send_again::replay(services, summary.subscription.id, since).await?;
    let view = SubscriptionView::from(&inspect::subscription(services, which).await?);
    output.show(&json!({ "subscription": view, "since": since.to_string(), "replayed": count }), || {
        format!("{count} notifications of {since} or later are sent to {address} again.")
    })
}

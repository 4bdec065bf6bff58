//! `webhook …`: subscriptions, the notifications sent to them, secrets, and a check of signatures.

mod secret;
mod verify;

use clap::Subcommand;
use serde::Serialize;
use serde_json::json;

use self::secret::SecretCommand;
use self::verify::Verify;
use super::audit::Audited;
use super::duration::{Since, since};
use super::failure::CliFailure;
use super::output::Output;
use super::output::Table;
use crate::base::{GlobalId, Kind, Timestamp};
use crate::model::{Attempt, AttemptOutcome, Delivery, KeyMode, Partner, WebhookSecret, audit, event_name};
use crate::operation::partner;
use crate::operation::webhook::delivery;
use crate::operation::webhook::delivery::SubscriptionSummary;
use crate::operation::webhook::secret::fingerprint;
use crate::services::Services;

pub(super) use secret::shown_once;
pub(super) use verify::run as verify;

/// The environment variable of the signing secret, for `verify`.
const SECRET_VARIABLE: &str = "WEBHOOK_SECRET";

#[derive(Debug, Subcommand)]
pub(in crate::cli) enum WebhookCommand {
    /// List subscriptions with their state
    List {
        /// Only those of this partner
        #[arg(long)]
        partner: Option<String>,
    },
    /// Show a subscription and its newest notifications, or a notification and the attempts to deliver it
    Show {
        /// gid://service/WebhookSubscription/<uuid>, or the id of a delivery, as this command has it, or of an event: evt_…
        what: String,
    },
    /// Send nothing to a subscription until it is resumed or its partner changes its address; notifications wait for 30 days
    Pause {
        /// The global id of the subscription: gid://service/WebhookSubscription/<uuid>
        subscription: String,
    },
    /// End the pause of a subscription and send what it missed
    Resume {
        /// The global id of the subscription: gid://service/WebhookSubscription/<uuid>
        subscription: String,
        /// Do it; without this, only report what would be sent
        #[arg(long)]
        yes: bool,
    },
    /// Send one notification again, or with --since all of a subscription since a time
    Replay {
        /// The id of a delivery, as webhook show has it, or of an event: evt_…; with --since gid://service/WebhookSubscription/<uuid>
        what: String,
        /// A time, such as 2026-11-21T08:00:00Z, or how long ago, such as 90m, 24h or 7d
        #[arg(long, value_name = "MOMENT", value_parser = since)]
        since: Option<Since>,
        /// Do it; without this, only report what would be sent
        #[arg(long)]
        yes: bool,
    },
    /// The secrets that sign a partner's notifications
    #[command(subcommand, arg_required_else_help = true)]
    Secret(SecretCommand),
    /// Verify the signature of a received notification, and report which part differs (needs no database)
    ///
    /// The secret comes from --secret-file, or from the environment variable WEBHOOK_SECRET. Exit code 0: genuine. 3: not
    /// genuine, and the output names the part that differs. 1: nothing could be verified. 2: the command line is wrong.
    #[command(hide = true)]
    Verify(Verify),
}

impl WebhookCommand {
    /// What the command changes; `None` if it only reads.
    pub(crate) fn audited(&self) -> Option<Audited> {
        match self {
            WebhookCommand::Pause { subscription } => Audited::new("webhook pause", subscription, &["pausedAt"]),
            WebhookCommand::Resume { subscription, .. } => Audited::of(audit::WEBHOOK_RESUME, subscription),
            WebhookCommand::Replay { what, .. } => Audited::of(audit::WEBHOOK_REPLAY, what),
            WebhookCommand::Secret(command) => command.audited(),
            WebhookCommand::List { .. } | WebhookCommand::Show { .. } | WebhookCommand::Verify(_) => None,
        }
    }
}

/// Returns whether a text has the form of a global id, and so does not name a delivery or an event.
fn is_subscription(what: &str) -> bool {
    what.starts_with("gid://")
}

/// Runs a command that needs the database.
pub(in crate::cli) async fn run(
    services: &Services,
    command: WebhookCommand,
    output: Output,
) -> Result<(), CliFailure> {
    match command {
        WebhookCommand::List { partner } => list(services, partner.as_deref(), output).await,
        WebhookCommand::Show { what } if is_subscription(&what) => show(services, &what, output).await,
        WebhookCommand::Show { what } => attempts(services, &what, output).await,
        WebhookCommand::Pause { subscription } => pause(services, &subscription, output).await,
        WebhookCommand::Resume { subscription, yes } => resume(services, &subscription, yes, output).await,
        WebhookCommand::Replay { what, since: Some(since), yes } => replay(services, &what, since, yes, output).await,
        WebhookCommand::Replay { what, since: None, .. } if is_subscription(&what) => Err(CliFailure::NoSince),
        WebhookCommand::Replay { what, since: None, yes } => resend(services, &what, yes, output).await,
        WebhookCommand::Secret(command) => secret::run(services, command, output).await,
        WebhookCommand::Verify(_) => unreachable!("it was run before a database was opened"),
    }
}

pub(super) async fn list(services: &Services, partner: Option<&str>, output: Output) -> Result<(), CliFailure> {
    let partner = match partner {
        Some(name) => Some(partner::find(services, name).await?),
        None => None,
    };
    let summaries = delivery::subscriptions(services, partner.as_ref()).await?;
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
    let summary = delivery::subscription(services, which).await?;
    let deliveries = delivery::deliveries(services, summary.subscription.id).await?;
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
    let delivery = delivery::delivery(services, which).await?;
    let attempts = delivery::attempts(services, &delivery).await?;
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

pub(super) async fn pause(services: &Services, which: &str, output: Output) -> Result<(), CliFailure> {
    delivery::pause(services, delivery::subscription(services, which).await?.subscription.id).await?;
    let view = SubscriptionView::from(&delivery::subscription(services, which).await?);
    output.show(&json!({ "subscription": view }), || {
        format!("Nothing is sent to {} until it is resumed.", view.callback_url)
    })
}

pub(super) async fn resume(services: &Services, which: &str, yes: bool, output: Output) -> Result<(), CliFailure> {
    let before = delivery::subscription(services, which).await?;
    let waiting = before.pending + before.failed;
    let address = before.subscription.callback_url.to_string();
    if !yes {
        return Err(CliFailure::dry_run(
            format!("This sends {waiting} notifications to {address}."),
            usize::try_from(waiting).ok(),
        ));
    }
    let id = before.subscription.id;
    delivery::resume(services, id).await?;
    let after = SubscriptionView::from(&delivery::subscription(services, which).await?);
    output.show(&json!({ "subscription": after, "released": waiting }), || {
        format!("{address} is sent to again; {waiting} notifications are on their way, in the order of their cards.")
    })
}

pub(super) async fn resend(services: &Services, which: &str, yes: bool, output: Output) -> Result<(), CliFailure> {
    let delivery = delivery::delivery(services, which).await?;
    if !yes {
        let view = DeliveryView::from(&delivery);
        let what = format!("This sends {} {} of {} again, which is {}.", view.event, view.topic, view.card, view.state);
        return Err(CliFailure::dry_run(what, None));
    }
    delivery::resend(services, &delivery).await?;
    let view = DeliveryView::from(&delivery::delivery(services, &delivery.id.to_string()).await?);
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
    let summary = delivery::subscription(services, which).await?;
    let since = since.timestamp(services.clock.now());
    let address = summary.subscription.callback_url.to_string();
    if !yes {
        let what =
            format!("This sends to {address} again what happened at {since} or later and is delivered or given up.");
        return Err(CliFailure::dry_run(what, None));
    }
    let count = delivery::replay(services, summary.subscription.id, since).await?;
    let view = SubscriptionView::from(&delivery::subscription(services, which).await?);
    output.show(&json!({ "subscription": view, "since": since.to_string(), "replayed": count }), || {
        format!("{count} notifications of {since} or later are sent to {address} again.")
    })
}

/// A secret without its text.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(in crate::cli) struct SecretView {
    pub id: String,
    /// The name of the partner.
    pub partner: String,
    pub fingerprint: String,
    /// `active`, `ended` (by a rotation) or `revoked`.
    pub state: &'static str,
    pub created_at: String,
    pub expires_at: Option<String>,
    pub revoked_at: Option<String>,
    /// The modes of subscriptions whose notifications it signs now: `live`, `test`.
    pub signs: Vec<&'static str>,
    /// When it ends for one mode after a rotation by the partner.
    pub live_ends_at: Option<String>,
    pub test_ends_at: Option<String>,
}

impl SecretView {
    pub(in crate::cli) fn new(partner: &Partner, secret: &WebhookSecret, now: Timestamp) -> Self {
        let state = match secret {
            WebhookSecret { revoked_at: Some(_), .. } => "revoked",
            secret if secret.is_active_at(now) => "active",
            _ => "ended",
        };
        Self {
            id: secret.id.to_string(),
            partner: partner.name.clone(),
            fingerprint: fingerprint(&secret.secret),
            state,
            created_at: secret.created_at.to_string(),
            expires_at: secret.expires_at.map(|moment| moment.to_string()),
            revoked_at: secret.revoked_at.map(|moment| moment.to_string()),
            signs: KeyMode::ALL.into_iter().filter(|mode| secret.signs(*mode, now)).map(KeyMode::as_str).collect(),
            live_ends_at: secret.live_ends_at.map(|moment| moment.to_string()),
            test_ends_at: secret.test_ends_at.map(|moment| moment.to_string()),
        }
    }

    /// When it ends: for all subscriptions, or for those of one mode.
    pub(super) fn ends(&self) -> String {
        let ends = [("", &self.expires_at), ("live: ", &self.live_ends_at), ("test: ", &self.test_ends_at)];
        let ends = ends.into_iter().filter_map(|(mode, end)| Some(format!("{mode}{}", end.as_ref()?)));
        ends.collect::<Vec<_>>().join(", ")
    }
}

/// A subscription and its state.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SubscriptionView {
    /// The global id.
    pub id: String,
    /// The name of the partner.
    pub partner: String,
    pub topic: &'static str,
    pub callback_url: String,
    pub api_version: String,
    /// Created with a test key: receives notifications of test cards only.
    pub test: bool,
    /// `sending`, `failing` or `paused`.
    pub state: &'static str,
    pub paused_at: Option<String>,
    /// `FAILURES` or `GONE`.
    pub pause_reason: Option<&'static str>,
    pub failing_since: Option<String>,
    /// The number of failed attempts since the last success.
    pub failure_count: i64,
    /// The number of pending notifications.
    pub pending: i64,
    /// The number of failed notifications.
    pub failed: i64,
    pub created_at: String,
}

impl From<&SubscriptionSummary> for SubscriptionView {
    fn from(summary: &SubscriptionSummary) -> Self {
        let SubscriptionSummary { partner, subscription, pending, failed } = summary;
        let health = subscription.health;
        let state = match (health.pause, health.failing_since) {
            (Some(_), _) => "paused",
            (None, Some(_)) => "failing",
            (None, None) => "sending",
        };
        Self {
            id: GlobalId::new(Kind::WebhookSubscription, subscription.id).to_string(),
            partner: partner.name.clone(),
            topic: subscription.topic.as_str(),
            callback_url: subscription.callback_url.to_string(),
            api_version: subscription.api_version.clone(),
            test: subscription.test,
            state,
            paused_at: health.pause.map(|pause| pause.at.to_string()),
            pause_reason: health.pause.map(|pause| pause.reason.as_str()),
            failing_since: health.failing_since.map(|moment| moment.to_string()),
            failure_count: health.failure_count,
            pending: *pending,
            failed: *failed,
            created_at: subscription.created_at.to_string(),
        }
    }
}

/// A notification for one subscription, without its body.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct DeliveryView {
    pub id: String,
    /// `evt_…`, as the receiver knows it.
    pub event: String,
    /// The global id of the subscription.
    pub subscription: String,
    /// The global id of the card.
    pub card: String,
    pub topic: &'static str,
    pub sequence: i64,
    pub test: bool,
    /// `WAITING`, `DUE`, `DELIVERED` or `FAILED`.
    pub state: &'static str,
    pub attempts: i64,
    pub due_at: Option<String>,
    pub finished_at: Option<String>,
    pub created_at: String,
}

impl From<&Delivery> for DeliveryView {
    fn from(delivery: &Delivery) -> Self {
        Self {
            id: delivery.id.to_string(),
            event: event_name(delivery.event_id),
            subscription: GlobalId::new(Kind::WebhookSubscription, delivery.subscription_id).to_string(),
            card: GlobalId::new(Kind::Card, delivery.card_id).to_string(),
            topic: delivery.topic.as_str(),
            sequence: delivery.sequence,
            test: delivery.test,
            state: delivery.state.as_str(),
            attempts: delivery.attempt_count,
            due_at: delivery.due_at.map(|moment| moment.to_string()),
            finished_at: delivery.finished_at.map(|moment| moment.to_string()),
            created_at: delivery.created_at.to_string(),
        }
    }
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct AttemptView {
    pub number: i64,
    pub started_at: String,
    pub duration_ms: i64,
    /// The status of the response.
    pub status: Option<u16>,
    /// Why there was no response: `NO_CONNECTION`, `TIME_OUT` or `REFUSED`.
    pub failure: Option<&'static str>,
}

impl From<&Attempt> for AttemptView {
    fn from(attempt: &Attempt) -> Self {
        let status = match attempt.outcome {
            AttemptOutcome::Answered(status) => Some(status),
            _ => None,
        };
        Self {
            number: attempt.number,
            started_at: attempt.started_at.to_string(),
            duration_ms: attempt.duration_ms,
            status,
            failure: attempt.outcome.failure(),
        }
    }
}

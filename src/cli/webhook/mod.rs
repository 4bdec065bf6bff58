//! `webhook …`: subscriptions, the notifications sent to them, secrets, and a check of signatures.

mod secret;
mod verify;

use clap::Subcommand;
use serde_json::{Value, json};

use self::secret::SecretCommand;
use self::verify::Verify;
use super::audit::Audited;
use super::card::kind;
use super::duration::{Since, since};
use super::failure::{CliError, CliFailure};
use super::output::{Output, render_lines, render_table};
use super::view::text;
use crate::base::{GlobalId, Kind, Step, Timestamp};
use crate::model::{
    Attempt, Delivery, KeyMode, NoAnswer, Partner, Pause, PauseReason, WebhookSecret, audit, event_name,
};
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
        /// Only the subscriptions of this partner
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
    /// End the pause of a subscription and send the missed notifications
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
    /// The audit record of the command; `None` if it only reads.
    pub(crate) fn audit_entry(&self) -> Option<Audited> {
        match self {
            WebhookCommand::Pause { subscription } => Audited::new("webhook pause", subscription, &["pausedAt"]),
            WebhookCommand::Resume { subscription, .. } => Audited::with_words(audit::WEBHOOK_RESUME, subscription),
            WebhookCommand::Replay { what, .. } => Audited::with_words(audit::WEBHOOK_REPLAY, what),
            WebhookCommand::Secret(command) => command.audit_entry(),
            WebhookCommand::List { .. } | WebhookCommand::Show { .. } | WebhookCommand::Verify(_) => None,
        }
    }
}

/// What an operator does who interrupted the resending of notifications.
const SEND_AGAIN: &str = "Those that were counted are sent. Run it again for the others.";

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
        WebhookCommand::Replay { what, since: None, .. } if is_subscription(&what) => Err(CliError::NoSince.into()),
        WebhookCommand::Replay { what, since: None, yes } => resend(services, &what, yes, output).await,
        WebhookCommand::Secret(command) => secret::run(services, command, output).await,
        WebhookCommand::Verify(_) => unreachable!("it was run before a database was opened"),
    }
}

async fn list(services: &Services, partner: Option<&str>, output: Output) -> Result<(), CliFailure> {
    let partner = match partner {
        Some(name) => Some(partner::find(services, name).await?),
        None => None,
    };
    let summaries = delivery::subscriptions(services, partner.as_ref()).await?;
    let views: Vec<_> = summaries.iter().map(subscription_object).collect();
    output.show(&json!({ "subscriptions": views }), || table(views.clone()))
}

fn table(mut views: Vec<Value>) -> String {
    if views.is_empty() {
        return "There are no subscriptions. Partners make them: see docs/webhooks.md.".to_owned();
    }
    views.iter_mut().for_each(|view| view["mode"] = kind(view).into());
    let columns = "partner | topic | mode | state | pending | failed | address: callbackUrl | id";
    render_table(columns, &views)
}

async fn show(services: &Services, which: &str, output: Output) -> Result<(), CliFailure> {
    let summary = delivery::subscription(services, which).await?;
    let deliveries = delivery::deliveries(services, summary.subscription.id).await?;
    let object = json!({
        "subscription": subscription_object(&summary),
        "deliveries": deliveries.iter().map(delivery_object).collect::<Vec<_>>(),
    });
    output.show(&object, || {
        let mut view = object["subscription"].clone();
        view["mode"] = kind(&view).into();
        view["state"] = state(&summary).into();
        let fields = "Subscription: id | Partner: partner | Topic: topic | Address: callbackUrl | \
                      Version: apiVersion | Mode: mode | Since: createdAt | State: state | Pending: pending | \
                      Failed: failed";
        let text = render_lines(fields, &view);
        if deliveries.is_empty() {
            return text + "\nThere are no notifications for it yet.";
        }
        let row = |delivery: &Delivery| {
            let mut row = delivery_object(delivery);
            row["card"] = of_card(&row).into();
            row["time"] = json!(self::text(delivery.due_at.or(delivery.finished_at)));
            row
        };
        let columns = "state | topic | card | event | attempts | next or last: time | delivery: id";
        text + "\n" + &render_table(columns, &deliveries.iter().map(row).collect::<Vec<_>>())
    })
}

/// The card of a notification, with its sequence.
fn of_card(view: &Value) -> String {
    format!("{} #{}", view["card"].as_str().unwrap_or_default(), view["sequence"])
}

/// The state in a sentence.
fn state(summary: &SubscriptionSummary) -> String {
    let health = summary.subscription.health;
    match (health.pause, health.failing_since) {
        (Some(Pause { at, reason }), _) => {
            let reason = match reason {
                PauseReason::Gone => ": the receiver answered 410",
                PauseReason::Operator => " by the operator",
                _ => ": nothing but failures for days",
            };
            format!("paused since {at}{reason} (resume it with --yes)")
        }
        (None, Some(since)) => format!("failing since {since}: {} attempts in a row", health.failure_count),
        (None, None) => "sending".to_owned(),
    }
}

async fn attempts(services: &Services, which: &str, output: Output) -> Result<(), CliFailure> {
    let delivery = delivery::delivery(services, which).await?;
    let attempts = delivery::attempts(services, &delivery).await?;
    let view = delivery_object(&delivery);
    let attempts: Vec<_> = attempts.iter().map(attempt_object).collect();
    output.show(&json!({ "delivery": view, "attempts": attempts }), || {
        let (topic, event, state) = (delivery.topic.as_str(), event_name(delivery.event_id), delivery.state.as_str());
        let head = format!("{topic} of {}, {event}: {state}", of_card(&view));
        if attempts.is_empty() {
            return head + "\n\nNo attempt was made yet.";
        }
        let row = |attempt: &Value| {
            let mut row = attempt.clone();
            row["took"] = format!("{} ms", row["durationMs"]).into();
            if !row["status"].is_null() {
                row["failure"] = format!("status {}", row["status"]).into();
            }
            row
        };
        let columns = "attempt: number | started: startedAt | took | outcome: failure | cause";
        format!("{head}\n\n{}", render_table(columns, &attempts.iter().map(row).collect::<Vec<_>>()))
    })
}

async fn pause(services: &Services, which: &str, output: Output) -> Result<(), CliFailure> {
    delivery::pause(services, delivery::subscription(services, which).await?.subscription.id).await?;
    let paused = delivery::subscription(services, which).await?;
    output.show(&json!({ "subscription": subscription_object(&paused) }), || {
        format!("Nothing is sent to {} until it is resumed.", paused.subscription.callback_url)
    })
}

async fn resume(services: &Services, which: &str, yes: bool, output: Output) -> Result<(), CliFailure> {
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
    let progress = output.progress();
    progress.plan([Step::SendAgain], SEND_AGAIN);
    delivery::resume(services, id, progress).await?;
    let after = subscription_object(&delivery::subscription(services, which).await?);
    output.show(&json!({ "subscription": after, "released": waiting }), || {
        format!("{address} is sent to again; {waiting} notifications are on their way, in the order of their cards.")
    })
}

async fn resend(services: &Services, which: &str, yes: bool, output: Output) -> Result<(), CliFailure> {
    let delivery = delivery::delivery(services, which).await?;
    let (event, topic) = (event_name(delivery.event_id), delivery.topic.as_str());
    let card = GlobalId::new(Kind::Card, delivery.card_id);
    if !yes {
        let state = delivery.state.as_str();
        return Err(CliFailure::dry_run(
            format!("This sends {event} {topic} of {card} again, which is {state}."),
            None,
        ));
    }
    delivery::resend(services, &delivery).await?;
    let view = delivery_object(&delivery::delivery(services, &delivery.id.to_string()).await?);
    output.show(&json!({ "delivery": view }), || format!("{event} {topic} of {card} is sent again."))
}

async fn replay(services: &Services, which: &str, since: Since, yes: bool, output: Output) -> Result<(), CliFailure> {
    let summary = delivery::subscription(services, which).await?;
    let since = since.timestamp(services.clock.now());
    let address = summary.subscription.callback_url.to_string();
    if !yes {
        let what = format!(
            "This sends to {address} again every notification of an event at {since} or later that is delivered or given up."
        );
        return Err(CliFailure::dry_run(what, None));
    }
    let progress = output.progress();
    progress.plan([Step::SendAgain], SEND_AGAIN);
    let count = delivery::replay(services, summary.subscription.id, since, progress).await?;
    let view = subscription_object(&delivery::subscription(services, which).await?);
    output.show(&json!({ "subscription": view, "since": since.to_string(), "replayed": count }), || {
        format!("{count} notifications of {since} or later are sent to {address} again.")
    })
}

/// A secret without its text. `state` is `active`, `ended` (by a rotation) or `revoked`; `signs` has the modes of the subscriptions
/// whose notifications it signs now, `liveEndsAt` and `testEndsAt` when it ends for one mode after a rotation by the partner.
pub(in crate::cli) fn secret_object(partner: &Partner, secret: &WebhookSecret, now: Timestamp) -> Value {
    let state = match secret {
        WebhookSecret { revoked_at: Some(_), .. } => "revoked",
        secret if secret.is_active_at(now) => "active",
        _ => "ended",
    };
    let signs = KeyMode::ALL.into_iter().filter(|mode| secret.signs(*mode, now)).map(KeyMode::as_str);
    json!({
        "id": secret.id.to_string(),
        "partner": partner.name,
        "fingerprint": fingerprint(&secret.secret),
        "state": state,
        "createdAt": secret.created_at.to_string(),
        "expiresAt": text(secret.expires_at),
        "revokedAt": text(secret.revoked_at),
        "signs": signs.collect::<Vec<_>>(),
        "liveEndsAt": text(secret.live_ends_at),
        "testEndsAt": text(secret.test_ends_at),
    })
}

/// A subscription; `test` if it was made with a test key, `state` is `sending`, `failing` or `paused`, and `failureCount` the number of
/// failed attempts since the last success.
fn subscription_object(summary: &SubscriptionSummary) -> Value {
    let SubscriptionSummary { partner, subscription, pending, failed } = summary;
    let health = subscription.health;
    let state = match (health.pause, health.failing_since) {
        (Some(_), _) => "paused",
        (None, Some(_)) => "failing",
        (None, None) => "sending",
    };
    json!({
        "id": GlobalId::new(Kind::WebhookSubscription, subscription.id).to_string(),
        "partner": partner.name,
        "topic": subscription.topic.as_str(),
        "callbackUrl": subscription.callback_url.to_string(),
        "apiVersion": subscription.api_version,
        "test": subscription.test,
        "state": state,
        "pausedAt": text(health.pause.map(|pause| pause.at)),
        "pauseReason": health.pause.map(|pause| pause.reason.as_str()),
        "failingSince": text(health.failing_since),
        "failureCount": health.failure_count,
        "pending": pending,
        "failed": failed,
        "createdAt": subscription.created_at.to_string(),
    })
}

/// A notification for one subscription, without its body.
fn delivery_object(delivery: &Delivery) -> Value {
    json!({
        "id": delivery.id.to_string(),
        "event": event_name(delivery.event_id),
        "subscription": GlobalId::new(Kind::WebhookSubscription, delivery.subscription_id).to_string(),
        "card": GlobalId::new(Kind::Card, delivery.card_id).to_string(),
        "topic": delivery.topic.as_str(),
        "sequence": delivery.sequence,
        "test": delivery.test,
        "state": delivery.state.as_str(),
        "attempts": delivery.attempt_count,
        "dueAt": text(delivery.due_at),
        "finishedAt": text(delivery.finished_at),
        "createdAt": delivery.created_at.to_string(),
    })
}

/// An attempt: the status of the response, or why there was none.
fn attempt_object(attempt: &Attempt) -> Value {
    json!({
        "number": attempt.number,
        "startedAt": attempt.started_at.to_string(),
        "durationMs": attempt.duration_ms,
        "status": attempt.outcome.status(),
        "failure": attempt.outcome.failure(),
        "cause": attempt.cause.map(NoAnswer::as_str),
    })
}

//! `/admin/subscriptions`: every subscription with its health, and the button that resumes it.

use maud::{Markup, html};

use super::page::{self, Problem, back, button, optional_time, table};
use super::site::OperatorRequest;
use crate::base::{GlobalId, Kind};
use crate::model::{KeyMode, Partner, audit};
use crate::operation::Failure;
use crate::operation::webhook::delivery::{SendAgainError, SubscriptionSummary, resume, subscriptions};
use crate::web::form::Form;
use crate::web::page::{Outcome, PageError};

pub(super) async fn list(request: &OperatorRequest<'_>) -> Outcome {
    let mut problem: Problem = None;
    if let Some(form) = &request.form {
        match act(request, form, None).await? {
            Ok(done) => return Ok(back(request, done)),
            Err(refused) => problem = Some(refused),
        }
    }
    let main = shown(request, None).await?;
    Ok(page::page(request, "Subscriptions", &problem, main))
}

/// The subscriptions of one partner or of all, as a table.
pub(super) async fn shown(request: &OperatorRequest<'_>, partner: Option<&Partner>) -> Result<Markup, Failure> {
    let all = subscriptions(&request.context.services, partner).await?;
    let rows: Vec<_> = all.iter().map(|summary| row(request, summary)).collect();
    Ok(table(
        "Subscriptions",
        &["Partner", "Topic", "Address", "Mode", "State", "Since", "Failures", "Pending", "Failed", "Action"],
        &rows,
    ))
}

/// Resumes the subscription whose button was pressed, if it is one of this partner or `None` is given. Returns the code of what
/// was done, or why nothing was.
pub(super) async fn act(
    request: &OperatorRequest<'_>,
    form: &Form,
    partner: Option<&Partner>,
) -> Outcome<Result<&'static str, String>> {
    let all = subscriptions(&request.context.services, partner).await?;
    let named = all.iter().find(|summary| gid(summary) == form.text("resume"));
    let Some(SubscriptionSummary { subscription, .. }) = named else {
        return Ok(Err("There is no such subscription: nothing was changed.".to_owned()));
    };
    let services = request.audited(audit::WEBHOOK_RESUME, form.text("resume"));
    match resume(&services, subscription.id).await {
        Ok(_) => Ok(Ok("resumed")),
        Err(SendAgainError::Failed(failure)) => Err(PageError::Failed(failure)),
        Err(refused) => Ok(Err(refused.to_string())),
    }
}

fn row(request: &OperatorRequest<'_>, summary: &SubscriptionSummary) -> Vec<Markup> {
    let SubscriptionSummary { partner, subscription, pending, failed } = summary;
    let health = subscription.health;
    let (state, since) = match (health.pause, health.failing_since) {
        (Some(pause), _) => (format!("paused ({})", pause.reason.as_str()), Some(pause.at)),
        (None, Some(since)) => ("failing".to_owned(), Some(since)),
        (None, None) => ("sending".to_owned(), None),
    };
    let label = format!("Resume and send {}", pending + failed);
    let resume = button(request, "resume", &gid(summary), &label, &format!("to {}", subscription.callback_url));
    vec![
        html! { a href=(request.context.path(&format!("/partners/{}", partner.id))) { (partner.name) } },
        html! { (subscription.topic.as_str()) },
        html! { (subscription.callback_url) },
        html! { (KeyMode::of(subscription.test).as_str()) },
        html! { (state) },
        optional_time(since),
        html! { (health.failure_count) },
        html! { (pending) },
        html! { (failed) },
        html! { @if health.pause.is_some() { (resume) } },
    ]
}

fn gid(summary: &SubscriptionSummary) -> String {
    GlobalId::new(Kind::WebhookSubscription, summary.subscription.id).to_string()
}

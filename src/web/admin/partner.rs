//! The pages of the partners, `/admin/partners`: all of them, and one with its keys and subscriptions; and `/admin/subscriptions`: every
//! subscription with its health, and the button that resumes it.

use maud::{Markup, html};
use uuid::Uuid;

use super::OperatorRequest;
use super::layout::{self, Problem, back, button, facts, optional_time, table, time};
use super::overview::show_activity;
use crate::base::limits::{KEY_VALID_DAYS_MAX, NAME_CHARS_MAX};
use crate::base::{GlobalId, Kind, Progress};
use crate::model::{AccessKey, AccessToken, KeyMode, Partner, audit};
use crate::operation::key::{self, IssueKeyError, NewKey, RevokeKeyError};
use crate::operation::webhook::delivery::{SendAgainError, SubscriptionSummary, subscriptions};
use crate::operation::{Failure, partner, webhook};
use crate::response::Response;
use crate::web::form::Form;
use crate::web::page::{Outcome, PageError};

pub(super) async fn list(request: &OperatorRequest<'_>) -> Outcome {
    let all = partner::list(&request.context.services).await?;
    let rows = all.iter().map(|partner| {
        vec![
            html! { a href=(request.context.path(&format!("/partners/{}", partner.id))) { (partner.name) } },
            html! { (yes_or_no(partner.blocked)) },
            html! { (partner.price) },
            time(partner.created_at),
        ]
    });
    let main = table("Partners", &["Name", "Blocked", "Price of a card", "Created"], &rows.collect::<Vec<_>>());
    Ok(layout::page(request, "Partners", &None, main))
}

/// `/admin/partners/<uuid>`: a partner, and the forms for its keys and subscriptions.
pub(super) async fn show(request: &OperatorRequest<'_>, id: &str) -> Outcome {
    let partner = match Uuid::try_parse(id) {
        Ok(id) => request.context.services.store.partner(id).await?,
        Err(_) => None,
    };
    let Some(partner) = partner else { return Ok(layout::not_found(request.context)) };
    let problem = match &request.form {
        Some(form) if form.has("issue") => match issue(request, &partner, form).await? {
            Ok((key, token)) => return Ok(show_issued(request, &partner, &key, &token)),
            Err(problem) => Some(problem),
        },
        Some(form) if form.has("revoke") => match revoke(request, &partner, form).await? {
            Ok(done) => return Ok(back(request, done)),
            Err(problem) => Some(problem),
        },
        Some(form) => match resume(request, form, Some(&partner)).await? {
            Ok(done) => return Ok(back(request, done)),
            Err(problem) => Some(problem),
        },
        None => None,
    };
    Ok(page_of(request, &partner, &problem).await?)
}

/// Issues a key as the form says, or returns why not.
async fn issue(
    request: &OperatorRequest<'_>,
    partner: &Partner,
    form: &Form,
) -> Outcome<Result<(AccessKey, AccessToken), String>> {
    let Some(mode) = KeyMode::parse(form.text("mode")) else {
        return Ok(Err("Choose live or test: no key was issued.".to_owned()));
    };
    let days = match form.text("days") {
        "" => None,
        // A number that does not fit is out of bounds too.
        days => Some(days.parse().unwrap_or(u32::MAX)),
    };
    let label = Some(form.text("label").to_owned()).filter(|label| !label.is_empty());
    let services = request.audited(audit::KEY_ISSUE, partner.name.clone());
    match key::issue(&services, partner, NewKey { mode, label, valid_days: days }).await {
        Ok(issued) => Ok(Ok(issued)),
        Err(IssueKeyError::Failed(failure)) => Err(PageError::Failed(failure)),
        Err(refused) => Ok(Err(refused.to_string())),
    }
}

/// Revokes the key whose button was pressed, if it is one of this partner.
async fn revoke(
    request: &OperatorRequest<'_>,
    partner: &Partner,
    form: &Form,
) -> Outcome<Result<&'static str, String>> {
    let which = form.text("revoke");
    let keys = key::list(&request.context.services, partner).await?;
    if !keys.iter().any(|key| key.id.to_string() == which) {
        return Ok(Err("The partner has no such key: nothing was changed.".to_owned()));
    }
    match key::revoke(&request.audited(audit::KEY_REVOKE, which), which).await {
        Ok(_) => Ok(Ok("key")),
        Err(RevokeKeyError::Failed(failure)) => Err(PageError::Failed(failure)),
        Err(refused) => Ok(Err(refused.to_string())),
    }
}

/// The answer to the form, which shows the token: no other page does, and no cache stores this one.
fn show_issued(request: &OperatorRequest<'_>, partner: &Partner, key: &AccessKey, token: &AccessToken) -> Response {
    let main = html! {
        p {
            "This is the token of a " (key.mode.as_str()) " key of " (partner.name)
            @if let Some(end) = key.expires_at { ", valid until " (time(end)) } "."
        }
        p { code.token #token { (token.reveal()) } }
        p { "It is shown this once. Keep it safe: the service itself does not have it." }
        p { a.button href=(request.head.parts.uri.path()) { "Back to " (partner.name) } }
    };
    layout::page(request, "A new key", &None, main)
}

async fn page_of(request: &OperatorRequest<'_>, partner: &Partner, problem: &Problem) -> Result<Response, Failure> {
    let services = &request.context.services;
    let keys = key::list(services, partner).await?;
    let rows: Vec<_> = keys.iter().map(|key| key_row(request, key)).collect();
    let main = html! {
        (facts(&[
            ("Id", html! { (partner.id) }),
            ("Created", time(partner.created_at)),
            ("Blocked", html! { (yes_or_no(partner.blocked)) }),
            ("Test address", html! { (partner.test_address.as_deref().unwrap_or("none")) }),
            ("Refresh address", html! {
                @match &partner.refresh_address { Some(address) => (address), None => "none" }
            }),
            ("Price of a card", html! { (partner.price) }),
            ("Name that families see", html! { (partner.shown_name()) }),
            ("Phone", html! { (partner.phone.as_deref().unwrap_or("none")) }),
            ("E-mail", html! { (partner.email.as_deref().unwrap_or("none")) }),
            ("Privacy statement", html! {
                @match &partner.privacy_url { Some(address) => (address), None => "none" }
            }),
            ("Logo", html! {
                @match &partner.logo {
                    Some(key) => img.logo src=(request.context.local(&request.context.services.logo_address(key))) alt="The logo";,
                    None => "none",
                }
            }),
        ]))
        (table("Keys", &["Mode", "Token", "State", "Label", "Created", "Expires", "Last used", "Action"], &rows))
        (issue_form(request))
        div #subscriptions { (subscription_table(request, Some(partner)).await?) }
        (show_activity(request, Some(partner)).await?)
    };
    Ok(layout::page(request, &partner.name, problem, main))
}

fn key_row(request: &OperatorRequest<'_>, key: &AccessKey) -> Vec<Markup> {
    let state = match key.revoked_at {
        Some(_) => "revoked",
        None if key.is_valid_at(request.context.services.clock.now()) => "valid",
        None => "expired",
    };
    vec![
        html! { (key.mode.as_str()) },
        html! { "…" (key.last_four) },
        html! { (state) },
        html! { (key.label.as_deref().unwrap_or_default()) },
        time(key.created_at),
        optional_time(key.expires_at),
        optional_time(key.last_used_at),
        html! {
            @if key.revoked_at.is_none() {
                details {
                    summary { "Revoke" span.unseen { " the key …" (key.last_four) } }
                    (layout::button(request, "revoke", &key.id.to_string(), &format!("Revoke …{} for good", key.last_four), ""))
                }
            }
        },
    ]
}

fn issue_form(request: &OperatorRequest<'_>) -> Markup {
    html! {
        h2 { "Issue a key" }
        form method="post" action=(request.head.parts.uri.path()) {
            (request.operator.token_field())
            fieldset.field {
                legend { "Mode" }
                div.radios {
                    @for mode in KeyMode::ALL {
                        label { input type="radio" name="mode" value=(mode.as_str()) required; (mode.as_str()) }
                    }
                }
            }
            div.row {
                div.field {
                    label for="label" { "Label (optional)" }
                    input #label type="text" name="label" maxlength=(NAME_CHARS_MAX) autocomplete="off";
                }
                div.field {
                    label for="days" { "Days until it expires (optional)" }
                    input #days type="number" name="days" min="1" max=(KEY_VALID_DAYS_MAX);
                }
                div.field { button name="issue" value="1" { "Issue a key" } }
            }
        }
    }
}

fn yes_or_no(is_so: bool) -> &'static str {
    if is_so { "yes" } else { "no" }
}

pub(super) async fn list_subscriptions(request: &OperatorRequest<'_>) -> Outcome {
    let mut problem: Problem = None;
    if let Some(form) = &request.form {
        match resume(request, form, None).await? {
            Ok(done) => return Ok(back(request, done)),
            Err(refused) => problem = Some(refused),
        }
    }
    let main = subscription_table(request, None).await?;
    Ok(layout::page(request, "Subscriptions", &problem, main))
}

/// The subscriptions of one partner or of all, as a table.
async fn subscription_table(request: &OperatorRequest<'_>, partner: Option<&Partner>) -> Result<Markup, Failure> {
    let all = subscriptions(&request.context.services, partner).await?;
    let rows: Vec<_> = all.iter().map(|summary| subscription_row(request, summary)).collect();
    Ok(table(
        "Subscriptions",
        &["Partner", "Topic", "Address", "Mode", "State", "Since", "Failures", "Pending", "Failed", "Action"],
        &rows,
    ))
}

/// Resumes the subscription whose button was pressed, if it is one of this partner or `None` is given. Returns the code of what
/// was done, or why nothing was.
pub(super) async fn resume(
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
    match webhook::delivery::resume(&services, subscription.id, &Progress::default()).await {
        Ok(_) => Ok(Ok("resumed")),
        Err(SendAgainError::Failed(failure)) => Err(PageError::Failed(failure)),
        Err(refused) => Ok(Err(refused.to_string())),
    }
}

fn subscription_row(request: &OperatorRequest<'_>, summary: &SubscriptionSummary) -> Vec<Markup> {
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
        html! { (KeyMode::from_test(subscription.test).as_str()) },
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

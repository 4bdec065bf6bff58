//! The mail worker: claim, build, send, finish (decisions S10).
//!
//! Started by `app`; tests call [`step`]. A mail is sent at least once: after a crash between the mail server's response and
//! our commit it is sent again, with the same Message-ID.

mod prepare;
mod recipient;

use std::sync::Arc;

use futures_util::future::join_all;
use tokio::time::Instant;

use self::prepare::{Prepared, prepare};
use super::{Step, Worker};
use crate::base::{ErrorChain, limits};
use crate::mail::MailError;
use crate::model::Mail;
use crate::operation::Failure;
use crate::services::{MailOutcome, Services};
use crate::store::Queue;

/// Starts the worker.
pub(crate) fn start(services: &Arc<Services>) -> Worker {
    let services = Arc::clone(services);
    let wake = services.store.signals().mails.clone();
    let log = Arc::clone(services.metrics.worker_log());
    Worker::start("mail", &log, wake, limits::MAIL_POLL, move || {
        let services = Arc::clone(&services);
        async move { step(&services).await }
    })
}

/// Sends a few mails that are due.
pub async fn step(services: &Services) -> Result<Step, Failure> {
    let mut claimed = Vec::new();
    while claimed.len() < limits::MAILS_AT_ONCE {
        let now = services.clock.now();
        match services.store.claim_mail(now, now.after(limits::MAIL_LEASE)).await? {
            Some(mail) => claimed.push(mail),
            None => break,
        }
    }
    let step = if claimed.is_empty() { Step::Done } else { Step::More };
    for result in join_all(claimed.into_iter().map(|mail| deliver(services, mail))).await {
        result?;
    }
    Ok(step)
}

/// Makes one attempt to send a mail.
async fn deliver(services: &Services, mail: Mail) -> Result<(), Failure> {
    match prepare(services, &mail).await? {
        Prepared::Ready { email, next } => {
            let address = email.to.clone();
            let begun = Instant::now();
            let transferred = services.mailer.send(*email).await;
            services.metrics.mail_transfer(begun.elapsed());
            match transferred {
                Ok(()) => sent(services, mail, next).await,
                Err(error) => {
                    let mail = Mail { answer: Some(error.stored_text(&address)), ..mail };
                    not_sent(services, mail, &error).await
                }
            }
        }
        Prepared::Early(check_at) => {
            let attempts = mail.attempts - 1; // this was not an attempt
            services.store.mail_postponed(mail, check_at, attempts).await?;
            Ok(())
        }
        Prepared::Impossible(reason) => {
            let mail = Mail { answer: Some(reason.to_string()), ..mail };
            failed(services, mail, MailOutcome::GivenUp, &reason).await
        }
    }
}

async fn sent(services: &Services, mail: Mail, next: Option<Mail>) -> Result<(), Failure> {
    let (outcome, message) = if services.mailer.is_folder() {
        (MailOutcome::Written, "a mail was written into the data folder; without SMTP_URL none is sent")
    } else {
        (MailOutcome::Sent, "a mail was sent")
    };
    services.metrics.mail(mail.kind, outcome);
    tracing::info!(
        mail_id = %mail.id,
        card_id = %mail.card_id,
        kind = mail.kind.as_str(),
        attempts = mail.attempts,
        "{message}"
    );
    let has_next = next.is_some();
    services.store.mail_sent(mail, services.clock.now(), next).await?;
    if has_next {
        services.store.notify(Queue::Mails);
    }
    Ok(())
}

/// Schedules the next attempt, or ends the mail if the error is final or no attempt is left.
async fn not_sent(services: &Services, mail: Mail, error: &MailError) -> Result<(), Failure> {
    let retry = usize::try_from(mail.attempts - 1).ok().and_then(|index| limits::MAIL_RETRY_AFTER.get(index));
    let Some(wait) = retry.filter(|_| !error.is_final()) else {
        let outcome = if error.is_refusal() { MailOutcome::Refused } else { MailOutcome::GivenUp };
        return failed(services, mail, outcome, error).await;
    };
    services.metrics.mail(mail.kind, MailOutcome::Retried);
    tracing::warn!(
        mail_id = %mail.id,
        card_id = %mail.card_id,
        kind = mail.kind.as_str(),
        attempts = mail.attempts,
        retry_after_s = wait.as_secs(),
        error = %ErrorChain(error),
        "a mail could not be sent; it is tried again"
    );
    let attempts = mail.attempts;
    services.store.mail_postponed(mail, services.clock.now().after(*wait), attempts).await?;
    Ok(())
}

/// Ends a mail that cannot be sent: refused by the mail server, or given up.
async fn failed(
    services: &Services,
    mail: Mail,
    outcome: MailOutcome,
    reason: &(dyn std::error::Error + Sync),
) -> Result<(), Failure> {
    let is_refused = outcome == MailOutcome::Refused;
    services.metrics.mail(mail.kind, outcome);
    tracing::warn!(
        mail_id = %mail.id,
        card_id = %mail.card_id,
        kind = mail.kind.as_str(),
        attempts = mail.attempts,
        error = %ErrorChain(reason),
        "{}",
        if is_refused { "the mail server refused a mail" } else { "a mail was given up" }
    );
    services.store.mail_failed(mail, services.clock.now(), is_refused).await?;
    Ok(())
}

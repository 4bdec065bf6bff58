//! The worker that sends mails: claim, look up, write, send, finish (decisions S10).
//!
//! Started by `app`; tests call [`step`]. A mail goes out at least once: where the process ends between the mail
//! server's word and ours, it goes out again, under the same Message-ID.

mod addressee;
mod prepare;

use std::sync::Arc;

use futures_util::future::join_all;

use self::prepare::{Prepared, prepare};
use super::{Step, Worker};
use crate::base::{ErrorChain, limits};
use crate::mail::MailError;
use crate::model::Mail;
use crate::operation::{Failure, Services};
use crate::services::MailOutcome;
use crate::store::Queue;

/// Sends mails from now on.
pub fn start(services: &Arc<Services>) -> Worker {
    let services = Arc::clone(services);
    let wake = services.store.wakes().mails.clone();
    Worker::start("mail", wake, limits::MAIL_POLL, move || {
        let services = Arc::clone(&services);
        async move { step(&services).await }
    })
}

/// Sends the mails that are due, a few at a time.
pub async fn step(services: &Services) -> Result<Step, Failure> {
    let mut claimed = Vec::new();
    while claimed.len() < limits::MAILS_AT_ONCE {
        let now = services.clock.now();
        match services.store.claim_mail(now, now.after(limits::MAIL_LEASE)).await? {
            Some(mail) => claimed.push(mail),
            None => break,
        }
    }
    let outcome = if claimed.is_empty() { Step::Done } else { Step::More };
    for done in join_all(claimed.into_iter().map(|mail| deliver(services, mail))).await {
        done?;
    }
    Ok(outcome)
}

/// One mail, to the end of this attempt.
async fn deliver(services: &Services, mail: Mail) -> Result<(), Failure> {
    match prepare(services, &mail).await? {
        Prepared::Ready { letter, next } => {
            let address = letter.to.clone();
            match services.mailer.send(*letter).await {
                Ok(()) => sent(services, mail, next).await?,
                Err(error) => not_sent(services, mail, error, &address).await?,
            }
        }
        Prepared::Early(look_again) => {
            let attempts = mail.attempts - 1; // nothing was tried
            services.store.mail_postponed(mail, look_again, attempts).await?;
        }
        Prepared::Hopeless(reason) => {
            let mail = Mail { answer: Some(reason.to_string()), ..mail };
            give_up(services, mail, &reason).await?;
        }
    }
    Ok(())
}

async fn sent(services: &Services, mail: Mail, next: Option<Mail>) -> Result<(), Failure> {
    let (outcome, told) = if services.mailer.is_folder() {
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
        "{told}"
    );
    let has_next = next.is_some();
    services.store.mail_sent(mail, services.clock.now(), next).await?;
    if has_next {
        services.store.wake(Queue::Mails);
    }
    Ok(())
}

/// `address`: where the mail was to go, which the server's words may repeat.
async fn not_sent(services: &Services, mail: Mail, error: MailError, address: &str) -> Result<(), Failure> {
    let mail = Mail { answer: Some(error.told_of(address)), ..mail };
    let retry = usize::try_from(mail.attempts - 1).ok().and_then(|index| limits::MAIL_RETRY_AFTER.get(index));
    let Some(wait) = retry.filter(|_| !error.is_final()) else {
        return if error.is_refusal() {
            refused(services, mail, &error).await
        } else {
            give_up(services, mail, &error).await
        };
    };
    services.metrics.mail(mail.kind, MailOutcome::Retried);
    tracing::warn!(
        mail_id = %mail.id,
        card_id = %mail.card_id,
        kind = mail.kind.as_str(),
        attempts = mail.attempts,
        retry_after_s = wait.as_secs(),
        error = %ErrorChain(&error),
        "a mail could not be sent; it is tried again"
    );
    let attempts = mail.attempts;
    services.store.mail_postponed(mail, services.clock.now().after(*wait), attempts).await?;
    Ok(())
}

/// The mail server refused the mail for good; its words stand in the row.
async fn refused(services: &Services, mail: Mail, error: &MailError) -> Result<(), Failure> {
    services.metrics.mail(mail.kind, MailOutcome::Refused);
    tracing::warn!(
        mail_id = %mail.id,
        card_id = %mail.card_id,
        kind = mail.kind.as_str(),
        attempts = mail.attempts,
        error = %ErrorChain(error),
        "the mail server refused a mail"
    );
    services.store.mail_failed(mail, services.clock.now(), true).await?;
    Ok(())
}

async fn give_up(services: &Services, mail: Mail, reason: &(dyn std::error::Error + Sync)) -> Result<(), Failure> {
    services.metrics.mail(mail.kind, MailOutcome::GivenUp);
    tracing::warn!(
        mail_id = %mail.id,
        card_id = %mail.card_id,
        kind = mail.kind.as_str(),
        attempts = mail.attempts,
        error = %ErrorChain(reason),
        "a mail was given up"
    );
    services.store.mail_failed(mail, services.clock.now(), false).await?;
    Ok(())
}

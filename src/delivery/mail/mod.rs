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
use crate::base::{Causes, limits};
use crate::mail::MailError;
use crate::model::Mail;
use crate::operation::{Failure, Services};
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
        Prepared::Ready { letter, next } => match services.mailer.send(*letter).await {
            Ok(()) => {
                tracing::info!(
                    mail_id = %mail.id,
                    card_id = %mail.card_id,
                    kind = mail.kind.as_str(),
                    attempts = mail.attempts,
                    "a mail was sent"
                );
                let has_next = next.is_some();
                services.store.mail_sent(mail, services.clock.now(), next).await?;
                if has_next {
                    services.store.wake(Queue::Mails);
                }
            }
            Err(error) => not_sent(services, mail, error).await?,
        },
        Prepared::Early(look_again) => {
            let attempts = mail.attempts - 1; // nothing was tried
            services.store.mail_postponed(mail, look_again, attempts).await?;
        }
        Prepared::Hopeless(reason) => give_up(services, mail, &reason).await?,
    }
    Ok(())
}

async fn not_sent(services: &Services, mail: Mail, error: MailError) -> Result<(), Failure> {
    let retry = usize::try_from(mail.attempts - 1).ok().and_then(|index| limits::MAIL_RETRY_AFTER.get(index));
    let Some(wait) = retry.filter(|_| !error.is_final()) else {
        return give_up(services, mail, &error).await;
    };
    tracing::info!(
        mail_id = %mail.id,
        card_id = %mail.card_id,
        kind = mail.kind.as_str(),
        attempts = mail.attempts,
        retry_after_s = wait.as_secs(),
        error = %Causes(&error),
        "a mail could not be sent; it is tried again"
    );
    let attempts = mail.attempts;
    services.store.mail_postponed(mail, services.clock.now().after(*wait), attempts).await?;
    Ok(())
}

/// The line that somebody has to read: nobody else tells that this mail never came.
async fn give_up(services: &Services, mail: Mail, reason: &(dyn std::error::Error + Sync)) -> Result<(), Failure> {
    tracing::warn!(
        mail_id = %mail.id,
        card_id = %mail.card_id,
        kind = mail.kind.as_str(),
        attempts = mail.attempts,
        error = %Causes(reason),
        "a mail was given up"
    );
    services.store.mail_failed(mail, services.clock.now()).await?;
    Ok(())
}

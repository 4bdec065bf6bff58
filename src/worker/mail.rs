//! The mail worker: claim, build, send, finish (decisions S10).
//!
//! Started by `app`; tests call [`step`]. A mail is sent at least once: after a crash between the mail server's response and
//! our commit it is sent again, with the same Message-ID.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use chrono::NaiveDate;
use chrono_tz::Europe::Amsterdam;
use futures_util::future::join_all;
use tokio::time::Instant;

use super::{Step, Worker};
use crate::base::{ErrorChain, Timestamp, limits};
use crate::drawing::CardPicture;
use crate::letter::{self, About, Colours, Envelope, Recipient};
use crate::mail::{Email, Fault, MailError};
use crate::model::{Card, FamilyContact, Mail, MailKind, Order, Partner, Theme, Visibility, path};
use crate::operation::{Failure, invitee};
use crate::services::{MailOutcome, Services};
use crate::store::Queue;

/// Starts the worker.
pub(crate) fn start(services: &Arc<Services>) -> Worker {
    let wake = services.store.signals().mails.clone();
    Worker::start_with("mail", services, wake, limits::MAIL_POLL, |services| async move { step(&services).await })
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
    if claimed.is_empty() {
        services.mailer.close_idle().await;
    }
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
                Ok(()) => record_sent(services, mail, next).await,
                Err(error) => {
                    let mail = Mail { answer: Some(error.stored_text(&address)), ..mail };
                    match error.fault() {
                        Fault::Final => give_up(services, mail, &error).await,
                        Fault::Recipient => retry(services, mail, &error).await,
                        Fault::Server => wait_for_server(services, mail, &error).await,
                    }
                }
            }
        }
        Prepared::Early(check_at) => {
            let attempts = mail.attempts - 1; // this was not an attempt
            services.store.postpone_mail(mail, check_at, attempts).await?;
            Ok(())
        }
        Prepared::Impossible(reason) => {
            let mail = Mail { answer: Some(reason.to_string()), ..mail };
            end(services, mail, MailOutcome::GivenUp, &reason).await
        }
    }
}

async fn record_sent(services: &Services, mail: Mail, next: Option<Mail>) -> Result<(), Failure> {
    let (outcome, message) = if services.mailer.is_folder() {
        (MailOutcome::Written, "a mail was written into the data folder and not sent: set SMTP_URL to send mails")
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
    services.store.record_sent_mail(mail, services.clock.now(), next).await?;
    if has_next {
        services.store.notify(Queue::Mails);
    }
    Ok(())
}

/// Schedules the next attempt at a recipient that does not take the mail at the moment, or ends the mail after the last one.
async fn retry(services: &Services, mail: Mail, error: &MailError) -> Result<(), Failure> {
    let wait = usize::try_from(mail.attempts - 1).ok().and_then(|index| limits::MAIL_RETRY_AFTER.get(index));
    match wait {
        Some(wait) => put_off(services, Mail { blocked_since: None, ..mail }, *wait, error).await,
        None => give_up(services, mail, error).await,
    }
}

/// Schedules the next attempt after a fault of the mail server or of our account there (decisions S10a). It was no attempt at the
/// recipient, and is not counted as one.
async fn wait_for_server(services: &Services, mail: Mail, error: &MailError) -> Result<(), Failure> {
    let now = services.clock.now();
    let since = mail.blocked_since.filter(|since| *since <= now).unwrap_or(now);
    let lasts = Duration::from_millis(u64::try_from(now.millis() - since.millis()).unwrap_or(0));
    let mail = Mail { blocked_since: Some(since), attempts: mail.attempts - 1, ..mail };
    if lasts >= limits::MAIL_BLOCKED_MAX {
        return give_up(services, mail, error).await;
    }
    let [shortest, longest] = limits::MAIL_BLOCKED_RETRY;
    put_off(services, mail, lasts.clamp(shortest, longest), error).await
}

async fn put_off(services: &Services, mail: Mail, wait: Duration, error: &MailError) -> Result<(), Failure> {
    services.metrics.mail(mail.kind, MailOutcome::Retried);
    tracing::warn!(
        mail_id = %mail.id,
        card_id = %mail.card_id,
        kind = mail.kind.as_str(),
        attempts = mail.attempts,
        retry_after_s = wait.as_secs(),
        error = %ErrorChain(error),
        "a mail could not be sent; it will be tried again"
    );
    let attempts = mail.attempts;
    services.store.postpone_mail(mail, services.clock.now().after(wait), attempts).await?;
    Ok(())
}

/// Ends a mail that the mail server refused for good, or whose last attempt failed.
async fn give_up(services: &Services, mail: Mail, error: &MailError) -> Result<(), Failure> {
    let outcome = if error.is_refusal() { MailOutcome::Refused } else { MailOutcome::GivenUp };
    end(services, mail, outcome, error).await
}

/// Ends a mail that cannot be sent.
async fn end(
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
        if is_refused { "the mail server refused a mail; send it again with `card-service mail resend`" } else { "a mail was given up; send it again with `card-service mail resend`" }
    );
    services.store.give_up_mail(mail, services.clock.now(), is_refused).await?;
    Ok(())
}

/// The decision about a queued mail.
pub(super) enum Prepared {
    /// Send it, and enqueue `next`.
    Ready { email: Box<Email>, next: Option<Mail> },
    /// Too early: check again at this time.
    Early(Timestamp),
    /// Cannot be sent.
    Impossible(NoRecipient),
}

pub(super) async fn prepare(services: &Services, mail: &Mail) -> Result<Prepared, Failure> {
    let Some(card) = services.store.any_card(mail.card_id).await? else {
        return Ok(Prepared::Impossible(NoRecipient::Gone));
    };
    let Some(partner) = services.store.partner(card.partner_id).await? else {
        return Ok(Prepared::Impossible(NoRecipient::Gone));
    };
    let email = match mail.kind {
        MailKind::Order => return order(services, mail, &card, &partner).await,
        MailKind::CardOnline => card_online(services, mail, &card, &partner).await?,
        MailKind::Invitation => invitation(services, mail, &card, &partner).await?,
    };
    Ok(match email {
        Some(Ok(email)) => Prepared::Ready { email: Box::new(email), next: None },
        Some(Err(error)) => Prepared::Impossible(error),
        None => Prepared::Early(services.clock.now().after(limits::CARD_ONLINE_MAIL_CHECKED_EVERY)),
    })
}

/// Builds the order mail. It waits for a short time until the card is online, so that it can contain the address. After
/// that it is sent without the address, and a second mail follows when the card is online.
async fn order(services: &Services, mail: &Mail, card: &Card, partner: &Partner) -> Result<Prepared, Failure> {
    let now = services.clock.now();
    let online = address(services, card);
    if online.is_none() && now < mail.created_at.after(limits::ORDER_MAIL_WAITS) {
        return Ok(Prepared::Early(now.after(limits::ORDER_MAIL_CHECKED_EVERY)));
    }
    let Some(order) = services.store.order_of(card.id).await? else {
        return Ok(Prepared::Impossible(NoRecipient::Gone));
    };
    let to = match customer(card, partner, &order) {
        Ok(to) => to,
        Err(error) => return Ok(Prepared::Impossible(error)),
    };
    let link = invitee::list_link(services, card.id).await?;
    let next = match online {
        None if !follows(services, card).await? => Some(Mail::card_online(services.entropy.uuid(now), card.id, now)),
        _ => None,
    };
    let email = letter::order(
        envelope(services, mail, card, partner, to).await?,
        letter::Order {
            number: order.number,
            ordered: date(order.ordered_at),
            price: order.price,
            partner: partner.shown_name().to_owned(),
            card: online,
            by_invitation: card.visibility == Visibility::Invitation,
            invitee_list: link.address.to_string(),
            invitee_list_until: date(link.expires_at),
        },
    );
    Ok(Prepared::Ready { email: Box::new(email), next })
}

/// The day of a timestamp in the Netherlands.
fn date(timestamp: Timestamp) -> NaiveDate {
    timestamp.utc().with_timezone(&Amsterdam).date_naive()
}

/// Whether the card has the mail that follows an order mail already, because the operator sends the order mail again.
async fn follows(services: &Services, card: &Card) -> Result<bool, Failure> {
    Ok(services.store.mails_of(card.id).await?.iter().any(|mail| mail.kind == MailKind::CardOnline))
}

/// Builds the mail with the address of the card; `None` if the card is not online yet.
async fn card_online(
    services: &Services,
    mail: &Mail,
    card: &Card,
    partner: &Partner,
) -> Result<Option<Result<Email, NoRecipient>>, Failure> {
    let Some(address) = address(services, card) else { return Ok(None) };
    let Some(order) = services.store.order_of(card.id).await? else { return Ok(Some(Err(NoRecipient::Gone))) };
    let by_invitation = card.visibility == Visibility::Invitation;
    Ok(Some(match customer(card, partner, &order) {
        Ok(to) => Ok(letter::card_online(envelope(services, mail, card, partner, to).await?, &address, by_invitation)),
        Err(error) => Err(error),
    }))
}

/// Builds an invitation; `None` if the card is not online yet.
async fn invitation(
    services: &Services,
    mail: &Mail,
    card: &Card,
    partner: &Partner,
) -> Result<Option<Result<Email, NoRecipient>>, Failure> {
    if card.online_slug().is_none() {
        return Ok(None);
    }
    let invitee = match mail.invitee_id {
        Some(id) => services.store.invitee(card.id, id).await?,
        None => None,
    };
    let Some(invitee) = invitee else { return Ok(Some(Err(NoRecipient::Gone))) };
    let to = recipient(card, partner, Some(&invitee.name), invitee.email.as_deref());
    let to = match to {
        Ok(to) => to,
        Err(error) => return Ok(Some(Err(error))),
    };
    let link = services.invitation_address(&invitee.token);
    let note = services.store.invitation_note(card.id).await?;
    let invitation = letter::Invitation {
        by: card.family_contact.name.as_deref(),
        note: note.as_ref().map(|note| note.note.as_str()).filter(|note| !note.is_empty()),
        reply_to: card.family_contact.email.clone().filter(|_| note.as_ref().is_some_and(|note| note.answers)),
        partner: partner.shown_name(),
        link: link.as_str(),
        farewell: &card.farewell,
        calendar: format!("{link}/{}", path::CALENDAR),
    };
    Ok(Some(Ok(letter::invitation(envelope(services, mail, card, partner, to).await?, invitation))))
}

/// Returns the recipient of an order's mails: the card's family contact, or the address of the order if the contact has none.
/// The contact's name is used only with its address.
fn customer(card: &Card, partner: &Partner, order: &Order) -> Result<Recipient, NoRecipient> {
    let FamilyContact { name, email } = &card.family_contact;
    let name = name.as_deref().filter(|_| card.test || email.is_some());
    recipient(card, partner, name, order.address(card))
}

async fn envelope(
    services: &Services,
    mail: &Mail,
    card: &Card,
    partner: &Partner,
    to: Recipient,
) -> Result<Envelope, Failure> {
    let theme = services.store.theme_of(card).await?;
    let about = About {
        lead_in: card.lead_in,
        deceased: card.deceased.full_name(),
        date_of_birth: card.deceased.date_of_birth,
        date_of_death: card.deceased.date_of_death,
        cover: cover(services, mail, theme.as_deref(), card).await,
        colours: Colours::for_theme(theme.as_ref().map(|theme| theme.handle.as_str())),
    };
    Ok(Envelope { id: mail.id, at: services.clock.now(), to, partner: partner.clone(), about })
}

/// Returns the cover of a mail. A mail does not wait for it: without its picture it says the same.
async fn cover(services: &Services, mail: &Mail, theme: Option<&Theme>, card: &Card) -> Option<Bytes> {
    let draw = async {
        let portrait = services.store.portrait_of(card).await.ok().flatten(); // a mail without its portrait says the same
        CardPicture::of_letter(theme, portrait.as_ref(), card.deceased.focal_point.unwrap_or_default())
            .jpeg(services)
            .await
    };
    let drawn = tokio::time::timeout(limits::MAIL_COVER, draw).await;
    match drawn {
        Ok(Ok(picture)) => return Some(picture),
        Ok(Err(error)) => {
            tracing::warn!(mail_id = %mail.id, error = %ErrorChain(&error), "the cover of a mail could not be read; the mail is sent without it");
        }
        Err(_) => {
            tracing::warn!(mail_id = %mail.id, "rendering the cover of a mail took too long; the mail is sent without it")
        }
    }
    None
}

/// Returns the address of the card if it is online.
fn address(services: &Services, card: &Card) -> Option<String> {
    card.online_slug().map(|slug| services.card_address(slug).to_string())
}

const _: () = assert!(
    outlives(limits::MAIL_LEASE, [limits::MAIL_COVER, limits::MAIL_SEND]),
    "a lease is longer than what it is for"
);

const fn outlives(lease: Duration, [cover, send]: [Duration; 2]) -> bool {
    lease.as_secs() > cover.as_secs() + send.as_secs()
}

/// Why a mail has no recipient.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum NoRecipient {
    #[error("the card is of test mode, and its partner has no test address")]
    NoTestAddress,
    #[error("there is no address to send the mail to")]
    NoAddress,
    #[error("the card or invitee of the mail was deleted")]
    Gone,
}

/// Returns the recipient of a mail about `card` to a person with this name and address.
pub(super) fn recipient(
    card: &Card,
    partner: &Partner,
    name: Option<&str>,
    email: Option<&str>,
) -> Result<Recipient, NoRecipient> {
    let email = if card.test {
        partner.test_address.as_deref().ok_or(NoRecipient::NoTestAddress)?
    } else {
        email.ok_or(NoRecipient::NoAddress)?
    };
    Ok(Recipient { name: name.map(str::to_owned), email: email.to_owned(), test: card.test })
}

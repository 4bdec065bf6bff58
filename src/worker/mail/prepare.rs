//! What a mail of the queue says, looked up at the moment it is sent.

use std::time::Duration;

use chrono_tz::Europe::Amsterdam;

use super::addressee::{NoAddressee, addressee};
use crate::base::{Timestamp, limits};
use crate::mail::Letter;
use crate::model::{Card, CardStatus, Mail, MailKind, Order, Partner, Visibility};
use crate::operation::{Failure, Services, invitee};
use crate::web::letter::{self, Envelope};

/// What is to be done with a mail now.
pub(super) enum Prepared {
    /// To be sent, and to be followed by another.
    Ready { letter: Box<Letter>, next: Option<Mail> },
    /// Its time has not come: to be looked at again at this moment.
    Early(Timestamp),
    /// Never to be sent.
    Hopeless(NoAddressee),
}

pub(super) async fn prepare(services: &Services, mail: &Mail) -> Result<Prepared, Failure> {
    let Some(card) = services.store.any_card(mail.card_id).await? else {
        return Ok(Prepared::Hopeless(NoAddressee::Gone));
    };
    let Some(partner) = services.store.partner(card.partner_id).await? else {
        return Ok(Prepared::Hopeless(NoAddressee::Gone));
    };
    let letter = match mail.kind {
        MailKind::Order => return order(services, mail, &card, &partner).await,
        MailKind::CardOnline => card_online(services, mail, &card, &partner).await?,
        MailKind::Invitation => invitation(services, mail, &card, &partner).await?,
    };
    Ok(match letter {
        Some(Ok(letter)) => Prepared::Ready { letter: Box::new(letter), next: None },
        Some(Err(nobody)) => Prepared::Hopeless(nobody),
        None => Prepared::Early(services.clock.now().after(limits::CARD_ONLINE_MAIL_LOOKS_EVERY)),
    })
}

/// The order mail waits a little for the card to come online, which mostly happens at once, so that it can say where it
/// is. An operator takes longer: then it says that the address follows, and brings the mail that tells it.
async fn order(services: &Services, mail: &Mail, card: &Card, partner: &Partner) -> Result<Prepared, Failure> {
    let now = services.clock.now();
    let online = address(services, card);
    if online.is_none() && now < mail.created_at.after(limits::ORDER_MAIL_WAITS) {
        return Ok(Prepared::Early(now.after(limits::ORDER_MAIL_LOOKS_EVERY)));
    }
    let Some(order) = services.store.order_of(card.id).await? else {
        return Ok(Prepared::Hopeless(NoAddressee::Gone));
    };
    let to = match customer(card, partner, &order) {
        Ok(to) => to,
        Err(nobody) => return Ok(Prepared::Hopeless(nobody)),
    };
    let link = invitee::list_link(services, card.id).await?;
    let next = match online {
        Some(_) => None,
        None => Some(Mail::card_online(services.entropy.uuid(now), card.id, now)),
    };
    let letter = letter::order(
        envelope(services, mail, to),
        letter::Order {
            number: order.number,
            deceased: card.deceased.full_name(),
            card: online,
            by_invitation: card.visibility == Visibility::Invitation,
            invitee_list: link.address.to_string(),
            invitee_list_until: link.expires_at.utc().with_timezone(&Amsterdam).date_naive(),
        },
    );
    Ok(Prepared::Ready { letter: Box::new(letter), next })
}

/// `None`: the card is not online yet.
async fn card_online(
    services: &Services,
    mail: &Mail,
    card: &Card,
    partner: &Partner,
) -> Result<Option<Result<Letter, NoAddressee>>, Failure> {
    let Some(address) = address(services, card) else { return Ok(None) };
    let Some(order) = services.store.order_of(card.id).await? else { return Ok(Some(Err(NoAddressee::Gone))) };
    let by_invitation = card.visibility == Visibility::Invitation;
    Ok(Some(customer(card, partner, &order).map(|to| {
        letter::card_online(envelope(services, mail, to), card.deceased.full_name(), &address, by_invitation)
    })))
}

/// `None`: the card is not online yet.
async fn invitation(
    services: &Services,
    mail: &Mail,
    card: &Card,
    partner: &Partner,
) -> Result<Option<Result<Letter, NoAddressee>>, Failure> {
    if card.status != CardStatus::Active {
        return Ok(None);
    }
    let invitee = match mail.invitee_id {
        Some(id) => services.store.invitee(card.id, id).await?,
        None => None,
    };
    let Some(invitee) = invitee else { return Ok(Some(Err(NoAddressee::Gone))) };
    let to = addressee(card, partner, Some(&invitee.name), invitee.email.as_deref());
    Ok(Some(to.map(|to| {
        let link = services.invitation_address(&invitee.token);
        letter::invitation(
            envelope(services, mail, to),
            letter::Invitation {
                deceased: card.deceased.full_name(),
                by: card.family_contact.name.as_deref(),
                partner: &partner.name,
                link: link.as_str(),
            },
        )
    })))
}

/// Whom the mails of an order go to: the address that it was placed with, whatever the card's family contact says since.
/// Where that is another address, its name belongs to somebody else. An order of an older release may have no address; its
/// mails go to the family contact.
fn customer(card: &Card, partner: &Partner, order: &Order) -> Result<letter::Addressee, NoAddressee> {
    let contact = &card.family_contact;
    let email = order.customer.as_ref().map(|customer| customer.email.as_str()).or(contact.email.as_deref());
    let is_contact = card.test || email == contact.email.as_deref();
    addressee(card, partner, contact.name.as_deref().filter(|_| is_contact), email)
}

fn envelope(services: &Services, mail: &Mail, to: letter::Addressee) -> Envelope {
    Envelope { id: mail.id, at: services.clock.now(), to }
}

/// Where the card can be seen, once it can.
fn address(services: &Services, card: &Card) -> Option<String> {
    card.slug.as_deref().map(|slug| services.card_address(slug).to_string())
}

const _: () = assert!(outlives(limits::MAIL_LEASE, limits::MAIL_SEND), "a lease is longer than what it is for");

const fn outlives(lease: Duration, work: Duration) -> bool {
    lease.as_secs() > work.as_secs()
}

//! The page after the order: the order, the card once it is online, and the state of the mails (decisions S8, S10).

use http::StatusCode;
use maud::{Markup, html};

use super::share;
use super::step::{ORDERED, Step};
use crate::model::{Card, CardStatus, Mail, MailKind, MailState, Price, path};
use crate::response;
use crate::web::context::PageContext;
use crate::web::date;
use crate::web::page::{self, Outcome};
use crate::web::session_guard::SessionUser;
use crate::web::text::{customizer as text, mail_state};

/// Shows the placed order, with a link to the card once it is online.
pub(super) async fn show(context: &PageContext, user: &SessionUser) -> Outcome {
    let card = &user.card;
    if card.status == CardStatus::Draft {
        return Ok(response::see_other(&context.path(&Step::Order.path(card.id))));
    }
    let order = context.services.store.order_of(card.id).await?;
    let mails = context.services.store.mails_of(card.id).await?;
    let customer = order.as_ref().and_then(|order| order.customer.as_ref());
    let online = match card.online_slug() {
        Some(slug) if card.offline_since.is_none() => share::show(context, user, slug).await?,
        _ => html! {},
    };
    let main = html! {
        (user.notice())
        h1 { (text::ORDERED_TITLE) }
        p.intro { (text::ORDERED) }
        @match card.online_slug() {
            _ if card.offline_since.is_some() => {}
            Some(_) => (online),
            None => {
                p { (text::ORDERED_WAITING) }
                p { a.button.quiet href=(ordered_path(context, card)) { (text::LOOK_AGAIN) } }
            }
        }
        @if let Some(order) = &order {
            dl.facts {
                dt { (text::ORDER_NUMBER) } dd { (order.number) }
                dt { (text::ORDERED_ON) } dd { (date::with_time(order.ordered_at)) }
                dt { (text::ORDERED_FROM) } dd { (user.partner.shown_name()) }
                dt { (text::PRICE) } dd { (price(order.price, user.partner.shown_name(), order.test)) }
            }
        }
        @if let Some(customer) = customer {
            @for mail in latest(card, &mails) { (state(mail, &customer.email, user.partner.shown_name())) }
        }
        p { a href=(context.path(&path::customizer(card.id, ""))) { (text::TO_OVERVIEW) } }
    };
    Ok(page::show(context, &user.partner, StatusCode::OK, text::ORDERED_TITLE, main))
}

/// The price of a card and who charges it, in words if it is free. A test order is not charged.
pub(super) fn price(price: Price, partner: &str, is_test: bool) -> Markup {
    html! {
        @if price.cents() == 0 { (text::FREE) }
        @else { strong { (price) } " " (text::VAT) ". " (text::charge(partner, is_test)) }
    }
}

pub(super) fn ordered_path(context: &PageContext, card: &Card) -> String {
    context.path(&path::customizer(card.id, ORDERED))
}

/// The last mail of each kind to the address of the order. One that waits until the card is online is left out.
fn latest<'a>(card: &Card, mails: &'a [Mail]) -> impl Iterator<Item = &'a Mail> {
    let is_online = card.online_slug().is_some();
    let last = |kind| mails.iter().rfind(|mail| mail.kind == kind);
    let online = last(MailKind::CardOnline).filter(|mail| is_online || !matches!(mail.state, MailState::Due(_)));
    last(MailKind::Order).into_iter().chain(online)
}

/// The state of a mail to an address.
fn state(mail: &Mail, to: &str, partner: &str) -> Markup {
    let what = mail_state::name(mail.kind);
    match mail.state {
        MailState::Due(_) if mail.answer.is_none() => html! { p { (mail_state::queued(what, to)) } },
        MailState::Due(_) => html! { p { (mail_state::delayed(what, to)) } },
        MailState::Sent(at) => html! { p { (mail_state::sent(what, to, &date::with_time(at))) } },
        MailState::Refused(_) => html! {
            div.said.not role="status" {
                p { (mail_state::refused(what, to)) }
                @if let Some(answer) = &mail.answer { p { (mail_state::ANSWER) " " q { (answer) } } }
                p { (mail_state::ask(partner)) }
            }
        },
        MailState::GivenUp(_) => html! {
            div.said.not role="status" {
                p { (mail_state::given_up(what, to)) }
                p { (mail_state::ask(partner)) }
            }
        },
    }
}

//! The last step of the customizer and the page after it (decisions S8, S10): price, agreement and order; then the order, the state
//! of its mails, and the card once it is online, with its address to share or the invitee list.

use std::sync::Arc;

use http::StatusCode;
use http::header::SET_COOKIE;
use maud::{Markup, html};

use super::overview;
use super::preview::show_inside;
use super::question;
use super::section::{ask, back, frame};
use super::values::SEEN;
use super::{ORDERED, PREVIEW, Step};
use crate::base::email_address;
use crate::model::{
    Card, CardSection, CardStatus, Mail, MailKind, MailState, Price, SectionVersion, SessionTarget, Visibility, path,
};
use crate::operation::card::{self, FamilyOrder, MissingField, OrderError};
use crate::operation::invitee;
use crate::response::{self, ResponseExt as _};
use crate::text::date;
use crate::text::{customizer as text, mail};
use crate::web::context::PageContext;
use crate::web::field::{Errors, is_ticked, tick_box};
use crate::web::form::Form;
use crate::web::page::{self, Outcome};
use crate::web::session_guard::{self, SessionUser};
use crate::web::{error_pages, share};

/// What the family checks before it orders: first what sends people to the wrong place if it is wrong.
const CHECKED: [CardSection; 5] =
    [CardSection::Farewell, CardSection::Person, CardSection::Text, CardSection::Look, CardSection::Contact];

const AGREE: &str = "agree";
const PRICE: &str = "price";

/// Shows the order form, with a summary and the price.
pub(super) async fn show_form(context: &PageContext, user: &SessionUser) -> Outcome {
    if user.card.status != CardStatus::Draft {
        return Ok(response::see_other(&ordered_path(context, &user.card)));
    }
    form_page(context, user, StatusCode::OK, &Errors::default()).await
}

/// Orders the card. A form that is sent twice places one order.
pub(super) async fn submit(context: &PageContext, user: &SessionUser, form: &Form) -> Outcome {
    let price = form.text(PRICE).parse().ok().and_then(Price::from_cents);
    let order = FamilyOrder {
        seen: SectionVersion::from_form(form.text(SEEN)),
        price,
        agreed: is_ticked(form, AGREE) || price.is_some_and(is_free), // without a price there is no box
    };
    let mut errors = Errors::default();
    match card::order_by_family(&context.services, user.card.id, user.partner.clone(), order).await {
        Ok(card) => return Ok(response::see_other(&ordered_path(context, &card))),
        Err(OrderError::Ordered) => return Ok(response::see_other(&ordered_path(context, &user.card))),
        Err(OrderError::NotFound) => return Ok(error_pages::not_found(context)),
        Err(OrderError::Failed(failure)) => return Err(failure.into()),
        Err(OrderError::NotAgreed) => errors.add(AGREE, text::NOT_AGREED),
        Err(OrderError::Changed) => errors.add(AGREE, text::CHANGED),
        Err(OrderError::NoTestAddress | OrderError::MissingFields(_)) => {} // the page says what is missing
    }
    // The card may have changed since the form was made.
    let now = context.services.store.any_card(user.card.id).await?.unwrap_or_else(|| Arc::clone(&user.card));
    let user = user.looking_at(now);
    form_page(context, &user, StatusCode::UNPROCESSABLE_ENTITY, &errors).await
}

async fn form_page(context: &PageContext, user: &SessionUser, status: StatusCode, errors: &Errors) -> Outcome {
    let card = &user.card;
    let missing_fields = card::missing_fields(card);
    let content = if !user.may_change() {
        html! { p.back { (back(context, card, Step::Order)) } }
    } else if missing_fields.is_empty() {
        order_form(context, user, errors).await?
    } else {
        html! {
            p { (text::LACKING) }
            ul { @for what in missing_fields { li { a href=(context.path(&step_for(what).path(card.id))) { (text::missing_field(what)) } } } }
            p.back { (back(context, card, Step::Order)) }
        }
    };
    let main = frame(context, user, Step::Order, content);
    Ok(page::show(context, &user.partner, status, &errors.mark(text::ORDER_TITLE), main))
}

async fn order_form(context: &PageContext, user: &SessionUser, errors: &Errors) -> Outcome<Markup> {
    let (card, price) = (&user.card, user.partner.price);
    let checked = overview::rows(context, card, CHECKED, usize::MAX).await?;
    let mail_to = if card.test { &user.partner.test_address } else { &card.family_contact.email };
    let button = match card.test {
        true => text::ORDER_BUTTON_TEST,
        false if is_free(price) => text::ORDER_BUTTON_FREE,
        false => text::ORDER_BUTTON,
    };
    Ok(html! {
        (errors.summary())
        p.intro { (text::ORDER) }
        @if card.test { p.said { (if mail_to.is_some() { text::TEST_CARD } else { text::NO_TEST_ADDRESS }) } }
        @for section in CHECKED { (ask(&question::about(context, card, section))) }
        (show_inside(context, card))
        p { a href=(context.path(&path::customizer(card.id, PREVIEW))) { (text::LOOK_LARGE) } }
        (checked)
        dl.facts {
            @if let Some(mail_to) = mail_to { dt { (text::MAIL_TO) } dd { (mail_to) } }
            dt { (text::PRICE) } dd { (price_text(price, user.partner.shown_name(), card.test)) }
        }
        @if mail_to.is_none() {
            p.back { (back(context, card, Step::Order)) }
        } @else {
        form method="post" action=(context.path(&Step::Order.path(card.id))) novalidate {
            (user.token_field())
            input type="hidden" name=(SEEN) value=(SectionVersion::compute(card, &CardSection::ALL).as_str());
            input type="hidden" name=(PRICE) value=(price.cents());
            @if !is_free(price) { (tick_box(AGREE, &text::agree(&price.to_string()), false, errors)) }
            div.actions {
                // The summary of errors links to the box, or to the button.
                button id=[is_free(price).then_some(AGREE)] { (button) }
            }
            p.back { (back(context, card, Step::Order)) }
        }
        }
    })
}

fn is_free(price: Price) -> bool {
    price.cents() == 0
}

fn step_for(field: MissingField) -> Step {
    Step::Section(match field {
        MissingField::Theme => CardSection::Look,
        MissingField::Name => CardSection::Person,
        MissingField::Email => CardSection::Contact,
    })
}

/// Shows the placed order, with a link to the card once it is online.
pub(super) async fn show_ordered(context: &PageContext, user: &SessionUser) -> Outcome {
    let card = &user.card;
    if card.status == CardStatus::Draft {
        return Ok(response::see_other(&context.path(&Step::Order.path(card.id))));
    }
    let order = context.services.store.order_of(card.id).await?;
    let mails = context.services.store.mails_of(card.id).await?;
    let address = order.as_ref().and_then(|order| order.address(card));
    let is_online = card.online_slug().is_some();
    let title = if is_online { text::ONLINE_TITLE } else { text::ORDERED_TITLE };
    let main = html! {
        (user.notice())
        h1 { (title) }
        @if let Some(slug) = card.online_slug() {
            (share_card(context, user, slug))
        } @else if card.offline_since.is_none() {
            p.intro { (text::ORDERED) }
            (show_inside(context, card))
            p { a.button.quiet href=(ordered_path(context, card)) { (text::LOOK_AGAIN) } }
        }
        @if let Some(order) = &order {
            details.many open[!is_online] {
                summary { (text::YOUR_ORDER) }
                dl.facts {
                    dt { (text::ORDER_NUMBER) } dd { (order.number) }
                    dt { (text::ORDERED_ON) } dd { (date::with_time(order.ordered_at)) }
                    dt { (text::ORDERED_FROM) } dd { (user.partner.shown_name()) }
                    dt { (text::PRICE) } dd { (price_text(order.price, user.partner.shown_name(), order.test)) }
                }
            }
        }
        @if let Some(address) = address {
            @for mail in latest_mails(card, &mails) { (mail_state_text(mail, address, user.partner.shown_name())) }
            @if !card.test && user.may_change() {
                p { (text::ADDRESS_WRONG) " " a href=(context.path(&step_for(MissingField::Email).path(card.id))) { (text::ADDRESS_CHANGE) } }
            }
        }
        p { a href=(context.path(&path::customizer(card.id, ""))) { (text::TO_OVERVIEW) } }
    };
    Ok(page::show(context, &user.partner, StatusCode::OK, title, main))
}

/// The price of a card and who charges it, in words if it is free. A test order is not charged.
fn price_text(price: Price, partner: &str, is_test: bool) -> Markup {
    html! {
        @if price.cents() == 0 { (text::FREE) }
        @else { strong { (price) } " " (text::VAT) ". " (text::charge(partner, is_test)) }
    }
}

pub(super) fn ordered_path(context: &PageContext, card: &Card) -> String {
    context.path(&path::customizer(card.id, ORDERED))
}

/// The last mail of each kind to the address of the order. One that waits until the card is online is left out, and one that went to an
/// earlier address.
fn latest_mails<'a>(card: &Card, mails: &'a [Mail]) -> impl Iterator<Item = &'a Mail> {
    let is_online = card.online_slug().is_some();
    let last = |kind| mails.iter().rfind(|mail| mail.kind == kind);
    let order = last(MailKind::Order);
    let is_later = |mail: &&Mail| order.is_none_or(|order| mail.state.time() >= order.created_at);
    let online = last(MailKind::CardOnline).filter(is_later);
    order.into_iter().chain(online.filter(|mail| is_online || !matches!(mail.state, MailState::Due(_))))
}

/// The state of a mail to an address.
fn mail_state_text(mail: &Mail, to: &str, partner: &str) -> Markup {
    let what = mail::name(mail.kind);
    match mail.state {
        MailState::Due(_) if mail.answer.is_none() => html! { p { (mail::queued(what, to)) } },
        MailState::Due(_) => html! { p { (mail::delayed(what, to)) } },
        MailState::Sent(at) => html! { p { (mail::sent(what, to, &date::with_time(at))) } },
        MailState::Refused(_) if email_address::to_ascii(to).is_none() => html! {
            div.said.not role="status" {
                p { (mail::undeliverable(what, to)) }
                p { (mail::ask(partner)) }
            }
        },
        MailState::Refused(_) => html! {
            div.said.not role="status" {
                p { (mail::refused(what, to)) }
                @if let Some(answer) = &mail.answer { p { (mail::ANSWER) " " q { (answer) } } }
                p { (mail::ask(partner)) }
            }
        },
        MailState::GivenUp(_) => html! {
            div.said.not role="status" {
                p { (mail::given_up(what, to)) }
                p { (mail::ask(partner)) }
            }
        },
    }
}

/// The segment of the form that opens the invitee list.
pub(super) const LIST: &str = "genodigden";

/// Shows the card that is online under `slug`: what to do next, the card as others see it, and a button for that.
fn share_card(context: &PageContext, user: &SessionUser, slug: &str) -> Markup {
    let card = &user.card;
    let address = context.services.card_address(slug).to_string();
    let own = context.local(&context.services.card_address(slug));
    let is_open = card.visibility == Visibility::Open;
    html! {
        p.intro { (if is_open { text::ONLINE } else { text::INVITE_FIRST }) }
        (show_inside(context, card))
        @if is_open {
            p { a.button href=(own) { (text::OPEN_CARD) } }
            h2 { (text::SHARE_TITLE) }
            p { (text::SHARE) }
            div.actions {
                code.address data-copy=(text::COPY) data-copied=(text::COPIED) { (address) }
                a.button.quiet href=(share::whatsapp_address(card, &address)) rel="noopener noreferrer" { (text::WHATSAPP) }
                span data-share=(text::SHARE_BUTTON) data-url=(address) {}
            }
            details { summary { (text::QR) } p { (text::QR_ABOUT) } (share::draw_qr_code(&address, text::QR_LABEL)) }
            (list_form(context, user, text::LIST_OPEN, true))
        } @else {
            (list_form(context, user, text::LIST_INVITE, false))
            p { a href=(own) { (text::OPEN_CARD) } }
        }
    }
}

/// The button that opens the invitee list.
fn list_form(context: &PageContext, user: &SessionUser, label: &str, quiet: bool) -> Markup {
    html! {
        @if user.may_change() {
            form method="post" action=(context.path(&path::customizer(user.card.id, LIST))) {
                (user.token_field())
                p { button.quiet[quiet] { (label) } }
            }
        }
    }
}

/// Opens the invitee list of an ordered card in this browser.
pub(super) async fn open_list(context: &PageContext, user: &SessionUser) -> Outcome {
    if user.card.status == CardStatus::Draft {
        return Ok(response::see_other(&ordered_path(context, &user.card)));
    }
    let target = SessionTarget::InviteeList;
    let list = response::see_other(&context.path(&path::environment(user.card.id, target)));
    let opened = invitee::open_list(&context.services, &user.session).await?;
    Ok(match opened {
        Some(cookie) => list.with(SET_COOKIE, session_guard::set_cookie(context, user.card.id, target, &cookie)),
        None => list,
    })
}

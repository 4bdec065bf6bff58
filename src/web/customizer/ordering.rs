//! The last step: the price, the agreement, the order, and what comes of it (decisions S8).

use http::StatusCode;
use maud::{Markup, html};

use super::overview::name_of;
use super::part::{back, frame};
use super::step::Step;
use super::{ORDERED, see};
use crate::model::{Card, CardSection, CardStatus, Price, SectionVersion};
use crate::operation::card::{self, FamilyOrder, Lacking, OrderError};
use crate::web::answer::WebAnswer;
use crate::web::field::{self, Errors};
use crate::web::form::Form;
use crate::web::page_error::Outcome;
use crate::web::session_guard::SessionUser;
use crate::web::site::Site;
use crate::web::text::customizer as text;
use crate::web::{error_pages, layout};

const AGREE: &str = "agree";
const PRICE: &str = "price";
const SEEN: &str = "seen";

/// Shows what will be ordered, and what it costs.
pub(super) async fn show(site: &Site, visitor: &SessionUser) -> Outcome {
    if visitor.card.status != CardStatus::Draft {
        return Ok(see(&ordered_path(site, &visitor.card)));
    }
    page(site, visitor, StatusCode::OK, &Errors::default()).await
}

/// Places the order. A form that is sent twice leads to the same order.
pub(super) async fn place(site: &Site, visitor: &SessionUser, form: &Form) -> Outcome {
    let order = FamilyOrder {
        seen: SectionVersion::sent(form.text(SEEN)),
        price: form.text(PRICE).parse().ok().and_then(Price::from_cents),
        agreed: form.has(AGREE),
    };
    let mut errors = Errors::default();
    match card::place(&site.services, visitor.card.id, order).await {
        Ok(card) => return Ok(see(&ordered_path(site, &card))),
        Err(OrderError::Ordered) => return Ok(see(&ordered_path(site, &visitor.card))),
        Err(OrderError::NotFound) => return Ok(error_pages::not_found(site)),
        Err(OrderError::Failed(failure)) => return Err(failure.into()),
        Err(OrderError::NotAgreed) => errors.add(AGREE, text::NOT_AGREED),
        Err(OrderError::Changed) => errors.add(AGREE, text::CHANGED),
        Err(OrderError::NoTestAddress) => errors.add(AGREE, text::NO_TEST_ADDRESS),
        Err(OrderError::Lacking(_)) => {} // the page says what
    }
    // The card as it is now: what was shown may be older.
    let now = site.services.store.any_card(visitor.card.id).await?.unwrap_or_else(|| visitor.card.clone());
    let visitor = visitor.looking_at(now);
    page(site, &visitor, StatusCode::UNPROCESSABLE_ENTITY, &errors).await
}

async fn page(site: &Site, visitor: &SessionUser, status: StatusCode, errors: &Errors) -> Outcome {
    let card = &visitor.card;
    let lacking = card::lacking(card);
    let content = if !visitor.may_change() {
        html! { div.actions { (back(site, card, Step::Order)) } }
    } else if lacking.is_empty() {
        order_form(site, visitor, errors).await?
    } else {
        html! {
            p { (text::LACKING) }
            ul { @for what in lacking { li { a href=(site.path(&step_for(what).path(card.id))) { (text::lacking(what)) } } } }
            div.actions { (back(site, card, Step::Order)) }
        }
    };
    let main = frame(site, visitor, Step::Order, content);
    let title = match errors.is_empty() {
        true => text::ORDER_TITLE.to_owned(),
        false => format!("{}{}", text::ERROR_TITLE, text::ORDER_TITLE),
    };
    Ok(WebAnswer::page(status, layout::page(site, &title, main)))
}

async fn order_form(site: &Site, visitor: &SessionUser, errors: &Errors) -> Outcome<Markup> {
    let (card, price) = (&visitor.card, visitor.partner.price);
    let theme = match card.theme_id {
        Some(id) => site.services.store.theme(id).await?.map(|theme| theme.title),
        None => None,
    };
    let button = if price.cents() == 0 { text::ORDER_BUTTON_FREE } else { text::ORDER_BUTTON };
    Ok(html! {
        (errors.summary())
        p.intro { (text::ORDER) }
        @if card.test { p.saved { (text::TEST_CARD) } }
        dl.facts {
            dt { (text::FOR) } dd { (name_of(card).unwrap_or_default()) }
            dt { (text::CHOSEN_THEME) } dd { (theme.unwrap_or_default()) }
            dt { (text::WHO_SEES) } dd { (text::visibility(card.visibility).0) }
            dt { (text::MAIL_TO) } dd { (card.family_contact.email.as_deref().unwrap_or_default()) }
            dt { (text::PRICE) } dd { strong { (price) } " " (text::VAT) }
        }
        form method="post" action=(site.path(&Step::Order.path(card.id))) novalidate {
            (visitor.token_field())
            input type="hidden" name=(SEEN) value=(SectionVersion::of(card, &CardSection::ALL).as_str());
            input type="hidden" name=(PRICE) value=(price.cents());
            (field::tick_box(AGREE, &text::agree(&price.to_string()), false, errors))
            div.actions {
                button { (button) }
                (back(site, card, Step::Order))
            }
        }
    })
}

/// Shows the order that was placed, and the card once it is online.
pub(super) async fn ordered(site: &Site, visitor: &SessionUser) -> Outcome {
    let card = &visitor.card;
    if card.status == CardStatus::Draft {
        return Ok(see(&site.path(&Step::Order.path(card.id))));
    }
    let order = site.services.store.order_of(card.id).await?;
    let main = html! {
        (visitor.notice())
        h1 { (text::ORDERED_TITLE) }
        p.intro { (text::ORDERED) }
        @if let Some(order) = order {
            dl.facts {
                dt { (text::ORDER_NUMBER) } dd { (order.number) }
                dt { (text::PRICE) } dd { (order.price) " " (text::VAT) }
            }
        }
        @match &card.slug {
            Some(slug) => {
                p { (text::ORDERED_ACTIVE) }
                p { a.button href=(site.local(&site.services.card_address(slug))) { (text::OPEN_CARD) } }
            }
            None => {
                p { (text::ORDERED_WAITING) }
                p { a.button.quiet href=(ordered_path(site, card)) { (text::LOOK_AGAIN) } }
            }
        }
        p { a href=(site.path(&format!("/bewerken/{}", card.id))) { (text::TO_OVERVIEW) } }
    };
    Ok(WebAnswer::page(StatusCode::OK, layout::page(site, text::ORDERED_TITLE, main)))
}

fn ordered_path(site: &Site, card: &Card) -> String {
    site.path(&format!("/bewerken/{}/{ORDERED}", card.id))
}

fn step_for(lacking: Lacking) -> Step {
    Step::Part(match lacking {
        Lacking::Theme => CardSection::Theme,
        Lacking::Name => CardSection::Names,
        Lacking::Email => CardSection::Contact,
    })
}

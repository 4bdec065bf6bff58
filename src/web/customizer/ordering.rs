//! The last step: price, agreement and order (decisions S8).

use http::StatusCode;
use maud::{Markup, html};

use super::field::{self, Errors};
use super::mini::Subject;
use super::ordered::{self, ordered_path};
use super::overview::name_of;
use super::section::{back, frame};
use super::step::Step;
use super::values::SEEN;
use crate::model::{CardSection, CardStatus, Price, SectionVersion, Theme};
use crate::operation::card::{self, FamilyOrder, MissingField, OrderError};
use crate::response;
use crate::web::context::PageContext;
use crate::web::error_pages;
use crate::web::form::Form;
use crate::web::page::{self, Outcome};
use crate::web::session_guard::SessionUser;
use crate::web::text::customizer as text;

const AGREE: &str = "agree";
const PRICE: &str = "price";

/// Shows the order form, with a summary and the price.
pub(super) async fn show(context: &PageContext, user: &SessionUser) -> Outcome {
    if user.card.status != CardStatus::Draft {
        return Ok(response::see_other(&ordered_path(context, &user.card)));
    }
    page(context, user, StatusCode::OK, &Errors::default()).await
}

/// Places the order. A form that is sent twice places one order.
pub(super) async fn place(context: &PageContext, user: &SessionUser, form: &Form) -> Outcome {
    let price = form.text(PRICE).parse().ok().and_then(Price::from_cents);
    let order = FamilyOrder {
        seen: SectionVersion::sent(form.text(SEEN)),
        price,
        agreed: field::is_ticked(form, AGREE) || price.is_some_and(is_free), // without a price there is no box
    };
    let mut errors = Errors::default();
    match card::place(&context.services, user.card.id, user.partner.clone(), order).await {
        Ok(card) => return Ok(response::see_other(&ordered_path(context, &card))),
        Err(OrderError::Ordered) => return Ok(response::see_other(&ordered_path(context, &user.card))),
        Err(OrderError::NotFound) => return Ok(error_pages::not_found(context)),
        Err(OrderError::Failed(failure)) => return Err(failure.into()),
        Err(OrderError::NotAgreed) => errors.add(AGREE, text::NOT_AGREED),
        Err(OrderError::Changed) => errors.add(AGREE, text::CHANGED),
        Err(OrderError::NoTestAddress | OrderError::MissingFields(_)) => {} // the page says what is missing
    }
    // The card may have changed since the form was made.
    let now = context.services.store.any_card(user.card.id).await?.unwrap_or_else(|| user.card.clone());
    let user = user.looking_at(now);
    page(context, &user, StatusCode::UNPROCESSABLE_ENTITY, &errors).await
}

async fn page(context: &PageContext, user: &SessionUser, status: StatusCode, errors: &Errors) -> Outcome {
    let card = &user.card;
    let missing_fields = card::missing_fields(card);
    let content = if !user.may_change() {
        html! { div.actions { (back(context, card, Step::Order)) } }
    } else if missing_fields.is_empty() {
        order_form(context, user, errors).await?
    } else {
        html! {
            p { (text::LACKING) }
            ul { @for what in missing_fields { li { a href=(context.path(&step_for(what).path(card.id))) { (text::missing_field(what)) } } } }
            div.actions { (back(context, card, Step::Order)) }
        }
    };
    let main = frame(context, user, Step::Order, content);
    let title = match errors.is_empty() {
        true => text::ORDER_TITLE.to_owned(),
        false => format!("{}{}", text::ERROR_TITLE, text::ORDER_TITLE),
    };
    Ok(page::show(context, &user.partner, status, &title, main))
}

async fn order_form(context: &PageContext, user: &SessionUser, errors: &Errors) -> Outcome<Markup> {
    let (card, price) = (&user.card, user.partner.price);
    let theme = match card.theme_id {
        Some(id) => context.services.store.theme(id).await?,
        None => None,
    };
    let small = Subject::of(context, card).await?.draw(context, theme.as_ref().and_then(Theme::cover));
    let mail_to = if card.test { &user.partner.test_address } else { &card.family_contact.email };
    let button = match card.test {
        true => text::ORDER_BUTTON_TEST,
        false if is_free(price) => text::ORDER_BUTTON_FREE,
        false => text::ORDER_BUTTON,
    };
    Ok(html! {
        (errors.summary())
        p.intro { (text::ORDER) }
        @if card.test { p.saved { (if mail_to.is_some() { text::TEST_CARD } else { text::NO_TEST_ADDRESS }) } }
        div.priced {
        p.shown { (small) }
        dl.facts {
            dt { (text::FOR) } dd { (name_of(card).unwrap_or_default()) }
            dt { (text::CHOSEN_THEME) } dd { (theme.map(|theme| theme.title).unwrap_or_default()) }
            dt { (text::WHO_SEES) } dd { (text::visibility(card.visibility).0) }
            @if let Some(mail_to) = mail_to { dt { (text::MAIL_TO) } dd { (mail_to) } }
            dt { (text::PRICE) } dd { (ordered::price(price, user.partner.shown_name(), card.test)) }
        }
        }
        @if mail_to.is_none() {
            div.actions { (back(context, card, Step::Order)) }
        } @else {
        form method="post" action=(context.path(&Step::Order.path(card.id))) novalidate {
            (user.token_field())
            input type="hidden" name=(SEEN) value=(SectionVersion::of(card, &CardSection::ALL).as_str());
            input type="hidden" name=(PRICE) value=(price.cents());
            @if !is_free(price) { (field::tick_box(AGREE, &text::agree(&price.to_string()), false, errors)) }
            div.actions {
                // The summary of errors links to the box, or to the button.
                button id=[is_free(price).then_some(AGREE)] { (button) }
                (back(context, card, Step::Order))
            }
        }
        }
    })
}

fn is_free(price: Price) -> bool {
    price.cents() == 0
}

fn step_for(field: MissingField) -> Step {
    Step::Section(match field {
        MissingField::Theme => CardSection::Theme,
        MissingField::Name => CardSection::Names,
        MissingField::Email => CardSection::Contact,
    })
}

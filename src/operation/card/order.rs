//! A card is ordered: DRAFT becomes ORDERED (specification, sections 3 and 5; decisions S8).
//!
//! The family orders in the customizer, or the operator with a command. Both need the same fields and write the same: order,
//! customer, event, mail and activation, in one transaction. Only the family confirms what it saw.

use uuid::Uuid;

use crate::base::{is_blank, limits};
use crate::model::{
    Actor, Card, CardActivation, CardSection, CardStatus, EventDraft, Mail, NewCustomer, NewOrder, OrderNumber,
    Partner, Price, SectionVersion, Topic,
};
use crate::operation::Failure;
use crate::services::Services;
use crate::store::{CardEffects, CardScope, ChangeCardError};

/// The order form that the family confirms.
#[derive(Clone, Debug)]
pub struct FamilyOrder {
    /// The version of the whole card on the page.
    pub seen: SectionVersion,
    /// The price on the page; `None` if the form has no readable price.
    pub price: Option<Price>,
    /// Whether the family ticked the box.
    pub agreed: bool,
}

/// A field that an order needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MissingField {
    Theme,
    Name,
    Email,
}

impl MissingField {
    /// In English, for the operator.
    const fn name(self) -> &'static str {
        match self {
            MissingField::Theme => "a theme",
            MissingField::Name => "a first or last name",
            MissingField::Email => "the e-mail address of the family contact",
        }
    }
}

/// Why an order was not placed.
#[derive(Debug, thiserror::Error)]
pub enum OrderError {
    /// The card was ordered before, so a form that is sent twice places one order.
    #[error("the card is ordered already")]
    Ordered,
    #[error("the card lacks what an order needs: {}", .0.iter().map(|what| what.name()).collect::<Vec<_>>().join(", "))]
    MissingFields(Vec<MissingField>),
    #[error("a test card cannot be ordered while the partner has no test address")]
    NoTestAddress,
    #[error("the family has not agreed to the price")]
    NotAgreed,
    /// The card or the price changed since the page was rendered.
    #[error("the card or its price has changed since it was shown")]
    Changed,
    #[error("there is no such card")]
    NotFound,
    #[error(transparent)]
    Failed(Failure),
}

impl<F: Into<Failure>> From<F> for OrderError {
    fn from(failure: F) -> Self {
        OrderError::Failed(failure.into())
    }
}

/// The fields that an order needs and this card lacks, in the order of the customizer.
pub fn missing_fields(card: &Card) -> Vec<MissingField> {
    let name = [&card.deceased.first_name, &card.deceased.last_name];
    [
        (MissingField::Theme, card.theme_id.is_none()),
        (MissingField::Name, name.into_iter().flatten().all(|name| is_blank(name))),
        (MissingField::Email, card.family_contact.email.is_none()),
    ]
    .into_iter()
    .filter_map(|(what, lacks)| lacks.then_some(what))
    .collect()
}

/// Places the family's order of a card of `partner`.
pub async fn order_by_family(
    services: &Services,
    card_id: Uuid,
    partner: Partner,
    order: FamilyOrder,
) -> Result<Card, OrderError> {
    let agreed = move |card: &Card, price: Price| {
        if order.seen != SectionVersion::compute(card, &CardSection::ALL) || order.price != Some(price) {
            return Err(OrderError::Changed);
        }
        if order.agreed { Ok(()) } else { Err(OrderError::NotAgreed) }
    };
    order_if_agreed(services, card_id, partner, Actor::Family, services.activation, agreed).await
}

/// Orders a card for the operator.
pub async fn order_by_operator(
    services: &Services,
    card_id: Uuid,
    actor: Actor,
    activation: CardActivation,
) -> Result<Card, OrderError> {
    let card = services.store.any_card(card_id).await?.ok_or(OrderError::NotFound)?;
    let partner = services.store.partner(card.partner_id).await?.ok_or(OrderError::NotFound)?;
    order_if_agreed(services, card_id, partner, actor, activation, |_, _| Ok(())).await
}

/// Orders a card that has the needed fields, if `agreed` accepts the card and its price.
async fn order_if_agreed(
    services: &Services,
    card_id: Uuid,
    partner: Partner,
    actor: Actor,
    activation: CardActivation,
    agreed: impl FnOnce(&Card, Price) -> Result<(), OrderError> + Send + 'static,
) -> Result<Card, OrderError> {
    let now = services.clock.now();
    let [event_id, order_id, customer_id, mail_id] = std::array::from_fn(|_| services.entropy.uuid(now));
    let number = OrderNumber::generate(&services.entropy);
    let activation = (activation == CardActivation::Automatic).then_some(now);
    // The mail waits for the activation, so that it can contain the address of the card.
    let mail_due = if activation.is_some() { now.after(limits::ORDER_MAIL_CHECKED_EVERY) } else { now };
    let mail = Mail::order(mail_id, card_id, now).due_at(mail_due);
    let decide = move |card: &mut Card| {
        let email = address_of_order(card, &partner)?;
        agreed(card, partner.price)?;
        let before = card.clone();
        card.order(now).map_err(|_| OrderError::Ordered)?;
        let customer = NewCustomer { id: customer_id, email, name: card.family_contact.name.clone() };
        Ok(CardEffects {
            events: EventDraft::of_change(event_id, Topic::CardsOrdered, actor, &before, card),
            order: Some(NewOrder { id: order_id, number, price: partner.price, actor, customer }),
            mails: vec![mail],
            activation,
            ..CardEffects::default()
        })
    };
    match services.store.change_card_with(CardScope::Any { id: card_id }, now, decide).await {
        Ok(card) => card.ok_or(OrderError::NotFound),
        Err(ChangeCardError::Refused(error)) => Err(error),
        Err(ChangeCardError::Store(error)) => Err(error.into()),
    }
}

/// Checks that a card can be ordered. Returns the address for all mail of the order; for a test card the
/// test address of the partner, never the address of the family (specification, section 5).
fn address_of_order(card: &Card, partner: &Partner) -> Result<String, OrderError> {
    // An ordered card reports only that.
    if card.status != CardStatus::Draft {
        return Err(OrderError::Ordered);
    }
    let (missing_fields, email) = (missing_fields(card), card.family_contact.email.clone());
    match (email, card.test) {
        (Some(email), false) if missing_fields.is_empty() => Ok(email),
        (Some(_), true) if missing_fields.is_empty() => partner.test_address.clone().ok_or(OrderError::NoTestAddress),
        _ => Err(OrderError::MissingFields(missing_fields)),
    }
}

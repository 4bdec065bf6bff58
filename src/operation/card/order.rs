//! The card is ordered: DRAFT becomes ORDERED (specification, sections 3 and 5; decisions S8).
//!
//! Two ways lead here. The family orders in the customizer, and everything that an order needs is asked of it. The
//! operator orders by hand, and may order a card that still lacks what a family would have to fill in. Both write the
//! same: order, customer, event, mail and activation, in one transaction.

use uuid::Uuid;

use super::CardStateError;
use super::change::event_of;
use crate::base::Moment;
use crate::model::{
    Actor, Card, CardActivation, CardPart, CardPrint, CardStatus, Mail, NewCustomer, NewOrder, OrderNumber, Partner,
    Price, Topic,
};
use crate::operation::{Failure, Services};
use crate::store::{CardEffects, CardScope, ChangeCardError};

/// What the family agrees to.
#[derive(Clone, Debug)]
pub struct FamilyOrder {
    /// The whole card as it was shown.
    pub seen: CardPrint,
    /// The price as it was shown; `None`: the form named none that can be read.
    pub price: Option<Price>,
    /// Whether the family ticked that it agrees.
    pub agreed: bool,
}

/// What a card lacks before it can be ordered (decisions S8).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lacking {
    Theme,
    Name,
    Email,
}

/// Why the family's order was not placed.
#[derive(Debug, thiserror::Error)]
pub enum OrderError {
    /// It was ordered before: a form that is sent twice places one order.
    #[error("the card is ordered already")]
    Ordered,
    #[error("the card lacks what an order needs")]
    Lacking(Vec<Lacking>),
    #[error("a test card cannot be ordered while the partner has no test address")]
    NoTestAddress,
    #[error("the family has not agreed to the price")]
    NotAgreed,
    /// Card or price are not what the family saw.
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

/// What an order needs and this card lacks, in the order in which the family is asked for it.
pub fn lacking(card: &Card) -> Vec<Lacking> {
    let name = [&card.deceased.first_name, &card.deceased.last_name];
    [
        (Lacking::Theme, card.theme_id.is_none()),
        (Lacking::Name, !name.into_iter().flatten().any(|name| !name.trim().is_empty())),
        (Lacking::Email, card.family_contact.email.is_none()),
    ]
    .into_iter()
    .filter_map(|(what, lacks)| lacks.then_some(what))
    .collect()
}

/// Places the family's order.
pub async fn place(services: &Services, card_id: Uuid, order: FamilyOrder) -> Result<Card, OrderError> {
    let card = services.store.any_card(card_id).await?.ok_or(OrderError::NotFound)?;
    let partner = services.store.partner(card.partner_id).await?.ok_or(OrderError::NotFound)?;
    let now = services.clock.now();
    let placing = Placing::new(services, &partner, Actor::Family, now);
    let decide = move |card: &mut Card| {
        // What was ordered stays ordered, whatever else the form says.
        if card.status != CardStatus::Draft {
            return Err(OrderError::Ordered);
        }
        let lacking = lacking(card);
        if !lacking.is_empty() {
            return Err(OrderError::Lacking(lacking));
        }
        if card.test && partner.test_address.is_none() {
            return Err(OrderError::NoTestAddress);
        }
        if order.seen != CardPrint::of(card, &CardPart::ALL) || order.price != Some(partner.price) {
            return Err(OrderError::Changed);
        }
        if !order.agreed {
            return Err(OrderError::NotAgreed);
        }
        placing.carry_out(card).map_err(|_| OrderError::Ordered)
    };
    match services.store.order_card(CardScope::Any { id: card_id }, now, decide).await {
        Ok(card) => card.ok_or(OrderError::NotFound),
        Err(ChangeCardError::Refused(error)) => Err(error),
        Err(ChangeCardError::Store(error)) => Err(error.into()),
    }
}

/// Orders a card by the operator's hand; all it needs is a card in DRAFT. The operator activates it too.
pub async fn order(services: &Services, card_id: Uuid, actor: Actor) -> Result<Card, CardStateError> {
    let failed = |error| CardStateError::Failed(Failure::Store(error));
    let card = services.store.any_card(card_id).await.map_err(failed)?.ok_or(CardStateError::NotFound(card_id))?;
    let partner = services.store.partner(card.partner_id).await.map_err(failed)?;
    let partner = partner.ok_or(CardStateError::NotFound(card_id))?;
    let now = services.clock.now();
    let placing = Placing { activation: None, ..Placing::new(services, &partner, actor, now) };
    let decide = move |card: &mut Card| placing.carry_out(card).map_err(CardStateError::Transition);
    match services.store.order_card(CardScope::Any { id: card_id }, now, decide).await {
        Ok(card) => card.ok_or(CardStateError::NotFound(card_id)),
        Err(ChangeCardError::Refused(error)) => Err(error),
        Err(ChangeCardError::Store(error)) => Err(failed(error)),
    }
}

/// Everything that an order writes, made ready before the transaction opens.
struct Placing {
    event_id: Uuid,
    order_id: Uuid,
    customer_id: Uuid,
    mail_id: Uuid,
    number: OrderNumber,
    price: Price,
    test_address: Option<String>,
    actor: Actor,
    activation: Option<Moment>,
    now: Moment,
}

impl Placing {
    fn new(services: &Services, partner: &Partner, actor: Actor, now: Moment) -> Self {
        let id = || services.entropy.uuid(now);
        Self {
            event_id: id(),
            order_id: id(),
            customer_id: id(),
            mail_id: id(),
            number: OrderNumber::generate(&services.entropy),
            price: partner.price,
            test_address: partner.test_address.clone(),
            actor,
            activation: (services.activation == CardActivation::Automatic).then_some(now),
            now,
        }
    }

    /// Orders the card, with all that follows from it.
    fn carry_out(self, card: &mut Card) -> Result<CardEffects, crate::model::TransitionError> {
        let before = card.clone();
        card.order(self.now)?;
        // Nothing of a test goes to the family (specification, section 5).
        let email = if card.test { self.test_address } else { card.family_contact.email.clone() };
        let customer =
            email.map(|email| NewCustomer { id: self.customer_id, email, name: card.family_contact.name.clone() });
        let mails = customer.iter().map(|_| Mail::order(self.mail_id, card.id, self.now)).collect();
        let order = NewOrder { id: self.order_id, number: self.number, price: self.price, actor: self.actor, customer };
        Ok(CardEffects {
            events: event_of(self.event_id, Topic::CardsOrdered, self.actor, &before, card),
            order: Some(order),
            mails,
            activation: self.activation,
        })
    }
}

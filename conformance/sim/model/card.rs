//! The rules of a card's input, ordering and activation (specification, section 3; decisions V2, V4, S8, S9).

use card_service::base::{HttpUrl, Parsed, Patch, Timestamp};
use card_service::model::{
    Actor, Card, CardActivation, CardSection, CardStatus, Customer, Mail, Order, OrderNumber, Price, SectionVersion,
    Topic, UserErrorCode,
};
use card_service::operation::card::{CardEdit, CardInput, DeceasedInput, FamilyContactInput, FamilyOrder};
use chrono::NaiveDate;
use uuid::Uuid;

use super::{Dossier, Model, Refusal, Theme, photo};
use crate::input::{is_email, is_name};
use crate::network;

const PHOTO_URL: &str = "input.deceased.photoUrl";

/// The refusals of an input, in the order of the schema.
#[derive(Debug, Default)]
pub struct Refusals(pub Vec<Refusal>);

impl Refusals {
    pub fn add(&mut self, code: UserErrorCode, field: &str) {
        self.0.push((code, field.to_owned()));
    }

    fn set(&mut self, stored: &mut Option<String>, sent: &Patch<String>, field: &str, is_right: fn(&str) -> bool) {
        match sent {
            Patch::Absent => {}
            Patch::Null => *stored = None,
            Patch::Value(text) => {
                if !is_right(text) {
                    self.add(UserErrorCode::Invalid, field);
                }
                *stored = Some(text.clone());
            }
        }
    }

    fn date(&mut self, stored: &mut Option<NaiveDate>, sent: &Patch<Parsed<NaiveDate>>, today: NaiveDate, field: &str) {
        match sent {
            Patch::Absent => {}
            Patch::Null => *stored = None,
            Patch::Value(Parsed::Invalid(_)) => {
                self.add(UserErrorCode::Invalid, field);
                *stored = None;
            }
            Patch::Value(Parsed::Value(day)) => {
                if *day > today {
                    self.add(UserErrorCode::Invalid, field);
                }
                *stored = Some(*day);
            }
        }
    }

    fn theme(&mut self, card: &mut Card, sent: &Patch<String>, themes: &[Theme]) {
        let chosen = match sent {
            Patch::Absent => return,
            Patch::Null => None,
            Patch::Value(name) => {
                let named = themes.iter().find(|theme| theme.gid() == *name || theme.number.to_string() == *name);
                Some(named.filter(|theme| !theme.retired || card.theme_id == Some(theme.id)).map(|theme| theme.id))
            }
        };
        match chosen {
            None if card.theme_id.is_none() => {}
            Some(Some(id)) if card.theme_id == Some(id) => {}
            _ if card.status != CardStatus::Draft => self.add(UserErrorCode::Immutable, "input.themeId"),
            None => card.theme_id = None,
            Some(Some(id)) => card.theme_id = Some(id),
            Some(None) => self.add(UserErrorCode::NotFound, "input.themeId"),
        }
    }

    /// Fetches the photo at an address if nothing else is refused.
    fn photo(&mut self, card: &mut Card, sent: &Patch<Parsed<HttpUrl>>) {
        match sent {
            Patch::Value(Parsed::Value(url)) if self.0.is_empty() => match network::photo(url.as_str()) {
                Ok(_) => card.deceased.photo = Some(photo::new(url.as_str())),
                Err(code) => self.add(code, PHOTO_URL),
            },
            Patch::Null => card.deceased.photo = None,
            Patch::Value(_) | Patch::Absent => {}
        }
    }

    /// Writes the input to the card.
    pub fn apply(&mut self, card: &mut Card, input: &CardInput, themes: &[Theme], today: NaiveDate) {
        let cleared = DeceasedInput {
            first_name: Patch::Null,
            last_name: Patch::Null,
            date_of_birth: Patch::Null,
            date_of_death: Patch::Null,
            photo_url: Patch::Null,
        };
        let deceased = match &input.deceased {
            Patch::Absent => DeceasedInput::default(),
            Patch::Null => cleared,
            Patch::Value(sent) => sent.clone(),
        };
        let contact = match &input.family_contact {
            Patch::Absent => FamilyContactInput::default(),
            Patch::Null => FamilyContactInput { name: Patch::Null, email: Patch::Null },
            Patch::Value(sent) => sent.clone(),
        };
        self.theme(card, &input.theme_id, themes);
        let director = &input.external_funeral_director_id;
        self.set(&mut card.external_funeral_director_id, director, "input.externalFuneralDirectorId", |text| {
            text.chars().count() <= 200
        });
        let person = &mut card.deceased;
        self.set(&mut person.first_name, &deceased.first_name, "input.deceased.firstName", is_name);
        self.set(&mut person.last_name, &deceased.last_name, "input.deceased.lastName", is_name);
        self.date(&mut person.date_of_birth, &deceased.date_of_birth, today, "input.deceased.dateOfBirth");
        self.date(&mut person.date_of_death, &deceased.date_of_death, today, "input.deceased.dateOfDeath");
        let is_value = |date: &Patch<Parsed<NaiveDate>>| matches!(date, Patch::Value(Parsed::Value(_)));
        if person.date_of_birth.zip(person.date_of_death).is_some_and(|(born, died)| died < born) {
            if is_value(&deceased.date_of_death) {
                self.add(UserErrorCode::Invalid, "input.deceased.dateOfDeath");
            } else if is_value(&deceased.date_of_birth) {
                self.add(UserErrorCode::Invalid, "input.deceased.dateOfBirth");
            }
        }
        if let Patch::Value(Parsed::Invalid(_)) = &deceased.photo_url {
            self.add(UserErrorCode::Invalid, PHOTO_URL);
        }
        match &input.livestream_url {
            Patch::Absent => {}
            Patch::Null => card.livestream_url = None,
            Patch::Value(Parsed::Value(url)) => card.livestream_url = Some(url.clone()),
            Patch::Value(Parsed::Invalid(_)) => self.add(UserErrorCode::Invalid, "input.livestreamUrl"),
        }
        self.set(&mut card.family_contact.name, &contact.name, "input.familyContact.name", is_name);
        self.set(&mut card.family_contact.email, &contact.email, "input.familyContact.email", is_email);
        self.photo(card, &deceased.photo_url);
    }
}

/// What a form of the family leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Edited {
    Saved(Box<Card>),
    Refused(Vec<Refusal>),
    Conflict,
}

/// Why a card is not ordered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotOrdered {
    Ordered,
    MissingFields,
    NoTestAddress,
    Changed,
    NotAgreed,
}

impl Model {
    /// What an edit of the family makes of the card.
    pub fn edited(&self, dossier: &Dossier, edit: &CardEdit, today: NaiveDate) -> Edited {
        let mut refusals = Refusals::default();
        let mut card = dossier.card.clone();
        if let Patch::Value(text) = &edit.text
            && text.chars().count() > 5_000
        {
            return Edited::Refused(vec![(UserErrorCode::Invalid, "text".to_owned())]);
        }
        if let Patch::Value(place) = &edit.farewell.place
            && place.chars().count() > 200
        {
            return Edited::Refused(vec![(UserErrorCode::Invalid, "farewell.place".to_owned())]);
        }
        refusals.apply(&mut card, &edit.fields, &self.themes, today);
        if !refusals.0.is_empty() {
            return Edited::Refused(refusals.0);
        }
        match &edit.text {
            Patch::Absent => {}
            Patch::Null => card.text = None,
            Patch::Value(text) => card.text = Some(text.clone()),
        }
        edit.farewell.place.clone().apply_to(&mut card.farewell.place);
        card.deceased.change_photo(edit.photo.clone());
        card.layout = edit.layout.unwrap_or(card.layout);
        card.visibility = edit.visibility.unwrap_or(card.visibility);
        let shown = SectionVersion::of(&dossier.card, &[edit.section]);
        if card != dossier.card && edit.seen != shown { Edited::Conflict } else { Edited::Saved(Box::new(card)) }
    }

    /// Orders the card of the dossier, for the family with what it confirmed, or for the operator.
    pub fn order(&self, dossier: &mut Dossier, family: Option<&FamilyOrder>, now: Timestamp) -> Result<(), NotOrdered> {
        let (card, partner) = (&dossier.card, &self.account(dossier.card.partner_id).partner);
        if card.status != CardStatus::Draft {
            return Err(NotOrdered::Ordered);
        }
        let named = card.deceased.first_name.is_some() || card.deceased.last_name.is_some();
        let (Some(email), true, true) = (&card.family_contact.email, named, card.theme_id.is_some()) else {
            return Err(NotOrdered::MissingFields);
        };
        let email =
            if card.test { partner.test_address.clone().ok_or(NotOrdered::NoTestAddress)? } else { email.clone() };
        if let Some(form) = family {
            if form.price != Some(partner.price) || form.seen != SectionVersion::of(card, &CardSection::ALL) {
                return Err(NotOrdered::Changed);
            }
            if !form.agreed {
                return Err(NotOrdered::NotAgreed);
            }
        }
        let actor = if family.is_some() { Actor::Family } else { Actor::Operator };
        let price: Price = family.and_then(|form| form.price).unwrap_or(partner.price);
        let name = card.family_contact.name.clone();
        // One address is one customer of a partner, with the name of its first order.
        let of_card = |other: &Dossier| {
            other.order.clone().filter(|order| order.partner_id == card.partner_id && order.test == card.test)
        };
        let known = self
            .cards
            .values()
            .filter_map(of_card)
            .filter_map(|order| order.customer)
            .find(|known| known.email == email);
        let customer = Some(known.unwrap_or(Customer { id: Uuid::nil(), email, name }));
        let (card_id, partner_id, test) = (card.id, card.partner_id, card.test);
        let number = OrderNumber::trusted("");
        let order =
            Order { id: Uuid::nil(), card_id, partner_id, customer, number, price, actor, test, ordered_at: now };
        let after = Card { status: CardStatus::Ordered, ordered_at: Some(now), ..card.clone() };
        dossier.change(after, Topic::CardsOrdered, actor, now);
        dossier.order = Some(order);
        dossier.mails.push(Mail::order(Uuid::nil(), card_id, now));
        dossier.activation = self.activation == CardActivation::Automatic;
        Ok(())
    }
}

impl Dossier {
    /// Activates an ordered card; its address is not known yet. Returns whether it was ordered and not active.
    pub fn activate(&mut self, actor: Actor, now: Timestamp) -> bool {
        if self.card.status != CardStatus::Ordered {
            return false;
        }
        let slug = Some(String::new());
        let after = Card { status: CardStatus::Active, activated_at: Some(now), slug, ..self.card.clone() };
        self.change(after, Topic::CardsActivated, actor, now);
        self.activation = false;
        true
    }
}

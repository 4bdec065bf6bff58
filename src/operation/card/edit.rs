//! The family changes a section of its card in the customizer (decisions S5, S8).

use chrono::{NaiveDate, NaiveTime};
use uuid::Uuid;

use super::input::{CardInput, Identifiers, Path, Validator, check_fields};
use super::order_address::OrderMailAgain;
use crate::base::{Parsed, Patch, limits};
use crate::model::{
    Actor, Card, CardSection, EventDraft, Farewell, FocalPoint, Layout, LeadIn, PhotoKey, SectionVersion, Topic,
    UserError, Visibility, messages,
};
use crate::operation::Failure;
use crate::operation::theme::{ThemeChoice, resolve_theme};
use crate::services::Services;
use crate::store::{CardEffects, CardScope, ChangeCardError};

/// The field of errors in the text.
const TEXT: Path = &["text"];

/// A change of one section. Absent fields are unchanged.
#[derive(Clone, Debug)]
pub struct CardEdit {
    pub section: CardSection,
    /// The version of the section on the page that was filled in.
    pub seen: SectionVersion,
    /// The fields that partners can set too, except the URL of the photo.
    pub fields: CardInput,
    pub layout: Option<Layout>,
    pub visibility: Option<Visibility>,
    pub lead_in: Option<LeadIn>,
    pub text: Patch<String>,
    pub farewell: FarewellInput,
    /// A portrait that is already in the object store.
    pub photo: Patch<PhotoKey>,
    /// The focal point of the portrait that the card has after the change.
    pub focal_point: Patch<FocalPoint>,
}

/// Why a card was not changed.
#[derive(Debug, thiserror::Error)]
pub enum EditError {
    /// The user errors, for the family; never empty.
    #[error("the input was refused")]
    Refused(Vec<UserError>),
    /// Another change of this section came first: the card as it is now.
    #[error("another change of this section came first")]
    Conflict(Box<Card>),
    #[error("there is no such card")]
    NotFound,
    #[error(transparent)]
    Failed(Failure),
}

impl<F: Into<Failure>> From<F> for EditError {
    fn from(failure: F) -> Self {
        EditError::Failed(failure.into())
    }
}

impl CardEdit {
    /// An empty change of this section.
    pub fn new(section: CardSection, seen: SectionVersion) -> Self {
        Self {
            section,
            seen,
            fields: CardInput::default(),
            layout: None,
            visibility: None,
            lead_in: None,
            text: Patch::Absent,
            farewell: FarewellInput::default(),
            photo: Patch::Absent,
            focal_point: Patch::Absent,
        }
    }
}

/// Changes the card. A change without effect is never refused, so the same form may be sent twice.
pub async fn edit(services: &Services, card_id: Uuid, edit: CardEdit) -> Result<Card, EditError> {
    let theme = resolve_theme(services, &edit.fields.theme_id).await?;
    let today = services.clock.today();
    let again = match edit.fields.sets_email() {
        true => {
            let card = services.store.any_card(card_id).await?.ok_or(EditError::NotFound)?;
            Some(OrderMailAgain::prepare(services, &card).await?)
        }
        false => None,
    };
    let now = services.clock.now();
    let event_id = services.entropy.uuid(now);
    let decide = move |card: &mut Card| {
        let before = card.clone();
        apply(&edit, card, &theme, today).map_err(EditError::Refused)?;
        if *card != before && edit.seen != SectionVersion::compute(&before, &[edit.section]) {
            return Err(EditError::Conflict(Box::new(before)));
        }
        let mail_again = again.map(|again| again.for_change(&before, card)).transpose().map_err(EditError::Refused)?;
        let events = EventDraft::of_change(event_id, Topic::CardsUpdate, Actor::Family, &before, card);
        Ok(CardEffects { events, mail_again: mail_again.flatten(), ..CardEffects::default() })
    };
    match services.store.change_card_with(CardScope::Any { id: card_id }, now, decide).await {
        Ok(card) => card.ok_or(EditError::NotFound),
        Err(ChangeCardError::Refused(error)) => Err(error),
        Err(ChangeCardError::Store(error)) => Err(error.into()),
    }
}

/// Returns the card as an edit would make it, and stores nothing. `None` if the edit would be refused.
pub async fn try_edit(services: &Services, card: &Card, edit: &CardEdit) -> Result<Option<Card>, Failure> {
    let theme = resolve_theme(services, &edit.fields.theme_id).await?;
    let mut edited = card.clone();
    let applied = apply(edit, &mut edited, &theme, services.clock.today());
    Ok(applied.is_ok().then_some(edited))
}

fn apply(edit: &CardEdit, card: &mut Card, theme: &ThemeChoice, today: NaiveDate) -> Result<(), Vec<UserError>> {
    check_text(&edit.text)?;
    check_farewell(&edit.farewell, &mut card.farewell)?;
    let checked = check_fields(Validator::default(), card, &edit.fields, theme, today, Identifiers::Any); // a form has no identifiers
    checked.refuse_errors()?;
    card.deceased.change_photo(edit.photo.clone());
    // A form sends the middle of the top for a photo without a point.
    if let Patch::Value(point) = edit.focal_point
        && card.deceased.photo.is_some()
        && card.deceased.focal_point.unwrap_or_default() != point
    {
        card.deceased.focal_point = Some(point);
    }
    edit.text.clone().apply_to(&mut card.text);
    card.lead_in = edit.lead_in.unwrap_or(card.lead_in);
    card.layout = edit.layout.unwrap_or(card.layout);
    card.visibility = edit.visibility.unwrap_or(card.visibility);
    Ok(())
}

fn check_text(sent: &Patch<String>) -> Result<(), Vec<UserError>> {
    let mut validator = Validator::default();
    validator.optional_text(TEXT, sent, limits::CARD_TEXT_CHARS_MAX);
    validator.finish(())
}

const DATE: Path = &["farewell", "date"];
const TIME: Path = &["farewell", "time"];
const UNTIL: Path = &["farewell", "until"];
const PLACE: Path = &["farewell", "place"];
const ADDRESS: Path = &["farewell", "address"];
const NOTE: Path = &["farewell", "note"];

/// The fields of the farewell. Absent fields are unchanged.
#[derive(Clone, Debug, Default)]
pub struct FarewellInput {
    pub date: Patch<Parsed<NaiveDate>>,
    pub time: Patch<Parsed<NaiveTime>>,
    pub until: Patch<Parsed<NaiveTime>>,
    pub place: Patch<String>,
    pub address: Patch<String>,
    pub note: Patch<String>,
}

/// Checks the fields and writes them to the farewell of a card. The day may be past or to come.
fn check_farewell(input: &FarewellInput, farewell: &mut Farewell) -> Result<(), Vec<UserError>> {
    let FarewellInput { date, time, until, place, address, note } = input;
    let mut validator = Validator::default();
    validator.date(DATE, date).apply_to(&mut farewell.date);
    validator.check_format(TIME, time, messages::FAREWELL_TIME_INVALID).apply_to(&mut farewell.time);
    let is_dated = farewell.date.is_some() || matches!(date, Patch::Value(_));
    if farewell.time.is_some() && !is_dated {
        validator.invalid(TIME, messages::FAREWELL_TIME_ALONE);
    }
    validator.check_format(UNTIL, until, messages::FAREWELL_TIME_INVALID).apply_to(&mut farewell.until);
    if farewell.until.is_some_and(|until| farewell.time.is_none_or(|time| until <= time)) {
        validator.invalid(UNTIL, messages::FAREWELL_UNTIL_EARLY);
    }
    validator.optional_text(PLACE, place, limits::FAREWELL_PLACE_CHARS_MAX).apply_to(&mut farewell.place);
    validator.optional_text(ADDRESS, address, limits::FAREWELL_ADDRESS_CHARS_MAX).apply_to(&mut farewell.address);
    validator.optional_text(NOTE, note, limits::FAREWELL_NOTE_CHARS_MAX).apply_to(&mut farewell.note);
    validator.finish(())
}

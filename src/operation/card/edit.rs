//! The family changes a section of its card (decisions S5, W4).
//!
//! Called by the customizer. The rules are those of cardUpdate. In addition, several people may edit one card at the same
//! time, and a change that would overwrite another is refused.

use chrono::NaiveDate;
use uuid::Uuid;

use super::farewell::{FarewellInput, check_farewell};
use super::input::{CardInput, Identifiers, check_update};
use super::transition::event_of;
use super::validator::{Path, Validator};
use crate::base::{Patch, limits};
use crate::model::{
    Actor, Card, CardSection, FocalPoint, Layout, PhotoKey, SectionVersion, Topic, UserError, Visibility,
};
use crate::operation::Failure;
use crate::operation::theme::{ThemeChoice, resolve_theme};
use crate::services::Services;
use crate::store::{CardScope, ChangeCardError};

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
    pub text: Patch<String>,
    pub farewell: FarewellInput,
    /// A portrait that is already in the object store.
    pub photo: Patch<PhotoKey>,
    /// Of the portrait that the card has; a new portrait has none.
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
    pub fn of(section: CardSection, seen: SectionVersion) -> Self {
        Self {
            section,
            seen,
            fields: CardInput::default(),
            layout: None,
            visibility: None,
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
    let now = services.clock.now();
    let event_id = services.entropy.uuid(now);
    let decide = move |card: &mut Card| {
        let before = card.clone();
        apply(&edit, card, &theme, today).map_err(EditError::Refused)?;
        if *card != before && edit.seen != SectionVersion::of(&before, &[edit.section]) {
            return Err(EditError::Conflict(Box::new(before)));
        }
        Ok(event_of(event_id, Topic::CardsUpdate, Actor::Family, &before, card))
    };
    match services.store.change_card(CardScope::Any { id: card_id }, now, decide).await {
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
    check_update(card, &edit.fields, theme, today, Identifiers::Any)?; // a family sends none
    let photo = card.deceased.photo.clone();
    card.deceased.change_photo(edit.photo.clone());
    if photo.is_some() && card.deceased.photo == photo {
        edit.focal_point.apply_to(&mut card.deceased.focal_point);
    }
    edit.text.clone().apply_to(&mut card.text);
    card.layout = edit.layout.unwrap_or(card.layout);
    card.visibility = edit.visibility.unwrap_or(card.visibility);
    Ok(())
}

fn check_text(sent: &Patch<String>) -> Result<(), Vec<UserError>> {
    let mut validator = Validator::default();
    validator.optional_text(TEXT, sent, limits::CARD_TEXT_CHARS_MAX);
    validator.finish(())
}

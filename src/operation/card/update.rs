//! A partner changes the fields of a card that it sends (specification, section 2.10; decisions V2, W4).

use chrono::NaiveDate;
use uuid::Uuid;

use super::input::{CardInput, DeceasedInput, Identifiers, Path, Validator, check_update};
use super::transition::{FarewellInput, check_farewell};
use crate::base::{GlobalId, Kind, Parsed, Patch, limits};
use crate::model::text::Consequence;
use crate::model::{
    Actor, Card, CardSection, EventDraft, FocalPoint, Layout, PhotoKey, SectionVersion, Topic, UserError,
    UserErrorCode, Visibility, text,
};
use crate::operation::theme::{ThemeChoice, resolve_theme};
use crate::operation::{Caller, Failure, OperationError, photo};
use crate::services::Services;
use crate::store::{CardScope, ChangeCardError};

/// Changes the card with the global id `id`. An input that changes nothing writes nothing and creates no event.
pub async fn update(
    services: &Services,
    caller: &Caller,
    id: &str,
    mut input: CardInput,
) -> Result<Card, OperationError> {
    let scope = caller.scope();
    let id = GlobalId::uuid_of(id, Kind::Card).ok_or_else(not_found)?;
    let stored = services.store.card(scope, id).await?.ok_or_else(not_found)?;
    keep_own_photo(services, &stored, &mut input);

    let theme = resolve_theme(services, &input.theme_id).await?;
    let (today, identifiers) = (services.clock.today(), Identifiers::for_caller(caller));
    let photo_source = check_update(&mut stored.clone(), &input, &theme, today, identifiers);
    let photo_source = photo_source.map_err(OperationError::Refused)?;
    let photo = match photo_source {
        Patch::Absent => Patch::Absent,
        Patch::Null => Patch::Null,
        Patch::Value(source) => {
            Patch::Value(photo::fetch(services, caller, &source, Consequence::CardUnchanged).await?)
        }
    };

    let now = services.clock.now();
    let event_id = services.entropy.uuid(now);
    let decide = move |card: &mut Card| {
        // The rules again, against the locked row: the family may have ordered meanwhile.
        let before = card.clone();
        check_update(card, &input, &theme, today, identifiers)?;
        card.deceased.change_photo(photo);
        Ok(EventDraft::of_change(event_id, Topic::CardsUpdate, Actor::Partner, &before, card))
    };
    match services.store.change_card(CardScope::Owned { scope, id }, now, decide).await {
        Ok(card) => card.ok_or_else(not_found),
        Err(ChangeCardError::Refused(errors)) => Err(OperationError::Refused(errors)),
        Err(ChangeCardError::Store(error)) => Err(error.into()),
    }
}

/// The only error for a caller who cannot see the card.
fn not_found() -> OperationError {
    OperationError::refuse(UserError::new(UserErrorCode::NotFound, &["id"], text::CARD_NOT_FOUND))
}

/// Ignores the URL of the card's own photo, which a partner may send back as it read it.
fn keep_own_photo(services: &Services, stored: &Card, input: &mut CardInput) {
    if let Patch::Value(DeceasedInput { photo_url, .. }) = &mut input.deceased
        && let Patch::Value(Parsed::Value(sent)) = photo_url
        && let Some(own) = &stored.deceased.photo
        && *sent == services.photo_address(own)
    {
        *photo_url = Patch::Absent;
    }
}

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
        if *card != before && edit.seen != SectionVersion::compute(&before, &[edit.section]) {
            return Err(EditError::Conflict(Box::new(before)));
        }
        Ok(EventDraft::of_change(event_id, Topic::CardsUpdate, Actor::Family, &before, card))
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
    card.deceased.change_photo(edit.photo.clone());
    // A form sends the middle of the top for a photo without a point.
    if let Patch::Value(point) = edit.focal_point
        && card.deceased.photo.is_some()
        && card.deceased.focal_point.unwrap_or_default() != point
    {
        card.deceased.focal_point = Some(point);
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

//! The family changes a part of its card (decisions S5, W4).
//!
//! Called by the customizer. The rules are those of a partner's update; what is its own is that several people may fill
//! in one card at the same time, and that nobody's words are lost without being told.

use super::change::event_of;
use super::input::{CardInput, check_update};
use super::validator::{Path, Validator};
use crate::base::{Patch, limits};
use crate::model::{Actor, Card, CardSection, Layout, PhotoKey, SectionVersion, Topic, UserError, Visibility};
use crate::operation::theme::resolve_theme;
use crate::operation::{Failure, Services};
use crate::store::{CardScope, ChangeCardError};
use uuid::Uuid;

/// Where a refusal of the text points to.
const TEXT: Path = &["text"];

/// What the family says about one part of its card. What it leaves out stays as it is.
#[derive(Clone, Debug)]
pub struct CardEdit {
    pub part: CardSection,
    /// What the part held on the page that was filled in.
    pub seen: SectionVersion,
    /// The fields that partners have too; never its photo's address.
    pub fields: CardInput,
    pub layout: Option<Layout>,
    pub visibility: Option<Visibility>,
    pub text: Patch<String>,
    /// A portrait that lies in the object store already.
    pub photo: Patch<PhotoKey>,
}

/// Why a card was not changed.
#[derive(Debug, thiserror::Error)]
pub enum EditError {
    /// What is wrong with the input: data for the family, never empty.
    #[error("the input was refused")]
    Refused(Vec<UserError>),
    /// Somebody else has changed this part meanwhile: the card as it is now.
    #[error("somebody else has changed this part meanwhile")]
    Overtaken(Box<Card>),
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
    /// Nothing yet about this part.
    pub fn of(part: CardSection, seen: SectionVersion) -> Self {
        Self {
            part,
            seen,
            fields: CardInput::default(),
            layout: None,
            visibility: None,
            text: Patch::Absent,
            photo: Patch::Absent,
        }
    }
}

/// Changes the card. An edit that changes nothing is never too late: the same form may be sent twice.
pub async fn edit(services: &Services, card_id: Uuid, edit: CardEdit) -> Result<Card, EditError> {
    let theme = resolve_theme(services, &edit.fields.theme_id).await?;
    let today = services.clock.today();
    let now = services.clock.now();
    let event_id = services.entropy.uuid(now);
    let decide = move |card: &mut Card| {
        let before = card.clone();
        check_text(&edit.text).map_err(EditError::Refused)?;
        check_update(card, &edit.fields, &theme, today).map_err(EditError::Refused)?;
        edit.photo.apply_to(&mut card.deceased.photo);
        edit.text.apply_to(&mut card.text);
        card.layout = edit.layout.unwrap_or(card.layout);
        card.visibility = edit.visibility.unwrap_or(card.visibility);
        if *card != before && edit.seen != SectionVersion::of(&before, &[edit.part]) {
            return Err(EditError::Overtaken(Box::new(before)));
        }
        Ok(event_of(event_id, Topic::CardsUpdate, Actor::Family, &before, card))
    };
    match services.store.change_card(CardScope::Any { id: card_id }, now, decide).await {
        Ok(card) => card.ok_or(EditError::NotFound),
        Err(ChangeCardError::Refused(error)) => Err(error),
        Err(ChangeCardError::Store(error)) => Err(error.into()),
    }
}

fn check_text(sent: &Patch<String>) -> Result<(), Vec<UserError>> {
    let mut validator = Validator::default();
    validator.optional_text(TEXT, sent, limits::CARD_TEXT_CHARS_MAX);
    validator.finish(())
}

//! A partner changes the fields of a card that it sends (specification, section 2.10; decisions V2, W4).

use super::input::{CardInput, DeceasedInput, Identifiers, Validator, check_fields};
use super::order_address::OrderMailAgain;
use crate::base::{GlobalId, Kind, Parsed, Patch};
use crate::model::messages::Consequence;
use crate::model::{Actor, Card, EventDraft, Topic, UserError, UserErrorCode, messages};
use crate::operation::theme::resolve_theme;
use crate::operation::{Caller, OperationError};
use crate::services::Services;
use crate::store::{CardEffects, CardScope, ChangeCardError};

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
    let checked = check_fields(Validator::default(), &mut Card::clone(&stored), &input, &theme, today, identifiers);
    let photo = checked.fetch_photo(services, caller, Consequence::CardUnchanged).await?;

    let again = match input.sets_email() {
        true => Some(OrderMailAgain::prepare(services, &stored).await?),
        false => None,
    };
    let now = services.clock.now();
    let event_id = services.entropy.uuid(now);
    let decide = move |card: &mut Card| {
        // The rules again, against the locked row: the family may have ordered meanwhile.
        let before = card.clone();
        check_fields(Validator::default(), card, &input, &theme, today, identifiers).refuse_errors()?;
        card.deceased.change_photo(photo);
        let mail_again = again.map(|again| again.for_change(&before, card)).transpose()?.flatten();
        let events = EventDraft::of_change(event_id, Topic::CardsUpdate, Actor::Partner, &before, card);
        Ok(CardEffects { events, mail_again, ..CardEffects::default() })
    };
    match services.store.change_card_with(CardScope::Owned { scope, id }, now, decide).await {
        Ok(card) => card.ok_or_else(not_found),
        Err(ChangeCardError::Refused(errors)) => Err(OperationError::Refused(errors)),
        Err(ChangeCardError::Store(error)) => Err(error.into()),
    }
}

/// The only error for a caller who cannot see the card.
fn not_found() -> OperationError {
    OperationError::refuse(UserError::new(UserErrorCode::NotFound, &["id"], messages::CARD_NOT_FOUND))
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

//! A partner creates a card: DRAFT (specification, sections 2.10, 3 and 4.3; decisions, section 4).

use std::sync::Arc;

use sha2::{Digest as _, Sha256};

use super::input::{CardInput, EXTERNAL_DOSSIER_ID, Identifiers, check_create};
use crate::base::{Parsed, Patch};
use crate::model::messages::Consequence;
use crate::model::{Actor, Card, EventDraft, KeyMode, Topic, UserError, UserErrorCode, messages};
use crate::operation::theme::resolve_theme;
use crate::operation::{Caller, OperationError};
use crate::services::Services;
use crate::store::{CreateCardError, IdempotencyClaim, KeyReused, NewCard};

/// The input of a new card.
#[derive(Clone, Debug, Default)]
pub struct CreateCard {
    /// Stored exactly as sent, with blanks and case: uniqueness is on the exact text.
    pub external_dossier_id: String,
    pub fields: CardInput,
}

/// Creates the card, or returns the one that an earlier attempt with the same idempotency key created.
///
/// `ordinal` counts the cards that the request creates, from 0: a repeated request creates them in the same order.
pub async fn create(
    services: &Services,
    caller: &Caller,
    input: CreateCard,
    ordinal: i32,
) -> Result<Arc<Card>, OperationError> {
    let claim = caller.claim.clone();
    let claim = claim.map(|claim| IdempotencyClaim { ordinal, input: digest(&input), ..claim });
    // A repeated request gets the card of its first attempt, even if its theme or photo is gone.
    if let Some(claim) = &claim
        && let Some(id) = claim.earlier_card()?
        && let Some(card) = services.store.any_card(id).await?
    {
        return Ok(card);
    }
    let taken = |is_test| {
        let message = messages::dossier_taken(&input.external_dossier_id, is_test);
        UserError::new(UserErrorCode::Taken, EXTERNAL_DOSSIER_ID, message)
    };
    let refuse = |error| match error {
        CreateCardError::Taken { by_test_card } => OperationError::refuse(taken(by_test_card)),
        CreateCardError::KeyReused(KeyReused) => OperationError::KeyReused,
        CreateCardError::Store(error) => error.into(),
    };

    // Check the input.
    let theme = resolve_theme(services, &input.fields.theme_id).await?;
    let mut card = Card {
        partner_id: caller.partner_id,
        external_dossier_id: input.external_dossier_id.clone(),
        test: caller.mode == KeyMode::Test,
        ..Card::default()
    };
    let checked =
        check_create(&mut card, &input.fields, &theme, services.clock.today(), Identifiers::for_caller(caller));

    // Look the dossier number up, to report TAKEN beside other errors, and before a photo is fetched in vain. Otherwise the
    // insert finds a taken number without a query. A refused number cannot be taken. A copy of the request may have created the
    // card on another replica since the key was looked up.
    let names_photo = matches!(checked.photo_source, Patch::Value(_));
    let may_be_taken = match checked.errors.as_slice() {
        [] => names_photo,
        errors => errors.iter().all(|error| error.field != EXTERNAL_DOSSIER_ID),
    };
    let earlier = match may_be_taken {
        true => services.store.earlier_card(&card, claim.as_ref()).await,
        false => Ok(None),
    };
    match earlier {
        Ok(None) => {}
        Ok(Some(card)) => return Ok(card),
        Err(CreateCardError::Taken { by_test_card }) => {
            let errors = std::iter::once(taken(by_test_card)).chain(checked.errors);
            return Err(OperationError::Refused(errors.collect()));
        }
        Err(error) => return Err(refuse(error)),
    }
    let photo = checked.fetch_photo(services, caller, Consequence::NoCardCreated).await?;
    photo.apply_to(&mut card.deceased.photo);

    // Write the card, its event and the claim.
    let now = services.clock.now();
    card.id = services.entropy.uuid(now);
    (card.created_at, card.updated_at) = (now, now);
    let event = EventDraft {
        id: services.entropy.uuid(now),
        topic: Topic::CardsCreate,
        actor: Actor::Partner,
        changed_fields: Vec::new(), // the card is new
    };
    services.store.create_card(NewCard { card, event, claim }).await.map_err(refuse)
}

/// Returns the SHA-256 of an input: its texts, each preceded by its length. An absent field adds nothing, so that a replica
/// that does not know it yet gets the same.
fn digest(input: &CreateCard) -> [u8; 32] {
    let mut hash = Sha256::new();
    let mut add = |text: &str| {
        hash.update((text.len() as u64).to_be_bytes());
        hash.update(text);
    };
    add(&input.external_dossier_id);
    for (name, sent) in input.fields.fields() {
        let (kind, text) = match &sent {
            Patch::Absent => continue,
            Patch::Null => ("null", ""),
            Patch::Value(Parsed::Value(text)) => ("value", &**text),
            Patch::Value(Parsed::Invalid(text)) => ("invalid", &**text),
        };
        [name, kind, text].into_iter().for_each(&mut add);
    }
    hash.finalize().into()
}

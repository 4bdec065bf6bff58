//! A partner creates a card: DRAFT (specification, sections 2.10, 3 and 4.3; decisions, section 4).

use sha2::{Digest as _, Sha256};

use super::input::{CardInput, EXTERNAL_DOSSIER_ID, Identifiers, check_create};
use crate::base::{HttpUrl, Parsed, Patch, limits};
use crate::model::text::Consequence;
use crate::model::{Actor, Card, EventDraft, KeyMode, Topic, UserError, UserErrorCode, text};
use crate::operation::theme::resolve_theme;
use crate::operation::{Caller, OperationError, photo};
use crate::services::Services;
use crate::store::{CreateCardError, CreatedCard, IdempotencyClaim, NewCard};

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
) -> Result<CreatedCard, OperationError> {
    // First of all: a repeated request gets the card of the first attempt, even if its theme or photo is gone.
    let claim = claim(services, caller, &input, ordinal);
    if caller.idempotency.as_ref().is_some_and(|binding| binding.recorded)
        && let Some(card) = earlier_card(services, &claim, &input.external_dossier_id).await?
    {
        return Ok(CreatedCard::Earlier(card));
    }

    let theme = resolve_theme(services, &input.fields.theme_id).await?;
    let mut card = Card {
        partner_id: caller.partner_id,
        external_dossier_id: input.external_dossier_id.clone(),
        test: caller.mode == KeyMode::Test,
        ..Card::default()
    };
    let checked = check_create(&mut card, &input.fields, &theme, services.clock.today(), Identifiers::of(caller));
    if must_look_up_dossier(&checked)
        && let Some(error) = taken(services, caller, &input.external_dossier_id).await?
    {
        // Another replica may have created it for a copy of this request.
        if let Some(card) = earlier_card(services, &claim, &input.external_dossier_id).await? {
            return Ok(CreatedCard::Earlier(card));
        }
        let others = checked.err().unwrap_or_default();
        return Err(OperationError::Refused([vec![error], others].concat()));
    }
    if let Patch::Value(source) = checked.map_err(OperationError::Refused)? {
        card.deceased.photo = Some(photo::fetch(services, caller, &source, Consequence::NoCardCreated).await?);
    }

    let now = services.clock.now();
    card.id = services.entropy.uuid(now);
    (card.created_at, card.updated_at) = (now, now);
    let event = EventDraft {
        id: services.entropy.uuid(now),
        topic: Topic::CardsCreate,
        actor: Actor::Partner,
        changed_fields: Vec::new(), // the card is new
    };
    let created = services.store.create_card(NewCard { card, event, claim }).await;
    created.map_err(|error| not_created(error, &input.external_dossier_id))
}

/// Returns the card that an earlier attempt created under the request's key.
async fn earlier_card(
    services: &Services,
    claim: &Option<IdempotencyClaim>,
    external_dossier_id: &str,
) -> Result<Option<Card>, OperationError> {
    let Some(claim) = claim else { return Ok(None) };
    services.store.recorded_card(claim).await.map_err(|error| not_created(error, external_dossier_id))
}

/// The reason why the store created no card, for the caller.
fn not_created(error: CreateCardError, external_dossier_id: &str) -> OperationError {
    match error {
        CreateCardError::Taken { by_test_card } => {
            OperationError::refused(dossier_taken(external_dossier_id, by_test_card))
        }
        CreateCardError::KeyReused => OperationError::KeyReused,
        CreateCardError::Store(error) => error.into(),
    }
}

/// Whether to query the dossier number before the insert: to report TAKEN next to other errors, and before a photo is
/// fetched in vain. Otherwise the insert finds a taken number at no extra cost. A refused number cannot be taken.
fn must_look_up_dossier(checked: &Result<Patch<HttpUrl>, Vec<UserError>>) -> bool {
    match checked {
        Ok(photo_source) => matches!(photo_source, Patch::Value(_)),
        Err(errors) => errors.iter().all(|error| error.field != EXTERNAL_DOSSIER_ID),
    }
}

/// The user error TAKEN, if the partner has a card with this dossier number.
async fn taken(
    services: &Services,
    caller: &Caller,
    external_dossier_id: &str,
) -> Result<Option<UserError>, OperationError> {
    let holder = services.store.dossier_holder_is_test(caller.partner_id, external_dossier_id).await?;
    Ok(holder.map(|is_test| dossier_taken(external_dossier_id, is_test)))
}

fn dossier_taken(external_dossier_id: &str, by_test_card: bool) -> UserError {
    let message = text::dossier_taken(external_dossier_id, by_test_card);
    UserError::new(UserErrorCode::Taken, EXTERNAL_DOSSIER_ID, message)
}

/// The claim that binds the card to the request's idempotency key, if it has one.
fn claim(services: &Services, caller: &Caller, input: &CreateCard, ordinal: i32) -> Option<IdempotencyClaim> {
    caller.idempotency.as_ref().map(|binding| IdempotencyClaim {
        key: binding.key.clone(),
        ordinal,
        fingerprint: binding.fingerprint,
        input: input_digest(input),
        not_before: services.clock.now().before(limits::IDEMPOTENCY_REMEMBERED),
    })
}

/// Returns the SHA-256 of an input. An absent field adds nothing.
pub(super) fn input_digest(input: &CreateCard) -> [u8; 32] {
    let mut hash = Sha256::new();
    add(&mut hash, "externalDossierId", State::Value, &input.external_dossier_id);
    for (path, sent) in input.fields.fields() {
        match sent {
            Patch::Absent => {}
            Patch::Null => add(&mut hash, path, State::Null, ""),
            Patch::Value(Parsed::Value(text)) => add(&mut hash, path, State::Value, &text),
            Patch::Value(Parsed::Invalid(text)) => add(&mut hash, path, State::Invalid, &text),
        }
    }
    hash.finalize().into()
}

/// How a field was sent.
#[derive(Clone, Copy)]
enum State {
    Null,
    Value,
    /// A text that does not have the format of its scalar.
    Invalid,
}

/// Adds a field: its state, then its path and its text, each after its length.
fn add(hash: &mut Sha256, path: &str, state: State, text: &str) {
    hash.update([state as u8]);
    for part in [path, text] {
        hash.update((part.len() as u64).to_be_bytes());
        hash.update(part);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::HttpUrl;
    use crate::operation::card::{DeceasedInput, FamilyContactInput};

    fn input(change: impl FnOnce(&mut CreateCard)) -> CreateCard {
        let mut input = CreateCard { external_dossier_id: "1".to_owned(), fields: CardInput::default() };
        change(&mut input);
        input
    }

    fn deceased(change: impl FnOnce(&mut DeceasedInput)) -> CreateCard {
        let mut deceased = DeceasedInput::default();
        change(&mut deceased);
        input(|input| input.fields.deceased = Patch::Value(deceased))
    }

    fn contact(change: impl FnOnce(&mut FamilyContactInput)) -> CreateCard {
        let mut contact = FamilyContactInput::default();
        change(&mut contact);
        input(|input| input.fields.family_contact = Patch::Value(contact))
    }

    #[test]
    fn input_digest_differs_in_every_field_and_state() {
        let text = || Patch::Value("1940-05-01".to_owned());
        let day = || Patch::Value(Parsed::Value("1940-05-01".parse().expect("a day")));
        let no_day = || Patch::Value(Parsed::Invalid("1940-05-01".to_owned()));
        let address = || Patch::Value(Parsed::Value(HttpUrl::parse("https://example.org/").expect("an address")));
        let inputs = [
            input(|_| {}),
            input(|input| input.external_dossier_id = "2".to_owned()),
            input(|input| input.fields.theme_id = text()),
            input(|input| input.fields.theme_id = Patch::Null),
            input(|input| input.fields.external_funeral_director_id = text()),
            input(|input| input.fields.external_funeral_director_id = Patch::Null),
            input(|input| input.fields.livestream_url = address()),
            input(|input| input.fields.livestream_url = Patch::Null),
            input(|input| input.fields.deceased = Patch::Null),
            deceased(|_| {}),
            deceased(|deceased| deceased.first_name = text()),
            deceased(|deceased| deceased.last_name = text()),
            deceased(|deceased| deceased.last_name = Patch::Null),
            deceased(|deceased| deceased.date_of_birth = day()),
            deceased(|deceased| deceased.date_of_birth = no_day()),
            deceased(|deceased| deceased.date_of_death = day()),
            deceased(|deceased| deceased.photo_url = address()),
            input(|input| input.fields.family_contact = Patch::Null),
            contact(|_| {}),
            contact(|contact| contact.name = text()),
            contact(|contact| contact.email = text()),
            contact(|contact| contact.email = Patch::Null),
        ];
        for (n, one) in inputs.iter().enumerate() {
            assert_eq!(input_digest(one), input_digest(&one.clone()));
            for other in &inputs[n + 1..] {
                assert_ne!(input_digest(one), input_digest(other), "{one:?} {other:?}");
            }
        }
    }
}

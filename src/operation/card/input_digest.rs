//! The digest of the input of a cardCreate, which tells whether a repeated field is the same (decisions, section 4).

use sha2::{Digest as _, Sha256};

use super::create::CreateCard;
use crate::base::{Parsed, Patch};

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
    use crate::operation::card::{CardInput, DeceasedInput, FamilyContactInput};

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

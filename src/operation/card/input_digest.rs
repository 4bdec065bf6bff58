//! The digest of a create's input, which tells whether a resent field is the same one (decisions, section 4).
//!
//! Called by `create` for a request with an idempotency key.

use sha2::{Digest as _, Sha256};

use super::create::CreateCard;
use super::input::{CardInput, DeceasedInput, FamilyContactInput};
use crate::base::{Parsed, Patch};

/// Returns the SHA-256 of an input.
///
/// A field that is absent adds nothing, so a field that a later release adds changes no digest of today.
pub(super) fn input_digest(input: &CreateCard) -> [u8; 32] {
    let CreateCard { external_dossier_id, fields } = input;
    let CardInput { theme_id, external_funeral_director_id, deceased, livestream_url, family_contact } = fields;
    let mut hash = InputHash(Sha256::new());
    hash.add("externalDossierId", State::Value, external_dossier_id);
    hash.text("themeId", theme_id);
    hash.text("externalFuneralDirectorId", external_funeral_director_id);
    if let Some(deceased) = hash.object("deceased", deceased) {
        let DeceasedInput { first_name, last_name, date_of_birth, date_of_death, photo_url } = deceased;
        hash.text("deceased.firstName", first_name);
        hash.text("deceased.lastName", last_name);
        hash.parsed("deceased.dateOfBirth", date_of_birth, ToString::to_string);
        hash.parsed("deceased.dateOfDeath", date_of_death, ToString::to_string);
        hash.parsed("deceased.photoUrl", photo_url, |address| address.as_str().to_owned());
    }
    hash.parsed("livestreamUrl", livestream_url, |address| address.as_str().to_owned());
    if let Some(contact) = hash.object("familyContact", family_contact) {
        let FamilyContactInput { name, email } = contact;
        hash.text("familyContact.name", name);
        hash.text("familyContact.email", email);
    }
    hash.0.finalize().into()
}

/// How a field was sent.
#[derive(Clone, Copy)]
enum State {
    Null,
    Value,
    /// A text that does not have the format of its scalar.
    Text,
}

struct InputHash(Sha256);

impl InputHash {
    /// Adds a field: its path and its text, each with its length before it.
    fn add(&mut self, path: &str, state: State, text: &str) {
        self.0.update([state as u8]);
        for part in [path, text] {
            self.0.update((part.len() as u64).to_be_bytes());
            self.0.update(part);
        }
    }

    fn text(&mut self, path: &str, field: &Patch<String>) {
        match field {
            Patch::Absent => {}
            Patch::Null => self.add(path, State::Null, ""),
            Patch::Value(text) => self.add(path, State::Value, text),
        }
    }

    fn parsed<T>(&mut self, path: &str, field: &Patch<Parsed<T>>, text_of: impl Fn(&T) -> String) {
        match field {
            Patch::Absent => {}
            Patch::Null => self.add(path, State::Null, ""),
            Patch::Value(Parsed::Value(value)) => self.add(path, State::Value, &text_of(value)),
            Patch::Value(Parsed::Text(text)) => self.add(path, State::Text, text),
        }
    }

    /// Adds an object field; its own fields follow.
    fn object<'a, T>(&mut self, path: &str, field: &'a Patch<T>) -> Option<&'a T> {
        match field {
            Patch::Absent => None,
            Patch::Null => {
                self.add(path, State::Null, "");
                None
            }
            Patch::Value(object) => {
                self.add(path, State::Value, "");
                Some(object)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::HttpUrl;

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
        let no_day = || Patch::Value(Parsed::Text("1940-05-01".to_owned()));
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

    #[test]
    fn input_digest_of_a_known_input_stays_the_same() {
        // Records of a release before are compared with it.
        let digest = input_digest(&contact(|contact| contact.email = Patch::Value("a@b.nl".to_owned())));
        let hex: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(hex, "ccf129fba1f0632dbfce92f6e616891ff7773ad682ea68ed827ca5a247c0e027");
    }
}

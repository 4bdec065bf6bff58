//! Random inputs of a card, from small pools so that they repeat and collide.

use card_service::base::{GlobalId, Kind, Patch};
use card_service::operation::card::{CardInput, DeceasedInput, FamilyContactInput};
use uuid::Uuid;

use crate::random::Random;

const NAMES: [&str; 3] = ["Johanna", "Piet", "Zoë"];
const EMAILS: [&str; 2] = ["familie@voorbeeld.nl", "aal@voorbeeld.nl"];

/// The input of a partner: a theme, a name and a mail address are enough to order the card.
pub fn card_input(random: &mut Random, themes: &[Uuid]) -> CardInput {
    let theme = theme_gid(*random.pick(themes));
    let (name, email) = ((*random.pick(&NAMES)).to_owned(), (*random.pick(&EMAILS)).to_owned());
    CardInput {
        theme_id: patch(random, theme),
        deceased: Patch::Value(DeceasedInput { first_name: patch(random, name), ..DeceasedInput::default() }),
        family_contact: Patch::Value(FamilyContactInput {
            email: patch(random, email),
            ..FamilyContactInput::default()
        }),
        ..CardInput::default()
    }
}

/// The global id of a theme.
pub fn theme_gid(id: Uuid) -> String {
    GlobalId::new(Kind::Theme, id).to_string()
}

/// Returns the value, null or absent.
fn patch(random: &mut Random, value: String) -> Patch<String> {
    match random.below(10) {
        0..7 => Patch::Value(value),
        7 => Patch::Null,
        _ => Patch::Absent,
    }
}

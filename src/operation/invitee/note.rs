//! The note of the family in its invitations (decisions S6). Called by the page of the list.

use uuid::Uuid;

use crate::base::{Timestamp, limits};
use crate::model::{has_web_address, is_hidden};
use crate::operation::Failure;
use crate::services::Services;

/// Why a note is refused: this service mails it to people who did not ask for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoteFault {
    TooLong,
    /// A control character other than a line break, or an invisible character.
    Character,
    HttpUrl,
}

/// The result of changing the note.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoteChange {
    Stored,
    /// Another person has changed the note since it was read.
    Overtaken,
    Refused(NoteFault),
}

/// Stores the note of a card; an empty one deletes it. `seen` is when the note that its writer saw was changed.
pub async fn change_note(
    services: &Services,
    card_id: Uuid,
    note: &str,
    seen: Option<Timestamp>,
) -> Result<NoteChange, Failure> {
    if let Some(fault) = fault(note) {
        return Ok(NoteChange::Refused(fault));
    }
    let note = (!note.is_empty()).then(|| note.to_owned());
    let is_stored = services.store.change_invitation_note(card_id, note, seen, services.clock.now()).await?;
    Ok(if is_stored { NoteChange::Stored } else { NoteChange::Overtaken })
}

fn fault(note: &str) -> Option<NoteFault> {
    if note.chars().count() > limits::INVITATION_NOTE_CHARS_MAX {
        return Some(NoteFault::TooLong);
    }
    if note.chars().any(|c| c != '\n' && is_hidden(c)) {
        return Some(NoteFault::Character);
    }
    has_web_address(note).then_some(NoteFault::HttpUrl)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn note_of_a_family_is_accepted() {
        for note in [
            "",
            "Lieve allemaal,\n\nPapa is thuis, om 11.00 uur... wij missen hem. Dhr. J.W. de Vries, m.v.g.",
            "Bel ons: 06-12345678, of schrijf naar els@voorbeeld.nl. (of <jan@voorbeeld.nl>)",
            "محمد عبد الله 👩\u{200d}👧",
            &"é".repeat(limits::INVITATION_NOTE_CHARS_MAX),
        ] {
            assert_eq!(fault(note), None, "{note:?}");
        }
    }

    #[test]
    fn addresses_hidden_characters_and_long_notes_are_refused() {
        for note in ["zie https://x", "zie\nvoorbeeld.nl"] {
            assert_eq!(fault(note), Some(NoteFault::HttpUrl), "{note:?}");
        }
        for hidden in ['\0', '\t', '\r', '\u{85}', '\u{ad}', '\u{200b}', '\u{202e}', '\u{2028}', '\u{feff}'] {
            assert_eq!(fault(&format!("a{hidden}b")), Some(NoteFault::Character), "{hidden:?}");
        }
        assert_eq!(fault(&"é".repeat(limits::INVITATION_NOTE_CHARS_MAX + 1)), Some(NoteFault::TooLong));
    }
}

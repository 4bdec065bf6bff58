//! The rules of a card's input: pure, and all errors of one input at once, in the order of the schema.
//!
//! Source: specification, sections 2.10 and 3 (rule 2); decisions V3, V4.

use chrono::NaiveDate;
use uuid::Uuid;

use super::change::CardChange;
use super::findings::{Findings, Path};
use super::input::{CardInput, DeceasedInput, FamilyContactInput};
use crate::base::{HttpUrl, Patch, limits};
use crate::model::{Card, UserError, UserErrorCode, text};
use crate::operation::theme::ThemeChoice;

pub(super) const EXTERNAL_DOSSIER_ID: Path = &["input", "externalDossierId"];
const THEME_ID: Path = &["input", "themeId"];
const EXTERNAL_FUNERAL_DIRECTOR_ID: Path = &["input", "externalFuneralDirectorId"];
const FIRST_NAME: Path = &["input", "deceased", "firstName"];
const LAST_NAME: Path = &["input", "deceased", "lastName"];
const DATE_OF_BIRTH: Path = &["input", "deceased", "dateOfBirth"];
const DATE_OF_DEATH: Path = &["input", "deceased", "dateOfDeath"];
const PHOTO_URL: Path = &["input", "deceased", "photoUrl"];
const LIVESTREAM_URL: Path = &["input", "livestreamUrl"];
const CONTACT_NAME: Path = &["input", "familyContact", "name"];
const CONTACT_EMAIL: Path = &["input", "familyContact", "email"];

/// An input in which nothing is wrong.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct CheckedInput {
    pub change: CardChange,
    /// Where the portrait has yet to be fetched.
    pub photo_source: Patch<HttpUrl>,
}

/// Checks the input of a new card.
pub(super) fn check_create(
    external_dossier_id: &str,
    input: &CardInput,
    theme: &ThemeChoice,
    today: NaiveDate,
) -> Result<CheckedInput, Vec<UserError>> {
    let mut findings = Findings::default();
    check_dossier(&mut findings, external_dossier_id);
    let checked = check_fields(&mut findings, input, theme, None, today);
    findings.settle(checked)
}

/// Checks the input of a change against the card as it is stored.
pub(super) fn check_update(
    input: &CardInput,
    theme: &ThemeChoice,
    stored: &Card,
    today: NaiveDate,
) -> Result<CheckedInput, Vec<UserError>> {
    let mut findings = Findings::default();
    let checked = check_fields(&mut findings, input, theme, Some(stored), today);
    findings.settle(checked)
}

fn check_dossier(findings: &mut Findings, external_dossier_id: &str) {
    if external_dossier_id.trim().is_empty() {
        findings.add(UserErrorCode::Blank, EXTERNAL_DOSSIER_ID, text::DOSSIER_BLANK);
    } else {
        findings.text(EXTERNAL_DOSSIER_ID, external_dossier_id, limits::EXTERNAL_DOSSIER_ID_CHARS_MAX);
    }
}

/// The fields of the schema, one line each, in its order.
fn check_fields(
    findings: &mut Findings,
    input: &CardInput,
    theme: &ThemeChoice,
    stored: Option<&Card>,
    today: NaiveDate,
) -> CheckedInput {
    let deceased = DeceasedInput::flatten(&input.deceased);
    let contact = FamilyContactInput::flatten(&input.family_contact);

    let theme_id = check_theme(findings, theme, stored);
    let external_funeral_director_id = findings.optional_text(
        EXTERNAL_FUNERAL_DIRECTOR_ID,
        &input.external_funeral_director_id,
        limits::EXTERNAL_FUNERAL_DIRECTOR_ID_CHARS_MAX,
    );
    let first_name = findings.name(FIRST_NAME, &deceased.first_name);
    let last_name = findings.name(LAST_NAME, &deceased.last_name);
    let (date_of_birth, date_of_death) = check_dates(findings, &deceased, stored, today);
    let photo_source = findings.http_url(PHOTO_URL, &deceased.photo_url);
    let livestream_url = findings.http_url(LIVESTREAM_URL, &input.livestream_url);
    let contact_name = findings.name(CONTACT_NAME, &contact.name);
    let contact_email = findings.email(CONTACT_EMAIL, &contact.email);

    let change = CardChange {
        theme_id,
        external_funeral_director_id,
        first_name,
        last_name,
        date_of_birth,
        date_of_death,
        livestream_url,
        contact_name,
        contact_email,
    };
    CheckedInput { change, photo_source }
}

/// Checks the theme: the card's own theme is always accepted, another theme while the card is a draft and the theme is not
/// retired (specification, section 3, rule 2).
fn check_theme(findings: &mut Findings, theme: &ThemeChoice, stored: Option<&Card>) -> Patch<Uuid> {
    let own = stored.and_then(|card| card.theme_id);
    let is_open = stored.is_none_or(|card| card.status.theme_is_open());
    match theme {
        Patch::Absent => Patch::Absent,
        Patch::Value(Some(found)) if own == Some(found.id) => Patch::Absent,
        Patch::Null if own.is_none() => Patch::Absent,
        Patch::Null if is_open => Patch::Null,
        Patch::Value(Some(found)) if is_open && !found.is_retired => Patch::Value(found.id),
        Patch::Value(_) if is_open => {
            findings.add(UserErrorCode::NotFound, THEME_ID, text::THEME_NOT_FOUND);
            Patch::Absent
        }
        Patch::Null | Patch::Value(_) => {
            findings.add(UserErrorCode::Immutable, THEME_ID, text::THEME_IMMUTABLE);
            Patch::Absent
        }
    }
}

/// Both days exist and have come, and nobody dies before birth: a day that is not sent is the stored one.
fn check_dates(
    findings: &mut Findings,
    deceased: &DeceasedInput,
    stored: Option<&Card>,
    today: NaiveDate,
) -> (Patch<NaiveDate>, Patch<NaiveDate>) {
    let birth = findings.past_date(DATE_OF_BIRTH, &deceased.date_of_birth, today, text::BIRTH_IN_FUTURE);
    let death = findings.past_date(DATE_OF_DEATH, &deceased.date_of_death, today, text::DEATH_IN_FUTURE);

    let stored = stored.map(|card| &card.deceased);
    let mut born = stored.and_then(|deceased| deceased.date_of_birth);
    let mut died = stored.and_then(|deceased| deceased.date_of_death);
    birth.apply_to(&mut born);
    death.apply_to(&mut died);
    let reversed = born.zip(died).is_some_and(|(born, died)| died < born);
    // The error stands beside a day that was sent; an input that sends neither is not to blame.
    match (&birth, &death) {
        (_, Patch::Value(_)) if reversed => findings.invalid(DATE_OF_DEATH, text::DEATH_BEFORE_BIRTH),
        (Patch::Value(_), _) if reversed => findings.invalid(DATE_OF_BIRTH, text::DEATH_BEFORE_BIRTH),
        _ => {}
    }
    (birth, death)
}

#[cfg(test)]
mod tests;

//! The input of a card: its fields as a caller sent them, and their rules (specification, sections 2.10 and 3, rule 2;
//! decisions V1 to V4).
//!
//! A check is pure. It writes the accepted values to the card and returns all errors of an input at once, in the order of
//! the schema.

use std::borrow::Cow;

use chrono::{Datelike as _, NaiveDate};
use uuid::Uuid;

use super::checked::Checked;
use crate::base::{HttpUrl, Parsed, Patch, email_address, is_blank, is_hidden, limits, trim_invisible};
use crate::model::{Card, Deceased, UserError, UserErrorCode, clean_name, has_web_address, messages};
use crate::operation::Caller;
use crate::operation::theme::ThemeChoice;

/// The fields that a partner can set when it creates a card and change afterwards.
#[derive(Clone, Debug, Default)]
pub struct CardInput {
    /// A global id or a bare number.
    pub theme_id: Patch<String>,
    pub external_funeral_director_id: Patch<String>,
    pub deceased: Patch<DeceasedInput>,
    pub livestream_url: Patch<Parsed<HttpUrl>>,
    pub family_contact: Patch<FamilyContactInput>,
}

/// The fields of the deceased person.
#[derive(Clone, Debug, Default)]
pub struct DeceasedInput {
    pub first_name: Patch<String>,
    pub last_name: Patch<String>,
    pub date_of_birth: Patch<Parsed<NaiveDate>>,
    pub date_of_death: Patch<Parsed<NaiveDate>>,
    /// Where the portrait can be fetched.
    pub photo_url: Patch<Parsed<HttpUrl>>,
}

/// The fields of the family member who receives the order.
#[derive(Clone, Debug, Default)]
pub struct FamilyContactInput {
    pub name: Patch<String>,
    pub email: Patch<String>,
}

impl DeceasedInput {
    const NULL: Self = Self {
        first_name: Patch::Null,
        last_name: Patch::Null,
        date_of_birth: Patch::Null,
        date_of_death: Patch::Null,
        photo_url: Patch::Null,
    };
}

impl FamilyContactInput {
    const NULL: Self = Self { name: Patch::Null, email: Patch::Null };
}

/// Returns the fields of an object. Null sets each field to null.
fn flatten<T: Clone + Default>(object: &Patch<T>, null: T) -> T {
    match object {
        Patch::Absent => T::default(),
        Patch::Null => null,
        Patch::Value(fields) => fields.clone(),
    }
}

/// A field as it was sent: its path in the schema, and its text. An object field has an empty text, and its fields follow.
pub(super) type SentField<'a> = (&'static str, Patch<Parsed<Cow<'a, str>>>);

impl CardInput {
    /// Whether the contact gets an address.
    pub(super) fn sets_email(&self) -> bool {
        matches!(self.family_contact, Patch::Value(FamilyContactInput { email: Patch::Value(_), .. }))
    }

    /// Lists the fields in the order of the schema.
    pub(super) fn fields(&self) -> Vec<SentField<'_>> {
        // Patterns without `..`: a new field does not compile until it is listed here.
        let Self { theme_id, external_funeral_director_id, deceased, livestream_url, family_contact } = self;
        let mut fields = vec![
            ("themeId", sent_text(theme_id)),
            ("externalFuneralDirectorId", sent_text(external_funeral_director_id)),
            ("deceased", sent_object(deceased)),
        ];
        if let Patch::Value(deceased) = deceased {
            let DeceasedInput { first_name, last_name, date_of_birth, date_of_death, photo_url } = deceased;
            fields.push(("deceased.firstName", sent_text(first_name)));
            fields.push(("deceased.lastName", sent_text(last_name)));
            fields.push(("deceased.dateOfBirth", sent_parsed(date_of_birth)));
            fields.push(("deceased.dateOfDeath", sent_parsed(date_of_death)));
            fields.push(("deceased.photoUrl", sent_parsed(photo_url)));
        }
        fields.push(("livestreamUrl", sent_parsed(livestream_url)));
        fields.push(("familyContact", sent_object(family_contact)));
        if let Patch::Value(FamilyContactInput { name, email }) = family_contact {
            fields.push(("familyContact.name", sent_text(name)));
            fields.push(("familyContact.email", sent_text(email)));
        }
        fields
    }
}

fn sent_text(field: &Patch<String>) -> Patch<Parsed<Cow<'_, str>>> {
    field.as_ref().map(|text| Parsed::Value(text.into()))
}

fn sent_parsed<T: ToString>(field: &Patch<Parsed<T>>) -> Patch<Parsed<Cow<'_, str>>> {
    field.as_ref().map(|parsed| match parsed {
        Parsed::Value(value) => Parsed::Value(value.to_string().into()),
        Parsed::Invalid(text) => Parsed::Invalid(text.clone()),
    })
}

fn sent_object<T>(field: &Patch<T>) -> Patch<Parsed<Cow<'_, str>>> {
    field.as_ref().map(|_| Parsed::Value("".into()))
}

pub(super) const EXTERNAL_DOSSIER_ID: Path = &["input", "externalDossierId"];
pub(super) const THEME_ID: Path = &["input", "themeId"];
pub(super) const EXTERNAL_FUNERAL_DIRECTOR_ID: Path = &["input", "externalFuneralDirectorId"];
pub(super) const FIRST_NAME: Path = &["input", "deceased", "firstName"];
pub(super) const LAST_NAME: Path = &["input", "deceased", "lastName"];
pub(super) const DATE_OF_BIRTH: Path = &["input", "deceased", "dateOfBirth"];
pub(super) const DATE_OF_DEATH: Path = &["input", "deceased", "dateOfDeath"];
pub(super) const PHOTO_URL: Path = &["input", "deceased", "photoUrl"];
pub(super) const LIVESTREAM_URL: Path = &["input", "livestreamUrl"];
pub(super) const CONTACT_NAME: Path = &["input", "familyContact", "name"];
pub(super) const CONTACT_EMAIL: Path = &["input", "familyContact", "email"];

/// The rule of identifiers, which the version of the request decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Identifiers {
    /// Version 2026-10: any text that can be stored.
    Any,
    /// From version 2027-01 on: without control and format characters.
    Visible,
}

impl Identifiers {
    pub(super) fn for_caller(caller: &Caller) -> Self {
        if caller.version < "2027-01" { Identifiers::Any } else { Identifiers::Visible }
    }

    fn is_blank(self, text: &str) -> bool {
        match self {
            Identifiers::Any => text.trim().is_empty(),
            Identifiers::Visible => is_blank(text),
        }
    }

    /// Checks an identifier that is not blank.
    fn check(self, validator: &mut Validator, field: Path, text: &str, chars_max: usize) {
        let is_format = |c: char| is_hidden(c) || matches!(c, '\u{200c}' | '\u{200d}');
        match self == Identifiers::Visible && text.chars().any(is_format) {
            true => validator.invalid(field, messages::IDENTIFIER_CHARACTER),
            false => validator.text(field, text, chars_max),
        }
    }
}

/// Checks the input of a new card, which is an empty draft with its dossier number, and writes the values to it. After an error
/// the card is partly changed.
pub(super) fn check_create(
    card: &mut Card,
    input: &CardInput,
    theme: &ThemeChoice,
    today: NaiveDate,
    identifiers: Identifiers,
) -> Checked {
    let mut validator = Validator::default();
    let dossier = &card.external_dossier_id;
    if identifiers.is_blank(dossier) {
        validator.add(UserErrorCode::Blank, EXTERNAL_DOSSIER_ID, messages::DOSSIER_BLANK);
    } else {
        let chars_max = limits::EXTERNAL_DOSSIER_ID_CHARS_MAX;
        identifiers.check(&mut validator, EXTERNAL_DOSSIER_ID, dossier, chars_max);
    }
    check_fields(validator, card, input, theme, today, identifiers)
}

/// Checks the fields of a create or of a change against the card, in the order of the schema, and writes the values to it. The
/// errors of `validator` come first. Otherwise like [`check_create`]. A rule for changes by the partner alone stands in
/// `update.rs`, a rule for the family alone in `edit.rs`.
pub(super) fn check_fields(
    mut validator: Validator,
    card: &mut Card,
    input: &CardInput,
    theme: &ThemeChoice,
    today: NaiveDate,
    identifiers: Identifiers,
) -> Checked {
    let CardInput {
        theme_id: _,
        external_funeral_director_id: funeral_director,
        deceased,
        livestream_url,
        family_contact,
    } = input;
    let deceased = flatten(deceased, DeceasedInput::NULL);
    let contact = flatten(family_contact, FamilyContactInput::NULL);
    check_theme(&mut validator, theme, card).apply_to(&mut card.theme_id);
    if let Patch::Value(id) = funeral_director {
        let chars_max = limits::EXTERNAL_FUNERAL_DIRECTOR_ID_CHARS_MAX;
        identifiers.check(&mut validator, EXTERNAL_FUNERAL_DIRECTOR_ID, id, chars_max);
    }
    funeral_director.clone().apply_to(&mut card.external_funeral_director_id);
    validator.name(FIRST_NAME, &deceased.first_name).apply_to(&mut card.deceased.first_name);
    validator.name(LAST_NAME, &deceased.last_name).apply_to(&mut card.deceased.last_name);
    check_dates(&mut validator, &deceased, &mut card.deceased, today);
    let photo_source = validator.http_url(PHOTO_URL, &deceased.photo_url.map(escape_blanks));
    validator.http_url(LIVESTREAM_URL, livestream_url).apply_to(&mut card.livestream_url);
    validator.name(CONTACT_NAME, &contact.name).apply_to(&mut card.family_contact.name);
    validator.email(CONTACT_EMAIL, &contact.email).apply_to(&mut card.family_contact.email);
    Checked { photo_source, errors: validator.0 }
}

/// Returns the address of a photo with `%20` for the blanks of its file name, as browsers send it.
fn escape_blanks(sent: Parsed<HttpUrl>) -> Parsed<HttpUrl> {
    match sent {
        Parsed::Invalid(text) => {
            let escaped = HttpUrl::parse(&trim_invisible(&text).replace(' ', "%20"));
            escaped.map_or(Parsed::Invalid(text), Parsed::Value)
        }
        value => value,
    }
}

/// Checks the theme. The card's own theme is always accepted; another theme only while the card is a draft, and only if the
/// theme is not retired (specification, section 3, rule 2).
fn check_theme(validator: &mut Validator, theme: &ThemeChoice, card: &Card) -> Patch<Uuid> {
    let own = card.theme_id;
    let is_open = card.status.theme_is_open();
    match theme {
        Patch::Absent => Patch::Absent,
        Patch::Value(Some(found)) if own == Some(found.id) => Patch::Absent,
        Patch::Null if own.is_none() => Patch::Absent,
        Patch::Null if is_open => Patch::Null,
        Patch::Value(Some(found)) if is_open && !found.is_retired => Patch::Value(found.id),
        Patch::Value(_) if is_open => {
            validator.add(UserErrorCode::NotFound, THEME_ID, messages::THEME_NOT_FOUND);
            Patch::Absent
        }
        Patch::Null | Patch::Value(_) => {
            validator.add(UserErrorCode::Immutable, THEME_ID, messages::THEME_IMMUTABLE);
            Patch::Absent
        }
    }
}

/// Checks that both dates exist and are not in the future, and that the death is not before the birth. A date that is not
/// sent is the stored one.
fn check_dates(validator: &mut Validator, sent: &DeceasedInput, deceased: &mut Deceased, today: NaiveDate) {
    let birth = validator.past_date(DATE_OF_BIRTH, &sent.date_of_birth, today, messages::BIRTH_IN_FUTURE);
    let death = validator.past_date(DATE_OF_DEATH, &sent.date_of_death, today, messages::DEATH_IN_FUTURE);
    birth.apply_to(&mut deceased.date_of_birth);
    death.apply_to(&mut deceased.date_of_death);
    let reversed = deceased.date_of_birth.zip(deceased.date_of_death).is_some_and(|(born, died)| died < born);
    // The error names a date that was sent; an input that sends neither is not refused.
    match (&birth, &death) {
        (_, Patch::Value(_)) if reversed => validator.invalid(DATE_OF_DEATH, messages::DEATH_BEFORE_BIRTH),
        (Patch::Value(_), _) if reversed => validator.invalid(DATE_OF_BIRTH, messages::DEATH_BEFORE_BIRTH),
        _ => {}
    }
}

/// A path in the input, outermost first.
pub(super) type Path = &'static [&'static str];

/// The user errors of one input, in the order in which its fields were checked.
#[derive(Debug, Default)]
pub(super) struct Validator(Vec<UserError>);

impl Validator {
    pub(super) fn add(&mut self, code: UserErrorCode, field: Path, message: impl Into<String>) {
        self.0.push(UserError::new(code, field, message));
    }

    pub(super) fn invalid(&mut self, field: Path, message: impl Into<String>) {
        self.add(UserErrorCode::Invalid, field, message);
    }

    /// Returns the checked value, or the errors if there are any.
    pub(super) fn finish<T>(self, checked: T) -> Result<T, Vec<UserError>> {
        if self.0.is_empty() { Ok(checked) } else { Err(self.0) }
    }

    /// Checks a text that is stored as sent: its length, and no U+0000, which PostgreSQL cannot store.
    pub(super) fn text(&mut self, field: Path, text: &str, chars_max: usize) {
        if text.contains('\0') {
            self.invalid(field, messages::CHARACTERS_INVALID);
        }
        self.length(field, text, chars_max);
    }

    pub(super) fn optional_text(&mut self, field: Path, sent: &Patch<String>, chars_max: usize) -> Patch<String> {
        if let Patch::Value(text) = sent {
            self.text(field, text, chars_max);
        }
        sent.clone()
    }

    /// Returns a name as one line of visible characters, and checks that it fits and holds no web address.
    pub(super) fn name(&mut self, field: Path, sent: &Patch<String>) -> Patch<String> {
        let name = sent.as_ref().map(|name| clean_name(name));
        if let Patch::Value(name) = &name
            && self.length(field, name, limits::NAME_CHARS_MAX)
            && has_web_address(name)
        {
            self.invalid(field, messages::NAME_WEB_ADDRESS);
        }
        name
    }

    pub(super) fn email(&mut self, field: Path, sent: &Patch<String>) -> Patch<String> {
        let Patch::Value(text) = sent else { return sent.clone() };
        if !self.length(field, trim_invisible(text), limits::EMAIL_CHARS_MAX) {
            return Patch::Absent;
        }
        match email_address::parse(text) {
            Some(address) => Patch::Value(address.to_owned()),
            None => {
                self.invalid(field, messages::EMAIL_INVALID);
                Patch::Absent
            }
        }
    }

    /// Checks a URL. Returns `Absent` for a wrong one.
    pub(super) fn http_url(&mut self, field: Path, sent: &Patch<Parsed<HttpUrl>>) -> Patch<HttpUrl> {
        let checked = match sent {
            Patch::Absent => return Patch::Absent,
            Patch::Null => return Patch::Null,
            Patch::Value(Parsed::Value(address)) if address.has_credentials() => {
                Err((address.as_str(), messages::URL_CREDENTIALS))
            }
            Patch::Value(Parsed::Value(address)) => Ok(address),
            Patch::Value(Parsed::Invalid(text)) => Err((trim_invisible(text), messages::URL_INVALID)),
        };
        let text = checked.map_or_else(|(text, _)| text, HttpUrl::as_str);
        match checked {
            _ if !self.length(field, text, limits::URL_CHARS_MAX) => Patch::Absent,
            Ok(address) => Patch::Value(address.clone()),
            Err((_, problem)) => {
                self.invalid(field, problem);
                Patch::Absent
            }
        }
    }

    /// Checks that a value has its format. `malformed` is the message if it has not.
    pub(super) fn check_format<T: Copy>(
        &mut self,
        field: Path,
        sent: &Patch<Parsed<T>>,
        malformed: &'static str,
    ) -> Patch<T> {
        match sent {
            Patch::Absent => Patch::Absent,
            Patch::Null => Patch::Null,
            Patch::Value(Parsed::Value(value)) => Patch::Value(*value),
            Patch::Value(Parsed::Invalid(_)) => {
                self.invalid(field, malformed);
                Patch::Null
            }
        }
    }

    /// Checks that a date exists and is not before the year [`limits::YEAR_MIN`]. Returns null for a wrong date.
    pub(super) fn date(&mut self, field: Path, sent: &Patch<Parsed<NaiveDate>>) -> Patch<NaiveDate> {
        let date = self.check_format(field, sent, messages::DATE_INVALID);
        if date.as_ref().value().is_some_and(|date| date.year() < limits::YEAR_MIN) {
            self.invalid(field, messages::DATE_TOO_EARLY);
            return Patch::Null;
        }
        date
    }

    /// Checks a date, and that it is not in the future. `in_future` is the message if it is. Returns null for a wrong date.
    pub(super) fn past_date(
        &mut self,
        field: Path,
        sent: &Patch<Parsed<NaiveDate>>,
        today: NaiveDate,
        in_future: &'static str,
    ) -> Patch<NaiveDate> {
        let date = self.date(field, sent);
        if date.as_ref().value().is_some_and(|date| *date > today) {
            self.invalid(field, in_future);
            return Patch::Null;
        }
        date
    }

    /// Checks the length in characters, not bytes. Returns whether the text fits.
    fn length(&mut self, field: Path, text: &str, chars_max: usize) -> bool {
        let fits = text.chars().count() <= chars_max;
        if !fits {
            self.invalid(field, messages::text_too_long(chars_max));
        }
        fits
    }
}

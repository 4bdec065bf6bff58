//! Collects the user errors of an input, and checks the format of single values (decisions V1, V4).
//!
//! A check returns the value even if it is invalid: one error is enough to refuse the whole input.

use chrono::{Datelike as _, NaiveDate};
use email_address::{EmailAddress, Options};

use crate::base::{HttpUrl, Parsed, Patch, limits};
use crate::model::{UserError, UserErrorCode, clean_name, has_web_address, is_hidden, text};

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
            self.invalid(field, text::CHARACTERS_INVALID);
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
            self.invalid(field, text::NAME_WEB_ADDRESS);
        }
        name
    }

    pub(super) fn email(&mut self, field: Path, sent: &Patch<String>) -> Patch<String> {
        if let Patch::Value(text) = sent
            && self.length(field, text, limits::EMAIL_CHARS_MAX)
            && !is_email(text)
        {
            self.invalid(field, text::EMAIL_INVALID);
        }
        sent.clone()
    }

    pub(super) fn http_url(&mut self, field: Path, sent: &Patch<Parsed<HttpUrl>>) -> Patch<HttpUrl> {
        match sent {
            Patch::Absent => Patch::Absent,
            Patch::Null => Patch::Null,
            Patch::Value(Parsed::Value(address)) => {
                self.length(field, address.as_str(), limits::URL_CHARS_MAX);
                if address.has_credentials() {
                    self.invalid(field, text::URL_CREDENTIALS);
                }
                Patch::Value(address.clone())
            }
            Patch::Value(Parsed::Invalid(text)) => {
                if self.length(field, text, limits::URL_CHARS_MAX) {
                    self.invalid(field, text::URL_INVALID);
                }
                Patch::Null
            }
        }
    }

    /// Checks that a value has its format. `malformed` is the message if it has not.
    pub(super) fn parsed<T: Copy>(
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

    /// Checks that a date exists and is not before the year [`limits::YEAR_MIN`].
    pub(super) fn date(&mut self, field: Path, sent: &Patch<Parsed<NaiveDate>>) -> Patch<NaiveDate> {
        let date = self.parsed(field, sent, text::DATE_INVALID);
        if date.as_ref().value().is_some_and(|date| date.year() < limits::YEAR_MIN) {
            self.invalid(field, text::DATE_TOO_EARLY);
        }
        date
    }

    /// Checks a date, and that it is not in the future. `in_future` is the message if it is.
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
        }
        date
    }

    /// Checks the length in characters, not bytes. Returns whether the text fits.
    fn length(&mut self, field: Path, text: &str, chars_max: usize) -> bool {
        let fits = text.chars().count() <= chars_max;
        if !fits {
            self.invalid(field, text::text_too_long(chars_max));
        }
        fits
    }
}

/// Whether the text is a bare e-mail address whose domain has a dot: no display name, no `[192.0.2.1]`, no blanks.
pub(in crate::operation) fn is_email(text: &str) -> bool {
    let options = Options::default().without_display_text().without_domain_literal().with_required_tld();
    // The parser trims around a display name, so it accepts ` <a@b.nl>`.
    !text.chars().any(|c| c.is_whitespace() || is_hidden(c)) && EmailAddress::parse_with_options(text, options).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn email_is_a_bare_address_with_a_dot_in_its_domain() {
        let right = ["naam@voorbeeld.nl", "a.b+c@sub.voorbeeld.nl", "zoë@voorbeeld.nl", "o'neill@voorbeeld.nl"];
        let wrong = [
            "",
            " ",
            "naam",
            "naam@",
            "@voorbeeld.nl",
            "naam@voorbeeld",
            "naam@@voorbeeld.nl",
            "naam@voorbeeld..nl",
            "naam@.nl",
            "naam@voorbeeld.",
            ".naam@voorbeeld.nl",
            "na..am@voorbeeld.nl",
            "naam @voorbeeld.nl",
            " naam@voorbeeld.nl",
            "naam@voorbeeld.nl ",
            "naam@voor beeld.nl",
            "naam@voorbeeld.nl\n",
            "na\0am@voorbeeld.nl",
            "na\u{202e}am@voorbeeld.nl",
            "na\u{200b}am@voorbeeld.nl",
            "Naam <naam@voorbeeld.nl>",
            " <naam@voorbeeld.nl>",
            "<naam@voorbeeld.nl>",
            "naam@[192.0.2.1]",
            "naam@voorbeeld.nl, ander@voorbeeld.nl",
            "naam@-voorbeeld.nl",
        ];
        for text in right {
            assert!(is_email(text), "{text:?} is an address");
        }
        for text in wrong {
            assert!(!is_email(text), "{text:?} is no address");
        }
    }
}

//! Limits on texts, in Unicode characters, and on dates (decisions V4; specification, section 8).

pub const EXTERNAL_DOSSIER_ID_CHARS_MAX: usize = 255;
pub const EXTERNAL_FUNERAL_DIRECTOR_ID_CHARS_MAX: usize = 200;
pub const NAME_CHARS_MAX: usize = 255;
pub const EMAIL_CHARS_MAX: usize = 254;
pub const URL_CHARS_MAX: usize = 2_048;
/// A telephone number of a partner as it is written (ours).
pub const PHONE_CHARS_MAX: usize = 32;
/// A name in the header of a mail; a longer one is left out (ours).
pub const MAIL_HEADER_NAME_CHARS_MAX: usize = 100;

// What only the family fills in (ours).
pub const CARD_TEXT_CHARS_MAX: usize = 5_000;
pub const FAREWELL_PLACE_CHARS_MAX: usize = 200;
pub const FAREWELL_ADDRESS_CHARS_MAX: usize = 300;
pub const FAREWELL_NOTE_CHARS_MAX: usize = 1_000;
pub const INVITATION_NOTE_CHARS_MAX: usize = 500;

/// The first year of a date: an earlier one is a typing error.
pub const YEAR_MIN: i32 = 1000;

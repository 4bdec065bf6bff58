//! The farewell as the family fills it in, and its rules (decisions S5).

use chrono::{NaiveDate, NaiveTime};

use super::validator::{Path, Validator};
use crate::base::{Parsed, Patch, limits};
use crate::model::{Farewell, UserError, text};

const DATE: Path = &["farewell", "date"];
const TIME: Path = &["farewell", "time"];
const PLACE: Path = &["farewell", "place"];
const ADDRESS: Path = &["farewell", "address"];
const NOTE: Path = &["farewell", "note"];

/// The fields of the farewell. Absent fields are unchanged.
#[derive(Clone, Debug, Default)]
pub struct FarewellInput {
    pub date: Patch<Parsed<NaiveDate>>,
    pub time: Patch<Parsed<NaiveTime>>,
    pub place: Patch<String>,
    pub address: Patch<String>,
    pub note: Patch<String>,
}

/// Checks the fields and writes them to the farewell of a card. The day may be past or to come.
pub(super) fn check_farewell(input: &FarewellInput, farewell: &mut Farewell) -> Result<(), Vec<UserError>> {
    let FarewellInput { date, time, place, address, note } = input;
    let mut validator = Validator::default();
    validator.date(DATE, date).apply_to(&mut farewell.date);
    validator.parsed(TIME, time, text::FAREWELL_TIME_INVALID).apply_to(&mut farewell.time);
    let is_dated = farewell.date.is_some() || matches!(date, Patch::Value(_));
    if farewell.time.is_some() && !is_dated {
        validator.invalid(TIME, text::FAREWELL_TIME_ALONE);
    }
    validator.optional_text(PLACE, place, limits::FAREWELL_PLACE_CHARS_MAX).apply_to(&mut farewell.place);
    validator.optional_text(ADDRESS, address, limits::FAREWELL_ADDRESS_CHARS_MAX).apply_to(&mut farewell.address);
    validator.optional_text(NOTE, note, limits::FAREWELL_NOTE_CHARS_MAX).apply_to(&mut farewell.note);
    validator.finish(())
}

//! The values of the fields of one section, from the card or from a form.

use std::sync::Arc;

use chrono::{Datelike as _, NaiveDate, NaiveTime};

use crate::base::{GlobalId, HttpUrl, Kind, Parsed, Patch, is_blank, trim_invisible};
use crate::model::{Card, CardSection, Farewell, FocalPoint, Layout, LeadIn, SectionVersion, Theme, Visibility};
use crate::operation::card::{CardEdit, CardInput, DeceasedInput, FamilyContactInput, FarewellInput};
use crate::text::customizer as text;
use crate::text::date;
use crate::web::form::Form;

pub(super) const THEME: &str = "theme";
pub(super) const LAYOUT: &str = "layout";
pub(super) const VISIBILITY: &str = "visibility";
pub(super) const FIRST_NAME: &str = "first_name";
pub(super) const LAST_NAME: &str = "last_name";
pub(super) const BIRTH: &str = "birth";
pub(super) const DEATH: &str = "death";
pub(super) const PHOTO: &str = "photo";
pub(super) const FOCAL_POINT: &str = "focal_point";
pub(super) const LEAD_IN: &str = "lead_in";
pub(super) const TEXT: &str = "text";
pub(super) const FAREWELL: &str = "farewell";
pub(super) const FAREWELL_TIME: &str = "farewell_time";
pub(super) const FAREWELL_UNTIL: &str = "farewell_until";
pub(super) const FAREWELL_PLACE: &str = "farewell_place";
pub(super) const FAREWELL_ADDRESS: &str = "farewell_address";
pub(super) const FAREWELL_NOTE: &str = "farewell_note";
pub(super) const LIVESTREAM: &str = "livestream";
pub(super) const CONTACT_NAME: &str = "contact_name";
pub(super) const EMAIL: &str = "email";

/// The field with the version of what the user saw, by which an edit conflict is found.
pub(super) const SEEN: &str = "seen";

const FAREWELL_FIELDS: [&str; 9] = [
    "farewell_day",
    "farewell_month",
    "farewell_year",
    FAREWELL_TIME,
    FAREWELL_UNTIL,
    FAREWELL_PLACE,
    FAREWELL_ADDRESS,
    FAREWELL_NOTE,
    LIVESTREAM,
];
const PERSON_FIELDS: [&str; 9] = [
    FIRST_NAME,
    LAST_NAME,
    "birth_day",
    "birth_month",
    "birth_year",
    "death_day",
    "death_month",
    "death_year",
    FOCAL_POINT,
];

/// The values of one section, by the names of its fields. A form may lack some.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Values(Vec<(&'static str, String)>);

/// The names of the fields of a section, without its file.
fn names(section: CardSection) -> &'static [&'static str] {
    match section {
        CardSection::Look => &[THEME, LAYOUT, VISIBILITY],
        CardSection::Person => &PERSON_FIELDS,
        CardSection::Text => &[LEAD_IN, TEXT],
        CardSection::Farewell => &FAREWELL_FIELDS,
        CardSection::Contact => &[CONTACT_NAME, EMAIL],
    }
}

impl Values {
    /// Returns the values of the card.
    pub(super) fn from_card(card: &Card, section: CardSection) -> Self {
        let text = |text: &Option<String>| text.clone().unwrap_or_default();
        let values: Vec<String> = match section {
            CardSection::Look => {
                let theme = card.theme_id.map(|id| GlobalId::new(Kind::Theme, id).to_string());
                // Who can see the card is a choice of the family: none is made before the first one.
                let seen_by = card.theme_id.map(|_| card.visibility.as_str().to_owned());
                vec![theme.unwrap_or_default(), card.layout.as_str().to_owned(), seen_by.unwrap_or_default()]
            }
            CardSection::Person => {
                let deceased = &card.deceased;
                let dates = [deceased.date_of_birth, deceased.date_of_death].into_iter().flat_map(in_parts);
                let point = deceased.focal_point.unwrap_or_default().to_string();
                [text(&deceased.first_name), text(&deceased.last_name)]
                    .into_iter()
                    .chain(dates)
                    .chain([point])
                    .collect()
            }
            CardSection::Text => vec![card.lead_in.as_str().to_owned(), text(&card.text)],
            CardSection::Farewell => {
                let Farewell { date, time, until, place, address, note } = &card.farewell;
                let [time, until] = [time, until].map(|time| time.map(date::clock).unwrap_or_default());
                let broadcast = card.livestream_url.as_ref().map(|url| url.as_str().to_owned());
                let texts = [time, until, text(place), text(address), text(note), broadcast.unwrap_or_default()];
                in_parts(*date).into_iter().chain(texts).collect()
            }
            CardSection::Contact => {
                vec![text(&card.family_contact.name), text(&card.family_contact.email)]
            }
        };
        Self(names(section).iter().copied().zip(values).collect())
    }

    /// Returns the values of a form.
    pub(super) fn sent(form: &Form, section: CardSection) -> Self {
        let sent = names(section).iter().filter(|name| form.has(name));
        Self(sent.map(|name| (*name, form.text(name).to_owned())).collect())
    }

    /// The value of a field.
    pub(super) fn get(&self, name: &str) -> &str {
        self.find(name).unwrap_or_default()
    }

    fn find(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(known, _)| *known == name).map(|(_, value)| value.as_str())
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (&'static str, &str)> {
        self.0.iter().map(|(name, value)| (*name, value.as_str()))
    }

    /// Day, month and year of a date. A whole date in one of the fields is divided.
    pub(super) fn date(&self, name: &str) -> [&str; 3] {
        let parts = DATE_PARTS.map(|part| self.get(field_of_part(name, part)));
        let mut filled = parts.into_iter().filter(|part| !part.is_empty());
        match (filled.next(), filled.next()) {
            (Some(whole), None) => divide(whole).unwrap_or(parts),
            _ => parts,
        }
    }

    /// Pairs of label and value, as the page shows them; `themes` has the titles of themes.
    pub(super) fn in_words(&self, section: CardSection, themes: &[Arc<Theme>]) -> Vec<(&'static str, String)> {
        let value = |name| self.get(name).to_owned();
        let date = |name| Some(self.date(name)).filter(|d| d.concat() != "").map_or(String::new(), |d| d.join("-"));
        match section {
            CardSection::Look => {
                let chosen = |theme: &&Arc<Theme>| GlobalId::new(Kind::Theme, theme.id).to_string() == self.get(THEME);
                let theme = themes.iter().find(chosen).map_or(String::new(), |theme| theme.title.clone());
                let layout = Layout::parse(self.get(LAYOUT)).map_or("", |layout| text::layout(layout).0);
                let seen_by = Visibility::parse(self.get(VISIBILITY)).map_or("", |choice| text::visibility(choice).0);
                vec![
                    (text::CHOSEN_THEME, theme),
                    (text::LAYOUT, layout.to_owned()),
                    (text::WHO_SEES, seen_by.to_owned()),
                ]
            }
            CardSection::Person => vec![
                (text::FIRST_NAME, value(FIRST_NAME)),
                (text::LAST_NAME, value(LAST_NAME)),
                (text::BIRTH, date(BIRTH)),
                (text::DEATH, date(DEATH)),
            ],
            CardSection::Text => {
                let lead_in = LeadIn::parse(self.get(LEAD_IN)).map_or("", text::lead_in);
                vec![(text::LEAD_IN, lead_in.to_owned()), (text::TEXT, value(TEXT))]
            }
            CardSection::Farewell => vec![
                (text::FAREWELL_DATE, date(FAREWELL)),
                (text::FAREWELL_TIME, value(FAREWELL_TIME)),
                (text::FAREWELL_UNTIL, value(FAREWELL_UNTIL)),
                (text::FAREWELL_PLACE, value(FAREWELL_PLACE)),
                (text::FAREWELL_ADDRESS, value(FAREWELL_ADDRESS)),
                (text::FAREWELL_NOTE, value(FAREWELL_NOTE)),
                (text::LIVESTREAM, value(LIVESTREAM)),
            ],
            CardSection::Contact => {
                vec![(text::CONTACT_NAME, value(CONTACT_NAME)), (text::EMAIL, value(EMAIL))]
            }
        }
    }

    /// Returns the edit of the card. An empty field removes a value; a field that is not in the form changes nothing, nor does a choice
    /// that was not made.
    pub(super) fn edit(&self, section: CardSection, seen: SectionVersion) -> CardEdit {
        let words = |name| self.patch(name, str::to_owned);
        let mut edit = CardEdit::new(section, seen);
        match section {
            CardSection::Look => {
                if !self.get(THEME).is_empty() {
                    edit.fields.theme_id = words(THEME);
                }
                edit.layout = Layout::parse(self.get(LAYOUT));
                edit.visibility = Visibility::parse(self.get(VISIBILITY));
            }
            CardSection::Person => {
                edit.fields.deceased = Patch::Value(DeceasedInput {
                    first_name: words(FIRST_NAME),
                    last_name: words(LAST_NAME),
                    date_of_birth: self.day(BIRTH),
                    date_of_death: self.day(DEATH),
                    ..DeceasedInput::default()
                });
                edit.focal_point = FocalPoint::parse(self.get(FOCAL_POINT)).map_or(Patch::Absent, Patch::Value);
            }
            CardSection::Text => {
                edit.lead_in = LeadIn::parse(self.get(LEAD_IN));
                edit.text = words(TEXT);
            }
            CardSection::Farewell => {
                edit.farewell = FarewellInput {
                    date: self.day(FAREWELL),
                    time: self.patch(FAREWELL_TIME, time),
                    until: self.patch(FAREWELL_UNTIL, time),
                    place: words(FAREWELL_PLACE),
                    address: words(FAREWELL_ADDRESS),
                    note: words(FAREWELL_NOTE),
                };
                edit.fields.livestream_url = self.patch(LIVESTREAM, address);
            }
            CardSection::Contact => {
                let contact = FamilyContactInput { name: words(CONTACT_NAME), email: words(EMAIL) };
                edit.fields = CardInput { family_contact: Patch::Value(contact), ..CardInput::default() };
            }
        }
        edit
    }

    fn patch<T>(&self, name: &str, read: impl FnOnce(&str) -> T) -> Patch<T> {
        match self.find(name) {
            None => Patch::Absent,
            Some(sent) if is_blank(sent) => Patch::Null,
            Some(sent) => Patch::Value(read(sent)),
        }
    }

    fn day(&self, name: &str) -> Patch<Parsed<NaiveDate>> {
        match self.find(field_of_part(name, "day")) {
            None => Patch::Absent,
            Some(_) => day(self.date(name)),
        }
    }
}

/// Parses a URL as users write it, mostly without `https://`.
fn address(sent: &str) -> Parsed<HttpUrl> {
    let sent = trim_invisible(sent);
    let whole = if sent.contains("://") { sent.to_owned() } else { format!("https://{sent}") };
    // A host without a dot is not a URL.
    let named = |address: &HttpUrl| address.url().host_str().is_some_and(|host| host.contains('.'));
    HttpUrl::parse(&whole).filter(named).map_or_else(|| Parsed::Invalid(sent.to_owned()), Parsed::Value)
}

/// The parts of a date, in the order of their fields.
pub(super) const DATE_PARTS: [&str; 3] = ["day", "month", "year"];

/// The name of the field with a part of a date.
pub(super) fn field_of_part(name: &str, part: &str) -> &'static str {
    let is_it = |field: &&str| field.strip_prefix(name).and_then(|rest| rest.strip_prefix('_')) == Some(part);
    PERSON_FIELDS.into_iter().chain(FAREWELL_FIELDS).find(is_it).unwrap_or_default()
}

/// Divides a whole date, such as `12-04-1938`, `12 april 1938` or `1938-04-12`, into day, month and year.
fn divide(whole: &str) -> Option<[&str; 3]> {
    let mut parts = whole.split(|c: char| c.is_whitespace() || "-/.,".contains(c)).filter(|part| !part.is_empty());
    match [parts.next()?, parts.next()?, parts.next()?] {
        _ if parts.next().is_some() => None,
        [year, month, day] if year.len() == 4 => Some([day, month, year]),
        day_first => Some(day_first),
    }
}

/// Parses a time as people write it: `11`, `11.00`, `11:00`, `11u30`, `11h30`, `1100` or `11 uur`.
fn time(sent: &str) -> Parsed<NaiveTime> {
    let plain = sent.trim().to_lowercase();
    let plain = plain.strip_suffix("uur").or(plain.strip_suffix(['u', 'h'])).unwrap_or(&plain).trim();
    let (hour, minute) = match plain.split_once(['.', ':', 'u', 'h']) {
        Some((hour, minute)) => (hour, minute),
        None if plain.len() == 4 && plain.is_ascii() => plain.split_at(2),
        None => (plain, "00"),
    };
    let number = |text: &str| text.parse::<u32>().ok().filter(|_| text.len() <= 2 && !text.starts_with('+'));
    let time = number(hour).zip(number(minute).filter(|_| minute.len() == 2));
    let time = time.and_then(|(hour, minute)| NaiveTime::from_hms_opt(hour, minute, 0));
    time.map_or_else(|| Parsed::Invalid(sent.to_owned()), Parsed::Value)
}

fn day([day, month, year]: [&str; 3]) -> Patch<Parsed<NaiveDate>> {
    if [day, month, year].iter().all(|number| number.is_empty()) {
        return Patch::Null;
    }
    let number = |text: &str| text.parse::<u32>().ok().filter(|_| text.len() <= 4);
    let date = (year.len() == 4)
        .then(|| {
            NaiveDate::from_ymd_opt(
                i32::try_from(number(year)?).ok()?,
                number(month).or_else(|| date::month(month))?,
                number(day)?,
            )
        })
        .flatten();
    Patch::Value(date.map_or_else(|| Parsed::Invalid(format!("{day}-{month}-{year}")), Parsed::Value))
}

fn in_parts(date: Option<NaiveDate>) -> [String; 3] {
    match date {
        Some(date) => [date.day().to_string(), date.month().to_string(), date.year().to_string()],
        None => Default::default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn day_of_three_fields_is_a_date_nothing_or_a_mistake() {
        let date = |text: &str| Patch::Value(Parsed::Value(text.parse::<NaiveDate>().expect("a date")));
        assert_eq!(day(["12", "4", "1938"]), date("1938-04-12"));
        assert_eq!(day(["01", "04", "1938"]), date("1938-04-01"));
        assert_eq!(day(["", "", ""]), Patch::Null);
        for wrong in [["31", "2", "1938"], ["1", "", "1938"], ["1", "4", "38"], ["a", "4", "1938"], ["-1", "4", "1938"]]
        {
            assert!(matches!(day(wrong), Patch::Value(Parsed::Invalid(_))), "{wrong:?}");
        }
        for field in ["birth_day", "birth_year"] {
            for whole in ["12-04-1938", "12/4/1938", "12.4.1938", "12 april 1938", "1938-04-12", "12 apr. 1938"] {
                let values = Values(vec![(field, whole.to_owned()), ("birth_month", String::new())]);
                assert_eq!(day(values.date(BIRTH)), date("1938-04-12"), "{whole} in {field}");
            }
        }
    }

    #[test]
    fn time_is_read_as_people_write_it() {
        for (sent, read) in [
            ("11", Some("11.00")),
            ("9.05", Some("9.05")),
            ("14:30 uur", Some("14.30")),
            ("11u30", Some("11.30")),
            ("1100", Some("11.00")),
            ("11u", Some("11.00")),
            ("14h", Some("14.00")),
            ("14h30", Some("14.30")),
            ("00:00", Some("0.00")),
            ("24.00", None),
            ("11.5", None),
            ("elf uur", None),
            ("+1.00", None),
        ] {
            assert_eq!(time(sent).ok().ok().map(date::clock).as_deref(), read, "{sent}");
        }
    }

    #[test]
    fn address_without_a_scheme_is_https() {
        for (sent, read) in [
            ("uitvaart.nl/live", Some("https://uitvaart.nl/live")),
            ("http://uitvaart.nl", Some("http://uitvaart.nl")),
            ("ftp://uitvaart.nl", None),
            ("javascript:alert(1)", None),
            ("morgen om tien uur", None),
            ("live", None),
        ] {
            assert_eq!(address(sent).ok().ok().map(|address| address.to_string()).as_deref(), read, "{sent}");
        }
    }
}

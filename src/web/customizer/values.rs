//! The values of the fields of one section, from the card or from a form.

use chrono::{Datelike as _, NaiveDate, NaiveTime};

use crate::base::{GlobalId, HttpUrl, Kind, Parsed, Patch};
use crate::model::{Card, CardSection, Farewell, FocalPoint, Layout, SectionVersion, Theme, Visibility};
use crate::operation::card::{CardEdit, CardInput, DeceasedInput, FamilyContactInput, FarewellInput};
use crate::web::date;
use crate::web::form::Form;
use crate::web::text::customizer as text;

pub(super) const THEME: &str = "theme";
pub(super) const LAYOUT: &str = "layout";
pub(super) const VISIBILITY: &str = "visibility";
pub(super) const FIRST_NAME: &str = "first_name";
pub(super) const LAST_NAME: &str = "last_name";
pub(super) const BIRTH: &str = "birth";
pub(super) const DEATH: &str = "death";
pub(super) const PHOTO: &str = "photo";
pub(super) const FOCAL_POINT: &str = "focal_point";
pub(super) const TEXT: &str = "text";
pub(super) const FAREWELL: &str = "farewell";
pub(super) const FAREWELL_TIME: &str = "farewell_time";
pub(super) const FAREWELL_PLACE: &str = "farewell_place";
pub(super) const FAREWELL_ADDRESS: &str = "farewell_address";
pub(super) const FAREWELL_NOTE: &str = "farewell_note";
pub(super) const LIVESTREAM: &str = "livestream";
pub(super) const CONTACT_NAME: &str = "contact_name";
pub(super) const EMAIL: &str = "email";

/// The field with the version of what the user saw, by which an edit conflict is found.
pub(super) const SEEN: &str = "seen";

const DATES: [&str; 6] = ["birth_day", "birth_month", "birth_year", "death_day", "death_month", "death_year"];
const FAREWELL_FIELDS: [&str; 7] =
    ["farewell_day", "farewell_month", "farewell_year", FAREWELL_TIME, FAREWELL_PLACE, FAREWELL_ADDRESS, FAREWELL_NOTE];

/// The values of one section, by the names of its fields.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Values(Vec<(&'static str, String)>);

/// The names of the fields of a section, without its file.
fn names(section: CardSection) -> &'static [&'static str] {
    match section {
        CardSection::Theme => &[THEME],
        CardSection::Layout => &[LAYOUT],
        CardSection::Visibility => &[VISIBILITY],
        CardSection::Names => &[FIRST_NAME, LAST_NAME],
        CardSection::Dates => &DATES,
        CardSection::Portrait => &[FOCAL_POINT],
        CardSection::Text => &[TEXT],
        CardSection::Farewell => &FAREWELL_FIELDS,
        CardSection::Broadcast => &[LIVESTREAM],
        CardSection::Contact => &[CONTACT_NAME, EMAIL],
    }
}

impl Values {
    /// Returns the values of the card.
    pub(super) fn of(card: &Card, section: CardSection) -> Self {
        let values: Vec<String> = match section {
            CardSection::Theme => {
                vec![card.theme_id.map_or(String::new(), |id| GlobalId::new(Kind::Theme, id).to_string())]
            }
            CardSection::Portrait => vec![card.deceased.focal_point.unwrap_or_default().to_string()],
            CardSection::Dates => {
                let dates = [card.deceased.date_of_birth, card.deceased.date_of_death];
                dates.into_iter().flat_map(in_parts).collect()
            }
            CardSection::Farewell => {
                let Farewell { date, time, place, address, note } = &card.farewell;
                let texts = [place, address, note].map(|text| text.clone().unwrap_or_default());
                let time = time.map(date::clock).unwrap_or_default();
                in_parts(*date).into_iter().chain([time]).chain(texts).collect()
            }
            _ => card.section_values(section).map(|value| value.unwrap_or_default().into_owned()).collect(),
        };
        Self(names(section).iter().copied().zip(values).collect())
    }

    /// Returns the values of a form.
    pub(super) fn sent(form: &Form, section: CardSection) -> Self {
        Self(names(section).iter().map(|name| (*name, form.text(name).to_owned())).collect())
    }

    /// The value of a field.
    pub(super) fn get(&self, name: &str) -> &str {
        self.0.iter().find(|(known, _)| *known == name).map_or("", |(_, value)| value)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (&'static str, &str)> {
        self.0.iter().map(|(name, value)| (*name, value.as_str()))
    }

    /// Day, month and year of a date.
    pub(super) fn date(&self, name: &str) -> [&str; 3] {
        let number = |suffix| self.get(&format!("{name}_{suffix}"));
        [number("day"), number("month"), number("year")]
    }

    /// Pairs of label and value, as the page shows them; `themes` has the titles of themes.
    pub(super) fn in_words(&self, section: CardSection, themes: &[Theme]) -> Vec<(&'static str, String)> {
        let value = |name| self.get(name).to_owned();
        let date = |name| Some(self.date(name)).filter(|d| d.concat() != "").map_or(String::new(), |d| d.join("-"));
        match section {
            CardSection::Theme => {
                let chosen = |theme: &&Theme| GlobalId::new(Kind::Theme, theme.id).to_string() == self.get(THEME);
                vec![(
                    text::CHOSEN_THEME,
                    themes.iter().find(chosen).map_or(String::new(), |theme| theme.title.clone()),
                )]
            }
            CardSection::Layout => {
                let layout = Layout::parse(self.get(LAYOUT)).unwrap_or_default();
                vec![(text::section(section).title, text::layout(layout).0.to_owned())]
            }
            CardSection::Visibility => {
                let visibility = Visibility::parse(self.get(VISIBILITY)).unwrap_or_default();
                vec![(text::WHO_SEES, text::visibility(visibility).0.to_owned())]
            }
            CardSection::Names => vec![(text::FIRST_NAME, value(FIRST_NAME)), (text::LAST_NAME, value(LAST_NAME))],
            CardSection::Dates => vec![(text::BIRTH, date(BIRTH)), (text::DEATH, date(DEATH))],
            CardSection::Portrait => Vec::new(),
            CardSection::Text => vec![(text::TEXT, value(TEXT))],
            CardSection::Farewell => vec![
                (text::FAREWELL_DATE, date(FAREWELL)),
                (text::FAREWELL_TIME, value(FAREWELL_TIME)),
                (text::FAREWELL_PLACE, value(FAREWELL_PLACE)),
                (text::FAREWELL_ADDRESS, value(FAREWELL_ADDRESS)),
                (text::FAREWELL_NOTE, value(FAREWELL_NOTE)),
            ],
            CardSection::Broadcast => vec![(text::LIVESTREAM, value(LIVESTREAM))],
            CardSection::Contact => vec![(text::CONTACT_NAME, value(CONTACT_NAME)), (text::EMAIL, value(EMAIL))],
        }
    }

    /// Returns the edit of the card. An empty field removes a value; a choice that was not made changes nothing.
    pub(super) fn edit(&self, section: CardSection, seen: SectionVersion) -> CardEdit {
        let words = |name| clearing(self.get(name), str::to_owned);
        let mut edit = CardEdit::of(section, seen);
        match section {
            CardSection::Theme if self.get(THEME).is_empty() => {}
            CardSection::Theme => edit.fields.theme_id = words(THEME),
            CardSection::Layout => edit.layout = Layout::parse(self.get(LAYOUT)),
            CardSection::Visibility => edit.visibility = Visibility::parse(self.get(VISIBILITY)),
            CardSection::Names => {
                let (first_name, last_name) = (words(FIRST_NAME), words(LAST_NAME));
                edit.fields.deceased =
                    Patch::Value(DeceasedInput { first_name, last_name, ..DeceasedInput::default() });
            }
            CardSection::Dates => {
                let (date_of_birth, date_of_death) = (day(self.date(BIRTH)), day(self.date(DEATH)));
                let dates = DeceasedInput { date_of_birth, date_of_death, ..DeceasedInput::default() };
                edit.fields.deceased = Patch::Value(dates);
            }
            CardSection::Portrait => {
                edit.focal_point = FocalPoint::parse(self.get(FOCAL_POINT)).map_or(Patch::Absent, Patch::Value);
            }
            CardSection::Text => edit.text = words(TEXT),
            CardSection::Farewell => {
                edit.farewell = FarewellInput {
                    date: day(self.date(FAREWELL)),
                    time: clearing(self.get(FAREWELL_TIME), time),
                    place: words(FAREWELL_PLACE),
                    address: words(FAREWELL_ADDRESS),
                    note: words(FAREWELL_NOTE),
                };
            }
            CardSection::Broadcast => edit.fields.livestream_url = clearing(self.get(LIVESTREAM), address),
            CardSection::Contact => {
                let contact = FamilyContactInput { name: words(CONTACT_NAME), email: words(EMAIL) };
                edit.fields = CardInput { family_contact: Patch::Value(contact), ..CardInput::default() };
            }
        }
        edit
    }
}

fn clearing<T>(sent: &str, read: impl FnOnce(&str) -> T) -> Patch<T> {
    if sent.is_empty() { Patch::Null } else { Patch::Value(read(sent)) }
}

/// Parses a URL as users write it, mostly without `https://`.
fn address(sent: &str) -> Parsed<HttpUrl> {
    let whole = if sent.contains("://") { sent.to_owned() } else { format!("https://{sent}") };
    // A host without a dot is not a URL.
    let named = |address: &HttpUrl| address.url().host_str().is_some_and(|host| host.contains('.'));
    HttpUrl::parse(&whole).filter(named).map_or_else(|| Parsed::Invalid(sent.to_owned()), Parsed::Value)
}

/// Parses a time as people write it: `11`, `11.00`, `11:00` or `11 uur`.
fn time(sent: &str) -> Parsed<NaiveTime> {
    let plain = sent.trim().to_lowercase();
    let plain = plain.strip_suffix("uur").unwrap_or(&plain).trim();
    let (hour, minute) = plain.split_once(['.', ':']).unwrap_or((plain, "00"));
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
    }

    #[test]
    fn time_is_read_as_people_write_it() {
        for (sent, read) in [
            ("11", Some("11.00")),
            ("9.05", Some("9.05")),
            ("14:30 uur", Some("14.30")),
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

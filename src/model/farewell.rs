//! The farewell: when and where it is, which the family fills in (decisions S5). Not in the partner API.

use chrono::{NaiveDate, NaiveTime};

/// When and where the farewell is. Every part may be missing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Farewell {
    pub date: Option<NaiveDate>,
    /// In the Netherlands. Only with a date.
    pub time: Option<NaiveTime>,
    /// Such as the name of a church.
    pub place: Option<String>,
    pub address: Option<String>,
    pub note: Option<String>,
}

impl Farewell {
    /// Whether no part is known.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Place and address in one line, for calendars and maps.
    pub fn location(&self) -> Option<String> {
        let lines = [&self.place, &self.address].into_iter().flatten().flat_map(|text| text.lines());
        let parts: Vec<_> = lines.map(str::trim).filter(|part| !part.is_empty()).collect();
        (!parts.is_empty()).then(|| parts.join(", "))
    }
}

/// The time as it is stored: `09:05`.
pub fn time_text(time: NaiveTime) -> String {
    time.format("%H:%M").to_string()
}

/// Parses a stored time.
pub fn parse_time(text: &str) -> Option<NaiveTime> {
    NaiveTime::parse_from_str(text, "%H:%M").ok()
}

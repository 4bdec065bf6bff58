//! The farewell of a card as a file for calendars: iCalendar (RFC 5545).

use chrono::{NaiveDate, NaiveTime};
use sha2::{Digest, Sha256};

use crate::base::{Timestamp, lower_hex};
use crate::model::{Card, Farewell};
use crate::web::text::card as words;

/// The longest line, in bytes without its end (RFC 5545, section 3.1).
const LINE_BYTES_MAX: usize = 75;

/// The rules of summer time, which hold since 1996.
const ZONE: &str = "BEGIN:VTIMEZONE\nTZID:Europe/Amsterdam\n\
    BEGIN:DAYLIGHT\nTZOFFSETFROM:+0100\nTZOFFSETTO:+0200\nTZNAME:CEST\nDTSTART:19960331T020000\n\
    RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU\nEND:DAYLIGHT\n\
    BEGIN:STANDARD\nTZOFFSETFROM:+0200\nTZOFFSETTO:+0100\nTZNAME:CET\nDTSTART:19961027T030000\n\
    RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU\nEND:STANDARD\nEND:VTIMEZONE";

/// Writes the farewell of a card; `None` without a date.
pub(super) fn of(card: &Card) -> Option<String> {
    let date = card.farewell.date?;
    // The same for every copy, and tells nothing of the card.
    let uid = lower_hex(&Sha256::digest([b"farewell".as_slice(), card.id.as_bytes()].concat())[..16]);
    let summary = words::farewell_of(card.deceased.full_name().as_deref());
    Some(event(&uid, card.updated_at, date, &card.farewell, &summary))
}

fn event(uid: &str, at: Timestamp, date: NaiveDate, farewell: &Farewell, summary: &str) -> String {
    let mut lines: Vec<String> =
        ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Gedenkkaart//NL", "METHOD:PUBLISH"].map(str::to_owned).into();
    lines.extend(farewell.time.map(|_| ZONE.to_owned()));
    lines.push("BEGIN:VEVENT".to_owned());
    lines.push(format!("UID:{uid}@gedenkkaart"));
    lines.push(format!("DTSTAMP:{}", at.utc().format("%Y%m%dT%H%M%SZ")));
    match farewell.time {
        Some(time) => lines.extend(begins(date, time)),
        None => lines.push(format!("DTSTART;VALUE=DATE:{}", date.format("%Y%m%d"))),
    }
    lines.push(format!("SUMMARY:{}", escaped(summary)));
    lines.extend(farewell.location().map(|location| format!("LOCATION:{}", escaped(&location))));
    lines.extend(farewell.note.as_ref().map(|note| format!("DESCRIPTION:{}", escaped(note))));
    lines.push("END:VEVENT\nEND:VCALENDAR".to_owned());
    lines.iter().flat_map(|line| line.split('\n')).map(folded).collect()
}

/// How long it takes is not known: an hour, because programs show an event without an end badly.
fn begins(date: NaiveDate, time: NaiveTime) -> [String; 2] {
    let begin = date.and_time(time).format("%Y%m%dT%H%M%S");
    [format!("DTSTART;TZID=Europe/Amsterdam:{begin}"), "DURATION:PT1H".to_owned()]
}

/// Escapes a text (RFC 5545, section 3.3.11). Control characters, which it cannot hold, are left out.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.replace("\r\n", "\n").trim().chars() {
        match c {
            '\\' | ';' | ',' => escaped.extend(['\\', c]),
            '\n' | '\r' | '\u{2028}' | '\u{2029}' => escaped.push_str("\\n"),
            c if c.is_control() && c != '\t' => {}
            c => escaped.push(c),
        }
    }
    escaped
}

/// The line with its end, folded between characters (RFC 5545, section 3.1).
fn folded(line: &str) -> String {
    let (mut folded, mut bytes) = (String::with_capacity(line.len() + 2), 0);
    for c in line.chars() {
        if bytes + c.len_utf8() > LINE_BYTES_MAX {
            folded.push_str("\r\n ");
            bytes = 1;
        }
        folded.push(c);
        bytes += c.len_utf8();
    }
    folded + "\r\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of_note(note: &str, time: Option<&str>) -> String {
        let farewell = Farewell {
            date: NaiveDate::from_ymd_opt(2026, 11, 14),
            time: time.and_then(crate::model::parse_time),
            place: Some("De Nieuwe Ooster".to_owned()),
            address: Some("Kruislaan 126\r\n1097 GA; Amsterdam".to_owned()),
            note: Some(note.to_owned()),
        };
        let at = Timestamp::from_millis(1_794_299_400_123).expect("a time");
        event("u", at, farewell.date.expect("a date"), &farewell, "Afscheid van Jo, \\ en Co")
    }

    #[test]
    fn event_has_its_time_zone_and_escaped_texts() {
        let text = of_note("Bloemen: graag\u{2028}wit; geen, kransen\u{7}", Some("11:00"));
        for line in [
            "BEGIN:VTIMEZONE",
            "TZID:Europe/Amsterdam",
            "UID:u@gedenkkaart",
            "DTSTAMP:20261110T083000Z",
            "DTSTART;TZID=Europe/Amsterdam:20261114T110000",
            "DURATION:PT1H",
            "SUMMARY:Afscheid van Jo\\, \\\\ en Co",
            "LOCATION:De Nieuwe Ooster\\, Kruislaan 126\\, 1097 GA\\; Amsterdam",
            "DESCRIPTION:Bloemen: graag\\nwit\\; geen\\, kransen",
        ] {
            assert!(text.split("\r\n").any(|found| found == line), "{line}: {text}");
        }
        assert!(text.starts_with("BEGIN:VCALENDAR\r\n") && text.ends_with("END:VEVENT\r\nEND:VCALENDAR\r\n"), "{text}");
        assert!(!text.replace("\r\n", "").contains('\n'), "only whole line ends: {text}");
    }

    #[test]
    fn farewell_without_a_time_is_a_whole_day() {
        let text = of_note("", None);
        assert!(text.contains("DTSTART;VALUE=DATE:20261114\r\n") && !text.contains("TZID"), "{text}");
    }

    #[test]
    fn long_line_is_folded_at_75_bytes_between_characters() {
        let note = "é".repeat(200);
        let text = of_note(&note, None);
        assert!(text.split("\r\n").all(|line| line.len() <= LINE_BYTES_MAX), "{text}");
        assert!(text.replace("\r\n ", "").contains(&format!("DESCRIPTION:{note}\r\n")), "{text}");
        let exact = "x".repeat(LINE_BYTES_MAX);
        assert_eq!(folded(&exact), format!("{exact}\r\n"));
    }
}

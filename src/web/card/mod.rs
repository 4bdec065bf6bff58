//! The card: `/kaart/<slug>` for everyone and `/kaart/voor/<token>` for an invitee, and its farewell for calendars as iCalendar
//! (RFC 5545; decisions S6, S7).
//!
//! [`CardView`] reads what a card shows, and [`render`] makes the page, also for the preview of the customizer. `picture` is for
//! link previews.

mod page;
mod picture;
mod view;

pub(super) use self::page::{Addresses, Frame, render, render_parts};
pub(super) use self::picture::serve_picture;
pub(super) use self::view::{CUT_RATIOS, CardView, Picture, crop_classes, is_cut, round_classes};

use chrono::{NaiveDate, NaiveTime};
use http::header::CONTENT_DISPOSITION;
use http::{HeaderValue, StatusCode};
use sha2::{Digest, Sha256};

use super::context::PageContext;
use super::page::Outcome;
use super::{error_pages, session_guard};
use crate::base::{HttpUrl, Timestamp, lower_hex};
use crate::model::{Card, Farewell, Partner, SessionTarget, Visibility, path};
use crate::operation::{Failure, invitee, session};
use crate::request::RequestHead;
use crate::response::{self, Response, ResponseExt as _};
use crate::text::{card as text, card as words};

/// The public page, which exists only while the card is online.
pub(in crate::web) async fn show_public(context: &PageContext, head: &RequestHead<'_>, slug: &str) -> Outcome {
    let Some(card) = context.services.store.card_by_slug(slug).await? else {
        return Ok(error_pages::not_found(context));
    };
    let partner = context.services.store.partner(card.partner_id).await?;
    if card.offline_since.is_some() {
        return show_offline(context, &card, partner).await;
    }
    let view = CardView::read(context, &card, partner).await?;
    let addresses = Addresses { page: context.services.card_address(slug).to_string(), slug: slug.to_owned() };
    if card.visibility == Visibility::Invitation && !is_of_the_family(context, head, &card).await? {
        // Not an error, because messengers read the tags of a preview only from a page with this status.
        return Ok(page::closed(context, &view, Some(addresses), text::CLOSED_TITLE, text::CLOSED));
    }
    let calendar = Some(context.path(&path::card_calendar(slug)));
    let frame = Frame { addresses: Some(addresses), calendar, ..Frame::default() };
    Ok(render(context, &view, &frame).compressed_for(head))
}

/// The page of a card that the operator took offline.
async fn show_offline(context: &PageContext, card: &Card, partner: Option<Partner>) -> Outcome {
    let ask = text::offline(partner.as_ref().map(Partner::shown_name));
    let view = CardView::read(context, card, partner).await?;
    let mut page = page::closed(context, &view, None, text::OFFLINE_TITLE, &ask);
    *page.status_mut() = StatusCode::NOT_FOUND;
    Ok(page)
}

/// The card, by the personal link of an invitee.
pub(in crate::web) async fn show_invited(context: &PageContext, head: &RequestHead<'_>, token: &str) -> Outcome {
    let store = &context.services.store;
    let invitee = store.invitee_by_token(token).await?;
    let card = match &invitee {
        Some(invitee) => store.any_card(invitee.card_id).await?,
        None => None,
    };
    let (Some(invitee), Some(card)) = (invitee, card) else {
        return Ok(error_pages::page(context, None, StatusCode::NOT_FOUND, text::LINK_GONE_TITLE, text::LINK_GONE));
    };
    let (partner, status) = (store.partner(card.partner_id).await?, StatusCode::NOT_FOUND);
    let Some(slug) = &card.slug else {
        return Ok(error_pages::page(context, partner.as_ref(), status, text::NOT_ONLINE_TITLE, text::NOT_ONLINE));
    };
    if card.offline_since.is_some() {
        return show_offline(context, &card, partner).await;
    }
    let view = CardView::read(context, &card, partner).await?;
    if is_opened_by_a_person(head) && !is_of_the_family(context, head, &card).await? {
        invitee::note_seen(&context.services, &invitee).await?;
    }
    // A shared link of an open card is its public address.
    let address = match card.visibility {
        Visibility::Open => context.services.card_address(slug),
        Visibility::Invitation => context.services.invitation_address(token),
    };
    let seen = lacks_fetch_metadata(head).then(|| context.path(&path::personal_link_seen(token)));
    let addresses = Addresses { page: address.to_string(), slug: slug.clone() };
    let calendar = Some(context.path(&path::personal_link_calendar(token)));
    let frame = Frame { addresses: Some(addresses), seen, calendar, ..Frame::default() };
    Ok(render(context, &view, &frame).compressed_for(head))
}

/// The farewell of an open card for calendars, and of every card for its family.
pub(in crate::web) async fn serve_public_calendar(
    context: &PageContext,
    head: &RequestHead<'_>,
    slug: &str,
) -> Outcome {
    let card = context.services.store.card_by_slug(slug).await?.filter(|card| card.online_slug().is_some());
    let Some(card) = card else { return Ok(error_pages::not_found(context)) };
    if card.visibility == Visibility::Invitation && !is_of_the_family(context, head, &card).await? {
        return Ok(error_pages::not_found(context));
    }
    Ok(serve_calendar(context, &card, Some(context.services.card_address(slug))))
}

/// The farewell for the calendar of an invitee.
pub(in crate::web) async fn serve_invited_calendar(context: &PageContext, token: &str) -> Outcome {
    let store = &context.services.store;
    let Some(invitee) = store.invitee_by_token(token).await? else { return Ok(error_pages::not_found(context)) };
    let card = store.any_card(invitee.card_id).await?.filter(|card| card.online_slug().is_some());
    let Some(card) = card else { return Ok(error_pages::not_found(context)) };
    let address = context.services.invitation_address(token);
    Ok(serve_calendar(context, &card, Some(address)))
}

/// The farewell of a card as a file, if it has a date; `address` is the card's.
pub(in crate::web) fn serve_calendar(context: &PageContext, card: &Card, address: Option<HttpUrl>) -> Response {
    let Some(file) = write_calendar(card, address.as_ref()) else { return error_pages::not_found(context) };
    let name = HeaderValue::from_static("attachment; filename=\"afscheid.ics\"");
    response::new(StatusCode::OK, "text/calendar; charset=utf-8", file).with(CONTENT_DISPOSITION, name)
}

/// Records that an invitee has seen the card. The page of a personal link requests this as a picture in browsers without
/// Fetch Metadata: programs that fetch a link without showing it do not fetch its pictures.
pub(in crate::web) async fn record_seen(context: &PageContext, head: &RequestHead<'_>, token: &str) -> Outcome {
    let store = &context.services.store;
    let Some(invitee) = store.invitee_by_token(token).await? else { return Ok(error_pages::not_found(context)) };
    let card = store.any_card(invitee.card_id).await?.filter(|card| card.online_slug().is_some());
    let Some(card) = card else { return Ok(error_pages::not_found(context)) };
    let is_shown = *head.method() == http::Method::GET && lacks_fetch_metadata(head) && !head.is_prefetch();
    if is_shown && !is_of_the_family(context, head, &card).await? {
        invitee::note_seen(&context.services, &invitee).await?;
    }
    Ok(response::empty(StatusCode::NO_CONTENT))
}

/// Whether the caller does not support Fetch Metadata: an old browser (Safari before 16.4), or a program.
fn lacks_fetch_metadata(head: &RequestHead<'_>) -> bool {
    !head.headers().contains_key("sec-fetch-mode")
}

/// Whether the browser says that a user navigated to the page (Fetch Metadata, section 2). Messengers and mail scanners also
/// fetch links, without that header.
fn is_opened_by_a_person(head: &RequestHead<'_>) -> bool {
    let says =
        |name: &str, word: &str| head.headers().get(name).is_some_and(|value| value.as_bytes() == word.as_bytes());
    *head.method() == http::Method::GET
        && !head.is_prefetch()
        && says("sec-fetch-mode", "navigate")
        && says("sec-fetch-dest", "document")
}

/// Whether the browser has a session for the customizer or the invitee list of the card. The family sees its own card, and
/// does not count as an invitee when it opens a personal link.
async fn is_of_the_family(context: &PageContext, head: &RequestHead<'_>, card: &Card) -> Result<bool, Failure> {
    for target in [SessionTarget::Customizer, SessionTarget::InviteeList] {
        if let Some(held) = head.cookie(&session_guard::cookie_name(context, card.id, target))
            && session::browser_session(&context.services, held, card.id, target).await?.is_some()
        {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The longest line, in bytes without its end (RFC 5545, section 3.1).
const LINE_BYTES_MAX: usize = 75;

/// The rules of summer time, which hold since 1996.
const ZONE: &str = "BEGIN:VTIMEZONE\nTZID:Europe/Amsterdam\n\
    BEGIN:DAYLIGHT\nTZOFFSETFROM:+0100\nTZOFFSETTO:+0200\nTZNAME:CEST\nDTSTART:19960331T020000\n\
    RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU\nEND:DAYLIGHT\n\
    BEGIN:STANDARD\nTZOFFSETFROM:+0200\nTZOFFSETTO:+0100\nTZNAME:CET\nDTSTART:19961027T030000\n\
    RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU\nEND:STANDARD\nEND:VTIMEZONE";

/// Writes the farewell of a card; `None` without a date.
fn write_calendar(card: &Card, address: Option<&HttpUrl>) -> Option<String> {
    let date = card.farewell.date?;
    // The same for every copy, and tells nothing of the card.
    let uid = lower_hex(&Sha256::digest([b"farewell".as_slice(), card.id.as_bytes()].concat())[..16]);
    let summary = words::farewell_of(card.deceased.full_name().as_deref());
    Some(write_event(&uid, card.updated_at, date, &card.farewell, &summary, address))
}

fn write_event(
    uid: &str,
    at: Timestamp,
    date: NaiveDate,
    farewell: &Farewell,
    summary: &str,
    address: Option<&HttpUrl>,
) -> String {
    let mut lines: Vec<String> =
        ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Gedenkkaart//NL", "METHOD:PUBLISH"].map(str::to_owned).into();
    lines.extend(farewell.time.map(|_| ZONE.to_owned()));
    lines.push("BEGIN:VEVENT".to_owned());
    lines.push(format!("UID:{uid}@gedenkkaart"));
    lines.push(format!("DTSTAMP:{}", at.utc().format("%Y%m%dT%H%M%SZ")));
    match farewell.time {
        Some(time) => lines.extend(begins(date, time, farewell.until)),
        None => lines.push(format!("DTSTART;VALUE=DATE:{}", date.format("%Y%m%d"))),
    }
    lines.push(format!("SUMMARY:{}", escape(summary)));
    lines.extend(farewell.location().map(|location| format!("LOCATION:{}", escape(&location))));
    lines.extend(farewell.note.as_ref().map(|note| format!("DESCRIPTION:{}", escape(note))));
    // RFC 5545, section 3.8.4.6. Programs show it beside the event.
    lines.extend(address.map(|address| format!("URL:{address}")));
    lines.push("END:VEVENT\nEND:VCALENDAR".to_owned());
    lines.iter().flat_map(|line| line.split('\n')).map(fold).collect()
}

/// Without a known end it takes an hour, because programs show an event without an end badly.
fn begins(date: NaiveDate, time: NaiveTime, until: Option<NaiveTime>) -> [String; 2] {
    let local = |time| format!("TZID=Europe/Amsterdam:{}", date.and_time(time).format("%Y%m%dT%H%M%S"));
    let end = until.map_or_else(|| "DURATION:PT1H".to_owned(), |until| format!("DTEND;{}", local(until)));
    [format!("DTSTART;{}", local(time)), end]
}

/// Escapes a text (RFC 5545, section 3.3.11). Control characters, which it cannot hold, are left out.
fn escape(text: &str) -> String {
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
fn fold(line: &str) -> String {
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
            until: None,
            place: Some("De Nieuwe Ooster".to_owned()),
            address: Some("Kruislaan 126\r\n1097 GA; Amsterdam".to_owned()),
            note: Some(note.to_owned()),
        };
        let address = HttpUrl::parse("https://kaarten.example/kaart/jo").expect("an address");
        let at = Timestamp::from_millis(1_794_299_400_123).expect("a time");
        write_event("u", at, farewell.date.expect("a date"), &farewell, "Afscheid van Jo, \\ en Co", Some(&address))
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
            "URL:https://kaarten.example/kaart/jo",
            "DESCRIPTION:Bloemen: graag\\nwit\\; geen\\, kransen",
        ] {
            assert!(text.split("\r\n").any(|found| found == line), "{line}: {text}");
        }
        assert!(text.starts_with("BEGIN:VCALENDAR\r\n") && text.ends_with("END:VEVENT\r\nEND:VCALENDAR\r\n"), "{text}");
        assert!(!text.replace("\r\n", "").contains('\n'), "only whole line ends: {text}");
    }

    #[test]
    fn long_line_is_folded_at_75_bytes_between_characters() {
        let note = "é".repeat(200);
        let text = of_note(&note, None);
        assert!(text.split("\r\n").all(|line| line.len() <= LINE_BYTES_MAX), "{text}");
        assert!(text.replace("\r\n ", "").contains(&format!("DESCRIPTION:{note}\r\n")), "{text}");
        let exact = "x".repeat(LINE_BYTES_MAX);
        assert_eq!(fold(&exact), format!("{exact}\r\n"));
    }
}

//! Builds public paths. Each of them parses to the [`Route`](super::Route) of the same name.

use std::borrow::Cow;

use uuid::Uuid;

use crate::model::SessionTarget;

/// Returns a path in which unreserved characters are not percent-encoded, so that equivalent paths are equal (RFC 3986, section
/// 6.2.2.2).
pub fn normalize(path: &str) -> Cow<'_, str> {
    if !path.as_bytes().contains(&b'%') {
        return path.into();
    }
    let mut parts = path.split('%');
    let first = parts.next().unwrap_or_default();
    parts
        .fold(first.to_owned(), |mut written, part| {
            let octet = part.get(..2).filter(|hex| hex.bytes().all(|b| b.is_ascii_hexdigit()));
            match octet.and_then(|hex| u8::from_str_radix(hex, 16).ok()) {
                Some(octet) if octet.is_ascii_alphanumeric() || b"-._~".contains(&octet) => {
                    written.push(octet.into());
                    written + &part[2..]
                }
                _ => written + "%" + part,
            }
        })
        .into()
}

/// The parent of all paths of the API.
pub const API: &str = "/partner/api";

pub fn graphql(version: &str) -> String {
    [API, "/", version, "/graphql"].concat()
}

pub fn schema(version: &str) -> String {
    [API, "/", version, "/schema.graphql"].concat()
}

/// The address of a file in the object store; `kind` is the first part of its key.
pub fn media(base: &str, kind: &str, key: &str) -> String {
    [base, "/media/", kind, "/", key].concat()
}

pub fn accessibility() -> String {
    "/toegankelijkheid".to_owned()
}

pub fn asset(name: &str) -> String {
    ["/web/", name].concat()
}

/// The reference of one version; the start of the reference if `page` is empty.
pub fn reference(page: &str) -> String {
    below("/docs", page)
}

/// A file of GraphiQL; its page if `file` is empty.
pub fn graphiql(file: &str) -> String {
    below("/graphiql", file)
}

pub fn session_link(token: &str) -> String {
    ["/s/", token].concat()
}

/// The first page of an environment.
pub fn environment(card_id: Uuid, target: SessionTarget) -> String {
    match target {
        SessionTarget::Customizer => customizer(card_id, ""),
        SessionTarget::InviteeList => invitee_list(card_id, ""),
    }
}

/// A page of the customizer; its overview if `page` is empty.
pub fn customizer(card_id: Uuid, page: &str) -> String {
    below(&format!("/bewerken/{card_id}"), page)
}

/// A form of the invitee list; the list itself if `action` is empty.
pub fn invitee_list(card_id: Uuid, action: &str) -> String {
    below(&format!("/gasten/{card_id}"), action)
}

pub fn invitee_list_link(token: &str) -> String {
    ["/gasten/open/", token].concat()
}

pub fn card(slug: &str) -> String {
    ["/kaart/", slug].concat()
}

/// The picture of a card for messages.
pub fn card_picture(slug: &str, name: &str) -> String {
    ["/kaart/", slug, "/", name].concat()
}

/// The slug in the address of a public card.
pub fn slug_of_card(address: &str) -> Option<&str> {
    address.rsplit_once("/kaart/").map(|(_, slug)| slug)
}

pub fn personal_link(token: &str) -> String {
    ["/kaart/voor/", token].concat()
}

/// The last segment of the path of a farewell for calendars.
pub const CALENDAR: &str = "afscheid.ics";

pub fn card_calendar(slug: &str) -> String {
    ["/kaart/", slug, "/", CALENDAR].concat()
}

pub fn personal_link_calendar(token: &str) -> String {
    ["/kaart/voor/", token, "/", CALENDAR].concat()
}

pub fn personal_link_seen(token: &str) -> String {
    ["/kaart/voor/", token, "/gezien"].concat()
}

fn below(parent: &str, rest: &str) -> String {
    if rest.is_empty() { parent.to_owned() } else { [parent, "/", rest].concat() }
}

//! Public paths: the one place that parses them.
//!
//! `http` and `web` route requests with [`Route`]; all layers build addresses with [`path`].
//! Source: specification, section 4; decisions H1, H3, H9, S1 and S7.

pub mod path;

use uuid::Uuid;

/// The destination of a request, parsed from its path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Route<'a> {
    /// `/partner/api/versions`: the list of API versions.
    Versions,
    /// `/partner/api/<version>/graphql`: the endpoint of a version.
    Graphql { version: &'a str },
    /// `/partner/api/<version>/schema.graphql`: the SDL of a version.
    Schema { version: &'a str },
    /// Any other path below `/partner/api`.
    UnknownApiPath { version: Option<&'a str> },
    /// `/media/<key>`: a portrait or theme picture.
    Media { key: &'a str },
    /// A page for families, invitees or developers.
    Page(PageRoute<'a>),
    /// The administration, which has its own listener: no public path leads to it.
    Admin,
    /// `/health/live`.
    Live,
    /// `/health/ready`.
    Ready,
}

/// A page, parsed from its path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PageRoute<'a> {
    /// `/`: says what the service is.
    Home,
    /// `/favicon.ico`: the icon of the site.
    Favicon,
    /// `/apple-touch-icon.png` and its second name: the icon on the home screen of a phone.
    TouchIcon,
    /// `/robots.txt`: what search engines may read.
    Robots,
    /// `/toegankelijkheid`: the accessibility statement, with how to complain.
    Accessibility,
    /// `/web/<name>`: a style sheet or script.
    Asset {
        name: &'a str,
    },
    /// `/docs[/<page>]` and `/llms.txt`: the guide and the reference of the API.
    Reference {
        page: &'a str,
    },
    /// `/graphiql[/<file>]`: GraphiQL.
    Graphiql {
        file: &'a str,
    },
    /// `/s/<token>`: a session link, which works once.
    SessionLink {
        token: &'a str,
    },
    /// `/bewerken/<card>[/<page>]`: the customizer.
    Customizer {
        card_id: Uuid,
        page: &'a str,
    },
    /// `/gasten/<card>[/<action>]`: the invitee list and its forms.
    InviteeList {
        card_id: Uuid,
        action: &'a str,
    },
    /// `/gasten/open/<token>`: the lasting link to an invitee list.
    InviteeListLink {
        token: &'a str,
    },
    /// `/kaart/<slug>`: the public page of a card.
    Card {
        slug: &'a str,
    },
    /// `/kaart/<slug>/<name>`: the picture of a card for messages.
    CardPicture {
        slug: &'a str,
        name: &'a str,
    },
    /// `/kaart/voor/<token>`: a card, by the personal link of an invitee.
    PersonalLink {
        token: &'a str,
    },
    /// `/kaart/voor/<token>/gezien`: requested by that page in browsers without Fetch Metadata.
    PersonalLinkSeen {
        token: &'a str,
    },
    /// `/kaart/<slug>/afscheid.ics`: the farewell for calendars.
    CardCalendar {
        slug: &'a str,
    },
    /// `/kaart/voor/<token>/afscheid.ics`: the same, by the personal link of an invitee.
    PersonalLinkCalendar {
        token: &'a str,
    },
    Unknown,
}

impl<'a> Route<'a> {
    /// Parses the path of a request.
    pub fn parse(path: &'a str) -> Self {
        if let Some(rest) = path.strip_prefix("/partner/api/") {
            return Self::parse_api(rest);
        }
        if let Some(key) = path.strip_prefix("/media/") {
            return Route::Media { key };
        }
        match path {
            "/partner/api" => Route::UnknownApiPath { version: None },
            "/health/live" => Route::Live,
            "/health/ready" => Route::Ready,
            _ => Route::Page(PageRoute::parse(path)),
        }
    }

    fn parse_api(rest: &'a str) -> Self {
        match rest.split_once('/') {
            Some((version, "graphql")) => Route::Graphql { version },
            Some((version, "schema.graphql")) => Route::Schema { version },
            None if rest == "versions" => Route::Versions,
            _ => Route::UnknownApiPath { version: rest.split('/').next().filter(|version| !version.is_empty()) },
        }
    }

    /// The name of the route in logs, which never hold paths: some paths are secrets.
    pub fn name(self) -> &'static str {
        match self {
            Route::Versions => "versions",
            Route::Graphql { .. } => "graphql",
            Route::Schema { .. } => "schema",
            Route::UnknownApiPath { .. } => "unknown",
            Route::Media { .. } => "media",
            Route::Page(page) => page.name(),
            Route::Admin => "administration",
            Route::Live => "live",
            Route::Ready => "ready",
        }
    }

    /// Whether the path is below `/partner/api`.
    pub fn is_api(self) -> bool {
        matches!(self, Route::Versions | Route::UnknownApiPath { .. }) || self.version().is_some()
    }

    /// The API version that the path names.
    pub fn version(self) -> Option<&'a str> {
        match self {
            Route::Graphql { version } | Route::Schema { version } => Some(version),
            Route::UnknownApiPath { version } => version,
            _ => None,
        }
    }
}

impl<'a> PageRoute<'a> {
    /// Parses the path of a page.
    fn parse(path: &'a str) -> Self {
        let Some(path) = path.strip_prefix('/') else { return PageRoute::Unknown };
        let (first, rest) = path.split_once('/').map_or((path, None), |(first, rest)| (first, Some(rest)));
        match (first, rest) {
            ("", None) => PageRoute::Home,
            ("favicon.ico", None) => PageRoute::Favicon,
            ("apple-touch-icon.png" | "apple-touch-icon-precomposed.png", None) => PageRoute::TouchIcon,
            ("robots.txt", None) => PageRoute::Robots,
            ("toegankelijkheid", None) => PageRoute::Accessibility,
            ("docs", page) => PageRoute::Reference { page: page.unwrap_or_default() },
            ("llms.txt", None) => PageRoute::Reference { page: "llms.txt" },
            ("graphiql", file) => PageRoute::Graphiql { file: file.unwrap_or_default() },
            ("web", Some(name)) => PageRoute::Asset { name },
            ("s", Some(token)) => PageRoute::SessionLink { token },
            ("bewerken", Some(rest)) => Self::parse_customizer(rest),
            ("gasten", Some(rest)) => Self::parse_invitee_list(rest),
            ("kaart", Some(rest)) => Self::parse_card(rest),
            _ => PageRoute::Unknown,
        }
    }

    fn parse_customizer(rest: &'a str) -> Self {
        let (id, page) = rest.split_once('/').unwrap_or((rest, ""));
        match Uuid::try_parse(id) {
            // Only the spelling that the service writes: cookies and forms refer to it.
            Ok(card_id) if card_id.to_string() == id => PageRoute::Customizer { card_id, page },
            _ => PageRoute::Unknown,
        }
    }

    fn parse_invitee_list(rest: &'a str) -> Self {
        let (first, rest) = rest.split_once('/').unwrap_or((rest, ""));
        match Uuid::try_parse(first) {
            _ if first == "open" => PageRoute::InviteeListLink { token: rest },
            Ok(card_id) => PageRoute::InviteeList { card_id, action: rest },
            Err(_) => PageRoute::Unknown,
        }
    }

    fn parse_card(rest: &'a str) -> Self {
        match rest.split_once('/') {
            None => PageRoute::Card { slug: rest },
            Some(("voor", rest)) => match rest.split_once('/') {
                Some((token, "gezien")) => PageRoute::PersonalLinkSeen { token },
                Some((token, path::CALENDAR)) => PageRoute::PersonalLinkCalendar { token },
                _ => PageRoute::PersonalLink { token: rest },
            },
            Some((slug, path::CALENDAR)) => PageRoute::CardCalendar { slug },
            Some((slug, name)) if name.ends_with(".jpg") => PageRoute::CardPicture { slug, name },
            Some(_) => PageRoute::Unknown,
        }
    }

    fn name(self) -> &'static str {
        match self {
            PageRoute::Home => "home",
            PageRoute::Favicon => "favicon",
            PageRoute::TouchIcon => "touch icon",
            PageRoute::Robots => "robots",
            PageRoute::Accessibility => "accessibility",
            PageRoute::Asset { .. } => "asset",
            PageRoute::Reference { .. } => "reference",
            PageRoute::Graphiql { .. } => "graphiql",
            PageRoute::SessionLink { .. } => "session link",
            PageRoute::Customizer { .. } => "customizer",
            PageRoute::InviteeList { .. } => "invitee list",
            PageRoute::InviteeListLink { .. } => "invitee list link",
            PageRoute::Card { .. } => "card",
            PageRoute::CardPicture { .. } => "card picture",
            PageRoute::PersonalLink { .. } => "personal link",
            PageRoute::PersonalLinkSeen { .. } => "personal link seen",
            PageRoute::CardCalendar { .. } => "card calendar",
            PageRoute::PersonalLinkCalendar { .. } => "personal link calendar",
            PageRoute::Unknown => "unknown",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::SessionTarget;

    #[test]
    fn path_leads_to_one_route_and_no_other() {
        let unknown = |version| Route::UnknownApiPath { version };
        let table = [
            ("/partner/api/2026-10/graphql", Route::Graphql { version: "2026-10" }),
            ("/partner/api/2026-10/schema.graphql", Route::Schema { version: "2026-10" }),
            ("/partner/api/versions", Route::Versions),
            ("/partner/api/versions/", unknown(Some("versions"))),
            ("/partner/api/2026-10", unknown(Some("2026-10"))),
            ("/partner/api/2026-10/graphql/", unknown(Some("2026-10"))),
            ("/partner/api/2026-10/other/graphql", unknown(Some("2026-10"))),
            ("/partner/api//graphql", Route::Graphql { version: "" }),
            ("/partner/api", unknown(None)),
            ("/partner/api/", unknown(None)),
            ("/partner/apis", Route::Page(PageRoute::Unknown)),
            ("/media/photo/a.jpeg", Route::Media { key: "photo/a.jpeg" }),
            ("/media/", Route::Media { key: "" }),
            ("/health/live", Route::Live),
            ("/health/ready", Route::Ready),
            ("/s/abc", Route::Page(PageRoute::SessionLink { token: "abc" })),
            ("/kaart/abc", Route::Page(PageRoute::Card { slug: "abc" })),
            ("/kaart/abc/d", Route::Page(PageRoute::Unknown)),
            ("/kaart", Route::Page(PageRoute::Unknown)),
            ("/bewerken/0192F0E4-0000-7000-8000-000000000001", Route::Page(PageRoute::Unknown)),
            ("//s/abc", Route::Page(PageRoute::Unknown)),
            ("/kaarten", Route::Page(PageRoute::Unknown)),
            ("/health", Route::Page(PageRoute::Unknown)),
            ("/", Route::Page(PageRoute::Home)),
            ("/favicon.ico", Route::Page(PageRoute::Favicon)),
            ("/favicon.ico/", Route::Page(PageRoute::Unknown)),
            ("/apple-touch-icon.png", Route::Page(PageRoute::TouchIcon)),
            ("/robots.txt", Route::Page(PageRoute::Robots)),
            ("//", Route::Page(PageRoute::Unknown)),
            ("*", Route::Page(PageRoute::Unknown)),
        ];
        for (path, route) in table {
            assert_eq!(Route::parse(path), route, "{path}");
        }
    }

    #[test]
    fn built_path_leads_to_the_route_of_its_name() {
        let card_id = Uuid::from_u128(7);
        for (path, route) in [
            (path::accessibility(), PageRoute::Accessibility),
            (path::asset("a.css"), PageRoute::Asset { name: "a.css" }),
            (path::reference(""), PageRoute::Reference { page: "" }),
            (path::reference("2026-10"), PageRoute::Reference { page: "2026-10" }),
            (path::graphiql(""), PageRoute::Graphiql { file: "" }),
            (path::graphiql("react/a.js"), PageRoute::Graphiql { file: "react/a.js" }),
            (path::session_link("t"), PageRoute::SessionLink { token: "t" }),
            (path::environment(card_id, SessionTarget::Customizer), PageRoute::Customizer { card_id, page: "" }),
            (path::customizer(card_id, "thema"), PageRoute::Customizer { card_id, page: "thema" }),
            (path::environment(card_id, SessionTarget::InviteeList), PageRoute::InviteeList { card_id, action: "" }),
            (path::invitee_list(card_id, "lijst"), PageRoute::InviteeList { card_id, action: "lijst" }),
            (path::invitee_list_link("t"), PageRoute::InviteeListLink { token: "t" }),
            (path::card("s"), PageRoute::Card { slug: "s" }),
            (path::card_picture("s", "a.jpg"), PageRoute::CardPicture { slug: "s", name: "a.jpg" }),
            (path::personal_link("t"), PageRoute::PersonalLink { token: "t" }),
            (path::card_calendar("s"), PageRoute::CardCalendar { slug: "s" }),
            (path::personal_link_calendar("t"), PageRoute::PersonalLinkCalendar { token: "t" }),
            (path::personal_link_seen("t"), PageRoute::PersonalLinkSeen { token: "t" }),
        ] {
            assert_eq!(Route::parse(&path), Route::Page(route), "{path}");
        }
        assert_eq!(Route::parse(&path::graphql("2026-10")), Route::Graphql { version: "2026-10" });
        assert_eq!(Route::parse(&path::schema("2026-10")), Route::Schema { version: "2026-10" });
        assert_eq!(Route::parse(&path::media("", "photo", "a")), Route::Media { key: "photo/a" });
        assert_eq!(path::slug_of_card("https://kaarten.example/kaart/abc"), Some("abc"));
    }
}

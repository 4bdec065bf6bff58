//! From a path to a page. Some paths are secrets: the log gets the name of the route alone.

use uuid::Uuid;

use crate::model::SessionTarget;

/// What a path leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Route<'a> {
    /// `/web/<name>`: style and script.
    Asset {
        name: &'a str,
    },
    /// `/docs[/<page>]`: the reference of the API.
    Reference {
        page: &'a str,
    },
    /// `/graphiql[/<file>]`: for trying the API.
    Graphiql {
        rest: &'a str,
    },
    /// `/s/<token>`: a one-time session link.
    Link {
        token: &'a str,
    },
    /// `/bewerken/<card>[/<rest>]`: the family's own card.
    Customizer {
        card_id: Uuid,
        rest: &'a str,
    },
    /// `/gasten/<card>` and its forms: the invitee list.
    Invitees {
        card_id: Uuid,
        action: &'a str,
    },
    /// `/gasten/open/<token>`: the lasting link to an invitee list.
    ListLink {
        token: &'a str,
    },
    /// `/kaart/<slug>`: a card that is online.
    Card {
        slug: &'a str,
    },
    /// `/kaart/voor/<token>`: a card, by an invitee's personal link.
    PersonalLink {
        token: &'a str,
    },
    /// `/kaart/voor/<token>/gezien`: asked for by that page, in browsers that do not say who opens it.
    PersonalLinkSeen {
        token: &'a str,
    },
    Unknown,
}

impl<'a> Route<'a> {
    pub(super) fn of(path: &'a str) -> Self {
        let Some((first, rest)) = path.strip_prefix('/').and_then(|path| path.split_once('/')) else {
            return match path {
                "/docs" => Route::Reference { page: "" },
                "/graphiql" => Route::Graphiql { rest: "" },
                _ => Route::Unknown,
            };
        };
        match first {
            "web" => Route::Asset { name: rest },
            "docs" => Route::Reference { page: rest },
            "graphiql" => Route::Graphiql { rest },
            "s" => Route::Link { token: rest },
            "bewerken" => match card_and_rest(rest) {
                Some((card_id, rest)) => Route::Customizer { card_id, rest },
                None => Route::Unknown,
            },
            "gasten" => Self::of_invitees(rest),
            "kaart" => match rest.split_once('/') {
                None => Route::Card { slug: rest },
                Some(("voor", token)) => match token.strip_suffix("/gezien") {
                    Some(token) => Route::PersonalLinkSeen { token },
                    None => Route::PersonalLink { token },
                },
                Some(_) => Route::Unknown,
            },
            _ => Route::Unknown,
        }
    }

    fn of_invitees(rest: &'a str) -> Self {
        let (first, action) = rest.split_once('/').unwrap_or((rest, ""));
        match Uuid::try_parse(first) {
            _ if first == "open" => Route::ListLink { token: action },
            Ok(card_id) => Route::Invitees { card_id, action },
            Err(_) => Route::Unknown,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Route::Asset { .. } => "asset",
            Route::Reference { .. } => "reference",
            Route::Graphiql { .. } => "graphiql",
            Route::Link { .. } => "session link",
            Route::Customizer { .. } => "customizer",
            Route::Invitees { .. } => "invitee list",
            Route::ListLink { .. } => "invitee list link",
            Route::Card { .. } => "card",
            Route::PersonalLink { .. } => "personal link",
            Route::PersonalLinkSeen { .. } => "personal link seen",
            Route::Unknown => "unknown page",
        }
    }
}

/// The card of an environment, in the one spelling that the service writes, and what follows it.
fn card_and_rest(path: &str) -> Option<(Uuid, &str)> {
    let (id, rest) = path.split_once('/').unwrap_or((path, ""));
    let card_id = Uuid::try_parse(id).ok()?;
    (card_id.to_string() == id).then_some((card_id, rest))
}

/// Whether a path belongs to the pages.
pub fn is_ours(path: &str) -> bool {
    let first = path.trim_start_matches('/').split('/').next().unwrap_or_default();
    ["web", "docs", "graphiql", "s", "bewerken", "gasten", "kaart"].contains(&first)
}

/// What the log calls the route of a path.
pub fn route_name(path: &str) -> &'static str {
    Route::of(path).name()
}

/// The first page of an environment.
pub(super) fn environment(card_id: Uuid, target: SessionTarget) -> String {
    let environment = match target {
        SessionTarget::Customizer => "bewerken",
        SessionTarget::InviteeList => "gasten",
    };
    format!("/{environment}/{}", card_id.as_hyphenated())
}

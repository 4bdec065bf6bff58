//! What a path leads to.
//!
//! Called by the router. Source: specification, section 4; decisions H1, H3, H9.

use crate::web;

/// Where a request goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Route<'a> {
    Versions,
    Graphql {
        version: &'a str,
    },
    Schema {
        version: &'a str,
    },
    /// Below `/partner/api`, and no more than that.
    UnknownApiPath {
        version: Option<&'a str>,
    },
    Media {
        key: &'a str,
    },
    /// The service's own pages, which know their own paths.
    Page {
        path: &'a str,
    },
    Live,
    Ready,
    Unknown,
}

impl<'a> Route<'a> {
    pub fn of(path: &'a str) -> Self {
        if let Some(key) = path.strip_prefix("/media/") {
            return Route::Media { key };
        }
        match path {
            "/partner/api" => return Route::UnknownApiPath { version: None },
            "/health/live" => return Route::Live,
            "/health/ready" => return Route::Ready,
            _ => {}
        }
        let Some(rest) = path.strip_prefix("/partner/api/") else {
            return if web::is_ours(path) { Route::Page { path } } else { Route::Unknown };
        };
        match rest.split_once('/') {
            Some((version, "graphql")) => Route::Graphql { version },
            Some((version, "schema.graphql")) => Route::Schema { version },
            None if rest == "versions" => Route::Versions,
            _ => Route::UnknownApiPath { version: rest.split('/').next().filter(|version| !version.is_empty()) },
        }
    }

    /// Its name in the log, where paths do not stand: some of them are secrets.
    pub fn name(self) -> &'static str {
        match self {
            Route::Versions => "versions",
            Route::Graphql { .. } => "graphql",
            Route::Schema { .. } => "schema",
            Route::UnknownApiPath { .. } | Route::Unknown => "unknown",
            Route::Media { .. } => "media",
            Route::Page { path } => web::route_name(path),
            Route::Live => "live",
            Route::Ready => "ready",
        }
    }

    pub fn is_api(self) -> bool {
        matches!(self, Route::Versions | Route::Graphql { .. } | Route::Schema { .. } | Route::UnknownApiPath { .. })
    }

    /// The version that the path names.
    pub fn version(self) -> Option<&'a str> {
        match self {
            Route::Graphql { version } | Route::Schema { version } => Some(version),
            Route::UnknownApiPath { version } => version,
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn path_leads_to_one_route_and_no_other() {
        let table = [
            ("/partner/api/2026-10/graphql", Route::Graphql { version: "2026-10" }),
            ("/partner/api/2026-10/schema.graphql", Route::Schema { version: "2026-10" }),
            ("/partner/api/versions", Route::Versions),
            ("/partner/api/versions/", Route::UnknownApiPath { version: Some("versions") }),
            ("/partner/api/2026-10", Route::UnknownApiPath { version: Some("2026-10") }),
            ("/partner/api/2026-10/graphql/", Route::UnknownApiPath { version: Some("2026-10") }),
            ("/partner/api/2026-10/other/graphql", Route::UnknownApiPath { version: Some("2026-10") }),
            ("/partner/api//graphql", Route::Graphql { version: "" }),
            ("/partner/api", Route::UnknownApiPath { version: None }),
            ("/partner/api/", Route::UnknownApiPath { version: None }),
            ("/partner/apis", Route::Unknown),
            ("/media/photo/a.jpeg", Route::Media { key: "photo/a.jpeg" }),
            ("/media/", Route::Media { key: "" }),
            ("/health/live", Route::Live),
            ("/health/ready", Route::Ready),
            ("/s/abc", Route::Page { path: "/s/abc" }),
            ("/kaart/abc", Route::Page { path: "/kaart/abc" }),
            ("/kaarten", Route::Unknown),
            ("/health", Route::Unknown),
            ("/", Route::Unknown),
            ("*", Route::Unknown),
        ];
        for (path, route) in table {
            assert_eq!(Route::of(path), route, "{path}");
        }
    }
}

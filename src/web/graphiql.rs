//! `/graphiql`: GraphiQL, for trying the API in a browser, where the operator has installed it.
//!
//! GraphiQL is the GraphQL Foundation's own tool. It is not in the binary, because nobody else's code is copied into this
//! tree; and its page does not load it from a content delivery network, as pages of servers mostly do, because that would
//! tell others who reads here, and let them run a script beside an access token. Its package lies in the data folder
//! instead (docs/trying.md), and this page sends the four files of it that it needs, and nothing else of that folder.
//!
//! Called by [`super::site`]. The files are read when the service starts: without them there is no such page.

use std::path::Path;

use bytes::Bytes;
use http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, ETAG};
use http::{HeaderValue, StatusCode};
use maud::{DOCTYPE, Markup, html};
use sha2::{Digest as _, Sha256};

use super::answer::WebAnswer;
use super::asset::{GRAPHIQL_SCRIPT, GRAPHIQL_STYLE};
use super::error_pages;
use super::etag::is_known_to_caller;
use super::request::WebRequest;
use super::site::Site;
use crate::base::lower_hex;

/// The files, where npm puts them, and what they are.
const FILES: [(&str, &str); 4] = [
    ("graphiql/graphiql.min.css", STYLE),
    ("react/umd/react.production.min.js", SCRIPT),
    ("react-dom/umd/react-dom.production.min.js", SCRIPT),
    ("graphiql/graphiql.min.js", SCRIPT),
];
const STYLE: &str = "text/css; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";

/// As strict as that of every page, but for fonts and pictures that lie in GraphiQL's own style, and for its requests.
const POLICY: HeaderValue = HeaderValue::from_static(
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; font-src 'self' data:; \
     connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'",
);

/// GraphiQL as it was installed.
pub(super) struct Graphiql {
    /// In the order of [`FILES`].
    files: Vec<Installed>,
}

struct Installed {
    path: &'static str,
    content_type: &'static str,
    bytes: Bytes,
    etag: HeaderValue,
}

impl Graphiql {
    /// Reads the files below `folder`; `None` when it is not installed, or not whole, which is told.
    pub(super) fn read(folder: &Path) -> Option<Self> {
        if !folder.is_dir() {
            return None;
        }
        let file = |(path, content_type): (&'static str, &'static str)| {
            let bytes = std::fs::read(folder.join("node_modules").join(path));
            let bytes = bytes.inspect_err(|error| {
                tracing::warn!(file = path, %error, "GraphiQL is not installed whole, and is not served");
            });
            bytes.ok().map(|bytes| Installed { path, content_type, etag: etag(&bytes), bytes: bytes.into() })
        };
        Some(Self { files: FILES.into_iter().map(file).collect::<Option<_>>()? })
    }
}

fn etag(bytes: &[u8]) -> HeaderValue {
    let digest = lower_hex(&Sha256::digest(bytes)[..16]);
    HeaderValue::try_from(format!("\"{digest}\"")).expect("a digest is visible ASCII")
}

/// The page, or one of the files.
pub(super) fn serve(site: &Site, request: &WebRequest<'_>, rest: &str) -> WebAnswer {
    let Some(graphiql) = &site.graphiql else { return error_pages::not_found(site) };
    if !request.is_read() {
        return error_pages::method_not_allowed(site, "GET, HEAD");
    }
    if rest.is_empty() {
        return WebAnswer::page(StatusCode::OK, page(site)).with(CONTENT_SECURITY_POLICY, POLICY);
    }
    let Some(file) = graphiql.files.iter().find(|file| file.path == rest) else { return error_pages::not_found(site) };
    let answer = if is_known_to_caller(request.headers, &file.etag) {
        WebAnswer::bare(StatusCode::NOT_MODIFIED)
    } else {
        WebAnswer::new(StatusCode::OK, HeaderValue::from_static(file.content_type), file.bytes.clone())
    };
    answer.with(ETAG, file.etag.clone()).with(CACHE_CONTROL, HeaderValue::from_static("public, no-cache"))
}

/// In English, as all that is for developers. GraphiQL takes the place of the form once it is sent.
fn page(site: &Site) -> Markup {
    let versions: Vec<_> = site.reference.versions().collect();
    let latest = versions.iter().rfind(|(_, is_candidate)| !is_candidate).map(|(name, _)| *name);
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { "GraphiQL · Partner Card Service" }
                @for (path, content_type) in FILES {
                    @if content_type == STYLE { link rel="stylesheet" href=(site.path(&format!("/graphiql/{path}"))); }
                    @else { script src=(site.path(&format!("/graphiql/{path}"))) defer {} }
                }
                link rel="stylesheet" href=(GRAPHIQL_STYLE.address(site));
                script src=(GRAPHIQL_SCRIPT.address(site)) defer {}
            }
            body {
                main #door {
                    h1 { "Try the API" }
                    p {
                        "What you send here is real: with a live key a card is a real card. The token stays in this "
                        "page, is stored nowhere, and is gone when you leave it. The "
                        a href=(site.path("/docs")) { "reference" } " tells what there is."
                    }
                    noscript { p { strong { "GraphiQL works with script alone." } } }
                    form data-api=(site.path("/partner/api")) {
                        label for="version" { "Version" }
                        select #version name="version" {
                            @for (name, is_candidate) in versions.iter().rev() {
                                option value=(name) selected[latest == Some(*name)] {
                                    (name) @if *is_candidate { " (candidate, for test keys)" }
                                }
                            }
                        }
                        label for="token" { "Access token" }
                        input #token name="token" type="password" autocomplete="off" spellcheck="false" required;
                        button { "Open GraphiQL" }
                        p role="alert" {}
                    }
                }
                div #room hidden {}
            }
        }
    }
}

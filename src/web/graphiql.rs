//! `/graphiql`: GraphiQL, for trying the API in a browser, if the operator has installed it.
//!
//! GraphiQL is a tool of the GraphQL Foundation. Its code is neither copied into this repository nor loaded from a content
//! delivery network, which would learn who reads the page and could run scripts next to an access token. The operator
//! installs the npm package in the data folder (docs/trying.md), and this page serves the four files that it needs.
//!
//! Called by the router. The files are read when the service starts.

use std::path::Path;

use bytes::Bytes;
use http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, ETAG};
use http::{HeaderValue, StatusCode};
use maud::{DOCTYPE, Markup, html};
use sha2::{Digest as _, Sha256};

use super::asset::{GRAPHIQL_SCRIPT, GRAPHIQL_STYLE};
use super::context::PageContext;
use super::request_head::RequestHead;
use super::response::{self, Response, ResponseExt as _, is_known_to_caller};
use crate::base::lower_hex;
use crate::model::path;

/// The files below `node_modules`, with their content types.
const FILES: [(&str, &str); 4] = [
    ("graphiql/graphiql.min.css", STYLE),
    ("react/umd/react.production.min.js", SCRIPT),
    ("react-dom/umd/react-dom.production.min.js", SCRIPT),
    ("graphiql/graphiql.min.js", SCRIPT),
];
const STYLE: &str = "text/css; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";

/// The policy of every page, except that it allows the fonts and pictures inside GraphiQL's style sheet, and its requests.
const POLICY: HeaderValue = HeaderValue::from_static(
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; font-src 'self' data:; \
     connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'",
);

/// The installed GraphiQL.
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
    /// Reads the files below `folder`. `None` if the folder does not exist or a file is missing, which is logged.
    pub(super) fn read(folder: &Path) -> Option<Self> {
        if !folder.is_dir() {
            return None;
        }
        let file = |(path, content_type): (&'static str, &'static str)| {
            let bytes = std::fs::read(folder.join("node_modules").join(path));
            let bytes = bytes.inspect_err(|error| {
                tracing::warn!(file = path, %error, "GraphiQL is not served: a file is missing");
            });
            bytes.ok().map(|bytes| Installed { path, content_type, etag: etag(&bytes), bytes: bytes.into() })
        };
        Some(Self { files: FILES.into_iter().map(file).collect::<Option<_>>()? })
    }

    /// Returns the page if `file` is empty, or that file. `versions` names each version and whether it is a candidate.
    pub(super) fn serve(
        &self,
        context: &PageContext,
        head: &RequestHead<'_>,
        file: &str,
        versions: &[(&str, bool)],
    ) -> Option<Response> {
        if file.is_empty() {
            let page = response::page(StatusCode::OK, page(context, versions));
            return Some(page.with(CONTENT_SECURITY_POLICY, POLICY));
        }
        let file = self.files.iter().find(|installed| installed.path == file)?;
        let response = if is_known_to_caller(head.headers(), &file.etag) {
            response::empty(StatusCode::NOT_MODIFIED)
        } else {
            response::new(StatusCode::OK, file.content_type, file.bytes.clone())
        };
        let response = response.with(ETAG, file.etag.clone());
        Some(response.with(CACHE_CONTROL, HeaderValue::from_static("public, no-cache")))
    }
}

fn etag(bytes: &[u8]) -> HeaderValue {
    let digest = lower_hex(&Sha256::digest(bytes)[..16]);
    HeaderValue::try_from(format!("\"{digest}\"")).expect("a digest is visible ASCII")
}

/// The page, in English. A script replaces the form by GraphiQL when it is sent.
fn page(context: &PageContext, versions: &[(&str, bool)]) -> Markup {
    let latest = versions.iter().rfind(|(_, is_candidate)| !is_candidate).map(|(name, _)| *name);
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { "GraphiQL · Partner Card Service" }
                @for (path, content_type) in FILES {
                    @if content_type == STYLE { link rel="stylesheet" href=(context.path(&path::graphiql(path))); }
                    @else { script src=(context.path(&path::graphiql(path))) defer {} }
                }
                link rel="stylesheet" href=(GRAPHIQL_STYLE.address(context));
                script src=(GRAPHIQL_SCRIPT.address(context)) defer {}
            }
            body {
                main #start {
                    h1 { "Try the API" }
                    p {
                        "What you send here is real: with a live key a card is a real card. The token stays in this "
                        "page, is stored nowhere, and is gone when you leave it. The "
                        a href=(context.path(&path::reference(""))) { "reference" } " tells what there is."
                    }
                    noscript { p { strong { "GraphiQL works with script alone." } } }
                    form data-api=(context.path(path::API)) {
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
                div #editor hidden {}
            }
        }
    }
}

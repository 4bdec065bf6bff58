//! `/graphiql`: GraphiQL, for trying the API in a browser, if the operator has installed it.
//!
//! GraphiQL is a tool of the GraphQL Foundation. Its code is neither copied into this repository nor loaded from a content
//! delivery network, which would learn who reads the page and could run scripts next to an access token. `graphiql install`
//! puts its four files in the data folder (docs/trying.md), and this page serves them.
//!
//! A demo that listens on the loopback alone fills in its own test key. The page shows it at an address of this machine, and not
//! through a proxy, so that no site whose name leads here reads it.
//!
//! Called by the router. The files are read at the first request after they were installed.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

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
use crate::model::{AccessToken, path};

/// The folder of the npm packages, in DATA_DIR.
pub(crate) const FOLDER: &str = "graphiql/node_modules";

/// The files below that folder, with their content types.
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

/// GraphiQL, which may be installed while the service runs.
pub(super) struct Graphiql {
    /// The folder of the npm packages.
    folder: PathBuf,
    /// In the order of [`FILES`], once they are there.
    files: OnceLock<Vec<Installed>>,
    /// The token that the page has in its form.
    token: OnceLock<AccessToken>,
}

struct Installed {
    path: &'static str,
    content_type: &'static str,
    bytes: Bytes,
    etag: HeaderValue,
}

impl Graphiql {
    /// `data_dir` is DATA_DIR.
    pub(super) fn new(data_dir: &Path) -> Self {
        let graphiql = Self { folder: data_dir.join(FOLDER), files: OnceLock::new(), token: OnceLock::new() };
        if graphiql.folder.is_dir() && graphiql.files().is_none() {
            tracing::warn!("GraphiQL is not served: a file is missing in the folder graphiql of DATA_DIR");
        }
        graphiql
    }

    /// Sets the token that the page has in its form, for a demo. Later calls have no effect.
    pub(super) fn fill_in(&self, token: AccessToken) {
        let _ = self.token.set(token);
    }

    /// Returns the files, and reads them at the first call that finds all of them; `None` if one is missing.
    fn files(&self) -> Option<&[Installed]> {
        if self.files.get().is_none() {
            let file = |(path, content_type): (&'static str, &'static str)| {
                let bytes = std::fs::read(self.folder.join(path)).ok()?;
                Some(Installed { path, content_type, etag: etag(&bytes), bytes: bytes.into() })
            };
            let _ = self.files.set(FILES.into_iter().map(file).collect::<Option<_>>()?);
        }
        self.files.get().map(Vec::as_slice)
    }

    /// Returns the page if `file` is empty, or that file; `None` if GraphiQL is not installed. `versions` names each version and whether it is a candidate.
    pub(super) fn serve(
        &self,
        context: &PageContext,
        head: &RequestHead<'_>,
        file: &str,
        versions: &[(&str, bool)],
    ) -> Option<Response> {
        let files = self.files()?;
        if file.is_empty() {
            let is_here = head.is_for_loopback() && !head.headers().contains_key("x-forwarded-for");
            let token = self.token.get().filter(|_| is_here);
            let page = response::page(StatusCode::OK, page(context, versions, token));
            return Some(page.with(CONTENT_SECURITY_POLICY, POLICY));
        }
        let file = files.iter().find(|installed| installed.path == file)?;
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

/// The page, in English. A script replaces the form by GraphiQL when it is sent, or at once if it has a token.
fn page(context: &PageContext, versions: &[(&str, bool)], token: Option<&AccessToken>) -> Markup {
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
                        input #token name="token" type="password" autocomplete="off" spellcheck="false" required
                            value=[token.map(AccessToken::reveal)];
                        button { "Open GraphiQL" }
                        p role="alert" {}
                    }
                }
                div #editor hidden {}
            }
        }
    }
}

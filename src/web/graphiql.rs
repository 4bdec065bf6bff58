//! `/graphiql?demo=<nonce>`: GraphiQL with the test key of a demo, at an address that only the demo prints. The nonce keeps the
//! key from everybody who reaches the demo by another way, such as a proxy.

use bytes::Bytes;
use http::header::CONTENT_SECURITY_POLICY;
use http::{HeaderValue, StatusCode};
use maud::{DOCTYPE, html};

use super::asset::GRAPHIQL_SCRIPT;
use super::context::PageContext;
use super::page;
use crate::model::{AccessToken, path};
use crate::request::RequestHead;
use crate::response::{self, Response, ResponseExt as _};

/// The policy of every page, except that it allows the fonts and pictures inside GraphiQL's style sheet, and its requests.
const POLICY: HeaderValue = HeaderValue::from_static(
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; font-src 'self' data:; \
     connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'",
);

/// GraphiQL of a demo.
pub(crate) struct Graphiql {
    /// The names and bytes of its style sheet and scripts, in the order in which a page loads them.
    pub files: Vec<(&'static str, Bytes)>,
    /// The version of the API that it sends requests to.
    pub version: &'static str,
    pub token: AccessToken,
    /// The parameter `demo` of the address of the page.
    pub nonce: String,
}

impl Graphiql {
    /// Returns the page if `file` is empty and the nonce is right, or the file with this name.
    pub(super) fn serve(&self, context: &PageContext, head: &RequestHead<'_>, file: &str) -> Option<Response> {
        if file.is_empty() {
            return (head.parameter("demo")? == self.nonce).then(|| self.page(context));
        }
        let (name, bytes) = self.files.iter().find(|(name, _)| *name == file)?;
        let content_type =
            if name.ends_with(".css") { "text/css; charset=utf-8" } else { "text/javascript; charset=utf-8" };
        Some(response::new(StatusCode::OK, content_type, bytes.clone()))
    }

    fn page(&self, context: &PageContext) -> Response {
        let page = html! {
            (DOCTYPE)
            html lang="en" {
                head {
                    meta charset="utf-8";
                    title { "GraphiQL · Partner Card Service" }
                    @for (name, _) in &self.files {
                        @if name.ends_with(".css") { link rel="stylesheet" href=(context.path(&path::graphiql(name))); }
                        @else { script src=(context.path(&path::graphiql(name))) defer {} }
                    }
                    script src=(GRAPHIQL_SCRIPT.address(context)) defer {}
                }
                body {
                    main #editor data-api=(context.path(&path::graphql(self.version)))
                        data-schema=(context.path(&path::schema(self.version))) data-token=(self.token.reveal()) {}
                }
            }
        };
        page::respond(StatusCode::OK, page).with(CONTENT_SECURITY_POLICY, POLICY)
    }
}

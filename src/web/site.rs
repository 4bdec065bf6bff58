//! The pages of one service: what all of them share, and where they lie.
//!
//! Called by `http`: [`Site::serve`] is the one door.

use std::sync::Arc;

use url::Url;

use super::answer::WebAnswer;
use super::body::Body;
use super::graphiql::{self, Graphiql};
use super::page_error::PageError;
use super::reference::{self, Reference};
use super::request::WebRequest;
use super::route::Route;
use super::upload_budget::UploadBudget;
use super::{asset, card, customizer, error_pages, invitees, session_link};
use crate::base::{HttpUrl, is_loopback};
use crate::model::VersionLife;
use crate::operation::Services;

/// The pages, ready to be served.
pub struct Site {
    pub(super) services: Arc<Services>,
    /// The path of the public base: before every path of ours, and mostly empty.
    prefix: String,
    /// Whether browsers reach us over https. Otherwise it is a developer's loopback, where a secure cookie has no place.
    secure: bool,
    pub(super) reference: Reference,
    /// The memory that bodies of forms may take.
    pub(super) uploads: UploadBudget,
    /// Where it is installed.
    pub(super) graphiql: Option<Graphiql>,
}

impl Site {
    /// `released` are the versions of the API as they were released, with the text of their schemas.
    pub fn new(services: Arc<Services>, released: Vec<(VersionLife, &'static str)>) -> Self {
        let base = Url::parse(&services.public_base).ok();
        let prefix = base.as_ref().map_or(String::new(), |url| url.path().trim_end_matches('/').to_owned());
        let secure = !base.as_ref().is_some_and(is_http_loopback);
        let graphiql = Graphiql::read(&services.graphiql);
        Self {
            services,
            prefix,
            secure,
            reference: Reference::new(released),
            uploads: UploadBudget::default(),
            graphiql,
        }
    }

    /// Answers a request whose path is ours (see [`super::is_ours`]). What it changes is one transaction: a caller that
    /// hangs up leaves nothing half done.
    pub async fn serve(&self, request: &WebRequest<'_>, body: Body<'_>) -> WebAnswer {
        let answer = match Route::of(request.path) {
            Route::Asset { name } => Ok(asset::serve(self, request, name)),
            Route::Reference { page } => reference::serve(self, request, page).await,
            Route::Graphiql { rest } => Ok(graphiql::serve(self, request, rest)),
            Route::Link { token } => session_link::serve(self, request, token).await,
            Route::Customizer { card_id, rest } => customizer::serve(self, request, body, card_id, rest).await,
            Route::Invitees { card_id, action } => invitees::serve(self, request, body, card_id, action).await,
            Route::ListLink { token } => invitees::open(self, request, token).await,
            Route::Card { slug } => card::serve::public(self, request, slug).await,
            Route::PersonalLink { token } => card::serve::invited(self, request, token).await,
            Route::PersonalLinkSeen { token } => card::serve::seen(self, request, token).await,
            Route::Unknown => Ok(error_pages::not_found(self)),
        };
        answer.unwrap_or_else(|page_error: PageError| page_error.into_answer(self)).sealed()
    }

    /// The answer to a request that did not come to its own end.
    pub fn broken_off(&self, unavailable: bool) -> WebAnswer {
        let answer = if unavailable { error_pages::unavailable(self) } else { error_pages::internal(self) };
        answer.sealed()
    }

    /// The address of a path of ours, for links and forms.
    pub(super) fn path(&self, path: &str) -> String {
        [self.prefix.as_str(), path].concat()
    }

    /// The address, from the same site, of something that the service hands out with its public base.
    pub(super) fn local(&self, address: &HttpUrl) -> String {
        match address.as_str().strip_prefix(self.services.public_base.as_str()) {
            Some(path) => self.path(path),
            None => address.as_str().to_owned(),
        }
    }

    pub(super) fn is_secure(&self) -> bool {
        self.secure
    }
}

/// Whether an address is http to this very machine (decisions S2).
fn is_http_loopback(url: &Url) -> bool {
    url.scheme() == "http" && is_loopback(url)
}

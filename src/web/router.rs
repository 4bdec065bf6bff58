//! Routes a request for a page to its handler.
//!
//! Called by the router of `http`, through [`Site`].

use std::sync::{Arc, OnceLock};

use bytes::Bytes;
use futures_util::stream::BoxStream;
use http::StatusCode;
use maud::html;

use super::context::PageContext;
use super::developers::{Graphiql, Reference};
use super::form::Body;
use super::upload_budget::UploadBudget;
use super::{asset, card, customizer, error_pages, invitees, page, session_link};
use crate::model::{PageRoute, VersionLife, path};
use crate::request::{BodyError, RequestHead};
use crate::response::{self, Response};
use crate::services::Services;
use crate::text::{self, accessibility};

/// Search engines may read every page, because each says itself that it is not to be listed, and messengers read the
/// pages of cards for a preview of their link.
const ROBOTS_TXT: &str = "User-agent: *\nDisallow:\n";

/// The pages of the service.
pub(crate) struct Site {
    context: PageContext,
    reference: Reference,
    /// Set by a demo.
    graphiql: OnceLock<Graphiql>,
    /// The forms in work.
    uploads: UploadBudget,
}

impl Site {
    /// `released` holds the versions of the API with their SDL.
    pub(crate) fn new(services: Arc<Services>, released: Vec<(VersionLife, &'static str)>) -> Self {
        let context = PageContext::new(services);
        let (reference, uploads) = (Reference::new(released), UploadBudget::new());
        Self { context, reference, graphiql: OnceLock::new(), uploads }
    }

    /// Answers a request for a page. Each change is one transaction, so that a disconnect leaves nothing half done.
    pub(crate) async fn serve(
        &self,
        page: PageRoute<'_>,
        head: &RequestHead<'_>,
        pieces: BoxStream<'_, Result<Bytes, BodyError>>,
    ) -> Response {
        let context = &self.context;
        let form = Arc::new(self.uploads.form(head.client));
        let body = Body::new(pieces, Arc::clone(&form), context.services.policy.front.form_stalled);
        let response = match page {
            PageRoute::SessionLink { token } => session_link::serve(context, head, token).await,
            PageRoute::InviteeListLink { token } => invitees::open(context, head, token).await,
            PageRoute::Customizer { card_id, page } => customizer::serve(context, head, body, card_id, page).await,
            PageRoute::InviteeList { card_id, action } => invitees::serve(context, head, body, card_id, action).await,
            PageRoute::Unknown => Ok(error_pages::not_found(context)),
            _ if !head.is_read() => Ok(error_pages::method_not_allowed(context, "GET, HEAD")),
            PageRoute::Home => {
                let docs = html! { p lang="en" { a href=(context.path(&path::reference(""))) { "For developers" } } };
                Ok(error_pages::error_page(context, None, StatusCode::OK, text::HOME_TITLE, text::HOME, docs))
            }
            PageRoute::Favicon => Ok(asset::favicon()),
            PageRoute::TouchIcon => Ok(asset::touch_icon()),
            PageRoute::Accessibility => Ok(show_accessibility(context)),
            PageRoute::Robots => Ok(response::plain(StatusCode::OK, ROBOTS_TXT)),
            PageRoute::Asset { name } => {
                Ok(asset::serve(head, name).unwrap_or_else(|| error_pages::not_found(context)))
            }
            PageRoute::Reference { page } => self.reference.serve(context, head, page).await,
            PageRoute::Graphiql { file } => {
                let graphiql = self.graphiql.get().and_then(|graphiql| graphiql.serve(context, head, file));
                Ok(graphiql.unwrap_or_else(|| error_pages::not_found(context)))
            }
            PageRoute::Card { slug } => card::show_public(context, head, slug).await,
            PageRoute::CardPicture { slug, name } => card::serve_picture(context, slug, name).await,
            PageRoute::PersonalLink { token } => card::show_invited(context, head, token).await,
            PageRoute::CardCalendar { slug } => card::serve_public_calendar(context, head, slug).await,
            PageRoute::PersonalLinkCalendar { token } => card::serve_invited_calendar(context, token).await,
            PageRoute::PersonalLinkSeen { token } => card::record_seen(context, head, token).await,
        };
        let mut response = page::add_headers(response.unwrap_or_else(|error| error.into_response(context)));
        if !head.is_read() {
            // Until the answer is written.
            response.extensions_mut().insert(form);
        }
        response
    }

    /// Serves GraphiQL from now on. Later calls have no effect.
    pub(crate) fn serve_graphiql(&self, graphiql: Graphiql) {
        let _ = self.graphiql.set(graphiql);
    }

    /// The response to a request whose handler failed or timed out.
    pub(crate) fn render_failure(&self, status: StatusCode) -> Response {
        let response = match status {
            StatusCode::SERVICE_UNAVAILABLE => error_pages::unavailable(&self.context),
            _ => error_pages::internal(&self.context),
        };
        page::add_headers(response)
    }
}

/// Makes the page.
fn show_accessibility(context: &PageContext) -> Response {
    let main = html! {
        h1 { (accessibility::TITLE) }
        p.intro { (accessibility::INTRO) }
        @for (title, paragraphs) in accessibility::PARTS {
            h2 { (title) }
            @for paragraph in *paragraphs { p { (paragraph) } }
        }
    };
    page::show_public(context, None, StatusCode::OK, accessibility::TITLE, main)
}

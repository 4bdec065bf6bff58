//! Routes a request for a page of the administration to its handler.
//!
//! Called by the administration server of `http`, through [`AdminSite`].

use std::sync::Arc;

use bytes::Bytes;
use futures_util::stream::BoxStream;
use http::StatusCode;
use http::header::RETRY_AFTER;

use super::access::{self, Operator};
use super::{card, check, order, page, partner, subscription, theme};
use crate::base::{ErrorChain, limits};
use crate::model::ADMIN_PATH;
use crate::request::{BodyError, RequestHead};
use crate::response::{self, Response, ResponseExt as _};
use crate::services::{Checks, Services};
use crate::web::asset;
use crate::web::body::Body;
use crate::web::context::PageContext;
use crate::web::form::Form;
use crate::web::page::{Outcome, PageError, add_headers};
use crate::web::upload_budget::UploadBudget;

/// The pages of the administration.
pub(crate) struct AdminSite {
    context: PageContext,
    checks: Checks,
    /// The memory of forms that are being read.
    forms: UploadBudget,
}

/// A request of an operator who has a session; with a form if it is a `POST`.
pub(super) struct OperatorRequest<'a> {
    pub context: &'a PageContext,
    pub head: &'a RequestHead<'a>,
    pub operator: Operator,
    pub form: Option<Form>,
}

impl AdminSite {
    /// `secure`: whether the listener speaks TLS.
    pub(crate) fn new(services: Arc<Services>, secure: bool) -> Self {
        let checks = Checks::new(Arc::clone(&services));
        Self { context: PageContext::of_admin(services, secure), checks, forms: UploadBudget::default() }
    }

    /// Answers a request. Each change is one transaction, so that a disconnect leaves nothing half done.
    pub(crate) async fn serve(
        &self,
        head: &RequestHead<'_>,
        pieces: BoxStream<'_, Result<Bytes, BodyError>>,
    ) -> Response {
        let form = Arc::new(self.forms.form(head.client));
        let body = Body::new(pieces, Arc::clone(&form), self.context.services.policy.front.form_stalled);
        let response = match self.route(head, body).await {
            Ok(response) => response,
            Err(PageError::Response(response)) => *response,
            Err(error @ PageError::TooLarge { .. }) => error.into_response(&self.context),
            Err(PageError::Failed(failure)) => {
                tracing::error!(error = %ErrorChain(&failure), "a page of the administration failed");
                let is_unavailable = failure.is_unavailable();
                self.failed(if is_unavailable {
                    StatusCode::SERVICE_UNAVAILABLE
                } else {
                    StatusCode::INTERNAL_SERVER_ERROR
                })
            }
        };
        add_headers(response)
    }

    /// The response to a request whose handler failed or timed out.
    pub(crate) fn failed(&self, status: StatusCode) -> Response {
        let unavailable = "The database does not answer. Try again in a minute.";
        let page = |text| add_headers(page::refusal(&self.context, status, "This page failed", text));
        match status {
            StatusCode::SERVICE_UNAVAILABLE => {
                page(unavailable).with(RETRY_AFTER, limits::RETRY_UNAVAILABLE.as_secs().into())
            }
            _ => page("The service failed. The log says why."),
        }
    }

    async fn route(&self, head: &RequestHead<'_>, body: Body<'_>) -> Outcome {
        let context = &self.context;
        let path = head.parts.uri.path();
        let below = path.strip_prefix(ADMIN_PATH).filter(|rest| rest.is_empty() || rest.starts_with('/'));
        let segments: Option<Vec<_>> = below.map(|rest| rest.split('/').skip(1).collect());
        match segments.as_deref() {
            None if path == "/" && head.is_read() => return Ok(response::see_other(ADMIN_PATH)),
            None if path == "/favicon.ico" && head.is_read() => return Ok(asset::favicon()),
            Some(["web", name]) if head.is_read() => {
                return Ok(asset::serve(head, name).unwrap_or_else(|| page::not_found(context)));
            }
            Some(["open", token]) => return access::open(context, head, token).await,
            _ => {}
        }
        let (operator, form) = access::admit(context, head, body).await?;
        let request = OperatorRequest { context, head, operator, form };
        let Some(segments) = segments else { return Ok(page::not_found(context)) };
        match segments.as_slice() {
            [] => card::search(&request).await,
            ["leave"] => access::leave(&request).await,
            ["card", id] => card::show(&request, id).await,
            ["orders"] => order::show(&request).await,
            ["partners"] => partner::list(&request).await,
            ["partners", id] => partner::show(&request, id).await,
            ["subscriptions"] => subscription::list(&request).await,
            ["themes"] => theme::list(&request).await,
            ["themes", number] => theme::preview(&request, number).await,
            ["checks"] => check::list(&request, &self.checks).await,
            _ => Ok(page::not_found(context)),
        }
    }
}

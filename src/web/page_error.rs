//! The errors of a page handler: another response instead of the page, or a failure of the service.

use super::context::PageContext;
use super::error_pages;
use super::response::Response;
use crate::base::ErrorChain;
use crate::model::Partner;
use crate::operation::Failure;

/// Ends a page handler early; `?` returns it to the router.
#[derive(Debug)]
pub(super) enum PageError {
    /// The response: a refusal or a redirect.
    Response(Box<Response>),
    /// A form that is too large, the partner of its card, and the path of its page.
    TooLarge { partner: Box<Partner>, page: String },
    /// A failure of the service, whose cause is logged.
    Failed(Failure),
}

/// The result of a page handler.
pub(super) type Outcome<T = Response> = Result<T, PageError>;

impl PageError {
    /// Makes the response. Logs a failure, and does not show its cause.
    pub(super) fn into_response(self, context: &PageContext) -> Response {
        match self {
            PageError::Response(response) => *response,
            PageError::TooLarge { partner, page } => error_pages::too_large(context, Some(&partner), &page),
            PageError::Failed(failure) => {
                tracing::error!(error = %ErrorChain(&failure), "a page failed");
                if failure.is_unavailable() {
                    error_pages::unavailable(context)
                } else {
                    error_pages::internal(context)
                }
            }
        }
    }
}

impl From<Response> for PageError {
    fn from(response: Response) -> Self {
        PageError::Response(Box::new(response))
    }
}

impl<F: Into<Failure>> From<F> for PageError {
    fn from(failure: F) -> Self {
        PageError::Failed(failure.into())
    }
}

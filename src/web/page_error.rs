//! Why a page is not what was asked for: another answer in its place, or a failure of ours.

use super::answer::WebAnswer;
use super::error_pages;
use super::site::Site;
use crate::base::ErrorChain;
use crate::operation::Failure;

/// Ends the making of a page before its end; `?` carries it to the door.
#[derive(Debug)]
pub(super) enum PageError {
    /// This is the answer: a refusal, or a way to somewhere else.
    Answer(Box<WebAnswer>),
    /// Ours; the cause is for the log.
    Failed(Failure),
}

/// What a page comes to.
pub(super) type Outcome<T = WebAnswer> = Result<T, PageError>;

impl PageError {
    /// A failure is logged here, and told without its cause.
    pub(super) fn into_answer(self, site: &Site) -> WebAnswer {
        match self {
            PageError::Answer(answer) => *answer,
            PageError::Failed(failure) => {
                tracing::error!(error = %ErrorChain(&failure), "a page could not be made");
                if failure.is_unavailable() { error_pages::unavailable(site) } else { error_pages::internal(site) }
            }
        }
    }
}

impl From<WebAnswer> for PageError {
    fn from(answer: WebAnswer) -> Self {
        PageError::Answer(Box::new(answer))
    }
}

impl<F: Into<Failure>> From<F> for PageError {
    fn from(failure: F) -> Self {
        PageError::Failed(failure.into())
    }
}

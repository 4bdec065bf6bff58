//! Why a page is not what was asked for: another answer in its place, or a failure of ours.

use super::answer::WebAnswer;
use super::site::Site;
use super::trouble;
use crate::base::ErrorChain;
use crate::operation::Failure;

/// Ends the making of a page before its end; `?` carries it to the door.
#[derive(Debug)]
pub(super) enum Interruption {
    /// This is the answer: a refusal, or a way to somewhere else.
    Answer(Box<WebAnswer>),
    /// Ours; the cause is for the log.
    Failed(Failure),
}

/// What a page comes to.
pub(super) type Outcome<T = WebAnswer> = Result<T, Interruption>;

impl Interruption {
    /// A failure is logged here, and told without its cause.
    pub(super) fn into_answer(self, site: &Site) -> WebAnswer {
        match self {
            Interruption::Answer(answer) => *answer,
            Interruption::Failed(failure) => {
                tracing::error!(error = %ErrorChain(&failure), "a page could not be made");
                if failure.is_unavailable() { trouble::unavailable(site) } else { trouble::internal(site) }
            }
        }
    }
}

impl From<WebAnswer> for Interruption {
    fn from(answer: WebAnswer) -> Self {
        Interruption::Answer(Box::new(answer))
    }
}

impl<F: Into<Failure>> From<F> for Interruption {
    fn from(failure: F) -> Self {
        Interruption::Failed(failure.into())
    }
}

//! Whether the process lives, and whether it can serve: for balancers and operators.
//!
//! Called by the router.

use http::StatusCode;

use super::answer::Answer;
use super::front::Front;
use crate::base::Causes;

/// The process answers at all.
pub fn live() -> Answer {
    Answer::plain(StatusCode::OK, "ok\n")
}

/// The process can do its work: it is not being stopped, and its database answers.
pub async fn ready(front: &Front) -> Answer {
    if front.stop.is_told() {
        return Answer::plain(StatusCode::SERVICE_UNAVAILABLE, "stopping\n");
    }
    match front.services.store.ping().await {
        Ok(()) => Answer::plain(StatusCode::OK, "ok\n"),
        Err(error) => {
            tracing::warn!(error = %Causes(&error), "the database does not answer");
            Answer::plain(StatusCode::SERVICE_UNAVAILABLE, "the database does not answer\n")
        }
    }
}

//! The operator sees what is open on the service's own pages, and ends it.
//!
//! Called by the commands of the operator. What a revoked key opened has ended by that: it is not listed.

use crate::model::{OpenSession, SessionsOf};
use crate::operation::{Failure, Services};

/// The links that were not used yet and the browser sessions that are open, newest first.
pub async fn list(services: &Services, of: SessionsOf) -> Result<Vec<OpenSession>, Failure> {
    let mut open = services.store.open_sessions(of, services.clock.now()).await?;
    open.sort_by_key(|session| std::cmp::Reverse(session.created_at));
    Ok(open)
}

/// Ends them at once, on every replica; counts them.
pub async fn end(services: &Services, of: SessionsOf) -> Result<usize, Failure> {
    Ok(services.store.end_sessions(of, services.clock.now()).await?)
}

//! The operator lists and revokes open links and browser sessions. The sessions of a revoked key have ended already and are
//! not listed.

use crate::model::{OpenSession, SessionsOf};
use crate::operation::{Failure, Services};

/// Returns the unused links and open browser sessions, newest first.
pub(crate) async fn list_open(services: &Services, scope: SessionsOf) -> Result<Vec<OpenSession>, Failure> {
    let mut open = services.store.open_sessions(scope, services.clock.now()).await?;
    open.sort_by_key(|session| std::cmp::Reverse(session.created_at));
    Ok(open)
}

/// Ends these sessions on every replica and returns their number.
pub(crate) async fn revoke(services: &Services, scope: SessionsOf) -> Result<usize, Failure> {
    Ok(services.store.end_sessions(scope, services.clock.now()).await?)
}

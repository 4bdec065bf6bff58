//! The operator's access to the administration: a one-time link, made on the command line, opens a session (decisions S11,
//! S12).

use super::Failure;
use super::session::digest;
use crate::base::limits::{self, NAME_CHARS_MAX};
use crate::base::{is_hidden, trim_invisible};
use crate::model::{AdminSession, AdminState};
use crate::services::Services;

/// Why no link was made, or no session ended.
#[derive(Debug, thiserror::Error)]
pub enum AdminAccessError {
    #[error("The name of an operator has 1 to {NAME_CHARS_MAX} characters, and no control or invisible ones.")]
    Name,
    #[error("\"{0}\" has no unused link and no open session.")]
    NoSession(String),
    #[error(transparent)]
    Failed(#[from] Failure),
}

/// Makes a link, and returns it with its token, which is shown once. The name becomes the actor of audit records.
pub async fn create_link(services: &Services, name: &str) -> Result<(AdminSession, String), AdminAccessError> {
    let name = trim_invisible(name);
    if !(1..=NAME_CHARS_MAX).contains(&name.chars().count()) || name.contains(is_hidden) {
        return Err(AdminAccessError::Name);
    }
    let (token, now) = (services.entropy.unguessable(), services.clock.now());
    let link = AdminSession {
        id: services.entropy.uuid(now),
        link: digest(&token),
        operator: name.to_owned(),
        created_at: now,
        expires_at: now.after(limits::SESSION_LINK_VALID),
        opened_at: None,
        cookie: None,
        seen_at: None,
        ended_at: None,
    };
    services.store.add_admin_link(link.clone()).await.map_err(Failure::from)?;
    Ok((link, token))
}

/// Opens a link, which works once, and returns the value of the cookie. `None` if the link cannot be opened.
pub async fn open_link(services: &Services, token: &str) -> Result<Option<String>, Failure> {
    let cookie = services.entropy.unguessable();
    let opened = services.store.open_admin_link(digest(token), digest(&cookie), services.clock.now()).await?;
    Ok(opened.then_some(cookie))
}

/// Returns the open session of a cookie, and records its use.
pub async fn session(services: &Services, cookie: &str) -> Result<Option<AdminSession>, Failure> {
    let now = services.clock.now();
    let found = services.store.admin_session(digest(cookie)).await?;
    let Some(session) = found.filter(|session| session.state_at(now) == AdminState::Open) else { return Ok(None) };
    if session.is_stale_at(now) {
        services.store.touch_admin_session(session.id, now).await?;
    }
    Ok(Some(session))
}

/// Ends a session on every replica.
pub async fn end(services: &Services, session: &AdminSession) -> Result<(), Failure> {
    services.store.end_admin_session(session.id, services.clock.now()).await?;
    Ok(())
}

/// Returns the links and sessions that retention keeps, newest first, each with its state.
pub async fn list(services: &Services) -> Result<Vec<(AdminSession, AdminState)>, Failure> {
    let now = services.clock.now();
    let all = services.store.admin_sessions().await?;
    Ok(all.into_iter().map(|session| (session.clone(), session.state_at(now))).collect())
}

/// Ends the unused links and open sessions of an operator, and returns their number.
pub async fn revoke(services: &Services, name: &str) -> Result<usize, AdminAccessError> {
    let mut ended = 0;
    for (session, state) in list(services).await? {
        if session.operator == name.trim() && state != AdminState::Ended {
            end(services, &session).await?;
            ended += 1;
        }
    }
    if ended == 0 { Err(AdminAccessError::NoSession(name.trim().to_owned())) } else { Ok(ended) }
}

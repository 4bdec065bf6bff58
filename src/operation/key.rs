//! Access keys: issued, listed and revoked by the operator (decisions K1, K2).
//!
//! Called by the commands of the operator. The token leaves this module once, when its key is issued; after that the
//! service knows it by its digest alone, and the operator by its last four characters.

use chrono::Duration;
use uuid::Uuid;

use super::{Failure, Services};
use crate::base::limits::{KEY_VALID_DAYS_MAX, NAME_CHARS_MAX};
use crate::model::{AccessKey, AccessToken, KeyMode, Partner};

/// A key to be issued.
#[derive(Clone, Debug)]
pub struct KeyOrder {
    pub mode: KeyMode,
    /// What the operator calls the key.
    pub label: Option<String>,
    /// After how many days the key stops working; never when absent.
    pub valid_days: Option<u32>,
}

/// Why no key was issued.
#[derive(Debug, thiserror::Error)]
pub enum IssueKeyError {
    #[error("A key is valid for 1 to {KEY_VALID_DAYS_MAX} days.")]
    ValidDays,
    #[error("The label of a key has 1 to {NAME_CHARS_MAX} characters, and no control characters.")]
    Label,
    #[error("The key could not be issued.")]
    Failed(#[source] Failure),
}

/// Why no key was revoked.
#[derive(Debug, thiserror::Error)]
pub enum RevokeKeyError {
    #[error("\"{0}\" is neither the id of a key nor the last four characters of a token.")]
    Unreadable(String),
    #[error("There is no key \"{0}\".")]
    Unknown(String),
    #[error("{} keys end in \"{last_four}\". Name one by its id: {}.", .ids.len(), listed(.ids))]
    Ambiguous { last_four: String, ids: Vec<Uuid> },
    #[error("The key could not be revoked.")]
    Failed(#[source] Failure),
}

fn listed(ids: &[Uuid]) -> String {
    ids.iter().map(Uuid::to_string).collect::<Vec<_>>().join(", ")
}

/// Issues a key. The token is not kept: whoever calls shows it, once.
pub async fn issue(
    services: &Services,
    partner: &Partner,
    order: KeyOrder,
) -> Result<(AccessKey, AccessToken), IssueKeyError> {
    let label = order.label.as_deref().map(str::trim);
    if label
        .is_some_and(|text| !(1..=NAME_CHARS_MAX).contains(&text.chars().count()) || text.contains(char::is_control))
    {
        return Err(IssueKeyError::Label);
    }
    if order.valid_days.is_some_and(|days| !(1..=KEY_VALID_DAYS_MAX).contains(&days)) {
        return Err(IssueKeyError::ValidDays);
    }
    let now = services.clock.now();
    let token = AccessToken::generate(order.mode, &services.entropy);
    let key = AccessKey {
        id: services.entropy.uuid(now),
        partner_id: partner.id,
        mode: order.mode,
        digest: token.digest(),
        last_four: token.last_four().to_owned(),
        label: label.map(str::to_owned),
        created_at: now,
        expires_at: order.valid_days.map(|days| now.plus(Duration::days(days.into()))),
        revoked_at: None,
        last_used_at: None,
    };
    services.store.issue_key(key.clone()).await.map_err(|e| IssueKeyError::Failed(e.into()))?;
    Ok((key, token))
}

/// The keys of a partner, revoked ones too.
pub async fn list(services: &Services, partner: &Partner) -> Result<Vec<AccessKey>, Failure> {
    Ok(services.store.keys_of(partner.id).await?)
}

/// Revokes the key with this id, or the one whose token ends in these four characters.
///
/// A key that was revoked before stays as it was: revoking twice is no mistake. Keys that are revoked already do not
/// make the last four characters of another one ambiguous.
pub async fn revoke(services: &Services, which: &str) -> Result<(Partner, AccessKey), RevokeKeyError> {
    let which = which.trim();
    let id = Uuid::try_parse(which).ok();
    let is_last_four = which.len() == 4 && which.bytes().all(|b| b.is_ascii_alphanumeric());
    if id.is_none() && !is_last_four {
        return Err(RevokeKeyError::Unreadable(which.to_owned()));
    }
    let all = every_key(services).await.map_err(RevokeKeyError::Failed)?;
    let mut meant: Vec<_> =
        all.into_iter().filter(|(_, key)| id.map_or(key.last_four == which, |id| key.id == id)).collect();
    if meant.iter().any(|(_, key)| key.revoked_at.is_none()) {
        meant.retain(|(_, key)| key.revoked_at.is_none());
    }
    if meant.len() > 1 {
        let ids = meant.iter().map(|(_, key)| key.id).collect();
        return Err(RevokeKeyError::Ambiguous { last_four: which.to_owned(), ids });
    }
    let (partner, mut key) = meant.pop().ok_or_else(|| RevokeKeyError::Unknown(which.to_owned()))?;
    if key.revoked_at.is_none() {
        let now = services.clock.now();
        services.store.revoke_key(key.id, now).await.map_err(|e| RevokeKeyError::Failed(e.into()))?;
        key.revoked_at = Some(now);
    }
    Ok((partner, key))
}

/// Every key beside its partner. There are a few per partner, and only an operator asks.
async fn every_key(services: &Services) -> Result<Vec<(Partner, AccessKey)>, Failure> {
    let mut all = Vec::new();
    for partner in services.store.partners().await? {
        let keys = services.store.keys_of(partner.id).await?;
        all.extend(keys.into_iter().map(|key| (partner.clone(), key)));
    }
    Ok(all)
}

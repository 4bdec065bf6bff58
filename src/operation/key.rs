//! Access keys: issued, rotated, listed and revoked by the operator (decisions K1, K2).
//!
//! The token is returned once, when its key is issued. After that only its digest and its last four characters are known.

use chrono::Duration;
use uuid::Uuid;

use super::Failure;
use crate::base::limits::{KEY_VALID_DAYS_MAX, NAME_CHARS_MAX};
use crate::model::{AccessKey, AccessToken, KeyMode, Partner};
use crate::services::Services;

/// A key to issue.
#[derive(Clone, Debug)]
pub struct NewKey {
    pub mode: KeyMode,
    /// The operator's name of the key.
    pub label: Option<String>,
    /// The number of days after which the key expires; `None`: never.
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

/// Why no key was revoked or rotated.
#[derive(Debug, thiserror::Error)]
pub enum RevokeKeyError {
    #[error("\"{0}\" is neither the id of a key nor the last four characters of a token.")]
    Unreadable(String),
    #[error("There is no key \"{0}\".")]
    Unknown(String),
    #[error("{} keys end in \"{last_four}\". Name one by its id: {}.", .ids.len(), join_ids(.ids))]
    Ambiguous { last_four: String, ids: Vec<Uuid> },
    #[error("The key \"{0}\" was revoked or replaced. Issue a new one with `card-service key issue`.")]
    Ended(String),
    #[error("The key could not be changed.")]
    Failed(#[source] Failure),
}

fn join_ids(ids: &[Uuid]) -> String {
    ids.iter().map(Uuid::to_string).collect::<Vec<_>>().join(", ")
}

/// Issues a key. The caller shows the token once; it is not stored.
pub async fn issue(
    services: &Services,
    partner: &Partner,
    new: NewKey,
) -> Result<(AccessKey, AccessToken), IssueKeyError> {
    let label = new.label.as_deref().map(str::trim);
    if label
        .is_some_and(|text| !(1..=NAME_CHARS_MAX).contains(&text.chars().count()) || text.contains(char::is_control))
    {
        return Err(IssueKeyError::Label);
    }
    if new.valid_days.is_some_and(|days| !(1..=KEY_VALID_DAYS_MAX).contains(&days)) {
        return Err(IssueKeyError::ValidDays);
    }
    let (key, token) = generate(services, partner, new.mode, label.map(str::to_owned), new.valid_days);
    services.store.issue_key(key.clone()).await.map_err(|e| IssueKeyError::Failed(e.into()))?;
    Ok((key, token))
}

/// A key that is not stored yet, and its token.
fn generate(
    services: &Services,
    partner: &Partner,
    mode: KeyMode,
    label: Option<String>,
    valid_days: Option<u32>,
) -> (AccessKey, AccessToken) {
    let now = services.clock.now();
    let token = AccessToken::generate(mode, &services.entropy);
    let key = AccessKey {
        id: services.entropy.uuid(now),
        partner_id: partner.id,
        mode,
        digest: token.digest(),
        last_four: token.last_four().to_owned(),
        label,
        created_at: now,
        expires_at: valid_days.map(|days| now.plus(Duration::days(days.into()))),
        revoked_at: None,
        last_used_at: None,
    };
    (key, token)
}

/// The keys of a partner, with the revoked ones.
pub async fn list(services: &Services, partner: &Partner) -> Result<Vec<AccessKey>, Failure> {
    Ok(services.store.keys_of(partner.id).await?)
}

/// Issues a key that replaces another of the same mode and label. The old one stays valid until `overlap` is over.
pub async fn rotate(services: &Services, which: &str, overlap: std::time::Duration) -> Result<Rotated, RevokeKeyError> {
    let (partner, old) = find(services, which).await?;
    let now = services.clock.now();
    let (key, token) = generate(services, &partner, old.mode, old.label.clone(), None);
    let ends = now.after(overlap);
    let rotated = services.store.rotate_key(key.clone(), old.id, ends).await;
    if !rotated.map_err(|e| RevokeKeyError::Failed(e.into()))? {
        return Err(RevokeKeyError::Ended(which.trim().to_owned()));
    }
    let old = AccessKey { expires_at: Some(old.expires_at.map_or(ends, |end| end.min(ends))), ..old };
    Ok(Rotated { partner, key, token, old })
}

/// A rotated key.
#[derive(Debug)]
pub struct Rotated {
    pub partner: Partner,
    pub key: AccessKey,
    pub token: AccessToken,
    /// With its new expiry.
    pub old: AccessKey,
}

/// Revokes the key with this id, or whose token ends in these four characters. The session links and browser sessions that
/// it opened end too.
///
/// Revoking a revoked key changes nothing and is not an error. Revoked keys do not make the last four characters of another
/// one ambiguous.
pub async fn revoke(services: &Services, which: &str) -> Result<(Partner, AccessKey), RevokeKeyError> {
    let (partner, mut key) = find(services, which).await?;
    if key.revoked_at.is_none() {
        let now = services.clock.now();
        services.store.revoke_key(key.id, now).await.map_err(|e| RevokeKeyError::Failed(e.into()))?;
        key.revoked_at = Some(now);
    }
    Ok((partner, key))
}

/// The key with this id, or whose token ends in these four characters.
pub async fn find(services: &Services, which: &str) -> Result<(Partner, AccessKey), RevokeKeyError> {
    let which = which.trim();
    let id = Uuid::try_parse(which).ok();
    let is_last_four = which.len() == 4 && which.bytes().all(|b| b.is_ascii_alphanumeric());
    if id.is_none() && !is_last_four {
        return Err(RevokeKeyError::Unreadable(which.to_owned()));
    }
    let all = every_key(services).await.map_err(RevokeKeyError::Failed)?;
    let mut matches: Vec<_> =
        all.into_iter().filter(|(_, key)| id.map_or(key.last_four == which, |id| key.id == id)).collect();
    if matches.iter().any(|(_, key)| key.revoked_at.is_none()) {
        matches.retain(|(_, key)| key.revoked_at.is_none());
    }
    if matches.len() > 1 {
        let ids = matches.iter().map(|(_, key)| key.id).collect();
        return Err(RevokeKeyError::Ambiguous { last_four: which.to_owned(), ids });
    }
    matches.pop().ok_or_else(|| RevokeKeyError::Unknown(which.to_owned()))
}

/// Every key with its partner. There are a few for each partner, and only the operator asks.
async fn every_key(services: &Services) -> Result<Vec<(Partner, AccessKey)>, Failure> {
    let mut all = Vec::new();
    for partner in services.store.partners().await? {
        let keys = services.store.keys_of(partner.id).await?;
        all.extend(keys.into_iter().map(|key| (partner.clone(), key)));
    }
    Ok(all)
}

//! The secrets that sign a partner's notifications: issued, rotated and revoked by the operator (decisions W2).
//!
//! Called by the commands of the operator. A secret leaves this module once, when it is made. Unlike a token it stays
//! in the database as it is, because the service signs with it: who can read the database can sign.

use sha2::{Digest as _, Sha256};
use uuid::Uuid;

use crate::base::{Timestamp, lower_hex};
use crate::base::limits::{SECRET_OVERLAP_MAX, SECRETS_ACTIVE_MAX};
use crate::model::{Partner, SigningSecret, WebhookSecret};
use crate::operation::{Failure, Services};
use crate::store::AddSecretError;

/// Why there is no new secret.
#[derive(Debug, thiserror::Error)]
pub enum NewSecretError {
    #[error("\"{0}\" has no active secret to rotate. Issue its first one.")]
    NoneActive(String),
    #[error(
        "\"{partner}\" has {SECRETS_ACTIVE_MAX} active secrets, which is the most. Wait until one ends, or revoke one: \
         {}.", listed(.active)
    )]
    TooMany { partner: String, active: Vec<WebhookSecret> },
    #[error("Two secrets sign beside each other for at most {} days.", SECRET_OVERLAP_MAX.as_secs() / 86_400)]
    Overlap,
    #[error("The secret could not be made.")]
    Failed(#[source] Failure),
}

/// Why no secret was revoked.
#[derive(Debug, thiserror::Error)]
pub enum RevokeSecretError {
    #[error("\"{0}\" is neither the id of a secret nor the start of its fingerprint, 8 characters.")]
    Unreadable(String),
    #[error("There is no secret \"{0}\".")]
    Unknown(String),
    #[error("Several secrets have the fingerprint \"{fingerprint}\". Name one by its id: {}.", listed(.secrets))]
    Ambiguous { fingerprint: String, secrets: Vec<WebhookSecret> },
    #[error(
        "This is the only active secret of \"{0}\": without it nothing can be signed, and nothing is sent. Issue \
         another one first, or say --yes."
    )]
    OnlyOne(String),
    #[error("The secret could not be revoked.")]
    Failed(#[source] Failure),
}

fn listed(secrets: &[WebhookSecret]) -> String {
    let one = |secret: &WebhookSecret| match secret.expires_at {
        Some(end) => format!("{} (until {end})", secret.id),
        None => secret.id.to_string(),
    };
    secrets.iter().map(one).collect::<Vec<_>>().join(", ")
}

/// By which people tell secrets apart without showing them: the first 8 hexadecimal characters of the SHA-256 of its
/// text. A partner gets the same from `printf %s "$WEBHOOK_SECRET" | sha256sum`.
pub fn fingerprint(secret: &SigningSecret) -> String {
    lower_hex(&Sha256::digest(secret.reveal())[..4])
}

/// Issues a secret that signs from now on, beside an active one if there is one.
pub async fn issue(services: &Services, partner: &Partner) -> Result<WebhookSecret, NewSecretError> {
    let secret = fresh(services, partner);
    match services.store.issue_webhook_secret(secret.clone(), SECRETS_ACTIVE_MAX).await {
        Ok(()) => Ok(secret),
        Err(error) => Err(refused(services, partner, error).await),
    }
}

/// Issues a secret that takes over from the active one: both sign for `overlap`, in which the partner changes over.
/// Returns the new one and the old one.
pub async fn rotate(
    services: &Services,
    partner: &Partner,
    overlap: std::time::Duration,
) -> Result<(WebhookSecret, WebhookSecret), NewSecretError> {
    if overlap > SECRET_OVERLAP_MAX {
        return Err(NewSecretError::Overlap);
    }
    let secret = fresh(services, partner);
    match services.store.rotate_webhook_secret(secret.clone(), secret.created_at.after(overlap)).await {
        Ok(old) => Ok((secret, old)),
        Err(error) => Err(refused(services, partner, error).await),
    }
}

/// The secrets of a partner, newest first, those that ended too.
pub async fn list(services: &Services, partner: &Partner) -> Result<Vec<WebhookSecret>, Failure> {
    Ok(services.store.webhook_secrets_of(partner.id).await?)
}

/// Ends the secret with this id or fingerprint at once; `even_the_only_one` also when nothing can be signed after it.
///
/// A secret that was revoked before stays as it was: revoking twice is no mistake.
pub async fn revoke(
    services: &Services,
    which: &str,
    even_the_only_one: bool,
) -> Result<(Partner, WebhookSecret), RevokeSecretError> {
    let which = which.trim();
    let id = Uuid::try_parse(which).ok();
    let is_fingerprint = which.len() == 8 && which.bytes().all(|b| b.is_ascii_hexdigit());
    if id.is_none() && !is_fingerprint {
        return Err(RevokeSecretError::Unreadable(which.to_owned()));
    }
    let all = every_secret(services).await.map_err(RevokeSecretError::Failed)?;
    let is_meant = |secret: &WebhookSecret| match id {
        Some(id) => secret.id == id,
        None => fingerprint(&secret.secret).eq_ignore_ascii_case(which),
    };
    let mut meant: Vec<_> = all.iter().filter(|(_, secret)| is_meant(secret)).cloned().collect();
    if meant.len() > 1 {
        let secrets = meant.into_iter().map(|(_, secret)| secret).collect();
        return Err(RevokeSecretError::Ambiguous { fingerprint: which.to_owned(), secrets });
    }
    let (partner, mut secret) = meant.pop().ok_or_else(|| RevokeSecretError::Unknown(which.to_owned()))?;
    let now = services.clock.now();
    if secret.revoked_at.is_none() {
        let is_other = |other: &WebhookSecret| other.partner_id == partner.id && other.id != secret.id;
        let another = all.iter().any(|(_, other)| is_other(other) && other.is_active_at(now));
        if secret.is_active_at(now) && !another && !even_the_only_one {
            return Err(RevokeSecretError::OnlyOne(partner.name));
        }
        let revoked = services.store.revoke_webhook_secret(secret.id, now).await;
        revoked.map_err(|error| RevokeSecretError::Failed(error.into()))?;
        secret.revoked_at = Some(now);
    }
    Ok((partner, secret))
}

fn fresh(services: &Services, partner: &Partner) -> WebhookSecret {
    let now = services.clock.now();
    WebhookSecret {
        id: services.entropy.uuid(now),
        partner_id: partner.id,
        secret: SigningSecret::generate(&services.entropy),
        created_at: now,
        expires_at: None,
        revoked_at: None,
    }
}

async fn refused(services: &Services, partner: &Partner, error: AddSecretError) -> NewSecretError {
    let name = partner.name.clone();
    match error {
        AddSecretError::NoneActive => NewSecretError::NoneActive(name),
        AddSecretError::TooMany => match active(services, partner, services.clock.now()).await {
            Ok(active) => NewSecretError::TooMany { partner: name, active },
            Err(failure) => NewSecretError::Failed(failure),
        },
        AddSecretError::Store(error) => NewSecretError::Failed(error.into()),
    }
}

async fn active(services: &Services, partner: &Partner, now: Timestamp) -> Result<Vec<WebhookSecret>, Failure> {
    let mut all = list(services, partner).await?;
    all.retain(|secret| secret.is_active_at(now));
    Ok(all)
}

/// Every secret beside its partner. There are a few per partner, and only an operator asks.
async fn every_secret(services: &Services) -> Result<Vec<(Partner, WebhookSecret)>, Failure> {
    let mut all = Vec::new();
    for partner in services.store.partners().await? {
        let secrets = list(services, &partner).await?;
        all.extend(secrets.into_iter().map(|secret| (partner.clone(), secret)));
    }
    Ok(all)
}

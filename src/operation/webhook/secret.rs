//! The signing secrets of a partner: issued, rotated and revoked by the operator (decisions W2), and rotated by the partner
//! (W10).
//!
//! A secret is shown once, when it is issued. Unlike a token it is stored as it is, because the service signs with it: a
//! reader of the database could sign.

use sha2::{Digest as _, Sha256};
use uuid::Uuid;

use crate::base::limits::{SECRET_FINGERPRINT_CHARS, SECRET_OVERLAP, SECRET_OVERLAP_MAX, SECRETS_ACTIVE_MAX};
use crate::base::{Timestamp, lower_hex};
use crate::model::{AuditEntry, Partner, SigningSecret, UserError, UserErrorCode, WebhookSecret, text};
use crate::operation::{Caller, Failure, OperationError};
use crate::services::Services;
use crate::store::AddSecretError;

/// Why no secret was issued.
#[derive(Debug, thiserror::Error)]
pub enum NewSecretError {
    #[error("\"{0}\" has no active secret to rotate. Issue its first one.")]
    NoneActive(String),
    #[error(
        "\"{partner}\" has {SECRETS_ACTIVE_MAX} active secrets, which is the most. Wait until one ends, or revoke one: \
         {}.", join_secrets(.active)
    )]
    TooMany { partner: String, active: Vec<WebhookSecret> },
    #[error("Two secrets sign at the same time for at most {} days.", SECRET_OVERLAP_MAX.as_secs() / 86_400)]
    Overlap,
    #[error("The secret could not be made.")]
    Failed(#[source] Failure),
}

/// Why no secret was revoked.
#[derive(Debug, thiserror::Error)]
pub enum RevokeSecretError {
    #[error(
        "\"{0}\" is neither the id of a secret nor the start of its fingerprint, {SECRET_FINGERPRINT_CHARS} characters."
    )]
    Unreadable(String),
    #[error("There is no secret \"{0}\".")]
    Unknown(String),
    #[error("Several secrets have the fingerprint \"{fingerprint}\". Name one by its id: {}.", join_secrets(.secrets))]
    Ambiguous { fingerprint: String, secrets: Vec<WebhookSecret> },
    #[error(
        "This is the only active secret of \"{0}\": without it nothing can be signed, and nothing is sent. Issue \
         another one first, or say --yes."
    )]
    OnlyOne(String),
    #[error("The secret could not be revoked.")]
    Failed(#[source] Failure),
}

fn join_secrets(secrets: &[WebhookSecret]) -> String {
    let one = |secret: &WebhookSecret| match secret.expires_at {
        Some(end) => format!("{} (until {end})", secret.id),
        None => secret.id.to_string(),
    };
    secrets.iter().map(one).collect::<Vec<_>>().join(", ")
}

/// The fingerprint, which identifies a secret without showing it: the first 8 hexadecimal characters of the SHA-256 of its
/// text. A partner gets the same from `printf %s "$WEBHOOK_SECRET" | sha256sum`.
pub fn fingerprint(secret: &SigningSecret) -> String {
    lower_hex(&Sha256::digest(secret.reveal())[..SECRET_FINGERPRINT_CHARS / 2])
}

/// Issues a secret that signs from now on, next to an active one if there is one.
pub async fn issue(services: &Services, partner: &Partner) -> Result<WebhookSecret, NewSecretError> {
    let secret = WebhookSecret::generate(partner.id, &services.entropy, services.clock.now());
    match services.store.issue_webhook_secret(secret.clone(), SECRETS_ACTIVE_MAX).await {
        Ok(()) => Ok(secret),
        Err(error) => Err(explain(services, partner, error).await),
    }
}

/// Issues a secret that replaces the active one, or the active one of each mode. Both sign for `overlap`, in which the partner
/// changes over. Returns the new one and the old ones.
pub async fn rotate(
    services: &Services,
    partner: &Partner,
    overlap: std::time::Duration,
) -> Result<(WebhookSecret, Vec<WebhookSecret>), NewSecretError> {
    if overlap > SECRET_OVERLAP_MAX {
        return Err(NewSecretError::Overlap);
    }
    let secret = WebhookSecret::generate(partner.id, &services.entropy, services.clock.now());
    match services.store.rotate_webhook_secret(secret.clone(), None, secret.created_at.after(overlap)).await {
        Ok(old) => Ok((secret, old)),
        Err(error) => Err(explain(services, partner, error).await),
    }
}

/// A secret that its partner rotated: shown once.
#[derive(Clone, Debug)]
pub struct RotatedSecret {
    pub secret: SigningSecret,
    /// Until when the old one also signs.
    pub overlap_ends_at: Timestamp,
}

/// Rotates the secret that signs the notifications of the subscriptions of the caller's mode (version 2027-01; decisions
/// W10). Both sign for SECRET_OVERLAP, which a caller cannot shorten.
pub async fn rotate_own(services: &Services, caller: &Caller) -> Result<RotatedSecret, OperationError> {
    let Some(partner) = services.store.partner(caller.partner_id).await? else {
        return Err(refusal(text::NO_SIGNING_SECRET));
    };
    let secret = WebhookSecret::generate(partner.id, &services.entropy, services.clock.now());
    let overlap_ends_at = secret.created_at.after(SECRET_OVERLAP);
    let store = services.store.with_audit(AuditEntry {
        id: services.entropy.uuid(secret.created_at),
        at: secret.created_at,
        actor: format!("{} key {}", caller.mode.as_str(), caller.key_id),
        command: "webhookSubscriptionSecretRotate",
        subject: partner.name,
        fields: &["secret", "expiresAt"],
    });
    match store.rotate_webhook_secret(secret.clone(), Some(caller.mode), overlap_ends_at).await {
        Ok(_) => {
            let mode = caller.mode.as_str();
            tracing::info!(partner_id = %partner.id, key_id = %caller.key_id, mode, "a partner rotated its signing secret");
            Ok(RotatedSecret { secret: secret.secret, overlap_ends_at })
        }
        Err(AddSecretError::NoneActive) => Err(refusal(text::NO_SIGNING_SECRET)),
        Err(AddSecretError::TooMany) => Err(refusal(text::SECRET_ROTATING)),
        Err(AddSecretError::Store(error)) => Err(error.into()),
    }
}

/// The user error of a rotation, which has no input.
fn refusal(message: &str) -> OperationError {
    OperationError::refuse(UserError::new(UserErrorCode::Unprocessable, &[], message))
}

/// The secrets of a partner, newest first, with the ended ones.
pub async fn list(services: &Services, partner: &Partner) -> Result<Vec<WebhookSecret>, Failure> {
    Ok(services.store.webhook_secrets_of(partner.id).await?)
}

/// Revokes the secret with this id or fingerprint at once; deliveries that are claimed already are still signed with it. Refuses
/// to revoke the only active one unless `even_the_only_one`.
///
/// Revoking a revoked secret changes nothing and is not an error.
pub async fn revoke(
    services: &Services,
    which: &str,
    even_the_only_one: bool,
) -> Result<(Partner, WebhookSecret), RevokeSecretError> {
    let which = which.trim();
    let id = Uuid::try_parse(which).ok();
    let is_fingerprint = which.len() == SECRET_FINGERPRINT_CHARS && which.bytes().all(|b| b.is_ascii_hexdigit());
    if id.is_none() && !is_fingerprint {
        return Err(RevokeSecretError::Unreadable(which.to_owned()));
    }
    let all = every_secret(services).await.map_err(RevokeSecretError::Failed)?;
    let is_match = |secret: &WebhookSecret| match id {
        Some(id) => secret.id == id,
        None => fingerprint(&secret.secret).eq_ignore_ascii_case(which),
    };
    let mut matches: Vec<_> = all.iter().filter(|(_, secret)| is_match(secret)).cloned().collect();
    if matches.len() > 1 {
        let secrets = matches.into_iter().map(|(_, secret)| secret).collect();
        return Err(RevokeSecretError::Ambiguous { fingerprint: which.to_owned(), secrets });
    }
    let (partner, mut secret) = matches.pop().ok_or_else(|| RevokeSecretError::Unknown(which.to_owned()))?;
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

/// Returns the error with what the operator needs to know about it.
async fn explain(services: &Services, partner: &Partner, error: AddSecretError) -> NewSecretError {
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

/// Every secret with its partner. There are a few for each partner, and only the operator asks.
async fn every_secret(services: &Services) -> Result<Vec<(Partner, WebhookSecret)>, Failure> {
    let mut all = Vec::new();
    for partner in services.store.partners().await? {
        let secrets = list(services, &partner).await?;
        all.extend(secrets.into_iter().map(|secret| (partner.clone(), secret)));
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fingerprint_is_the_start_of_the_sha_256_of_the_text() {
        let vector = SigningSecret::parse("whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=").expect("the vector");
        assert_eq!(fingerprint(&vector), "5036e143");
    }
}

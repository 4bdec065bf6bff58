//! The signing secrets of partners (decisions W2).

use diesel::dsl::{exists, not};
use diesel::prelude::*;
use uuid::Uuid;

use super::{Conn, RunQueryDsl};
use crate::base::Timestamp;
use crate::model::{KeyMode, SigningSecret, WebhookSecret};
use crate::store::prepared_query::prepared;
use crate::store::row::WebhookSecretRow;
use crate::store::schema::{partners, webhook_secrets};
use crate::store::sql_type::{At, Id};
use crate::store::{AddSecretError, StoreError};

pub(in crate::store) async fn active_webhook_secrets(
    c: &mut Conn<'_>,
    partner_id: Uuid,
    mode: KeyMode,
    now: Timestamp,
) -> Result<Vec<SigningSecret>, StoreError> {
    let rows = webhook_secrets::table
        .filter(webhook_secrets::partner_id.eq(Id(partner_id)))
        .filter(webhook_secrets::revoked_at.is_null())
        .filter(webhook_secrets::expires_at.is_null().or(webhook_secrets::expires_at.gt(At(now))))
        .filter(not(exists(partners::table.filter(partners::id.eq(Id(partner_id))).filter(partners::blocked))))
        .order((webhook_secrets::created_at.desc(), webhook_secrets::id.desc()))
        .select(WebhookSecretRow::as_select())
        .load(c)
        .await?;
    let signing = rows.into_iter().map(WebhookSecret::from).filter(|secret| secret.signs(mode, now));
    Ok(signing.map(|secret| secret.secret).collect())
}

pub(in crate::store) async fn webhook_secrets_of(
    c: &mut Conn<'_>,
    partner_id: Uuid,
) -> Result<Vec<WebhookSecret>, StoreError> {
    let rows = webhook_secrets::table
        .filter(webhook_secrets::partner_id.eq(Id(partner_id)))
        .order((webhook_secrets::created_at.desc(), webhook_secrets::id.desc()))
        .select(WebhookSecretRow::as_select())
        .load(c)
        .await?;
    Ok(rows.into_iter().map(WebhookSecret::from).collect())
}

/// Returns the active secrets of a partner, and locks the partner so that others cannot add one.
async fn active_locked(
    c: &mut Conn<'_>,
    partner_id: Uuid,
    now: Timestamp,
) -> Result<Vec<WebhookSecret>, AddSecretError> {
    let partner = partners::table.filter(partners::id.eq(Id(partner_id))).select(partners::id);
    locked!(partner).get_result::<Id>(c).await?;
    let mut all = webhook_secrets_of(c, partner_id).await?;
    all.retain(|secret| secret.is_active_at(now));
    Ok(all)
}

pub(in crate::store) async fn issue_webhook_secret(
    c: &mut Conn<'_>,
    secret: WebhookSecret,
    active_max: usize,
) -> Result<(), AddSecretError> {
    let (active, now) = (active_locked(c, secret.partner_id, secret.created_at).await?, secret.created_at);
    if KeyMode::ALL.into_iter().any(|mode| signing(&active, mode, now) >= active_max) {
        return Err(AddSecretError::TooMany);
    }
    diesel::insert_into(webhook_secrets::table).values(WebhookSecretRow::from(secret)).execute(c).await?;
    Ok(())
}

/// Returns how many of the secrets sign for the subscriptions of a mode.
fn signing(secrets: &[WebhookSecret], mode: KeyMode, now: Timestamp) -> usize {
    secrets.iter().filter(|secret| secret.signs(mode, now)).count()
}

pub(in crate::store) async fn rotate_webhook_secret(
    c: &mut Conn<'_>,
    mut secret: WebhookSecret,
    mode: Option<KeyMode>,
    old_ends: Timestamp,
) -> Result<Vec<WebhookSecret>, AddSecretError> {
    let now = secret.created_at;
    let is_asked = |known: &KeyMode| mode.is_none_or(|mode| mode == *known);
    let mut old = active_locked(c, secret.partner_id, now).await?;
    old.retain(|secret| KeyMode::ALL.into_iter().filter(is_asked).any(|mode| secret.signs(mode, now)));
    if old.is_empty() {
        return Err(AddSecretError::NoneActive);
    }
    if KeyMode::ALL.into_iter().filter(is_asked).any(|mode| signing(&old, mode, now) > 1) {
        return Err(AddSecretError::TooMany);
    }
    for other in KeyMode::ALL.into_iter().filter(|known| !is_asked(known)) {
        *secret.end_of_mode(other) = Some(now);
    }
    diesel::insert_into(webhook_secrets::table).values(WebhookSecretRow::from(secret)).execute(c).await?;
    for old in &mut old {
        match mode {
            Some(mode) => *old.end_of_mode(mode) = Some(old_ends),
            None => old.expires_at = Some(old_ends),
        }
        let row = webhook_secrets::table.filter(webhook_secrets::id.eq(Id(old.id)));
        let ends = (
            webhook_secrets::expires_at.eq(old.expires_at.map(At)),
            webhook_secrets::live_ends_at.eq(old.live_ends_at.map(At)),
            webhook_secrets::test_ends_at.eq(old.test_ends_at.map(At)),
        );
        prepared!(diesel::update(row).set(ends)).execute(c).await?;
    }
    Ok(old)
}

pub(in crate::store) async fn revoke_webhook_secret(
    c: &mut Conn<'_>,
    id: Uuid,
    now: Timestamp,
) -> Result<bool, StoreError> {
    let secret =
        webhook_secrets::table.filter(webhook_secrets::id.eq(Id(id))).filter(webhook_secrets::revoked_at.is_null());
    Ok(prepared!(diesel::update(secret).set(webhook_secrets::revoked_at.eq(Some(At(now))))).execute(c).await? == 1)
}

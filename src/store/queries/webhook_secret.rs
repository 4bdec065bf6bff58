//! The signing secrets of partners (decisions W2).

use diesel::dsl::{exists, not};
use diesel::prelude::*;
use uuid::Uuid;

use super::{Conn, RunQueryDsl};
use crate::base::Timestamp;
use crate::model::{SigningSecret, WebhookSecret};
use crate::store::prepared_query::PreparedQuery;
use crate::store::row::WebhookSecretRow;
use crate::store::schema::{partners, webhook_secrets};
use crate::store::sql_type::{At, Id};
use crate::store::{AddSecretError, StoreError};

pub(in crate::store) async fn webhook_secrets(
    c: &mut Conn<'_>,
    partner_id: Uuid,
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
    Ok(rows.into_iter().map(|row| WebhookSecret::from(row).secret).collect())
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
    if active_locked(c, secret.partner_id, secret.created_at).await?.len() >= active_max {
        return Err(AddSecretError::TooMany);
    }
    diesel::insert_into(webhook_secrets::table).values(WebhookSecretRow::from(secret)).execute(c).await?;
    Ok(())
}

pub(in crate::store) async fn rotate_webhook_secret(
    c: &mut Conn<'_>,
    secret: WebhookSecret,
    old_ends: Timestamp,
) -> Result<WebhookSecret, AddSecretError> {
    let mut active = active_locked(c, secret.partner_id, secret.created_at).await?;
    let mut old = active.pop().ok_or(AddSecretError::NoneActive)?;
    if !active.is_empty() {
        return Err(AddSecretError::TooMany);
    }
    diesel::insert_into(webhook_secrets::table).values(WebhookSecretRow::from(secret)).execute(c).await?;
    let row = webhook_secrets::table.filter(webhook_secrets::id.eq(Id(old.id)));
    PreparedQuery(diesel::update(row).set(webhook_secrets::expires_at.eq(Some(At(old_ends))))).execute(c).await?;
    old.expires_at = Some(old_ends);
    Ok(old)
}

pub(in crate::store) async fn revoke_webhook_secret(
    c: &mut Conn<'_>,
    id: Uuid,
    now: Timestamp,
) -> Result<bool, StoreError> {
    let secret =
        webhook_secrets::table.filter(webhook_secrets::id.eq(Id(id))).filter(webhook_secrets::revoked_at.is_null());
    Ok(PreparedQuery(diesel::update(secret).set(webhook_secrets::revoked_at.eq(Some(At(now))))).execute(c).await? == 1)
}

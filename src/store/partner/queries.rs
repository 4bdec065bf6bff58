//! Partners, with their access keys and signing secrets.

use diesel::dsl::{exists, not};
use diesel::prelude::*;
use uuid::Uuid;

use super::{Conn, JOINS, Result, RunQueryDsl};
use crate::base::{HttpUrl, Timestamp};
use crate::model::{AccessKey, KeyMode, Partner, SigningSecret, WebhookSecret};
use crate::store::AddSecretError;
use crate::store::error::Inconsistent;
use crate::store::partner::{AccessKeyRow, PartnerRow, WebhookSecretRow};
use crate::store::prepared_query::prepared;
use crate::store::schema::{access_keys, partners, webhook_secrets};
use crate::store::sql_type::{At, Id, Name};

pub(crate) async fn partner(c: &mut Conn<'_>, id: Uuid) -> Result<Option<Partner>> {
    let row = partners::table.find(Id(id)).select(PartnerRow::as_select()).get_result(c).await.optional()?;
    Ok(row.map(Partner::from))
}

pub(crate) async fn partner_by_name(c: &mut Conn<'_>, name: &str) -> Result<Option<Partner>> {
    let named = partners::table.filter(partners::name.eq(name));
    let row = named.select(PartnerRow::as_select()).get_result(c).await.optional()?;
    Ok(row.map(Partner::from))
}

pub(crate) async fn partners(c: &mut Conn<'_>) -> Result<Vec<Partner>> {
    let rows = partners::table.order(partners::name).select(PartnerRow::as_select()).load(c).await?;
    Ok(rows.into_iter().map(Partner::from).collect())
}

pub(crate) async fn add_partner(c: &mut Conn<'_>, partner: Partner, secret: WebhookSecret) -> Result<bool> {
    let insert = diesel::insert_into(partners::table).values(PartnerRow::from(partner));
    if insert.on_conflict(partners::name).do_nothing().execute(c).await? == 0 {
        return Ok(false);
    }
    diesel::insert_into(webhook_secrets::table).values(WebhookSecretRow::from(secret)).perform(c).await?;
    Ok(true)
}

pub(crate) async fn set_partner_blocked(c: &mut Conn<'_>, id: Uuid, blocked: bool) -> Result<bool> {
    let other = partners::table.filter(partners::id.eq(Id(id))).filter(partners::blocked.ne(blocked));
    Ok(prepared!(diesel::update(other).set(partners::blocked.eq(blocked))).execute(c).await? == 1)
}

pub(crate) async fn rename_partner(c: &mut Conn<'_>, id: Uuid, name: String) -> Result<bool> {
    let other = partners::table.filter(partners::name.eq(&name)).filter(partners::id.ne(Id(id))).select(partners::id);
    if other.get_result::<Id>(c).await.optional()?.is_some() {
        return Ok(false);
    }
    let partner = partners::table.filter(partners::id.eq(Id(id)));
    prepared!(diesel::update(partner).set(partners::name.eq(name))).perform(c).await?;
    Ok(true)
}

pub(crate) async fn change_partner(c: &mut Conn<'_>, partner: Partner) -> Result<()> {
    let row = partners::table.filter(partners::id.eq(Id(partner.id)));
    let url = |url: Option<HttpUrl>| url.map(|url| url.as_str().to_owned());
    let settings = (
        partners::test_address.eq(partner.test_address),
        partners::refresh_address.eq(url(partner.refresh_address)),
        partners::price_cents.eq(partner.price.cents()),
        partners::shown_name.eq(partner.shown_name),
        partners::phone.eq(partner.phone),
        partners::email.eq(partner.email),
        partners::privacy_url.eq(url(partner.privacy_url)),
        partners::logo.eq(partner.logo),
    );
    prepared!(diesel::update(row).set(settings)).perform(c).await?;
    Ok(())
}

pub(crate) async fn key_by_digest(c: &mut Conn<'_>, digest: &[u8; 32]) -> Result<Option<(AccessKey, Partner)>> {
    let keys = access_keys::table.filter(access_keys::digest.eq(digest.as_slice()));
    if JOINS {
        let both = keys.inner_join(partners::table).select((AccessKeyRow::as_select(), PartnerRow::as_select()));
        let row: Option<(AccessKeyRow, PartnerRow)> = both.get_result(c).await.optional()?;
        return Ok(row.map(|(key, partner)| (key.into(), partner.into())));
    }
    let row = keys.select(AccessKeyRow::as_select()).get_result(c).await.optional()?;
    let Some(key) = row.map(AccessKey::from) else { return Ok(None) };
    let owner = partner(c, key.partner_id).await?;
    Ok(Some((key, owner.ok_or(Inconsistent("a key belongs to no partner"))?)))
}

pub(crate) async fn live_key_exists(c: &mut Conn<'_>, now: Timestamp) -> Result<bool> {
    let live = access_keys::table
        .filter(access_keys::mode.eq(Name(KeyMode::Live)))
        .filter(access_keys::revoked_at.is_null())
        .filter(access_keys::expires_at.is_null().or(access_keys::expires_at.gt(Some(At(now)))));
    Ok(live.select(access_keys::id).limit(1).get_result::<Id>(c).await.optional()?.is_some())
}

pub(crate) async fn keys_of(c: &mut Conn<'_>, partner_id: Uuid) -> Result<Vec<AccessKey>> {
    let rows = access_keys::table
        .filter(access_keys::partner_id.eq(Id(partner_id)))
        .order((access_keys::created_at, access_keys::id))
        .select(AccessKeyRow::as_select())
        .load(c)
        .await?;
    Ok(rows.into_iter().map(AccessKey::from).collect())
}

pub(crate) async fn issue_key(c: &mut Conn<'_>, key: AccessKey) -> Result<()> {
    diesel::insert_into(access_keys::table).values(AccessKeyRow::from(key)).perform(c).await?;
    Ok(())
}

pub(crate) async fn revoke_key(c: &mut Conn<'_>, id: Uuid, now: Timestamp) -> Result<bool> {
    let active = access_keys::table.filter(access_keys::id.eq(Id(id))).filter(access_keys::revoked_at.is_null());
    Ok(prepared!(diesel::update(active).set(access_keys::revoked_at.eq(Some(At(now))))).execute(c).await? == 1)
}

pub(crate) async fn touch_key(c: &mut Conn<'_>, id: Uuid, now: Timestamp) -> Result<()> {
    let key = access_keys::table.filter(access_keys::id.eq(Id(id)));
    prepared!(diesel::update(key).set(access_keys::last_used_at.eq(Some(At(now))))).perform(c).await?;
    Ok(())
}

pub(crate) async fn rotate_key(c: &mut Conn<'_>, new: AccessKey, old_id: Uuid, old_ends: Timestamp) -> Result<bool> {
    let old = access_keys::table.filter(access_keys::id.eq(Id(old_id))).filter(access_keys::revoked_at.is_null());
    let longer = old.filter(access_keys::expires_at.is_null().or(access_keys::expires_at.gt(Some(At(old_ends)))));
    prepared!(diesel::update(longer).set(access_keys::expires_at.eq(Some(At(old_ends))))).perform(c).await?;
    let valid = old.filter(access_keys::expires_at.gt(Some(At(new.created_at)))).select(access_keys::id);
    if locked!(valid).get_result::<Id>(c).await.optional()?.is_none() {
        return Ok(false);
    }
    issue_key(c, new).await?;
    Ok(true)
}

pub(crate) async fn active_webhook_secrets(
    c: &mut Conn<'_>,
    partner_id: Uuid,
    mode: KeyMode,
    now: Timestamp,
) -> Result<Vec<SigningSecret>> {
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

pub(crate) async fn webhook_secrets_of(c: &mut Conn<'_>, partner_id: Uuid) -> Result<Vec<WebhookSecret>> {
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

pub(crate) async fn issue_webhook_secret(
    c: &mut Conn<'_>,
    secret: WebhookSecret,
    active_max: usize,
) -> Result<(), AddSecretError> {
    let (active, now) = (active_locked(c, secret.partner_id, secret.created_at).await?, secret.created_at);
    if KeyMode::ALL.into_iter().any(|mode| signing(&active, mode, now) >= active_max) {
        return Err(AddSecretError::TooMany);
    }
    diesel::insert_into(webhook_secrets::table).values(WebhookSecretRow::from(secret)).perform(c).await?;
    Ok(())
}

/// Returns how many of the secrets sign for the subscriptions of a mode.
fn signing(secrets: &[WebhookSecret], mode: KeyMode, now: Timestamp) -> usize {
    secrets.iter().filter(|secret| secret.signs(mode, now)).count()
}

pub(crate) async fn rotate_webhook_secret(
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
    diesel::insert_into(webhook_secrets::table).values(WebhookSecretRow::from(secret)).perform(c).await?;
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
        prepared!(diesel::update(row).set(ends)).perform(c).await?;
    }
    Ok(old)
}

pub(crate) async fn revoke_webhook_secret(c: &mut Conn<'_>, id: Uuid, now: Timestamp) -> Result<bool> {
    let secret =
        webhook_secrets::table.filter(webhook_secrets::id.eq(Id(id))).filter(webhook_secrets::revoked_at.is_null());
    Ok(prepared!(diesel::update(secret).set(webhook_secrets::revoked_at.eq(Some(At(now))))).execute(c).await? == 1)
}

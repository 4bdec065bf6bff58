//! Access keys of partners (decisions K2).

use diesel::prelude::*;
use uuid::Uuid;

use super::partner::partner;
use super::{Conn, JOINS, RunQueryDsl};
use crate::base::Timestamp;
use crate::model::{AccessKey, KeyMode, Partner};
use crate::store::StoreError;
use crate::store::error::Inconsistent;
use crate::store::prepared_query::prepared;
use crate::store::row::{AccessKeyRow, PartnerRow};
use crate::store::schema::{access_keys, partners};
use crate::store::sql_type::{At, Id, Name};

pub(in crate::store) async fn key_by_digest(
    c: &mut Conn<'_>,
    digest: &[u8; 32],
) -> Result<Option<(AccessKey, Partner)>, StoreError> {
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

pub(in crate::store) async fn live_key_exists(c: &mut Conn<'_>, now: Timestamp) -> Result<bool, StoreError> {
    let live = access_keys::table
        .filter(access_keys::mode.eq(Name(KeyMode::Live)))
        .filter(access_keys::revoked_at.is_null())
        .filter(access_keys::expires_at.is_null().or(access_keys::expires_at.gt(Some(At(now)))));
    Ok(live.select(access_keys::id).limit(1).get_result::<Id>(c).await.optional()?.is_some())
}

pub(in crate::store) async fn keys_of(c: &mut Conn<'_>, partner_id: Uuid) -> Result<Vec<AccessKey>, StoreError> {
    let rows = access_keys::table
        .filter(access_keys::partner_id.eq(Id(partner_id)))
        .order((access_keys::created_at, access_keys::id))
        .select(AccessKeyRow::as_select())
        .load(c)
        .await?;
    Ok(rows.into_iter().map(AccessKey::from).collect())
}

pub(in crate::store) async fn issue_key(c: &mut Conn<'_>, key: AccessKey) -> Result<(), StoreError> {
    diesel::insert_into(access_keys::table).values(AccessKeyRow::from(key)).execute(c).await?;
    Ok(())
}

pub(in crate::store) async fn revoke_key(c: &mut Conn<'_>, id: Uuid, now: Timestamp) -> Result<bool, StoreError> {
    let active = access_keys::table.filter(access_keys::id.eq(Id(id))).filter(access_keys::revoked_at.is_null());
    Ok(prepared!(diesel::update(active).set(access_keys::revoked_at.eq(Some(At(now))))).execute(c).await? == 1)
}

pub(in crate::store) async fn touch_key(c: &mut Conn<'_>, id: Uuid, now: Timestamp) -> Result<(), StoreError> {
    let key = access_keys::table.filter(access_keys::id.eq(Id(id)));
    prepared!(diesel::update(key).set(access_keys::last_used_at.eq(Some(At(now))))).execute(c).await?;
    Ok(())
}

pub(in crate::store) async fn rotate_key(
    c: &mut Conn<'_>,
    new: AccessKey,
    old_id: Uuid,
    old_ends: Timestamp,
) -> Result<bool, StoreError> {
    let old = access_keys::table.filter(access_keys::id.eq(Id(old_id))).filter(access_keys::revoked_at.is_null());
    let longer = old.filter(access_keys::expires_at.is_null().or(access_keys::expires_at.gt(Some(At(old_ends)))));
    prepared!(diesel::update(longer).set(access_keys::expires_at.eq(Some(At(old_ends))))).execute(c).await?;
    let valid = old.filter(access_keys::expires_at.gt(Some(At(new.created_at)))).select(access_keys::id);
    if locked!(valid).get_result::<Id>(c).await.optional()?.is_none() {
        return Ok(false);
    }
    issue_key(c, new).await?;
    Ok(true)
}

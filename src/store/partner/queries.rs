//! Partners.

use diesel::prelude::*;
use uuid::Uuid;

use super::{Conn, RunQueryDsl};
use crate::base::HttpUrl;
use crate::model::{Partner, WebhookSecret};
use crate::store::StoreError;
use crate::store::prepared_query::prepared;
use crate::store::row::{PartnerRow, WebhookSecretRow};
use crate::store::schema::{partners, webhook_secrets};
use crate::store::sql_type::Id;

pub(in crate::store) async fn partner(c: &mut Conn<'_>, id: Uuid) -> Result<Option<Partner>, StoreError> {
    let row = partners::table.find(Id(id)).select(PartnerRow::as_select()).get_result(c).await.optional()?;
    Ok(row.map(Partner::from))
}

pub(in crate::store) async fn partner_by_name(c: &mut Conn<'_>, name: &str) -> Result<Option<Partner>, StoreError> {
    let named = partners::table.filter(partners::name.eq(name));
    let row = named.select(PartnerRow::as_select()).get_result(c).await.optional()?;
    Ok(row.map(Partner::from))
}

pub(in crate::store) async fn partners(c: &mut Conn<'_>) -> Result<Vec<Partner>, StoreError> {
    let rows = partners::table.order(partners::name).select(PartnerRow::as_select()).load(c).await?;
    Ok(rows.into_iter().map(Partner::from).collect())
}

pub(in crate::store) async fn add_partner(
    c: &mut Conn<'_>,
    partner: Partner,
    secret: WebhookSecret,
) -> Result<bool, StoreError> {
    let insert = diesel::insert_into(partners::table).values(PartnerRow::from(partner));
    if insert.on_conflict(partners::name).do_nothing().execute(c).await? == 0 {
        return Ok(false);
    }
    diesel::insert_into(webhook_secrets::table).values(WebhookSecretRow::from(secret)).execute(c).await?;
    Ok(true)
}

pub(in crate::store) async fn set_partner_blocked(
    c: &mut Conn<'_>,
    id: Uuid,
    blocked: bool,
) -> Result<bool, StoreError> {
    let other = partners::table.filter(partners::id.eq(Id(id))).filter(partners::blocked.ne(blocked));
    Ok(prepared!(diesel::update(other).set(partners::blocked.eq(blocked))).execute(c).await? == 1)
}

pub(in crate::store) async fn rename_partner(c: &mut Conn<'_>, id: Uuid, name: String) -> Result<bool, StoreError> {
    let other = partners::table.filter(partners::name.eq(&name)).filter(partners::id.ne(Id(id))).select(partners::id);
    if other.get_result::<Id>(c).await.optional()?.is_some() {
        return Ok(false);
    }
    let partner = partners::table.filter(partners::id.eq(Id(id)));
    prepared!(diesel::update(partner).set(partners::name.eq(name))).execute(c).await?;
    Ok(true)
}

pub(in crate::store) async fn change_partner(c: &mut Conn<'_>, partner: Partner) -> Result<(), StoreError> {
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
    prepared!(diesel::update(row).set(settings)).execute(c).await?;
    Ok(())
}

//! Notices about versions of the API.

use diesel::prelude::*;

use super::{Conn, RunQueryDsl};
use crate::model::VersionNotice;
use crate::store::StoreError;
use crate::store::row::VersionNoticeRow;
use crate::store::schema::version_notices;

pub(in crate::store) async fn version_notices(c: &mut Conn<'_>) -> Result<Vec<VersionNotice>, StoreError> {
    let all = version_notices::table.order(version_notices::version);
    let rows: Vec<VersionNoticeRow> = all.select(VersionNoticeRow::as_select()).load(c).await?;
    Ok(rows.into_iter().map(VersionNotice::from).collect())
}

pub(in crate::store) async fn put_version_notice(c: &mut Conn<'_>, notice: VersionNotice) -> Result<(), StoreError> {
    let version = version_notices::table.find(notice.version.clone());
    diesel::delete(version).execute(c).await?;
    diesel::insert_into(version_notices::table).values(VersionNoticeRow::from(notice)).execute(c).await?;
    Ok(())
}

pub(in crate::store) async fn delete_version_notice(c: &mut Conn<'_>, version: String) -> Result<bool, StoreError> {
    Ok(diesel::delete(version_notices::table.find(version)).execute(c).await? == 1)
}

//! One-time session links (decisions S1).

use diesel::prelude::*;

use super::{Conn, RunQueryDsl};
use crate::model::Session;
use crate::store::StoreError;
use crate::store::row::SessionRow;
use crate::store::schema::sessions;

pub(in crate::store) async fn open_session(c: &mut Conn, session: Session) -> Result<(), StoreError> {
    diesel::insert_into(sessions::table).values(SessionRow::from(session)).execute(c).await?;
    Ok(())
}

pub(in crate::store) async fn session_by_digest(
    c: &mut Conn,
    digest: &[u8; 32],
) -> Result<Option<Session>, StoreError> {
    let one = sessions::table.filter(sessions::digest.eq(digest.as_slice()));
    let row = one.select(SessionRow::as_select()).get_result(c).await.optional()?;
    Ok(row.map(Session::from))
}

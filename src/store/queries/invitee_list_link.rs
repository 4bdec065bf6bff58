//! The lasting links to invitee lists that order mails hold.

use diesel::prelude::*;

use super::{Conn, RunQueryDsl};
use crate::base::Timestamp;
use crate::model::InviteeListLink;
use crate::store::StoreError;
use crate::store::schema::invitee_list_links;
use crate::store::sql_type::{At, Digest, Id};

pub(in crate::store) async fn add_invitee_list_link(c: &mut Conn, link: InviteeListLink) -> Result<(), StoreError> {
    let row = (
        invitee_list_links::digest.eq(Digest(link.digest)),
        invitee_list_links::card_id.eq(Id(link.card_id)),
        invitee_list_links::created_at.eq(At(link.created_at)),
        invitee_list_links::expires_at.eq(At(link.expires_at)),
    );
    diesel::insert_into(invitee_list_links::table).values(row).execute(c).await?;
    Ok(())
}

pub(in crate::store) async fn invitee_list_link(
    c: &mut Conn,
    digest: &[u8; 32],
) -> Result<Option<InviteeListLink>, StoreError> {
    let row: Option<(Digest, Id, At, At)> = invitee_list_links::table
        .filter(invitee_list_links::digest.eq(digest.as_slice()))
        .get_result(c)
        .await
        .optional()?;
    Ok(row.map(|(digest, card_id, created_at, expires_at)| InviteeListLink {
        digest: digest.0,
        card_id: card_id.0,
        created_at: created_at.0,
        expires_at: expires_at.0,
    }))
}

pub(in crate::store) async fn forget_invitee_list_links(c: &mut Conn, before: Timestamp) -> Result<usize, StoreError> {
    let ended = invitee_list_links::table.filter(invitee_list_links::expires_at.lt(At(before)));
    Ok(diesel::delete(ended).execute(c).await?)
}

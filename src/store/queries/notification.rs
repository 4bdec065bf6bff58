//! What notifications say: a body for each event and version (decisions W1). On SQLite it is kept apart from the deliveries
//! that carry it; elsewhere, and in older rows, it stands in each of them.

use std::collections::HashMap;

use diesel::prelude::*;
use uuid::Uuid;

use super::{BODIES_APART, Conn, RunQueryDsl};
use crate::base::limits;
use crate::model::Delivery;
use crate::store::StoreError;
use crate::store::row::DeliveryRow;
use crate::store::schema::notifications;
use crate::store::sql_type::Id;

/// The one text in which a body is inserted.
struct InsertBody;

/// Deliveries with their bodies, given what stands in each of them. Left out are those of cards that were deleted: only
/// their ids are left, and there is nothing to send.
pub(super) async fn with_bodies(
    c: &mut Conn,
    rows: Vec<(DeliveryRow, String)>,
) -> Result<Vec<(Delivery, String)>, StoreError> {
    let mut found: Vec<(Delivery, String)> = rows.into_iter().map(|(row, body)| (row.into(), body)).collect();
    let apart = found.iter().filter(|(_, body)| body.is_empty());
    let events: Vec<Id> = apart.map(|(delivery, _)| Id(delivery.event_id)).collect();
    if events.is_empty() {
        return Ok(found);
    }
    let rows: Vec<(Id, String, String)> =
        notifications::table.filter(among!(notifications::event_id, events)).load(c).await?;
    let kept: HashMap<(Uuid, &str), &String> =
        rows.iter().map(|(event, version, body)| ((event.0, version.as_str()), body)).collect();
    for (delivery, body) in found.iter_mut().filter(|(_, body)| body.is_empty()) {
        if let Some(kept) = kept.get(&(delivery.event_id, delivery.api_version.as_str())) {
            body.clone_from(kept);
        }
    }
    found.retain(|(_, body)| !body.is_empty());
    Ok(found)
}

/// Keeps the body of an event in a version, unless it is kept already; what stands in the deliveries themselves.
pub(super) async fn keep_body(
    c: &mut Conn,
    event_id: Uuid,
    api_version: &str,
    body: String,
) -> Result<String, StoreError> {
    if !BODIES_APART {
        return Ok(body);
    }
    let row = (
        notifications::event_id.eq(Id(event_id)),
        notifications::api_version.eq(api_version),
        notifications::body.eq(body),
    );
    insert_absent!(c, notifications::table, [row], InsertBody);
    Ok(String::new())
}

/// Forgets what was said of these events.
pub(super) async fn forget_bodies(c: &mut Conn, events: &[Id]) -> Result<(), StoreError> {
    let of_events = notifications::table.filter(among!(notifications::event_id, events.iter().copied()));
    diesel::delete(of_events).execute(c).await?;
    Ok(())
}

/// Deletes the bodies of the oldest events up to `last`, a few at a time; counts them.
pub(in crate::store) async fn sweep_some_bodies(c: &mut Conn, last: Uuid) -> Result<usize, StoreError> {
    let old: Vec<Id> = notifications::table
        .filter(notifications::event_id.le(Id(last)))
        .order(notifications::event_id)
        .limit(limits::DELIVERIES_MOVED_AT_ONCE)
        .select(notifications::event_id)
        .load(c)
        .await?;
    if old.is_empty() {
        return Ok(0);
    }
    Ok(diesel::delete(notifications::table.filter(among!(notifications::event_id, old))).execute(c).await?)
}

//! The bodies of notifications: one for each event and API version, shared by its deliveries (decisions W1).

use std::collections::HashMap;

use diesel::prelude::*;
use uuid::Uuid;

use super::{Conn, Result, RunQueryDsl};
use crate::base::limits;
use crate::model::Delivery;
use crate::store::delivery::row::DeliveryRow;
use crate::store::prepared_query::prepared;
use crate::store::schema::notifications;
use crate::store::sql_type::Id;

/// Returns deliveries with their bodies. Leaves out deliveries of deleted cards, whose bodies were deleted too.
pub(super) async fn with_bodies(c: &mut Conn<'_>, rows: Vec<DeliveryRow>) -> Result<Vec<(Delivery, String)>> {
    if rows.is_empty() {
        return Ok(Vec::new());
    }
    let deliveries: Vec<Delivery> = rows.into_iter().map(Delivery::from).collect();
    let bodies = bodies_of(c, &deliveries).await?;
    let with_body = |delivery: Delivery| {
        let body = bodies.get(&(delivery.event_id, delivery.api_version.clone()))?.clone();
        Some((delivery, body))
    };
    Ok(deliveries.into_iter().filter_map(with_body).collect())
}

/// Returns the bodies of these deliveries, by event and API version.
pub(super) async fn bodies_of(c: &mut Conn<'_>, of: &[Delivery]) -> Result<HashMap<(Uuid, String), String>> {
    let events = of.iter().map(|delivery| Id(delivery.event_id)).collect::<Vec<_>>();
    let rows: Vec<(Id, String, String)> =
        notifications::table.filter(among!(notifications::event_id, events)).load(c).await?;
    Ok(rows.into_iter().map(|(event, version, body)| ((event.0, version), body)).collect())
}

/// Stores the body of an event in a version, unless it is stored already.
pub(crate) async fn insert_body(c: &mut Conn<'_>, event_id: Uuid, api_version: &str, body: String) -> Result<()> {
    let row = (
        notifications::event_id.eq(Id(event_id)),
        notifications::api_version.eq(api_version),
        notifications::body.eq(body),
    );
    prepared!(diesel::insert_into(notifications::table).values(row).on_conflict_do_nothing()).execute(c).await?;
    Ok(())
}

/// Deletes the bodies of these events.
pub(crate) async fn delete_bodies(c: &mut Conn<'_>, events: &[Id]) -> Result<()> {
    let of_events = notifications::table.filter(among!(notifications::event_id, events.iter().copied()));
    diesel::delete(of_events).execute(c).await?;
    Ok(())
}

/// Deletes the bodies of the oldest events up to `last`, a few at a time; counts them.
pub(crate) async fn delete_body_batch(c: &mut Conn<'_>, last: Uuid) -> Result<usize> {
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

//! What notifications say: a body for each event and version (decisions W1). On SQLite it is kept apart from the deliveries
//! that carry it; elsewhere, and in older rows, it stands in each of them.

use std::collections::HashMap;

use diesel::prelude::*;
use uuid::Uuid;

use super::{BODIES_APART, Conn, RunQueryDsl};
use crate::base::limits;
use crate::store::StoreError;
use crate::store::schema::notifications;
use crate::store::sql_type::Id;

/// The one text in which a body is inserted.
struct InsertBody;

/// The bodies of some events, by event and version.
pub(super) struct Bodies(HashMap<(Uuid, String), String>);

impl Bodies {
    /// Reads what is kept apart for these events.
    pub(super) async fn of(c: &mut Conn, events: impl IntoIterator<Item = Uuid>) -> Result<Self, StoreError> {
        let events: Vec<Id> = events.into_iter().map(Id).collect();
        if events.is_empty() {
            return Ok(Self(HashMap::new()));
        }
        let rows: Vec<(Id, String, String)> =
            notifications::table.filter(among!(notifications::event_id, events)).load(c).await?;
        Ok(Self(rows.into_iter().map(|(event, version, body)| ((event.0, version), body)).collect()))
    }

    /// The body of an event in a version. `None`: its card was deleted.
    pub(super) fn get(&self, event_id: Uuid, api_version: &str) -> Option<&str> {
        self.0.get(&(event_id, api_version.to_owned())).map(String::as_str)
    }
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

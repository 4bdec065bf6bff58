//! The queries of the store, in a file for each noun (`card/queries.rs`), written once and compiled for each engine.
//!
//! `sqlite` and `postgres` each include this file with `#[path]`: `super` is one of them. It supplies `QueryConn`, `Db`,
//! `RunQueryDsl`, `JOINS`, `LOCKS`, `insert_rows`, `write_successes`, `delete_claims_before` and the macros `locked!`, `skip_locked!` and
//! `among!`; the rest is plain diesel. An editor shows one of the two. No function here opens a transaction: the methods of the store
//! run each in one.

use chrono::NaiveDateTime;
use diesel::prelude::*;

use super::{Db, JOINS, LOCKS, QueryConn as Conn, RunQueryDsl, insert_rows, write_successes};
use crate::base::{Timestamp, limits};
use crate::store::sql_type::At;
use crate::store::{LastAttempts, Result, schema};

/// Whether a row is within a scope: it belongs to the partner, and a test key reaches test rows only. Used for every
/// table whose rows a partner owns.
macro_rules! within {
    ($table:ident, $scope:expr) => {{
        let scope: crate::model::Scope = $scope;
        let reaches_live = diesel::IntoSql::into_sql::<diesel::sql_types::Bool>(scope.reaches_live());
        let of_mode = $table::test.eq(true).or(reaches_live);
        $table::partner_id.eq(crate::store::sql_type::Id(scope.partner_id)).and(of_mode)
    }};
}

/// The later of a stored timestamp and a new one: the clock of the replica that stored it may be ahead (decisions V7).
macro_rules! later_of {
    ($column:expr, $now:expr) => {{
        let now = crate::store::sql_type::At($now);
        let set = diesel::IntoSql::into_sql::<crate::store::sql_type::TimestampSql>(now);
        diesel::dsl::case_when($column.lt(now), set).otherwise($column)
    }};
}

#[path = "activity/queries.rs"]
mod activity;
#[path = "audit/queries.rs"]
mod audit;
#[path = "card/queries.rs"]
mod card;
#[path = "card/deletion.rs"]
mod deletion;
#[path = "delivery/queries/mod.rs"]
mod delivery;
#[path = "idempotency/queries.rs"]
mod idempotency;
#[path = "invitee/queries.rs"]
mod invitee;
#[path = "mail/queries.rs"]
mod mail;
#[path = "order/queries.rs"]
mod order;
#[path = "partner/queries.rs"]
mod partner;
#[path = "photo/queries.rs"]
mod photo;
#[path = "session/queries.rs"]
mod session;
#[path = "subscription/queries.rs"]
mod subscription;
#[path = "theme/queries.rs"]
mod theme;
#[path = "version/queries.rs"]
mod version;

pub(in crate::store) use self::{
    activity::*, audit::*, card::*, deletion::*, delivery::*, idempotency::*, invitee::*, mail::*, order::*,
    partner::*, photo::*, session::*, subscription::*, theme::*, version::*,
};
pub(in crate::store) use super::is_read_only;

/// Writes the row of the health check, which is as large as a usual write: a full disk may still hold a small one.
pub(crate) async fn write_heartbeat(c: &mut Conn<'_>, now: Timestamp) -> Result<()> {
    use schema::heartbeats::dsl::{filler, heartbeats, id, written_at};
    // Different bytes each time: SQLite writes only the pages that change. PostgreSQL compresses them to a few.
    let bytes = vec![now.millis().to_le_bytes()[0]; limits::HEARTBEAT_BYTES];
    let values = (written_at.eq(At(now)), filler.eq(bytes));
    let row = diesel::insert_into(heartbeats).values((id.eq(1), values.clone()));
    row.on_conflict(id).do_update().set(values).execute(c).await?;
    Ok(())
}

/// Reads the clock of the database. PostgreSQL sends the time in UTC, for any time zone of the session.
pub(crate) async fn current_time(c: &mut Conn<'_>) -> Result<Timestamp> {
    let now: NaiveDateTime = diesel::select(diesel::dsl::now).get_result(c).await?;
    Ok(now.and_utc().into())
}

/// Makes due what is put off beyond these times; counts the rows.
pub(crate) async fn shorten_waits(c: &mut Conn<'_>, now: Timestamp, last: LastAttempts) -> Result<usize> {
    use schema::{activations, deliveries, mails};
    let (due, mail) = (Some(At(now)), Some(At(last.mail)));
    let mails =
        diesel::update(mails::table.filter(mails::due_at.gt(mail))).set(mails::due_at.eq(due)).execute(c).await?;
    let late = activations::table.filter(activations::due_at.gt(At(last.activation)));
    let activations = diesel::update(late).set(activations::due_at.eq(At(now))).execute(c).await?;
    let late = deliveries::table.filter(deliveries::due_at.gt(Some(At(last.delivery))));
    let deliveries = diesel::update(late).set(deliveries::due_at.eq(due)).execute(c).await?;
    Ok(mails + activations + deliveries)
}

/// Reads all columns and no row of each table.
pub(crate) async fn check_schema(c: &mut Conn<'_>) -> Result<()> {
    macro_rules! answers {
        ($($table:ident)*) => {$(
            schema::$table::table.limit(0).perform(c).await?;
        )*};
    }
    answers! {
        partners access_keys themes photos cards events sessions visits admin_sessions
        customers orders activations
        idempotency_keys webhook_subscriptions deliveries notifications attempts webhook_secrets
        invitees invitation_counts invitation_days invitation_notes mails invitee_list_links audit
        usage version_notices quotas heartbeats
    }
    Ok(())
}

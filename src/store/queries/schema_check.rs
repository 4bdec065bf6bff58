//! Checks that the database answers, and has the expected schema.

use chrono::NaiveDateTime;
use diesel::prelude::*;
use diesel::sql_types::Integer;

use super::{Conn, RunQueryDsl};
use crate::base::Timestamp;
use crate::store::StoreError;
use crate::store::schema;

pub(in crate::store) async fn answer(c: &mut Conn<'_>) -> Result<(), StoreError> {
    let _: i32 = diesel::select(1_i32.into_sql::<Integer>()).get_result(c).await?;
    Ok(())
}

/// Reads all columns and no row of each table.
/// Reads the clock of the database. PostgreSQL sends the time in UTC, for any time zone of the session.
pub(in crate::store) async fn current_time(c: &mut Conn<'_>) -> Result<Timestamp, StoreError> {
    let now: NaiveDateTime = diesel::select(diesel::dsl::now).get_result(c).await?;
    Ok(now.and_utc().into())
}

pub(in crate::store) async fn check_schema(c: &mut Conn<'_>) -> Result<(), StoreError> {
    macro_rules! answers {
        ($($table:ident)*) => {$(
            schema::$table::table.limit(0).execute(c).await?;
        )*};
    }
    answers! {
        partners access_keys themes photos cards events sessions visits admin_sessions
        customers orders activations
        idempotency_keys idempotency_cards webhook_subscriptions deliveries notifications attempts webhook_secrets
        invitees invitation_counts invitation_days invitation_notes mails invitee_list_links audit
        usage version_notices quotas
    }
    Ok(())
}

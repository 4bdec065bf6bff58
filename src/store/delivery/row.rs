//! Rows of deliveries and their attempts.

use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::sqlite::Sqlite;

use crate::model::{Attempt, AttemptOutcome, Delivery, DeliveryState, NoAnswer, Topic};
use crate::store::error::Inconsistent;
use crate::store::row::{Column, row};
use crate::store::schema::{attempts, deliveries, notifications};
use crate::store::sql_type::{At, Id, Name};
use crate::store::{Result, StoreError};

row!(DeliveryRow in deliveries is Delivery {
    id: Id,
    event_id: Id,
    subscription_id: Id,
    partner_id: Id,
    card_id: Id,
    topic: Name<Topic>,
    sequence: i64,
    test: bool,
    api_version: String,
    state: Name<DeliveryState>,
    attempt_count: i64,
    schedule_step: i64,
    due_at: Option<At>,
    lease: Option<Id>,
    leased_until: Option<At>,
    created_at: At,
    finished_at: Option<At>
});

impl DeliveryRow {
    pub(in crate::store) fn id(&self) -> Id {
        self.id
    }

    /// Lets the delivery wait for another one with its sequence key.
    pub(in crate::store) fn wait(&mut self) {
        (self.state, self.due_at) = (Name(DeliveryState::Waiting), None);
    }
}

/// The body of an event in a version.
#[derive(Debug, Insertable)]
#[diesel(table_name = notifications, check_for_backend(Sqlite, Pg))]
pub(in crate::store) struct NotificationRow {
    pub(in crate::store) event_id: Id,
    pub(in crate::store) api_version: String,
    pub(in crate::store) body: String,
}

#[derive(Debug, Queryable, Selectable, Insertable)]
#[diesel(table_name = attempts, check_for_backend(Sqlite, Pg), treat_none_as_default_value = false)]
pub(in crate::store) struct AttemptRow {
    pub(in crate::store) delivery_id: Id,
    pub(in crate::store) number: i64,
    pub(in crate::store) started_at: At,
    pub(in crate::store) duration_ms: i64,
    pub(in crate::store) status: Option<i32>,
    pub(in crate::store) failure: Option<String>,
    pub(in crate::store) cause: Option<String>,
}

impl TryFrom<AttemptRow> for Attempt {
    type Error = StoreError;

    fn try_from(row: AttemptRow) -> Result<Self> {
        let outcome = match (row.status, row.failure.as_deref()) {
            (Some(status), _) => u16::try_from(status).ok().map(AttemptOutcome::Answered),
            (None, failure) => failure.and_then(AttemptOutcome::by_failure),
        };
        Ok(Attempt {
            delivery_id: row.delivery_id.0,
            number: row.number,
            started_at: row.started_at.0,
            duration_ms: row.duration_ms,
            outcome: outcome.ok_or(Inconsistent("an attempt without an outcome that we know"))?,
            // A later release may know more causes.
            cause: row.cause.as_deref().and_then(NoAnswer::parse),
        })
    }
}

impl From<&Attempt> for AttemptRow {
    fn from(attempt: &Attempt) -> Self {
        AttemptRow {
            delivery_id: Id(attempt.delivery_id),
            number: attempt.number,
            started_at: At(attempt.started_at),
            duration_ms: attempt.duration_ms,
            status: attempt.outcome.status().map(i32::from),
            failure: attempt.outcome.failure().map(str::to_owned),
            cause: attempt.cause.map(|cause| cause.as_str().to_owned()),
        }
    }
}

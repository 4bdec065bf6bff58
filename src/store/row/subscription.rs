//! Webhook subscriptions.

use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::sqlite::Sqlite;
use sha2::{Digest as _, Sha256};

use crate::base::HttpUrl;
use crate::model::{Pause, PauseReason, SubscriptionHealth, Topic, WebhookSubscription};
use crate::store::schema::webhook_subscriptions;
use crate::store::sql_type::{At, Digest, Id, Name};

#[derive(Debug, Queryable, Selectable, Insertable)]
#[diesel(table_name = webhook_subscriptions, check_for_backend(Sqlite, Pg), treat_none_as_default_value = false)]
pub(in crate::store) struct SubscriptionRow {
    id: Id,
    partner_id: Id,
    topic: Name<Topic>,
    callback_url: String,
    callback_url_digest: Digest,
    api_version: String,
    test: bool,
    created_at: At,
    updated_at: At,
    name: Option<String>,
    #[diesel(embed)]
    health: HealthRow,
}

/// The columns about failures.
#[derive(Debug, Queryable, Selectable, Insertable)]
#[diesel(table_name = webhook_subscriptions, check_for_backend(Sqlite, Pg), treat_none_as_default_value = false)]
pub(in crate::store) struct HealthRow {
    paused_at: Option<At>,
    pause_reason: Option<Name<PauseReason>>,
    failing_since: Option<At>,
    failure_count: i64,
}

/// Returns the digest of the normalised address. A PostgreSQL index row is at most a third of a page, too small for
/// every address.
pub(in crate::store) fn callback_url_digest(address: &HttpUrl) -> Digest {
    Digest(Sha256::digest(address.url().as_str().as_bytes()).into())
}

impl From<SubscriptionRow> for WebhookSubscription {
    fn from(row: SubscriptionRow) -> Self {
        WebhookSubscription {
            id: row.id.0,
            partner_id: row.partner_id.0,
            topic: row.topic.0,
            callback_url: HttpUrl::trusted(row.callback_url),
            api_version: row.api_version,
            test: row.test,
            created_at: row.created_at.0,
            updated_at: row.updated_at.0,
            name: row.name,
            health: row.health.into(),
        }
    }
}

impl From<WebhookSubscription> for SubscriptionRow {
    fn from(subscription: WebhookSubscription) -> Self {
        SubscriptionRow {
            id: Id(subscription.id),
            partner_id: Id(subscription.partner_id),
            topic: Name(subscription.topic),
            callback_url_digest: callback_url_digest(&subscription.callback_url),
            callback_url: subscription.callback_url.as_str().to_owned(),
            api_version: subscription.api_version,
            test: subscription.test,
            created_at: At(subscription.created_at),
            updated_at: At(subscription.updated_at),
            name: subscription.name,
            health: subscription.health.into(),
        }
    }
}

impl From<HealthRow> for SubscriptionHealth {
    fn from(row: HealthRow) -> Self {
        // A pause by the operator has no reason in the row.
        let reason = row.pause_reason.map_or(PauseReason::Operator, |reason| reason.0);
        let pause = row.paused_at.map(|at| Pause { at: at.0, reason });
        SubscriptionHealth { pause, failing_since: row.failing_since.map(|at| at.0), failure_count: row.failure_count }
    }
}

impl From<SubscriptionHealth> for HealthRow {
    fn from(health: SubscriptionHealth) -> Self {
        HealthRow {
            paused_at: health.pause.map(|pause| At(pause.at)),
            pause_reason: health.pause.map(|pause| pause.reason).filter(|it| *it != PauseReason::Operator).map(Name),
            failing_since: health.failing_since.map(At),
            failure_count: health.failure_count,
        }
    }
}

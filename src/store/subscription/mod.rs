//! Webhook subscriptions (decisions V5, W5).

use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::result::Error as DieselError;
use diesel::sqlite::Sqlite;
use sha2::{Digest as _, Sha256};
use uuid::Uuid;

use super::audit::{always, if_true};
use super::database::{Unit, query};
use super::schema::webhook_subscriptions;
use super::sql_type::{At, Digest, Id, Name};
use super::{Result, Store, StoreError};
use crate::base::{HttpUrl, Patch, Timestamp};
use crate::model::{Page, PageRequest, Pause, PauseReason, Scope, SubscriptionHealth, Topic, WebhookSubscription};

/// The subscription that has an address on a topic.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AddressHolder {
    /// Whether a test key made it.
    pub test: bool,
    /// Set while it is paused.
    pub pause: Option<Pause>,
}

/// Why no subscription was created. Nothing was written.
#[derive(Debug, thiserror::Error)]
pub enum CreateSubscriptionError {
    #[error("the partner already has a subscription with this topic and address")]
    Taken(AddressHolder),
    #[error("the partner has as many subscriptions of this mode on this topic as it may have")]
    TooMany,
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<DieselError> for CreateSubscriptionError {
    fn from(error: DieselError) -> Self {
        CreateSubscriptionError::Store(error.into())
    }
}

/// A change of a subscription.
#[derive(Clone, Debug)]
pub struct SubscriptionChange {
    /// `None` keeps the address.
    pub callback_url: Option<HttpUrl>,
    pub name: Patch<String>,
}

/// Why a subscription was not changed. Nothing was written.
#[derive(Debug, thiserror::Error)]
pub enum ChangeSubscriptionError {
    #[error("the partner has no such subscription")]
    NotFound,
    #[error("the partner already has another subscription with this topic and address")]
    Taken(AddressHolder),
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<DieselError> for ChangeSubscriptionError {
    fn from(error: DieselError) -> Self {
        ChangeSubscriptionError::Store(error.into())
    }
}

impl Store {
    /// Returns the subscription with this id within the scope.
    pub async fn subscription(&self, scope: Scope, id: Uuid) -> Result<Option<WebhookSubscription>> {
        query!(self.run_shared(), subscription(scope, id))
    }

    /// Returns the subscription with this id, of any partner.
    pub async fn any_subscription(&self, id: Uuid) -> Result<Option<WebhookSubscription>> {
        query!(self.read(), any_subscription(id))
    }

    /// Returns a page of the subscriptions within the scope on these topics, or on all if there are none; newest first.
    /// The page key is the id.
    pub async fn subscriptions_page(
        &self,
        scope: Scope,
        topics: &[Topic],
        request: &PageRequest<Uuid>,
    ) -> Result<Page<WebhookSubscription>> {
        query!(self.read(), subscriptions_page(scope, topics, request))
    }

    /// Adds a subscription, unless the partner has one with its topic and address, or `per_topic_max` of its mode on
    /// its topic.
    pub async fn create_subscription(
        &self,
        subscription: WebhookSubscription,
        per_topic_max: usize,
    ) -> Result<(), CreateSubscriptionError> {
        query!(self.write(Unit::Transaction, always), create_subscription(subscription, per_topic_max))
    }

    /// Changes a subscription within the scope, unless another one of the partner has its new address on the topic.
    /// Another address ends a pause. Also returns whether it is another address after normalisation.
    pub async fn change_subscription(
        &self,
        scope: Scope,
        id: Uuid,
        change: SubscriptionChange,
        now: Timestamp,
    ) -> Result<(WebhookSubscription, bool), ChangeSubscriptionError> {
        query!(self.write(Unit::Transaction, always), change_subscription(scope, id, change, now))
    }

    /// Deletes a subscription within the scope. Returns false if there is none.
    pub async fn delete_subscription(&self, scope: Scope, id: Uuid) -> Result<bool> {
        query!(self.write(Unit::Statement, if_true), delete_subscription(scope, id))
    }
}

#[derive(Debug, Queryable, Selectable, Insertable)]
#[diesel(table_name = webhook_subscriptions, check_for_backend(Sqlite, Pg), treat_none_as_default_value = false)]
pub(super) struct SubscriptionRow {
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
pub(super) struct HealthRow {
    paused_at: Option<At>,
    pause_reason: Option<Name<PauseReason>>,
    failing_since: Option<At>,
    failure_count: i64,
}

/// Returns the digest of the normalised address. A PostgreSQL index row is at most a third of a page, too small for
/// every address.
pub(super) fn callback_url_digest(address: &HttpUrl) -> Digest {
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

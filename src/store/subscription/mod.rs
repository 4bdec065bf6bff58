//! Webhook subscriptions (decisions V5, W5).

use diesel::result::Error as DieselError;
use uuid::Uuid;

use super::StoreError;
use super::engine::store_methods;
use crate::base::{HttpUrl, Patch, Timestamp};
use crate::model::{Page, PageRequest, Pause, Scope, Topic, WebhookSubscription};

/// The subscription that has an address on a topic.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Holder {
    /// Whether a test key made it.
    pub test: bool,
    /// Set while it is paused.
    pub pause: Option<Pause>,
}

/// Why no subscription was created. Nothing was written.
#[derive(Debug, thiserror::Error)]
pub enum CreateSubscriptionError {
    #[error("the partner already has a subscription with this topic and address")]
    Taken(Holder),
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
    Taken(Holder),
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<DieselError> for ChangeSubscriptionError {
    fn from(error: DieselError) -> Self {
        ChangeSubscriptionError::Store(error.into())
    }
}

store_methods! {
    /// Returns the subscription with this id within the scope.
    pub lookup subscription(scope: Scope, id: Uuid) -> Result<Option<WebhookSubscription>, StoreError>;
    /// Returns the subscription with this id, of any partner.
    pub read any_subscription(id: Uuid) -> Result<Option<WebhookSubscription>, StoreError>;
    /// Returns a page of the subscriptions within the scope on these topics, or on all if there are none; newest first.
    /// The page key is the id.
    pub read subscriptions_page(scope: Scope, topics: &[Topic], request: &PageRequest<Uuid>)
        -> Result<Page<WebhookSubscription>, StoreError>;
    /// Adds a subscription, unless the partner has one with its topic and address, or `per_topic_max` of its mode on
    /// its topic.
    pub transaction create_subscription(subscription: WebhookSubscription, per_topic_max: usize)
        -> Result<(), CreateSubscriptionError>;
    /// Changes a subscription within the scope, unless another one of the partner has its new address on the topic.
    /// Another address ends a pause. Also returns whether it is another address after normalisation.
    pub transaction change_subscription(scope: Scope, id: Uuid, change: SubscriptionChange, now: Timestamp)
        -> Result<(WebhookSubscription, bool), ChangeSubscriptionError>;
    /// Deletes a subscription within the scope. Returns false if there is none.
    pub write delete_subscription(scope: Scope, id: Uuid) -> Result<bool, StoreError>;
}

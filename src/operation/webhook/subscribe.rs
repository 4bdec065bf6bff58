//! A partner subscribes a URL to a topic (specification, section 6; decisions W5).

use super::callback;
use crate::base::{HttpUrl, Parsed, limits};
use crate::model::{KeyMode, SubscriptionHealth, Topic, WebhookSubscription, text};
use crate::operation::{Caller, OperationError, Services};
use crate::store::CreateSubscriptionError;

/// The input of a new subscription.
#[derive(Clone, Debug)]
pub struct Subscribe {
    pub topic: Topic,
    pub callback_url: Parsed<HttpUrl>,
}

/// Creates the subscription. Its notifications are rendered in the version of the request.
pub async fn subscribe(
    services: &Services,
    caller: &Caller,
    input: Subscribe,
) -> Result<WebhookSubscription, OperationError> {
    let callback_url = callback::accept(services, input.callback_url).await.map_err(OperationError::Refused)?;
    let now = services.clock.now();
    let subscription = WebhookSubscription {
        id: services.entropy.uuid(now),
        partner_id: caller.partner_id,
        topic: input.topic,
        callback_url,
        api_version: caller.version.to_owned(),
        test: caller.mode == KeyMode::Test,
        created_at: now,
        updated_at: now,
        health: SubscriptionHealth::default(),
    };
    let max = limits::SUBSCRIPTIONS_PER_TOPIC_MAX;
    match services.store.create_subscription(subscription.clone(), max).await {
        Ok(()) => Ok(subscription),
        Err(CreateSubscriptionError::Taken { by_test }) => {
            Err(OperationError::refused(callback::taken(caller.mode, by_test)))
        }
        Err(CreateSubscriptionError::TooMany) => {
            Err(OperationError::refused(callback::invalid(text::too_many_subscriptions(max))))
        }
        Err(CreateSubscriptionError::Store(error)) => Err(error.into()),
    }
}

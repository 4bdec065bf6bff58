//! A partner subscribes an address to a topic (specification, section 6; decisions W5).

use super::callback::{self, CALLBACK_URL};
use crate::base::{Parsed, WebAddress, limits};
use crate::model::{Topic, UserError, UserErrorCode, WebhookSubscription, text};
use crate::operation::{Caller, OperationError, Services};
use crate::store::CreateSubscriptionError;

/// What a partner says about a new subscription.
#[derive(Clone, Debug)]
pub struct Subscribe {
    pub topic: Topic,
    pub callback_url: Parsed<WebAddress>,
}

/// Makes the subscription; its notifications will be rendered in the version of the request.
pub async fn subscribe(
    services: &Services,
    caller: &Caller,
    input: Subscribe,
) -> Result<WebhookSubscription, OperationError> {
    let callback_url = callback::check(input.callback_url).map_err(OperationError::Refused)?;
    // Only an address that could be accepted is worth a look-up of its name.
    let check = services.outbound.check(&callback_url.url()).await;
    check.map_err(|error| OperationError::refused(callback::not_reachable(&error)))?;

    let now = services.clock.now();
    let subscription = WebhookSubscription {
        id: services.entropy.uuid(now),
        partner_id: caller.partner_id,
        topic: input.topic,
        callback_url,
        api_version: caller.version.to_owned(),
        created_at: now,
        updated_at: now,
    };
    let max = limits::SUBSCRIPTIONS_PER_TOPIC_MAX;
    match services.store.create_subscription(subscription.clone(), max).await {
        Ok(()) => Ok(subscription),
        Err(CreateSubscriptionError::Taken) => {
            let taken = UserError::new(UserErrorCode::Taken, CALLBACK_URL, text::CALLBACK_TAKEN);
            Err(OperationError::refused(taken))
        }
        Err(CreateSubscriptionError::TooMany) => {
            Err(OperationError::refused(callback::invalid(text::too_many_subscriptions(max))))
        }
        Err(CreateSubscriptionError::Store(error)) => Err(error.into()),
    }
}

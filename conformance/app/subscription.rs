//! Creates and deletes webhook subscriptions.

use serde_json::{Value, json};

use super::answer::user_faults;
use super::{Caller, UserFault};

const CREATE: &str = "mutation ($topic: WebhookSubscriptionTopic!, $input: WebhookSubscriptionInput!) {
    webhookSubscriptionCreate(topic: $topic, webhookSubscription: $input) {
        webhookSubscription {
            id topic format createdAt updatedAt
            endpoint { __typename ... on WebhookHttpEndpoint { callbackUrl } }
        }
        userErrors { code field message }
    }
}";

const DELETE: &str = "mutation ($id: ID!) {
    webhookSubscriptionDelete(id: $id) { deletedWebhookSubscriptionId userErrors { code field message } }
}";

impl Caller {
    /// `webhookSubscriptionCreate`; the subscription or null, and the user errors.
    pub async fn try_subscribe(&self, topic: &str, callback_url: &str) -> (Value, Vec<UserFault>) {
        let variables = json!({ "topic": topic, "input": { "callbackUrl": callback_url } });
        let payload = self.data(CREATE, variables).await["webhookSubscriptionCreate"].take();
        let faults = user_faults(&payload);
        assert_eq!(payload["webhookSubscription"].is_null(), !faults.is_empty(), "{payload}");
        (payload["webhookSubscription"].clone(), faults)
    }

    /// Subscribes an address to a topic; the global id of the subscription.
    pub async fn subscribe(&self, topic: &str, callback_url: &str) -> String {
        let (subscription, faults) = self.try_subscribe(topic, callback_url).await;
        assert_eq!(faults, [], "{callback_url} can be subscribed");
        subscription["id"].as_str().expect("a subscription has an id").to_owned()
    }

    /// `webhookSubscriptionDelete`; the deleted id or null, and the user errors.
    pub async fn unsubscribe(&self, id: &str) -> (Value, Vec<UserFault>) {
        let payload = self.data(DELETE, json!({ "id": id })).await["webhookSubscriptionDelete"].take();
        let faults = user_faults(&payload);
        assert_eq!(payload["deletedWebhookSubscriptionId"].is_null(), !faults.is_empty(), "{payload}");
        (payload["deletedWebhookSubscriptionId"].clone(), faults)
    }
}

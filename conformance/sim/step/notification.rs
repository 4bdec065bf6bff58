//! Requests to receivers: each notification is signed, due, and the first of its card at its address.

use card_service::base::{GlobalId, Kind};
use card_service::model::{DeliveryState, event_id};
use card_service::webhook::{ID_HEADER, SIGNATURE_HEADER, SignedRequest, TIMESTAMP_HEADER, verify};
use uuid::Uuid;

use crate::model::{Place, is_first};
use crate::network::Post;
use crate::run::Sim;

impl Sim {
    /// Checks the headers, signature and body of a notification, and that it may be sent now. Returns whose it is.
    pub(super) fn check_post(&self, post: &Post) -> (Uuid, Place) {
        let header = |name: &str| post.headers.get(name).expect(name).to_str().expect("ASCII");
        let id = GlobalId::uuid_of(header("x-service-subscription-id"), Kind::WebhookSubscription).expect("an id");
        let subscription = self.model.subscriptions.get(&id).expect("only subscriptions that exist are sent to");
        assert_eq!(post.url, subscription.row.callback_url.url(), "the address");
        let event = event_id(header(ID_HEADER)).expect("the id of an event");
        let one =
            subscription.notifications.values().find(|one| one.row.event_id == event).expect("an event of its topic");
        let row = &one.row;
        assert_eq!((post.body.as_ref(), row.state), (one.body.as_bytes(), DeliveryState::Due), "the body");
        let place = (row.card_id, row.sequence);
        // An attempt whose process was killed is repeated, also if an earlier notification was sent again meanwhile. And the
        // order is checked a little later than a subscription changes.
        let may_be_later = row.lease.is_some() || self.model.unordered;
        assert!(may_be_later || is_first(&self.model.subscriptions, id, place), "the order of a card: {row:?}");
        let (test, number) = (row.test.to_string(), (row.attempt_count + 1).to_string());
        let names = ["x-service-topic", "x-service-api-version", "x-service-test", "x-service-attempt"];
        assert_eq!(names.map(header), [row.topic.as_str(), "2026-10", &test, &number]);
        let request = SignedRequest {
            id: header(ID_HEADER),
            timestamp: header(TIMESTAMP_HEADER),
            signature: header(SIGNATURE_HEADER),
            body: &post.body,
        };
        let secret = &self.model.account(row.partner_id).secret;
        let signed = verify([secret], &request, self.now().millis().div_euclid(1_000));
        assert_eq!(signed, Ok(()), "the signature");
        (id, place)
    }
}

//! Requests to receivers: notifications, test notifications and challenges, each signed.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use card_service::base::{GlobalId, HttpUrl, Kind};
use card_service::model::{AttemptOutcome, DeliveryState, KeyMode, UserErrorCode, event_id};
use card_service::operation::{OperationError, webhook};
use card_service::webhook::signature::{ID_HEADER, SIGNATURE_HEADER, TIMESTAMP_HEADER};
use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;
use url::Url;
use uuid::Uuid;

use super::refusals;
use super::subscription::gid;
use crate::network::{Mood, Post};
use crate::run::{Called, Sim};

impl Sim {
    /// Checks the headers, signatures and body of a notification, and that it may be sent now. Returns whose it is.
    pub(super) fn check_post(&self, post: &Post) -> (Uuid, (Uuid, i64)) {
        let header = |name: &str| post.headers.get(name).expect(name).to_str().expect("ASCII");
        let id = GlobalId::uuid_of(header("x-service-subscription-id"), Kind::WebhookSubscription).expect("an id");
        let subscription = self.model.subscriptions.get(&id).expect("only subscriptions that exist are sent to");
        assert_eq!(post.url, subscription.row.callback_url.url(), "the address");
        let event = event_id(header(ID_HEADER)).expect("the id of an event");
        let one =
            subscription.notifications.values().find(|one| one.row.event_id == event).expect("an event of its topic");
        let row = &one.row;
        assert_eq!((post.body.as_ref(), row.state), (one.body.as_bytes(), DeliveryState::Due), "the body");
        let of_card = subscription.notifications.range((row.card_id, 0)..=(row.card_id, i64::MAX));
        let unfinished: Vec<_> = of_card.map(|(_, one)| &one.row).filter(|other| other.finished_at.is_none()).collect();
        // An attempt whose process was killed is repeated, also if an earlier notification was sent again meanwhile.
        let is_next = unfinished[0].sequence == row.sequence || row.lease.is_some();
        assert!(is_next, "the order of a card's notifications: {unfinished:#?}");
        let (test, number) = (row.test.to_string(), (row.attempt_count + 1).to_string());
        let told = (
            header("x-service-topic"),
            header("x-service-api-version"),
            header("x-service-test"),
            header("x-service-attempt"),
        );
        assert_eq!(told, (row.topic.as_str(), "2026-10", test.as_str(), number.as_str()));
        self.check_signatures(post, row.partner_id, subscription.row.mode());
        (id, (row.card_id, row.sequence))
    }

    /// Checks the time of a request, and its signatures with all secrets of a partner that sign for a mode.
    fn check_signatures(&self, post: &Post, partner_id: Uuid, mode: KeyMode) {
        let header = |name: &str| post.headers.get(name).expect(name).to_str().expect("ASCII");
        let seconds = self.now().millis().div_euclid(1_000);
        assert_eq!(header(TIMESTAMP_HEADER), seconds.to_string());
        let signatures: Vec<&str> = header(SIGNATURE_HEADER).split(' ').collect();
        let secrets = self.model.account(partner_id).signing(mode, self.now());
        assert!(!secrets.is_empty() && signatures.len() == secrets.len(), "a signature for each active secret");
        for secret in secrets {
            let message =
                [header(ID_HEADER).as_bytes(), b".", seconds.to_string().as_bytes(), b".", &post.body].concat();
            let mut mac = Hmac::<Sha256>::new_from_slice(secret.secret.key()).expect("a key of any length");
            mac.update(&message);
            let wanted = format!("v1,{}", STANDARD.encode(mac.finalize().into_bytes()));
            assert!(signatures.contains(&wanted.as_str()), "a signature with each active secret");
        }
    }

    /// The partner sends a test notification.
    pub(super) fn send_test(&mut self) {
        let ((partner_id, mode), Some(id)) = (self.any_partner(), self.any_subscription()) else { return };
        let Some(caller) = self.caller(partner_id, mode) else { return };
        let called = self.call(async |services, _| webhook::send_test(services, &caller, &gid(id)).await);
        let row = self.model.subscriptions[&id].row.clone();
        let posts = std::mem::take(&mut self.world.network.state().posts);
        let now = self.now();
        let is_silent = self.model.account(row.partner_id).signing(row.mode(), now).is_empty();
        let refusal = match self.reaches(partner_id, mode, id) {
            false => Some(UserErrorCode::NotFound),
            true => is_silent.then_some(UserErrorCode::Unprocessable),
        };
        self.note(format!("a test notification to {id}: {refusal:?}"));
        match called {
            Called::Returned(Ok(sent)) => {
                assert_eq!((refusal, posts.len()), (None, 1), "a test notification");
                self.check_signatures(&posts[0], row.partner_id, row.mode());
                let header = |name: &str| posts[0].headers[name].to_str().expect("ASCII");
                let told = [
                    "x-service-topic",
                    "x-service-test",
                    "x-service-attempt",
                    "x-service-api-version",
                    "x-service-subscription-id",
                ];
                let wanted = [row.topic.as_str(), "true", "1", &row.api_version, &gid(id)];
                assert_eq!(told.map(header), wanted, "its headers");
                assert_eq!((&posts[0].url, posts[0].body.as_ref()), (&row.callback_url.url(), sent.body.as_bytes()));
                let body: serde_json::Value = serde_json::from_str(&sent.body).expect("JSON");
                assert_eq!(body["test"], true, "{body}");
                let outcome = match self.world.network.mood(posts[0].url.as_str()) {
                    Mood::Accepts => AttemptOutcome::Answered(200),
                    Mood::Fails => AttemptOutcome::Answered(500),
                    Mood::Busy => AttemptOutcome::Answered(503),
                    Mood::Gone => AttemptOutcome::Answered(410),
                    Mood::TimesOut => AttemptOutcome::TimeOut,
                };
                let attempt = (sent.attempt.number, sent.attempt.started_at, sent.attempt.outcome);
                assert_eq!(attempt, (1, now, outcome), "its attempt");
            }
            Called::Returned(Err(OperationError::Refused(errors))) => {
                let wanted = refusal.map(|code| (code, "id".to_owned()));
                assert_eq!(refusals(&errors), wanted.into_iter().collect::<Vec<_>>());
                assert!(posts.is_empty(), "a refused test notification is sent");
            }
            Called::Returned(Err(error)) => panic!("no test notification: {error}"),
            Called::Lost => assert!(posts.is_empty(), "nothing of the store follows the attempt"),
        }
        // Nothing is stored.
        self.check_subscription(id);
    }

    /// Checks the challenge of a callback, if there was one, and whether it was passed; `None` if the call was lost.
    pub(super) fn check_challenge(&mut self, url: Option<&HttpUrl>, of: (Uuid, KeyMode), lost: bool) {
        let posts = std::mem::take(&mut self.world.network.state().posts);
        if lost {
            return;
        }
        let asked: Vec<&str> = posts.iter().map(|post| post.url.as_str()).collect();
        let url = url.map(HttpUrl::url);
        assert_eq!(asked, url.iter().map(Url::as_str).collect::<Vec<_>>(), "challenges");
        for post in &posts {
            self.check_signatures(post, of.0, of.1);
            assert!(!post.headers.contains_key("x-service-topic"), "a challenge is no notification");
        }
    }
}

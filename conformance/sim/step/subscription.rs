//! A partner follows topics; the operator and the partner send notifications again.

use card_service::base::{GlobalId, HttpUrl, Kind, Parsed, Patch, Progress};
use card_service::model::{
    DeliveryState, PageRequest, PageStart, Pause, PauseReason, Scope, SubscriptionHealth, Topic, UserErrorCode,
    WebhookSubscription,
};
use card_service::operation::OperationError;
use card_service::operation::webhook::delivery::SendAgainError;
use card_service::operation::webhook::{self, Subscribe, UpdateSubscription, delivery};
use card_service::worker::delivery::sequence;
use uuid::Uuid;

use super::{RECEIVERS, refusals};
use crate::model::{Place, Subscription, id_before};
use crate::run::{Called, Sim};

const CALLBACK_URL: &str = "webhookSubscription.callbackUrl";

impl Sim {
    fn any_address(&mut self) -> HttpUrl {
        HttpUrl::trusted(match self.random.below(13) {
            // The first one, written in another way.
            0 => "https://HOOKS.example/a",
            n => RECEIVERS[n % RECEIVERS.len()],
        })
    }

    /// The partner's other subscription to a topic with this address.
    fn follower(&self, partner_id: Uuid, topic: Topic, url: &HttpUrl) -> Option<Uuid> {
        let same = |row: &&WebhookSubscription| {
            row.partner_id == partner_id && row.topic == topic && row.callback_url.url() == url.url()
        };
        self.model.subscriptions.values().map(|subscription| &subscription.row).find(same).map(|row| row.id)
    }

    pub(super) fn subscribe(&mut self) {
        let partner_id = self.any_partner();
        let caller = self.caller(partner_id);
        let (topic, url, now) = (*self.random.pick(&Topic::ALL), self.any_address(), self.now());
        let input = Subscribe { topic, callback_url: Parsed::Value(url.clone()), name: None };
        let called = self.call(async |services, _| webhook::subscribe(services, &caller, input).await);
        let is_taken = self.follower(partner_id, topic, &url).is_some();
        self.note(format!("subscribe {} {url:?}: {is_taken}", topic.as_str()));
        let made = match called {
            Called::Returned(Ok(made)) => Some(made.id),
            Called::Returned(Err(OperationError::Refused(errors))) => {
                assert_eq!(refusals(&errors), [(UserErrorCode::Taken, CALLBACK_URL.to_owned())]);
                assert!(is_taken, "a subscription that may be made");
                None
            }
            Called::Returned(Err(error)) => panic!("no subscription: {error}"),
            Called::Lost => self.lost_subscription(partner_id),
        };
        if let Some(id) = made {
            assert!(!is_taken, "a subscription that must be refused");
            let row = WebhookSubscription {
                id,
                partner_id,
                topic,
                callback_url: url,
                api_version: "2026-10".to_owned(),
                test: false,
                created_at: now,
                updated_at: now,
                name: None,
                health: SubscriptionHealth::default(),
            };
            self.model.subscriptions.insert(id, Subscription::new(row));
            self.check_subscriptions();
        }
    }

    /// The subscription that a lost call has made, if it has.
    fn lost_subscription(&self, partner_id: Uuid) -> Option<Uuid> {
        let (all, scope) =
            (PageRequest { start: PageStart::First, size: 250, after: None, before: None }, Scope::account(partner_id));
        let page = self.read(async |store| store.subscriptions_page(scope, &[], &all).await);
        page.items.into_iter().map(|row| row.id).find(|id| !self.model.subscriptions.contains_key(id))
    }

    pub(super) fn unsubscribe(&mut self) {
        let (partner_id, Some(id)) = (self.any_partner(), self.any_subscription()) else { return };
        let caller = self.caller(partner_id);
        let called = self.call(async |services, _| webhook::unsubscribe(services, &caller, &gid(id)).await);
        let is_reached = self.model.subscriptions[&id].row.partner_id == partner_id;
        self.note(format!("unsubscribe {id}: {is_reached}"));
        match called {
            Called::Returned(Ok(_)) => assert!(is_reached, "a subscription out of reach is deleted"),
            Called::Returned(Err(OperationError::Refused(errors))) => {
                assert_eq!(refusals(&errors), [(UserErrorCode::NotFound, "id".to_owned())]);
                assert!(!is_reached);
            }
            Called::Returned(Err(error)) => panic!("not unsubscribed: {error}"),
            Called::Lost => {}
        }
        let row = self.read(async |store| store.any_subscription(id).await);
        assert!(row.is_some() || is_reached);
        if row.is_none() {
            self.model.unsubscribe(id);
        }
    }

    pub(super) fn change_callback(&mut self) {
        let (partner_id, Some(id)) = (self.any_partner(), self.any_subscription()) else { return };
        let caller = self.caller(partner_id);
        let (url, now) = (self.any_address(), self.now());
        let input = UpdateSubscription { callback_url: Patch::Value(Parsed::Value(url.clone())), name: Patch::Absent };
        let called = self.call(async |services, _| webhook::update(services, &caller, &gid(id), input).await);
        let before = self.model.subscriptions[&id].clone();
        let holder = self.follower(partner_id, before.row.topic, &url);
        let is_reached = self.model.subscriptions[&id].row.partner_id == partner_id;
        let refusal = match holder {
            _ if !is_reached => Some((UserErrorCode::NotFound, "id".to_owned())),
            Some(other) if other != id => Some((UserErrorCode::Taken, CALLBACK_URL.to_owned())),
            _ => None,
        };
        self.note(format!("the address of {id} becomes {url:?}: {refusal:?}"));
        let lost = called.is_lost();
        match called {
            Called::Returned(Ok(_)) => assert_eq!(refusal, None),
            Called::Returned(Err(OperationError::Refused(errors))) => {
                assert_eq!(refusals(&errors), Vec::from_iter(refusal.clone()));
            }
            Called::Returned(Err(error)) => panic!("the address was not changed: {error}"),
            Called::Lost => {}
        }
        if refusal.is_none() && url != before.row.callback_url {
            let subscription = self.model.subscriptions.get_mut(&id).expect("it is there");
            (subscription.row.callback_url, subscription.row.updated_at) = (url, now);
            if holder.is_none() {
                subscription.row.health = SubscriptionHealth::default();
                if !lost {
                    self.model.resume(id, now);
                }
            }
        }
        if lost { self.adopt(id, &before) } else { self.check_subscriptions() }
    }

    /// Takes over the subscription and all deliveries after a call that was lost, and puts them in sequence: each row is as before
    /// or as the call leaves it, which several transactions write.
    fn adopt(&mut self, id: Uuid, before: &Subscription) {
        self.calmly(async |services, _| sequence::step(services, &mut sequence::Position::default()).await)
            .expect("an answer");
        let now = self.now();
        let row = self.read(async |store| store.any_subscription(id).await).expect("it is there");
        let known = &mut self.model.subscriptions.get_mut(&id).expect("it is there").row;
        let resumed = WebhookSubscription { health: SubscriptionHealth::default(), ..before.row.clone() };
        let resumed_now = WebhookSubscription { updated_at: now, ..resumed.clone() };
        assert!([&before.row, &*known, &resumed, &resumed_now].contains(&&row), "the subscription: {row:?}");
        *known = row;
        let ids: Vec<Uuid> = self.model.subscriptions.keys().copied().collect();
        for id in ids {
            let rows = self.rows(id);
            let subscription = self.model.subscriptions.get_mut(&id).expect("it is there");
            assert_eq!(rows.len(), subscription.notifications.len(), "the deliveries");
            for (row, known) in rows.into_iter().zip(subscription.notifications.values_mut()) {
                assert_eq!((row.attempt_count, row.lease), (known.row.attempt_count, known.row.lease), "{row:?}");
                let is_open = row.finished_at.is_none()
                    && (row.due_at == known.row.due_at || row.due_at.is_none_or(|at| at <= now));
                assert!(row == known.row || is_open, "{row:?}, not {:?}", known.row);
                known.row = row;
            }
        }
        self.model.left.clear();
        self.model.unordered = false;
    }

    /// The operator pauses a subscription.
    pub(super) fn pause(&mut self) {
        let (Some(id), now) = (self.any_subscription(), self.now()) else { return };
        let called = self.call(async |services, _| delivery::pause(services, id).await);
        self.note(format!("{id} is paused"));
        let row = self.read(async |store| store.any_subscription(id).await).expect("it is there");
        let known = &mut self.model.subscriptions.get_mut(&id).expect("it is there").row;
        if known.health.pause.is_none() && (!called.is_lost() || row.health.pause.is_some()) {
            (known.updated_at, known.health.pause) = (now, Some(Pause { at: now, reason: PauseReason::Operator }));
            self.model.unordered = true;
        }
        self.check_subscriptions();
    }

    /// The operator ends a pause.
    pub(super) fn resume(&mut self) {
        if let Some(id) = self.any_subscription() {
            self.resume_one(id);
        }
    }

    pub(super) fn resume_one(&mut self, id: Uuid) {
        let now = self.now();
        let called = self.call(async |services, _| delivery::resume(services, id, &Progress::default()).await);
        let before = self.model.subscriptions[&id].clone();
        self.note(format!("{id} is resumed"));
        match called {
            Called::Returned(outcome) => {
                let count = self.model.resume(id, now);
                assert!(matches!(outcome, Ok(resumed) if resumed == count), "{outcome:?}, not {count}");
                self.check_subscriptions();
            }
            Called::Lost => self.adopt(id, &before),
        }
    }

    /// Sends all notifications since a time again.
    pub(super) fn replay(&mut self) {
        let Some(id) = self.any_subscription() else { return };
        let now = self.now();
        let since = now.plus(-chrono::Duration::seconds(*self.random.pick(&[0, 60, 7_200, 200_000])));
        let called = self.call(async |services, _| delivery::replay(services, id, since, &Progress::default()).await);
        let before = self.model.subscriptions[&id].clone();
        self.note(format!("{id} is replayed since {since}"));
        match called {
            Called::Returned(outcome) => {
                let after = id_before(since);
                let failed = self.model.resend_all(id, DeliveryState::Failed, after, now);
                let count = failed + self.model.resend_all(id, DeliveryState::Delivered, after, now);
                assert!(matches!(outcome, Ok(sent) if sent == count), "{outcome:?}, not {count}");
                self.check_subscriptions();
            }
            Called::Lost => self.adopt(id, &before),
        }
    }

    /// A delivery of a subscription.
    fn any_delivery(&mut self) -> Option<(Uuid, Place)> {
        let id = self.any_subscription()?;
        let places: Vec<_> = self.model.subscriptions[&id].notifications.keys().copied().collect();
        (!places.is_empty()).then(|| (id, *self.random.pick(&places)))
    }

    /// The operator sends one notification again.
    pub(super) fn resend(&mut self) {
        let Some((id, place)) = self.any_delivery() else { return };
        let row = self.model.subscriptions[&id].notifications[&place].row.clone();
        let called = self.call(async |services, _| match delivery::resend(services, &row).await {
            Ok(()) => Ok(true),
            Err(SendAgainError::NotNow(_)) => Ok(false),
            Err(_) => Err(()),
        });
        self.note(format!("{place:?} is sent again"));
        let sent = match called {
            Called::Returned(sent) => Some(sent.expect("the store answers")),
            Called::Lost => None,
        };
        let now = self.now();
        let mut after = self.model.clone();
        let may = after.resend(id, place, now);
        assert!(sent.is_none_or(|sent| sent == may), "{sent:?}, not {may}");
        let delivery = after.subscriptions[&id].notifications[&place].row.id;
        let row = self.read(async |store| store.delivery(delivery).await).expect("it is there");
        if sent.is_some() || row == after.subscriptions[&id].notifications[&place].row {
            self.model = after;
        }
        self.check_subscriptions();
    }
}

pub(super) fn gid(id: Uuid) -> String {
    GlobalId::new(Kind::WebhookSubscription, id).to_string()
}

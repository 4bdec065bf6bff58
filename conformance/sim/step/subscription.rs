//! A partner follows topics; the operator and the partner send notifications again.

use card_service::base::{GlobalId, HttpUrl, Kind, Parsed, Patch};
use card_service::model::{DeliveryState, KeyMode, SubscriptionHealth, Topic, UserErrorCode, WebhookSubscription};
use card_service::operation::OperationError;
use card_service::operation::webhook::send_again::{self, SendAgainError};
use card_service::operation::webhook::{self, Subscribe, UpdateSubscription};
use card_service::store::StoreError;
use uuid::Uuid;

use super::{RECEIVERS, refusals};
use crate::model::{Subscription, id_before};
use crate::network::{Mood, WITHOUT_CHALLENGE};
use crate::run::{Called, Sim};

const CALLBACK_URL: &str = "webhookSubscription.callbackUrl";
/// The name of a subscription.
const NAME: &str = "Uitvaartsoftware";

impl Sim {
    /// An address, sometimes wrong; with the code that it is refused with.
    fn any_address(&mut self) -> (Parsed<HttpUrl>, Option<UserErrorCode>) {
        let right = |text: &str| (Parsed::Value(HttpUrl::trusted(text)), None);
        let wrong = |text: &str| (Parsed::Value(HttpUrl::trusted(text)), Some(UserErrorCode::Invalid));
        match self.random.below(40) {
            0 => wrong("http://hooks.example/a"),
            1 => wrong("https://inside.example/a"),
            2 => wrong("https://nowhere.example/a"),
            3 => (Parsed::Invalid(String::new()), Some(UserErrorCode::Blank)),
            // The first one, written in another way.
            4..7 => right("https://HOOKS.example/a"),
            n => right(RECEIVERS[n % RECEIVERS.len()]),
        }
    }

    /// The code with which an address is refused that does not pass its challenge.
    fn challenge_refusal(&self, challenged: Option<&HttpUrl>) -> Option<UserErrorCode> {
        let url = challenged?.url();
        let passes = self.world.network.mood(url.as_str()) == Mood::Accepts && url.as_str() != WITHOUT_CHALLENGE;
        (!passes).then_some(UserErrorCode::Invalid)
    }

    /// The partner's other subscription to a topic with this address.
    fn follower(&self, partner_id: Uuid, topic: Topic, url: &HttpUrl) -> Option<Uuid> {
        let same = |row: &&WebhookSubscription| {
            row.partner_id == partner_id && row.topic == topic && row.callback_url.url() == url.url()
        };
        self.model.subscriptions.values().map(|subscription| &subscription.row).find(same).map(|row| row.id)
    }

    pub(super) fn subscribe(&mut self) {
        let (partner_id, mode) = self.any_partner();
        let Some(caller) = self.caller(partner_id, mode) else { return };
        let (topic, (callback_url, wrong)) = (*self.random.pick(&Topic::ALL), self.any_address());
        let now = self.now();
        let name = self.chance(30).then(|| NAME.to_owned());
        let input = Subscribe { topic, callback_url: callback_url.clone(), name: name.clone() };
        let called = self.call(async |services, _| webhook::subscribe(services, &caller, input).await);
        let taken = callback_url.ok().ok().filter(|_| wrong.is_none());
        let url = taken.clone();
        let taken = taken.is_some_and(|url| self.follower(partner_id, topic, &url).is_some());
        let is_silent = self.model.account(partner_id).signing(mode, now).is_empty();
        let refusal = is_silent.then_some(UserErrorCode::Invalid);
        let challenged = url.as_ref().filter(|_| self.world.challenges && !is_silent);
        let refusal = refusal.or(wrong).or(self.challenge_refusal(challenged));
        let refusal = refusal.or(taken.then_some(UserErrorCode::Taken));
        self.check_challenge(challenged, (partner_id, mode), called.is_lost());
        self.note(format!("subscribe {mode:?} {} {url:?}: {refusal:?}", topic.as_str()));
        let made = match called {
            Called::Returned(Ok(made)) => Some(made.id),
            Called::Returned(Err(OperationError::Refused(errors))) => {
                let wanted = refusal.map(|code| (code, CALLBACK_URL.to_owned()));
                assert_eq!(refusals(&errors), wanted.into_iter().collect::<Vec<_>>());
                None
            }
            Called::Returned(Err(error)) => panic!("no subscription: {error}"),
            Called::Lost => self.lost_subscription(partner_id),
        };
        if let Some(id) = made {
            assert_eq!(refusal, None, "a subscription that must be refused");
            let row = WebhookSubscription {
                id,
                partner_id,
                topic,
                callback_url: url.expect("it is right"),
                api_version: "2026-10".to_owned(),
                test: mode == KeyMode::Test,
                created_at: now,
                updated_at: now,
                name,
                health: SubscriptionHealth::default(),
            };
            self.model.subscriptions.insert(id, Subscription::new(row));
            self.check_subscription(id);
        }
    }

    /// The subscription that a lost call has made, if it has.
    fn lost_subscription(&self, partner_id: Uuid) -> Option<Uuid> {
        let all = card_service::model::PageRequest {
            start: card_service::model::PageStart::First,
            size: 250,
            after: None,
            before: None,
        };
        let scope = card_service::model::Scope::account(partner_id);
        let page = self.read(async |store| store.subscriptions_page(scope, &[], &all).await);
        page.items.into_iter().map(|row| row.id).find(|id| !self.model.subscriptions.contains_key(id))
    }

    pub(super) fn unsubscribe(&mut self) {
        let ((partner_id, mode), Some(id)) = (self.any_partner(), self.any_subscription()) else { return };
        let Some(caller) = self.caller(partner_id, mode) else { return };
        let called = self.call(async |services, _| webhook::unsubscribe(services, &caller, &gid(id)).await);
        let is_reached = self.reaches(partner_id, mode, id);
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
            self.model.subscriptions.remove(&id);
            self.model.unsubscribed.insert(id);
        }
    }

    pub(super) fn reaches(&self, partner_id: Uuid, mode: KeyMode, id: Uuid) -> bool {
        let row = &self.model.subscriptions[&id].row;
        row.partner_id == partner_id && (mode == KeyMode::Live || row.test)
    }

    pub(super) fn change_callback(&mut self) {
        let ((partner_id, mode), Some(id)) = (self.any_partner(), self.any_subscription()) else { return };
        let Some(caller) = self.caller(partner_id, mode) else { return };
        let (callback_url, wrong) = self.any_address();
        let name = match self.random.below(4) {
            0 => Patch::Value(NAME.to_owned()),
            1 => Patch::Null,
            _ => Patch::Absent,
        };
        let now = self.now();
        let input = UpdateSubscription { callback_url: Patch::Value(callback_url.clone()), name: name.clone() };
        let called = self.call(async |services, _| webhook::update(services, &caller, &gid(id), input).await);
        let before = self.model.subscriptions[&id].clone();
        let url = callback_url.ok().ok().filter(|_| wrong.is_none());
        let holder = url.as_ref().and_then(|url| self.follower(partner_id, before.row.topic, url));
        let of = (before.row.partner_id, before.row.mode());
        let is_silent = self.model.account(of.0).signing(of.1, now).is_empty();
        let is_reached = self.reaches(partner_id, mode, id);
        let is_other = |url: &&HttpUrl| url.url() != before.row.callback_url.url();
        let new = url.as_ref().filter(is_other).filter(|_| self.world.challenges && is_reached);
        let challenged = new.filter(|_| !is_silent);
        let failed = self.challenge_refusal(challenged).or(new.filter(|_| is_silent).map(|_| UserErrorCode::Invalid));
        self.check_challenge(challenged, of, called.is_lost());
        let refusal = match holder {
            _ if !is_reached => Some((UserErrorCode::NotFound, "id".to_owned())),
            _ if wrong.or(failed).is_some() => wrong.or(failed).map(|code| (code, CALLBACK_URL.to_owned())),
            Some(other) if other != id => Some((UserErrorCode::Taken, CALLBACK_URL.to_owned())),
            _ => None,
        };
        self.note(format!("the address of {id} becomes {url:?}: {refusal:?}"));
        let lost = called.is_lost();
        match called {
            Called::Returned(Ok(_)) => assert_eq!(refusal, None),
            Called::Returned(Err(OperationError::Refused(errors))) => {
                assert_eq!(refusals(&errors), refusal.clone().into_iter().collect::<Vec<_>>());
            }
            Called::Returned(Err(error)) => panic!("the address was not changed: {error}"),
            Called::Lost => {}
        }
        let mut name_after = before.row.name.clone();
        name.apply_to(&mut name_after);
        if let (None, Some(url)) = (refusal, url)
            && (&url, &name_after) != (&before.row.callback_url, &before.row.name)
        {
            let cards = self.model.card_ids();
            let subscription = self.model.subscriptions.get_mut(&id).expect("it is there");
            (subscription.row.callback_url, subscription.row.updated_at) = (url, now);
            subscription.row.name = name_after;
            if holder.is_none() {
                subscription.row.health = SubscriptionHealth::default();
                if !lost {
                    subscription.resume(|card_id| cards.contains(&card_id), now);
                }
            }
        }
        if lost { self.adopt_subscription(id, &before) } else { self.check_subscription(id) }
    }

    /// Takes over a subscription after a call that was lost: each row is as before or as the call leaves it, which several
    /// transactions write.
    fn adopt_subscription(&mut self, id: Uuid, before: &Subscription) {
        let row = self.read(async |store| store.any_subscription(id).await).expect("it is there");
        let now = self.now();
        let subscription = self.model.subscriptions.get_mut(&id).expect("it is there");
        let is_reset = subscription.row.clone();
        let resumed = WebhookSubscription { health: SubscriptionHealth::default(), ..before.row.clone() };
        assert!(row == before.row || row == is_reset || row == resumed, "the subscription: {row:?}");
        subscription.row = row;
        let places: Vec<_> = subscription.notifications.keys().copied().collect();
        for place in places {
            let delivery = self.model.subscriptions[&id].notifications[&place].row.id;
            let row = self.read(async |store| store.delivery(delivery).await).expect("a delivery is there");
            let old = &before.notifications[&place].row;
            let is_again = matches!(row.state, DeliveryState::Due | DeliveryState::Waiting) && row.schedule_step == 0;
            assert!(
                row == *old
                    || (is_again && row.finished_at.is_none() && row.due_at.is_none_or(|at| at <= now))
                    || row.state == DeliveryState::Waiting,
                "{row:?}"
            );
            assert_eq!((row.attempt_count, row.lease), (old.attempt_count, old.lease));
            let subscription = self.model.subscriptions.get_mut(&id).expect("it is there");
            subscription.notifications.get_mut(&place).expect("it is there").row = row;
        }
    }

    /// The operator ends a pause.
    pub(super) fn resume(&mut self) {
        if let Some(id) = self.any_subscription() {
            self.resume_one(id);
        }
    }

    pub(super) fn resume_one(&mut self, id: Uuid) {
        let now = self.now();
        let called = self.call(async |services, _| send_again::resume(services, id).await);
        let (before, cards) = (self.model.subscriptions[&id].clone(), self.model.card_ids());
        self.note(format!("{id} is resumed"));
        match called {
            Called::Returned(outcome) => {
                let subscription = self.model.subscriptions.get_mut(&id).expect("it is there");
                let count = subscription.resume(|card_id| cards.contains(&card_id), now);
                assert!(matches!(outcome, Ok(resumed) if resumed == count), "{outcome:?}, not {count}");
                self.check_subscription(id);
            }
            Called::Lost => {
                let subscription = self.model.subscriptions.get_mut(&id).expect("it is there");
                subscription.resume(|card_id| cards.contains(&card_id), now);
                self.adopt_subscription(id, &before);
            }
        }
    }

    /// Sends all notifications since a time again.
    pub(super) fn replay(&mut self) {
        let Some(id) = self.any_subscription() else { return };
        let now = self.now();
        let since = now.plus(-chrono::Duration::seconds(*self.random.pick(&[0, 60, 7_200, 200_000])));
        let called = self.call(async |services, _| send_again::replay(services, id, since).await);
        let (before, cards) = (self.model.subscriptions[&id].clone(), self.model.card_ids());
        self.note(format!("{id} is replayed since {since}"));
        match called {
            Called::Returned(outcome) => {
                let subscription = self.model.subscriptions.get_mut(&id).expect("it is there");
                let exists = |card_id| cards.contains(&card_id);
                let after = id_before(since);
                let failed = subscription.resend_all(DeliveryState::Failed, after, exists, now);
                let count = failed + subscription.resend_all(DeliveryState::Delivered, after, exists, now);
                assert!(matches!(outcome, Ok(sent) if sent == count), "{outcome:?}, not {count}");
                self.check_subscription(id);
            }
            Called::Lost => self.adopt_subscription(id, &before),
        }
    }

    /// A delivery of a subscription.
    fn any_delivery(&mut self) -> Option<(Uuid, (Uuid, i64))> {
        let id = self.any_subscription()?;
        let places: Vec<_> = self.model.subscriptions[&id].notifications.keys().copied().collect();
        (!places.is_empty()).then(|| (id, *self.random.pick(&places)))
    }

    /// The operator sends one notification again.
    pub(super) fn resend(&mut self) {
        let Some((id, place)) = self.any_delivery() else { return };
        let row = self.model.subscriptions[&id].notifications[&place].row.clone();
        let called = self.call(async |services, _| match send_again::resend(services, &row).await {
            Ok(()) => Ok(true),
            Err(SendAgainError::NotNow(_)) => Ok(false),
            Err(_) => Err(()),
        });
        self.note(format!("{place:?} is sent again"));
        let sent = match called {
            Called::Returned(sent) => Some(sent.expect("the store answers")),
            Called::Lost => None,
        };
        self.sent_again(id, place, sent);
    }

    /// The partner sends one notification again.
    pub(super) fn redeliver(&mut self) {
        let (Some((id, place)), (partner_id, mode)) = (self.any_delivery(), self.any_partner()) else { return };
        let Some(caller) = self.caller(partner_id, mode) else { return };
        let delivery = self.model.subscriptions[&id].notifications[&place].row.id;
        let which = GlobalId::new(Kind::WebhookDelivery, delivery).to_string();
        let called = self.call(async |services, _| webhook::redeliver(services, &caller, &which).await);
        self.note(format!("{place:?} is redelivered"));
        let row = &self.model.subscriptions[&id].row;
        let refusal = match row.health.pause {
            _ if !self.reaches(partner_id, mode, id) => Some(UserErrorCode::NotFound),
            Some(_) => Some(UserErrorCode::Unprocessable),
            None => None,
        };
        match called {
            Called::Returned(Err(OperationError::Refused(errors))) => {
                assert_eq!(
                    refusals(&errors),
                    refusal.map(|code| (code, "id".to_owned())).into_iter().collect::<Vec<_>>()
                );
            }
            Called::Returned(Err(error)) => panic!("not redelivered: {error}"),
            Called::Returned(Ok(sent)) => {
                assert_eq!(refusal, None, "a delivery that must not be sent again");
                let subscription = self.model.subscriptions.get_mut(&id).expect("it is there");
                if self.model.cards.contains_key(&place.0) {
                    subscription.resend(place, self.world.clock.now());
                }
                assert_eq!(sent.delivery, subscription.notifications[&place].row, "a delivery that is sent again");
                self.check_subscription(id);
            }
            Called::Lost if refusal.is_none() => self.sent_again(id, place, None),
            Called::Lost => self.check_subscription(id),
        }
    }

    /// Takes over a notification that was sent again; `None` if the call was lost.
    fn sent_again(&mut self, id: Uuid, place: (Uuid, i64), sent: Option<bool>) {
        let now = self.now();
        let exists = self.model.cards.contains_key(&place.0);
        let mut after = self.model.subscriptions[&id].clone();
        let may = exists && after.resend(place, now);
        assert!(sent.is_none_or(|sent| sent == may), "{sent:?}, not {may}");
        let delivery = after.notifications[&place].row.id;
        let row = self.read(async |store| Ok::<_, StoreError>(store.delivery(delivery).await?)).expect("it is there");
        if sent.is_some() || row == after.notifications[&place].row {
            self.model.subscriptions.insert(id, after);
        }
        self.check_subscription(id);
    }
}

pub(super) fn gid(id: Uuid) -> String {
    GlobalId::new(Kind::WebhookSubscription, id).to_string()
}

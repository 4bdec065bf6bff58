//! One step of a worker: webhooks, mails, activations, housekeeping.

use std::collections::BTreeSet;

use card_service::base::limits;
use card_service::mail::Email;
use card_service::model::{Actor, CardStatus, KeyMode, Mail, MailKind, MailState};
use card_service::operation::partner;
use card_service::operation::webhook::secret;
use card_service::worker::{activation, housekeeping, mail};
use uuid::Uuid;

use super::RECEIVERS;
use super::family::digest;
use crate::model::{Expected, ListLink, Model, Prepared, Sent, finished, retry_window};
use crate::network::{MailMood, Mood, State};
use crate::process::PUBLIC_BASE;
use crate::run::{Called, Sim};

/// How often each worker makes a step, and how often that is repeated, until nothing is left.
const ROUNDS: usize = 5;

/// The steps of the webhook worker in an outage, in which subscriptions are paused.
const OUTAGE_STEPS: usize = 14;

impl Sim {
    pub(super) fn webhook_worker(&mut self) {
        let now = self.now();
        let network = self.world.network.clone();
        let wanted = self.model.claimed(|url| network.mood(url), now);
        let called = self.call(async |_, dispatcher| {
            let stepped = dispatcher.step().await;
            dispatcher.wait_until_idle().await;
            stepped
        });
        let faulted = self.faulted;
        if let (Called::Returned(Err(error)), false) = (&called, faulted) {
            panic!("a step of the webhook worker failed: {error}");
        }
        let posts = std::mem::take(&mut self.world.network.state().posts);
        self.note(format!("webhooks: {} of {} sent", posts.len(), wanted.len()));
        let mut unsent: Vec<&Expected> = wanted.iter().filter(|one| matches!(one.sent, Sent::Answered(_))).collect();
        for post in &posts {
            let place = self.check_post(post);
            let found = unsent.iter().position(|one| (one.subscription_id, one.place) == place);
            unsent.remove(found.unwrap_or_else(|| panic!("{place:?} was sent and is not due: {wanted:?}")));
        }
        assert!(unsent.is_empty() || faulted, "notifications were not sent: {unsent:?}");
        self.check_results(&wanted, faulted);
        if faulted {
            // The worker waits after a step that failed.
            self.world.clock.advance(chrono::Duration::from_std(limits::WORKER_POLL).expect("a second"));
        }
    }

    /// Checks what was claimed: written as the answers of the receivers were, or after a fault still leased.
    fn check_results(&mut self, wanted: &[Expected], faulted: bool) {
        let now = self.now();
        let mut after = finished(&self.model.subscriptions, wanted, now);
        let lease_ends = now.after(limits::DELIVERY_LEASE);
        let mut is_written = !faulted;
        for expected in wanted {
            let before = &self.model.subscriptions[&expected.subscription_id].notifications[&expected.place].row;
            let delivery = before.id;
            let row = self.read(async |store| store.delivery(delivery).await).expect("a delivery is there");
            if faulted && row == *before {
                continue;
            }
            if faulted && row.lease.is_some() && row.due_at == Some(lease_ends) {
                let row_before = before.clone();
                let subscription = self.model.subscriptions.get_mut(&expected.subscription_id).expect("it is there");
                let known = &mut subscription.notifications.get_mut(&expected.place).expect("it is there").row;
                (known.lease, known.due_at) = (row.lease, row.due_at);
                assert_eq!(row, *known, "a leased delivery, before {row_before:?}");
                continue;
            }
            is_written = true;
            let subscription = after.get_mut(&expected.subscription_id).expect("it is there");
            let known = &mut subscription.notifications.get_mut(&expected.place).expect("it is there").row;
            if let Sent::Answered(mood @ (Mood::Fails | Mood::Busy | Mood::TimesOut)) = expected.sent
                && let Some((from, to)) = retry_window(known, mood, now)
            {
                assert!(row.due_at.is_some_and(|at| from <= at && at <= to), "the next attempt: {row:?}");
                known.due_at = row.due_at;
            }
        }
        if is_written {
            // All results of a step are written together.
            self.model.subscriptions.extend(after);
        }
        let touched: BTreeSet<Uuid> = wanted.iter().map(|expected| expected.subscription_id).collect();
        touched.into_iter().for_each(|id| self.check_subscription(id));
    }

    pub(super) fn mail_worker(&mut self) {
        let (now, mood) = (self.now(), self.world.network.state().mail);
        let due = self.model.mails_due(now);
        let called = self.call(async |services, _| mail::step(services).await);
        let faulted = self.faulted;
        if let (Called::Returned(Err(error)), false) = (&called, faulted) {
            panic!("a step of the mail worker failed: {error}");
        }
        let mut mails = std::mem::take(&mut self.world.network.state().mails);
        mails.sort_by_key(|(email, _)| email.id);
        self.note(format!("mails: {} due, {} given to the server: {mood:?}", due.len(), mails.len()));
        let last = due.get(limits::MAILS_AT_ONCE.min(due.len()).saturating_sub(1)).map(|mail| mail.state);
        for (email, accepted) in &mails {
            self.check_email(email, *accepted, &due);
        }
        let mut tried = 0;
        for mail in &due {
            let row = self.mail_row(mail);
            let untouched = row == *mail;
            tried += usize::from(!untouched);
            // Those that are due first are tried first; equal ones in any order.
            assert!(!untouched || faulted || !is_before(mail, last), "a mail was not tried: {mail:?}");
            if !untouched {
                self.check_mail(mail, &row, mood, mails.iter().any(|(email, _)| email.id == mail.id), faulted);
            }
        }
        assert!(faulted || tried == due.len().min(limits::MAILS_AT_ONCE), "{tried} of {} mails were tried", due.len());
        let mut cards: Vec<Uuid> = due.iter().map(|mail| mail.card_id).collect();
        cards.sort();
        cards.dedup();
        cards.into_iter().for_each(|id| self.check_card(id));
    }

    fn mail_row(&self, mail: &Mail) -> Mail {
        let rows = self.read(async |store| store.mails_of(mail.card_id).await);
        let row = rows.into_iter().find(|row| row.id == mail.id).expect("a mail is there");
        Mail { answer: None, ..row }
    }

    /// Checks what became of a mail: done, or after a fault still claimed.
    fn check_mail(&mut self, mail: &Mail, row: &Mail, mood: MailMood, given: bool, faulted: bool) {
        let now = self.now();
        let prepared = self.model.prepared(mail, now);
        let claimed =
            Mail { state: MailState::Due(now.after(limits::MAIL_LEASE)), attempts: mail.attempts + 1, ..mail.clone() };
        if faulted && *row == claimed {
            let known = mail_in(&mut self.model, mail);
            (known.state, known.attempts) = (row.state, row.attempts);
            return;
        }
        assert_eq!(given, matches!(prepared, Prepared::SendTo(_)), "{prepared:?}");
        self.model.mail_tried(mail, &prepared, mood, now);
    }

    /// Checks a mail that the server got: its recipient, and that it was due.
    fn check_email(&mut self, email: &Email, accepted: bool, due: &[Mail]) {
        let mail = due.iter().find(|mail| mail.id == email.id).expect("only a mail that is due is sent");
        let dossier = &self.model.cards[&mail.card_id];
        let test_address = &self.model.account(dossier.card.partner_id).partner.test_address;
        assert!(
            !dossier.card.test || Some(&email.to) == test_address.as_ref(),
            "a mail of a test card to {}",
            email.to
        );
        assert_eq!(Prepared::SendTo(email.to.clone()), self.model.prepared(mail, self.now()), "the recipient");
        let link = |start: &str| email.text.split_whitespace().find(|word| word.starts_with(start)).map(str::to_owned);
        let card = dossier.card.slug.as_ref().map(|slug| format!("{PUBLIC_BASE}/kaart/{slug}"));
        match mail.kind {
            MailKind::Order | MailKind::CardOnline => assert_eq!(link(&format!("{PUBLIC_BASE}/kaart/")), card),
            MailKind::Invitation => {
                let invitee = dossier.invitees.iter().find(|invitee| Some(invitee.id) == mail.invitee_id);
                assert!(email.text.contains(&invitee.expect("it is on the list").token), "the personal link");
            }
        }
        if mail.kind == MailKind::Order {
            let number = &dossier.order.as_ref().expect("it was ordered").number;
            assert!(email.text.contains(number.as_str()), "the order number");
            let list = link(&format!("{PUBLIC_BASE}{}", card_service::model::path::invitee_list_link("")));
            let list = list.expect("the link to the list");
            let token = list.rsplit('/').next().expect("a token").to_owned();
            let expires_at = self.now().after(limits::INVITEE_LIST_LINK_VALID);
            if accepted {
                self.model.list_links.push(ListLink { token, card_id: mail.card_id, expires_at });
            }
        }
    }

    pub(super) fn activation_worker(&mut self) {
        let now = self.now();
        let due: Vec<Uuid> = self
            .read(async |store| store.activations_due(now, usize::MAX >> 1).await)
            .into_iter()
            .map(|(id, _)| id)
            .collect();
        let called = self.call(async |services, _| activation::step(services).await);
        let faulted = self.faulted;
        if let (Called::Returned(Err(error)), false) = (&called, faulted) {
            panic!("a step of the activation worker failed: {error}");
        }
        self.note(format!("activations: {}", due.len()));
        let cards: Vec<Uuid> = self.model.cards.keys().copied().collect();
        for id in cards {
            let mut dossier = self.model.cards[&id].clone();
            if dossier.activation && due.contains(&id) && dossier.activate(Actor::Service, now) {
                self.changed(dossier, faulted);
            }
        }
        self.check_activations();
    }

    /// The cards that wait for the service are those of the model.
    fn check_activations(&self) {
        let far = self.now().after(limits::ACTIVATION_RETRY_MAX);
        let mut rows: Vec<Uuid> = self
            .read(async |store| store.activations_due(far, usize::MAX >> 1).await)
            .into_iter()
            .map(|(id, _)| id)
            .collect();
        rows.sort();
        let wait = self.model.cards.iter().filter(|(_, dossier)| dossier.activation);
        assert_eq!(rows, wait.map(|(id, _)| *id).collect::<Vec<_>>(), "the cards that wait for their activation");
    }

    pub(super) fn housekeeping(&mut self) {
        let called = self.call(async |services, _| housekeeping::step(services).await);
        self.note("housekeeping");
        if let Called::Returned(Err(error)) = &called {
            panic!("housekeeping failed: {error}");
        }
        if called.is_lost() {
            // It does each deletion again.
            self.calmly(async |services, _| housekeeping::step(services).await).expect("the store answers");
        }
        let now = self.now();
        self.model.expire_notifications(now);
        let ended = now.before(limits::BROWSER_SESSION_TOTAL);
        for browser in self.model.browsers.extract_if(.., |browser| browser.created_at < ended).collect::<Vec<_>>() {
            let digest = digest(&browser.cookie);
            assert!(self.read(async |store| store.browser_session(&digest).await).is_none(), "an old browser session");
        }
        let is_kept =
            |mail: &Mail| matches!(mail.state, MailState::Due(_)) || mail.created_at >= now.before(limits::MAIL_KEPT);
        self.model.cards.values_mut().for_each(|dossier| dossier.mails.retain(is_kept));
        for key in self.model.delete_photos(now) {
            assert!(self.media(&format!("photo/{key}")).is_none(), "a photo is deleted after an hour");
        }
        self.audit();
    }

    /// No receiver accepts anything for longer than the retry schedule.
    fn outage(&mut self) {
        self.world.network.state().moods = RECEIVERS.map(|url| (url.to_owned(), Mood::Fails)).into();
        for _ in 0..OUTAGE_STEPS {
            self.webhook_worker();
            self.world.clock.advance(chrono::Duration::hours(10));
        }
    }

    /// Lets everything that waits happen: receivers and the mail server accept, the operator helps, and time passes.
    pub fn settle(&mut self) {
        self.faults = 0;
        self.outage();
        *self.world.network.state() = State::default();
        // No rotation lasts longer.
        self.world.clock.advance(chrono::Duration::from_std(limits::SECRET_OVERLAP_MAX).expect("some days"));
        for index in 0..self.model.partners.len() {
            self.unblock(index);
        }
        let subscriptions: Vec<Uuid> = self.model.subscriptions.keys().copied().collect();
        subscriptions.into_iter().for_each(|id| self.resume_one(id));
        let cards: Vec<Uuid> = self.model.cards.keys().copied().collect();
        cards.into_iter().for_each(|id| self.activate_one(id));
        for _ in 0..ROUNDS {
            for _ in 0..ROUNDS {
                self.recovery_worker();
                self.webhook_worker();
                self.mail_worker();
                self.activation_worker();
            }
            // Longer than any delay.
            self.world.clock.advance(chrono::Duration::hours(30));
        }
        self.world.clock.advance(chrono::Duration::from_std(limits::INVITEE_LIST_LINK_VALID).expect("some days"));
        self.model.list_links.clone().iter().for_each(|link| self.open_this_list_link(link));
        for subscription in self.model.subscriptions.values() {
            let left = subscription.notifications.values().find(|one| one.row.finished_at.is_none());
            assert!(left.is_none(), "a notification waits for ever: {left:?}");
        }
        for dossier in self.model.cards.values().filter(|dossier| dossier.card.status == CardStatus::Active) {
            let left = dossier.mails.iter().find(|mail| matches!(mail.state, MailState::Due(_)));
            assert!(left.is_none(), "a mail waits for ever: {left:?}");
        }
    }

    /// Unblocks a partner, and gives it a signing secret.
    fn unblock(&mut self, index: usize) {
        let now = self.now();
        let account = &self.model.partners[index];
        let partner = account.partner.clone();
        let is_silent = KeyMode::ALL.into_iter().any(|mode| account.signing(mode, now).is_empty());
        let secret = self.calmly(async |services, _| {
            partner::set_blocked(services, &partner.name, false).await.expect("the store answers");
            if is_silent { secret::issue(services, &partner).await.ok() } else { None }
        });
        let account = &mut self.model.partners[index];
        account.partner.blocked = false;
        secret.into_iter().for_each(|secret| account.secrets.insert(0, secret));
    }
}

fn mail_in<'a>(model: &'a mut Model, mail: &Mail) -> &'a mut Mail {
    let dossier = model.cards.get_mut(&mail.card_id).expect("a mail has a card");
    dossier.mails.iter_mut().find(|row| row.id == mail.id).expect("it is there")
}

/// Whether a mail is due earlier than another.
fn is_before(mail: &Mail, last: Option<MailState>) -> bool {
    match (mail.state, last) {
        (MailState::Due(at), Some(MailState::Due(last))) => at < last,
        _ => false,
    }
}

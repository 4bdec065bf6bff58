//! The store: every operation of it, one line each, on either engine.

use std::sync::Arc;

use chrono::NaiveDate;
use uuid::Uuid;

use super::audit::Auditor;
use super::error::Outage;
use super::operations::operations;
use super::postgres::Postgres;
use super::sqlite::Sqlite;
use super::{
    AddSecretError, CardEffects, CardScope, ChangeCallbackError, ChangeCardError, ClaimOrder, ClaimedDelivery,
    CreateCardError, CreateSubscriptionError, CreatedCard, DueSubscription, Finished, IdempotencyClaim, IdempotencyKey,
    IdempotencyRecord, Invitation, InvitationLimits, InviteeAddition, Lease, MailBacklog, NewCard, OpenedSession,
    Paused, Queue, StoreError, Wakes,
};
use crate::base::{HttpUrl, Timestamp, limits};
use crate::model::{
    AccessKey, Attempt, BrowserSession, Card, Delivery, DeliveryState, Event, EventDraft, Invitee, InviteeListLink,
    Mail, Order, Page, PageRequest, Partner, PhotoKey, PixelSize, Portrait, Price, Scope, SessionLink, SigningSecret,
    Theme, Topic, Usage, VersionNotice, WebhookDelivery, WebhookSecret, WebhookSubscription,
};

/// The database; cheap to clone. Opened with [`Store::open`].
#[derive(Clone)]
pub struct Store {
    pub(super) engine: Engine,
    pub(super) wakes: Wakes,
    /// What the links in notifications begin with.
    pub(super) public_base: Arc<str>,
    /// What every write through this handle notes, in its own transaction: there for the commands of the operator.
    pub(super) audit: Option<Arc<Auditor>>,
}

/// Which database it is.
#[derive(Clone)]
pub(super) enum Engine {
    Sqlite(Sqlite),
    Postgres(Postgres),
}

operations! {
    read answer() -> Result<(), StoreError>;
    /// Whether every table has every column: a few statements that read no row.
    pub(super) read check_schema() -> Result<(), StoreError>;

    /// The key with this digest and its partner. Revoked and expired keys too: the caller judges them.
    pub read key_by_digest(digest: &[u8; 32]) -> Result<Option<(AccessKey, Partner)>, StoreError>;
    /// The partner with this id.
    pub read partner(id: Uuid) -> Result<Option<Partner>, StoreError>;
    /// The partner with exactly this name.
    pub read partner_by_name(name: &str) -> Result<Option<Partner>, StoreError>;
    /// All partners, by name.
    pub read partners() -> Result<Vec<Partner>, StoreError>;
    /// The keys of a partner, oldest first.
    pub read keys_of(partner_id: Uuid) -> Result<Vec<AccessKey>, StoreError>;
    /// Adds a partner; false when its name is taken.
    pub write add_partner(partner: Partner) -> Result<bool, StoreError>;
    /// Sets what the operator can set of a partner.
    pub write change_partner(id: Uuid, test_address: Option<String>, refresh_address: Option<HttpUrl>, price: Price)
        -> Result<(), StoreError>;
    /// Adds a key.
    pub write issue_key(key: AccessKey) -> Result<(), StoreError>;
    /// Revokes a key; false when it is unknown or revoked already.
    pub write revoke_key(id: Uuid, now: Timestamp) -> Result<bool, StoreError>;
    /// Notes that a key was used. A write like any other: callers spare it where the last note is fresh.
    pub write touch_key(id: Uuid, now: Timestamp) -> Result<(), StoreError>;

    /// The card with this id within the scope; any other is not found.
    pub read card(scope: Scope, id: Uuid) -> Result<Option<Card>, StoreError>;
    /// The card with this id, whoever's: for the operator and the service's own pages.
    pub read any_card(id: Uuid) -> Result<Option<Card>, StoreError>;
    /// The card that is online under this slug.
    pub read card_by_slug(slug: &str) -> Result<Option<Card>, StoreError>;
    /// The card within the scope with this dossier number.
    pub read card_by_dossier(scope: Scope, external_dossier_id: &str) -> Result<Option<Card>, StoreError>;
    /// Returns whether the partner's card with this dossier number is a test card; `None` if the number is free.
    pub read dossier_holder_is_test(partner_id: Uuid, external_dossier_id: &str) -> Result<Option<bool>, StoreError>;
    transaction insert_card(new: NewCard, public_base: Arc<str>) -> Result<(CreatedCard, bool), CreateCardError>;
    /// The order of a card.
    pub read order_of(card_id: Uuid) -> Result<Option<Order>, StoreError>;
    /// The ordered cards whose time to go online has come, longest first, and how often that was tried.
    pub read activations_due(now: Timestamp, limit: usize) -> Result<Vec<(Uuid, i64)>, StoreError>;
    /// Puts off an activation that was tried in vain.
    pub write postpone_activation(card_id: Uuid, due_at: Timestamp, attempts: i64) -> Result<(), StoreError>;
    /// Forgets an activation that has nothing to do.
    pub write drop_activation(card_id: Uuid) -> Result<(), StoreError>;
    /// The events of a card, in sequence.
    pub read events_of(card_id: Uuid) -> Result<Vec<Event>, StoreError>;

    /// The theme with this id.
    pub read theme(id: Uuid) -> Result<Option<Theme>, StoreError>;
    /// The theme with this number of the operator's administration.
    pub read theme_by_number(number: i64) -> Result<Option<Theme>, StoreError>;
    /// The theme with this handle.
    pub read theme_by_handle(handle: &str) -> Result<Option<Theme>, StoreError>;
    /// A page of themes in the operator's order; the key is position and number.
    pub read themes_page(request: &PageRequest<(i64, i64)>) -> Result<Page<Theme>, StoreError>;
    /// Adds a theme, or changes the one with its handle, and returns it as stored. An existing theme keeps its id and
    /// number; a new one gets the next number, whatever `number` says.
    pub transaction put_theme(theme: Theme) -> Result<Theme, StoreError>;

    /// The subscription with this id within the scope.
    pub read subscription(scope: Scope, id: Uuid) -> Result<Option<WebhookSubscription>, StoreError>;
    /// A page of the subscriptions within the scope, newest first; the key is the id. No topics: all of them.
    pub read subscriptions_page(scope: Scope, topics: &[Topic], request: &PageRequest<Uuid>)
        -> Result<Page<WebhookSubscription>, StoreError>;
    /// Adds a subscription, unless the partner has its address on its topic already, or `per_topic_max` others of its mode.
    pub transaction create_subscription(subscription: WebhookSubscription, per_topic_max: usize)
        -> Result<(), CreateSubscriptionError>;
    /// Gives a subscription within the scope this address, unless another one of the partner's on the topic has it; whether
    /// it is another address, and not only spelled differently. A pause ends with its address.
    pub transaction change_callback(scope: Scope, id: Uuid, callback_url: HttpUrl, now: Timestamp)
        -> Result<(WebhookSubscription, bool), ChangeCallbackError>;
    /// Deletes a subscription within the scope; false when it is not there.
    pub write delete_subscription(scope: Scope, id: Uuid) -> Result<bool, StoreError>;

    /// The secrets with which a partner's notifications are signed at `now`, newest first: none while it is blocked.
    pub read webhook_secrets(partner_id: Uuid, now: Timestamp) -> Result<Vec<SigningSecret>, StoreError>;
    /// All secrets of a partner, newest first: those that ended too.
    pub read webhook_secrets_of(partner_id: Uuid) -> Result<Vec<WebhookSecret>, StoreError>;
    /// Adds a secret, unless as many as `active_max` are active when it is made.
    pub transaction issue_webhook_secret(secret: WebhookSecret, active_max: usize) -> Result<(), AddSecretError>;
    /// Adds a secret beside the only active one, which then ends at `old_ends`, and returns that one.
    pub transaction rotate_webhook_secret(secret: WebhookSecret, old_ends: Timestamp)
        -> Result<WebhookSecret, AddSecretError>;
    /// Ends a secret at once; false when it is unknown or revoked already.
    pub write revoke_webhook_secret(id: Uuid, now: Timestamp) -> Result<bool, StoreError>;

    /// The subscriptions for which something is due, but for paused ones.
    pub read subscriptions_due(now: Timestamp) -> Result<Vec<DueSubscription>, StoreError>;
    /// Claims what is due of each subscription, the longest due first. What another replica is just claiming is its own.
    pub transaction claim_deliveries(orders: Vec<ClaimOrder>, now: Timestamp, lease: Lease)
        -> Result<Vec<ClaimedDelivery>, StoreError>;
    /// Writes what became of claimed deliveries, in the order in which it came about. The subscriptions that this paused.
    pub transaction finish_deliveries(batch: Vec<Finished>, now: Timestamp) -> Result<Vec<Paused>, StoreError>;
    /// The subscription with this id, whoever's: for the operator.
    pub read any_subscription(id: Uuid) -> Result<Option<WebhookSubscription>, StoreError>;
    /// The delivery with this id, while its subscription is there and within the scope.
    pub read webhook_delivery(scope: Scope, id: Uuid) -> Result<Option<WebhookDelivery>, StoreError>;
    /// A page of the deliveries of a subscription within the scope, newest event first; the key is the id.
    pub read webhook_deliveries_page(scope: Scope, subscription_id: Uuid, request: &PageRequest<Uuid>)
        -> Result<Page<WebhookDelivery>, StoreError>;
    /// The delivery with this id.
    pub read delivery(id: Uuid) -> Result<Option<Delivery>, StoreError>;
    /// What the delivery with this id says; nothing once its card was deleted.
    pub read body_of(id: Uuid) -> Result<Option<String>, StoreError>;
    /// The attempts of a delivery, oldest first.
    pub read attempts_of(delivery_id: Uuid) -> Result<Vec<Attempt>, StoreError>;
    /// The deliveries of a subscription in this state, newest first.
    pub read deliveries_in_state(subscription_id: Uuid, state: DeliveryState, count_max: usize)
        -> Result<Vec<Delivery>, StoreError>;
    /// How many deliveries of a subscription are in this state.
    pub read delivery_count(subscription_id: Uuid, state: DeliveryState) -> Result<i64, StoreError>;
    pub(super) transaction resend_delivery(id: Uuid, now: Timestamp) -> Result<bool, StoreError>;
    pub(super) transaction resend_some(subscription_id: Uuid, state: DeliveryState, from: Uuid, to: Uuid, now: Timestamp)
        -> Result<Option<(Uuid, usize)>, StoreError>;
    pub(super) transaction hasten_some(subscription_id: Uuid, now: Timestamp) -> Result<usize, StoreError>;
    pub(super) transaction end_pause(subscription_id: Uuid) -> Result<bool, StoreError>;
    pub(super) transaction sweep_some_deliveries(last: Uuid, now: Timestamp) -> Result<(usize, usize), StoreError>;
    pub(super) read subscription_with_due(before: Uuid) -> Result<Option<(Uuid, bool)>, StoreError>;
    pub(super) write sweep_some_bodies(last: Uuid) -> Result<usize, StoreError>;
    pub(super) transaction drop_some_unfinished(subscription_id: Uuid) -> Result<usize, StoreError>;

    /// The record of a key that was claimed at `not_before` or later.
    pub read idempotency_record(key: &IdempotencyKey, not_before: Timestamp)
        -> Result<Option<IdempotencyRecord>, StoreError>;
    /// The card that an earlier attempt of the same request created: what [`Store::create_card`] would find bound.
    pub read bound_card(claim: &IdempotencyClaim) -> Result<Option<Card>, CreateCardError>;
    /// Binds the key to a request that succeeded as a whole, and remembers its answer. The first request and the first
    /// answer stay.
    pub write bind_request(key: IdempotencyKey, fingerprint: [u8; 32], response: Option<String>)
        -> Result<(), StoreError>;
    transaction forget_some_idempotency(before: Timestamp) -> Result<usize, StoreError>;

    /// Adds a session link.
    pub write open_session(session: SessionLink) -> Result<(), StoreError>;
    /// The session link with this digest, used or not.
    pub read session_by_digest(digest: &[u8; 32]) -> Result<Option<SessionLink>, StoreError>;
    /// Whether the key that made the link with this digest was revoked.
    pub read session_key_is_revoked(digest: [u8; 32]) -> Result<bool, StoreError>;
    /// Uses a session link up and opens a visit with it; no visit when it was used before, has expired by `now`, or was made
    /// by a key that is revoked.
    pub transaction redeem_session(digest: [u8; 32], visit_digest: [u8; 32], now: Timestamp)
        -> Result<Option<OpenedSession>, StoreError>;
    /// Opens a visit by itself: for a link that works more than once.
    pub write open_visit(visit: BrowserSession) -> Result<(), StoreError>;
    /// The visit with this digest, open or not, unless the key that made its link was revoked.
    pub read visit(digest: &[u8; 32]) -> Result<Option<BrowserSession>, StoreError>;
    /// Notes that a visit was used. A write like any other: callers spare it where the last note is fresh.
    pub write touch_visit(digest: [u8; 32], now: Timestamp) -> Result<(), StoreError>;
    /// Deletes the visits made before `before`, and counts them.
    pub write forget_visits(before: Timestamp) -> Result<usize, StoreError>;

    /// Notes a portrait in the object store, before its bytes are there and a card shows it. If its renditions are still
    /// missing at `render_at`, the worker makes them.
    pub write put_photo(key: PhotoKey, bytes: i64, now: Timestamp, render_at: Timestamp) -> Result<(), StoreError>;
    /// The portraits that no card has shown since `before`, longest first.
    pub read photos_unused(before: Timestamp, limit: usize) -> Result<Vec<PhotoKey>, StoreError>;
    /// Whether a portrait lies in the object store, shown by a card or not.
    pub read photo_is_there(key: &PhotoKey) -> Result<bool, StoreError>;
    /// Keeps every card from a portrait that none shows, so that its bytes may go; false when a card shows it, or it is
    /// not there. Until its row is deleted, it is the first of those that are unused.
    pub write mark_photo_for_deletion(key: PhotoKey) -> Result<bool, StoreError>;
    /// Deletes the row of a portrait that is marked for deletion; false when it was not, or is not there.
    pub write delete_photo(key: PhotoKey) -> Result<bool, StoreError>;
    /// Takes a portrait whose renditions are to be made, and keeps it from other workers until `lease`.
    pub transaction claim_photo_to_render(now: Timestamp, lease: Timestamp, attempts_max: i32)
        -> Result<Option<PhotoKey>, StoreError>;
    /// Takes an attempt back that failed by no fault of the portrait's.
    pub write rendering_postponed(key: PhotoKey) -> Result<(), StoreError>;
    /// Notes that the renditions lie in the object store, or (`None`) that none can be made; false when the portrait was
    /// swept meanwhile.
    pub write photo_rendered(key: PhotoKey, screen: Option<PixelSize>) -> Result<bool, StoreError>;
    /// What can be shown of a portrait; `None` while there are no renditions of it.
    pub read portrait(key: &PhotoKey) -> Result<Option<Portrait>, StoreError>;

    /// Takes `amount` out of a quota of `max` whose window began after `not_before`, or begins a window `now`. `None`: it was
    /// taken. Of a quota that is used up nothing is taken, and the beginning of its window is returned.
    pub transaction use_quota(subject: String, amount: i64, max: i64, not_before: Timestamp, now: Timestamp)
        -> Result<Option<Timestamp>, StoreError>;
    /// Deletes the quotas whose window began before `before`, and counts them.
    pub write forget_quotas(before: Timestamp) -> Result<usize, StoreError>;

    /// Adds a mail by itself. One that has a cause is written by its cause's own transaction (`queries/mail.rs`).
    pub write queue_mail(mail: Mail) -> Result<(), StoreError>;
    /// Takes the mail that has been due for longest, and keeps it from other workers until `lease`.
    pub transaction claim_mail(now: Timestamp, lease: Timestamp) -> Result<Option<Mail>, StoreError>;
    /// Notes that a claimed mail was sent, and adds the mail that is to follow it. False, and nothing is written, when
    /// the lease ran out and another worker has it.
    pub transaction mail_sent(mail: Mail, now: Timestamp, next: Option<Mail>) -> Result<bool, StoreError>;
    /// Puts a claimed mail back, with the answer that it holds; false when the lease ran out and another worker has it.
    pub write mail_postponed(mail: Mail, due_at: Timestamp, attempts: i32) -> Result<bool, StoreError>;
    /// Gives a claimed mail up, with the answer that it holds, because it was refused for good or otherwise; false when the lease
    /// ran out and another worker has it.
    pub write mail_failed(mail: Mail, now: Timestamp, refused: bool) -> Result<bool, StoreError>;
    /// How the queue fares.
    pub read mail_backlog() -> Result<MailBacklog, StoreError>;
    /// Whether a mail was given up since a moment, or one to the address of an order refused.
    pub read mail_lost_since(since: Timestamp) -> Result<bool, StoreError>;
    /// The mails about a card, oldest first.
    pub read mails_of(card_id: Uuid) -> Result<Vec<Mail>, StoreError>;
    /// Deletes the mails made before `before` that were sent or given up, and counts them.
    pub write forget_mails(before: Timestamp) -> Result<usize, StoreError>;

    /// The people on the list of a card, in the order they were added.
    pub read invitees_of(card_id: Uuid) -> Result<Vec<Invitee>, StoreError>;
    /// The person with this id on the list of this card; another card's is not found.
    pub read invitee(card_id: Uuid, id: Uuid) -> Result<Option<Invitee>, StoreError>;
    /// The person with this personal link.
    pub read invitee_by_token(token: &str) -> Result<Option<Invitee>, StoreError>;
    /// Adds people to the list of one card, each unless the address is on it already or the list holds `max`; tells for
    /// each what became of it.
    pub transaction add_invitees(card_id: Uuid, invitees: Vec<Invitee>, max: usize)
        -> Result<Vec<InviteeAddition>, StoreError>;
    /// Queues an invitation and counts it: for its address, its card and its partner, unless one of them has no more.
    pub transaction invite(mail: Mail, limits: InvitationLimits) -> Result<Invitation, StoreError>;
    /// Whether a partner has sent `max` invitations on this day, live or test.
    pub read invitations_used_up(day: NaiveDate, max: i32) -> Result<bool, StoreError>;
    /// Deletes how many invitations were sent on each day before `before`, and counts them.
    pub write forget_invitation_days(before: NaiveDate) -> Result<usize, StoreError>;
    /// Takes a person off the list of this card, with the mails that wait for them; false when not on it.
    pub write remove_invitee(card_id: Uuid, id: Uuid) -> Result<bool, StoreError>;
    /// Notes the first time that a card was opened by a personal link; later times change nothing.
    pub write note_seen(invitee_id: Uuid, now: Timestamp) -> Result<(), StoreError>;

    /// Adds a lasting link to the invitee list of a card.
    pub write add_invitee_list_link(link: InviteeListLink) -> Result<(), StoreError>;
    /// The lasting link with this digest, expired or not.
    pub read invitee_list_link(digest: &[u8; 32]) -> Result<Option<InviteeListLink>, StoreError>;
    /// Deletes the lasting links that ended before `before`, and counts them.
    pub write forget_invitee_list_links(before: Timestamp) -> Result<usize, StoreError>;

    /// Adds counts of what partners used to those that are there.
    pub transaction add_usage(counted: Vec<Usage>) -> Result<(), StoreError>;
    /// What partners used on these days, of one version or of all, in the order of the table.
    pub read usage_between(from: NaiveDate, to: NaiveDate, version: Option<&str>) -> Result<Vec<Usage>, StoreError>;
    /// The first day of which there is a count.
    pub read usage_since() -> Result<Option<NaiveDate>, StoreError>;
    /// Deletes the counts of the days before `before`, and counts them.
    pub write forget_usage(before: NaiveDate) -> Result<usize, StoreError>;

    /// What the operator decided about versions, by their names.
    pub read version_notices() -> Result<Vec<VersionNotice>, StoreError>;
    /// Notes what the operator decided about a version; what was decided before is forgotten.
    pub transaction put_version_notice(notice: VersionNotice) -> Result<(), StoreError>;
    /// Takes back what was decided about a version; false when there was nothing.
    pub write drop_version_notice(version: String) -> Result<bool, StoreError>;
}

impl Store {
    /// Whether the database answers, and takes writes.
    pub async fn ping(&self) -> Result<(), StoreError> {
        if let Engine::Sqlite(db) = &self.engine {
            db.check_writer()?;
        }
        let answered = tokio::time::timeout(limits::DATABASE_CHECK, self.answer()).await;
        answered.unwrap_or_else(|_| Err(Outage::Silent(limits::DATABASE_CHECK).into()))
    }

    /// Whether what is sent to the database can be read on its way to another machine.
    pub fn is_exposed(&self) -> bool {
        matches!(&self.engine, Engine::Postgres(db) if db.is_exposed())
    }

    /// Creates a card with its first event and the deliveries of that, and binds it to the key that the request holds.
    pub async fn create_card(&self, new: NewCard) -> Result<CreatedCard, CreateCardError> {
        let (card, announced) = self.insert_card(new, Arc::clone(&self.public_base)).await?;
        Ok(self.announce(card, announced))
    }

    /// Changes a card: the one way, after its creation.
    ///
    /// `decide` sees the card as it is while nobody else can change it, changes it, and names the events. It does
    /// not wait and does not call the store. A card that comes out as it went in is not written, and its events
    /// are dropped. Otherwise the row, `updated_at`, the events with the next sequence numbers, and a delivery of each
    /// event to each subscription that follows its topic now, are written together. A refusal writes nothing. `None`: no
    /// such card in the scope.
    ///
    /// The id, partner, dossier, test flag and creation moment of a card never change, whatever `decide` does to them.
    pub async fn change_card<E, F>(
        &self,
        scope: CardScope,
        now: Timestamp,
        decide: F,
    ) -> Result<Option<Card>, ChangeCardError<E>>
    where
        E: Send + 'static,
        F: FnOnce(&mut Card) -> Result<Vec<EventDraft>, E> + Send + 'static,
    {
        self.write(scope, now, |card| decide(card).map(CardEffects::from)).await
    }

    /// Changes a card as [`Store::change_card`] does, with an order and what follows from it in the same transaction.
    pub async fn order_card<E, F>(
        &self,
        scope: CardScope,
        now: Timestamp,
        decide: F,
    ) -> Result<Option<Card>, ChangeCardError<E>>
    where
        E: Send + 'static,
        F: FnOnce(&mut Card) -> Result<CardEffects, E> + Send + 'static,
    {
        let ordered = self.write(scope, now, decide).await?;
        self.wake(Queue::Mails);
        self.wake(Queue::Activations);
        Ok(ordered)
    }

    async fn write<E, F>(&self, scope: CardScope, now: Timestamp, decide: F) -> Result<Option<Card>, ChangeCardError<E>>
    where
        E: Send + 'static,
        F: FnOnce(&mut Card) -> Result<CardEffects, E> + Send + 'static,
    {
        let public_base = Arc::clone(&self.public_base);
        let changed = operations!(@transaction self write_change(scope, now, decide, public_base))?;
        Ok(changed.map(|(card, announced)| self.announce(card, announced)))
    }

    /// What was committed, of which the worker is told when there is something to deliver.
    fn announce<T>(&self, committed: T, announced: bool) -> T {
        if announced {
            self.wake(Queue::Deliveries);
        }
        committed
    }

    /// Deletes the idempotency records made before `before`, a few at a time, and counts them.
    pub async fn forget_idempotency(&self, before: Timestamp) -> Result<usize, StoreError> {
        let mut forgotten = 0;
        loop {
            match self.forget_some_idempotency(before).await? {
                0 => return Ok(forgotten),
                some => forgotten += some,
            }
        }
    }
}

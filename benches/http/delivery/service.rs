//! The measured service: its own database with one partner, a secret and a subscription.

use std::sync::Arc;
use std::time::{Duration, Instant};

use card_service::app::{Settings, services};
use card_service::base::{Clock, Entropy, HttpUrl, Timestamp};
use card_service::model::{
    Actor, Card, CardStatus, Deceased, DeliveryState, EventDraft, FamilyContact, Farewell, Layout, Partner, Scope,
    SigningSecret, SubscriptionHealth, Topic, Visibility, WebhookSecret, WebhookSubscription,
};
use card_service::outbound::Names;
use card_service::services::Services;
use card_service::store::{NewCard, StoreCloser};
use card_service::worker::webhook::Webhooks;
use futures_util::StreamExt as _;
use tempfile::TempDir;
use uuid::Uuid;

use super::receiver::Receiver;
use crate::comparison::{Cost, Meter};
use crate::database::execute;

/// How many cards are created concurrently.
const AT_ONCE: usize = 128;

pub(crate) struct Service {
    services: Arc<Services>,
    closer: StoreCloser,
    folder: TempDir,
    pub secret: SigningSecret,
    partner_id: Uuid,
    subscription_id: Uuid,
}

impl Service {
    pub(crate) async fn sqlite(port: u16) -> Self {
        let folder = TempDir::new().expect("a folder");
        let url = format!("sqlite://{}", folder.path().join("card-service.db").display());
        Self::on(url, folder, port).await
    }

    /// Uses a new schema, which is not dropped.
    pub(crate) async fn postgres(maintenance: &str, port: u16) -> Self {
        let schema = format!("bench_{}", std::process::id());
        tokio::task::block_in_place(|| execute(maintenance, &format!("CREATE SCHEMA {schema}")));
        let url = format!("{maintenance}?options=-csearch_path%3D{schema}");
        Self::on(url, TempDir::new().expect("a folder"), port).await
    }

    async fn on(url: String, folder: TempDir, port: u16) -> Self {
        let settings = Settings::from_env(|name| {
            Some(match name {
                "DATABASE_URL" => url.clone(),
                "DATA_DIR" => folder.path().display().to_string(),
                // Without a port, so that one client serves all ports.
                "EGRESS_ALLOW" => "127.0.0.1".to_owned(),
                _ => return None,
            })
        })
        .expect("the settings are right");
        let settings = Settings { create_database: true, ..settings };
        let (clock, entropy) = (Clock::system(), Entropy::system());
        let (services, closer) =
            services(&settings, clock, entropy, Names::system()).await.expect("the services start");
        let now = services.clock.now();
        let partner = Partner::new(services.entropy.uuid(now), "Bench", now);
        let (partner_id, issued) = (partner.id, WebhookSecret::generate(partner.id, &services.entropy, now));
        let secret = issued.secret.clone();
        assert!(services.store.add_partner(partner, issued).await.expect("the store works"));
        let service = Self { services, closer, folder, secret, partner_id, subscription_id: Uuid::nil() };
        let subscription_id = service.subscribe(Topic::CardsCreate, port).await;
        Self { subscription_id, ..service }
    }

    async fn subscribe(&self, topic: Topic, port: u16) -> Uuid {
        let now = self.services.clock.now();
        let subscription = WebhookSubscription {
            id: self.services.entropy.uuid(now),
            partner_id: self.partner_id,
            topic,
            callback_url: HttpUrl::trusted(format!("http://127.0.0.1:{port}/hook")),
            api_version: "2026-10".to_owned(),
            test: false,
            created_at: now,
            updated_at: now,
            name: None,
            health: SubscriptionHealth::default(),
        };
        let id = subscription.id;
        self.services.store.create_subscription(subscription, 20).await.expect("the store works");
        id
    }

    /// Starts the webhook worker.
    pub(crate) fn start(&self) -> Webhooks {
        Webhooks::start(&self.services)
    }

    /// Creates cards with one event each.
    pub(crate) async fn create_events(&self, count: usize) {
        let creating = futures_util::stream::iter(0..count).map(|_| async {
            let now = self.services.clock.now();
            let id = self.services.entropy.uuid(now);
            let card = Card {
                id,
                partner_id: self.partner_id,
                external_dossier_id: format!("{id}{}", "0".repeat(210)),
                external_funeral_director_id: Some("d".repeat(200)),
                theme_id: None,
                deceased: Deceased::default(),
                livestream_url: None,
                family_contact: FamilyContact::default(),
                layout: Layout::default(),
                visibility: Visibility::default(),
                text: None,
                farewell: Farewell::default(),
                status: CardStatus::Draft,
                slug: None,
                test: false,
                created_at: now,
                updated_at: now,
                ordered_at: None,
                activated_at: None,
                offline_since: None,
                event_count: 0,
            };
            let event = EventDraft {
                id: self.services.entropy.uuid(now),
                topic: Topic::CardsCreate,
                actor: Actor::Partner,
                changed_fields: vec![],
            };
            self.services.store.create_card(NewCard { card, event, claim: None }).await.expect("a card is made");
        });
        creating.buffer_unordered(AT_ONCE).for_each(|()| async {}).await;
    }

    /// Returns the body of a notification.
    pub(crate) async fn body(&self) -> String {
        self.create_events(1).await;
        let store = &self.services.store;
        let due =
            store.deliveries_in_state(self.subscription_id, DeliveryState::Due, 1).await.expect("the store works");
        store.body_of(due[0].id).await.expect("the store works").expect("a body")
    }

    /// Measures the delivery of `count` pending events.
    pub(crate) async fn cost(&self, receiver: &Receiver, count: usize, postmaster: Option<u32>) -> Cost {
        self.create_events(count).await;
        let waiting = self.services.store.delivery_count(self.subscription_id, DeliveryState::Due).await;
        let waiting = usize::try_from(waiting.expect("the store works")).expect("a count");
        let before = receiver.count();
        let (began, meter) = (Instant::now(), Meter::start(std::process::id(), postmaster));
        let arrived = || usize::try_from(receiver.count() - before).expect("a count");
        let running = self.start();
        // Measured until the results are written, which is after the arrivals.
        while arrived() < waiting {
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
        while self.services.store.delivery_count(self.subscription_id, DeliveryState::Due).await.expect("it works") > 0
        {
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
        let cost = meter.stop(waiting, waiting as f64 / began.elapsed().as_secs_f64(), None);
        running.stop(tokio::time::Instant::now() + card_service::base::limits::DRAIN).await;
        assert_eq!(arrived(), waiting, "each arrived once");
        cost
    }

    fn database(&self) -> rusqlite::Connection {
        rusqlite::Connection::open(self.folder.path().join("card-service.db")).expect("the database opens")
    }

    /// Inserts `count` events in this state for a receiver at `port`, and returns its subscription. Those that are due are of
    /// as many cards, and those that failed of a thousand. SQLite only.
    pub(crate) fn insert_events(&self, port: u16, count: usize, state: DeliveryState) -> Uuid {
        let failed = state == DeliveryState::Failed;
        let (card, sequence) =
            if failed { ("unhex(printf('%032x', i % 1000))", "1 + i / 1000") } else { ("randomblob(16)", "2") };
        let (due, finished) = if failed { ("NULL", "1700000000000 + i") } else { ("1700000000000 + i", "NULL") };
        let id = Uuid::from_u128(0x0193_0000_0000_7000_8000_0000_0000_0000 + u128::from(port));
        let sql = format!(
            "INSERT INTO webhook_subscriptions (id, partner_id, topic, callback_url, callback_url_digest, api_version,
                 created_at, updated_at)
             SELECT x'{id}', partner_id, 'CARDS_UPDATE', 'http://127.0.0.1:{port}/dead', randomblob(32), api_version,
                 created_at, updated_at FROM webhook_subscriptions LIMIT 1;
             WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {count})
             INSERT INTO deliveries SELECT unhex('01930000' || printf('%08x', i) || hex(randomblob(8))), randomblob(16), x'{id}',
                 x'{partner}', {card}, 'CARDS_UPDATE', {sequence}, 0, '2026-10', '{state}', 0, 0,
                 {due}, NULL, 1700000000000 + i, {finished} FROM n;
             INSERT INTO notifications SELECT event_id, api_version, hex(zeroblob(250)) FROM deliveries
                 WHERE topic = 'CARDS_UPDATE';",
            id = id.simple(),
            partner = self.partner_id.simple(),
            state = state.as_str(),
        );
        self.database().execute_batch(&sql).expect("the rows are written");
        id
    }

    /// Asks for everything that failed.
    pub(crate) async fn recover(&self) {
        let scope = Scope::account(self.partner_id);
        self.services.store.recover_deliveries(scope, Timestamp::default()).await.expect("the store works");
    }

    /// How many deliveries of a subscription have failed, and how many are to be sent.
    pub(crate) async fn left(&self, subscription_id: Uuid) -> (i64, i64) {
        let count = async |state| self.services.store.delivery_count(subscription_id, state).await.expect("it works");
        (count(DeliveryState::Failed).await, count(DeliveryState::Due).await + count(DeliveryState::Waiting).await)
    }

    /// Runs the worker until everything is sent.
    pub(crate) async fn run_until_sent(&self, subscription_id: Uuid) {
        let running = self.start();
        while self.left(subscription_id).await != (0, 0) {
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
        running.stop(tokio::time::Instant::now() + card_service::base::limits::DRAIN).await;
    }

    /// How many deliveries of a subscription were finished before an earlier one of their card.
    pub(crate) fn out_of_order(&self, subscription_id: Uuid) -> i64 {
        let sql = "SELECT count(*) FROM (SELECT finished_at,
                 lag(finished_at) OVER (PARTITION BY card_id ORDER BY sequence) AS before
             FROM deliveries WHERE subscription_id = ?1) WHERE finished_at < before";
        let id = subscription_id.as_bytes().as_slice();
        self.database().query_row(sql, [id], |row| row.get(0)).expect("a count")
    }

    pub(crate) async fn close(self) {
        drop(self.services);
        self.closer.close().await;
    }
}

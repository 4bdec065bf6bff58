//! An empty database for each test, and its fixtures.

use std::sync::Arc;
use std::time::Duration;

use diesel::connection::SimpleConnection;
use diesel::sql_types::BigInt;
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl, SimpleAsyncConnection};
use tempfile::TempDir;
use url::Url;
use uuid::Uuid;

use crate::base::{Clock, Entropy, Timestamp};
use crate::model::{
    Actor, Card, EventDraft, Invitee, Partner, SubscriptionHealth, Theme, Topic, WebhookSecret, WebhookSubscription,
};
use crate::store::database::{Database, Unit};
use crate::store::{IdempotencyClaim, NewCard, Store, StoreCloser, StoreError, StoreSettings};

/// A store on an empty database, which is removed when the test ends.
pub(super) struct TestDatabase {
    pub store: Store,
    pub url: String,
    closer: StoreCloser,
    entropy: Entropy,
    _place: Place,
}

/// The location of the database. Dropping it removes the database.
pub(super) enum Place {
    Folder(TempDir),
    #[expect(dead_code, reason = "held until it is dropped")]
    Server(ServerDatabase),
}

impl TestDatabase {
    pub(super) async fn sqlite() -> Self {
        let (url, place) = sqlite_place();
        Self::open(url, place).await
    }

    pub(super) async fn postgres() -> Self {
        let (url, place) = postgres_place().await;
        Self::open(url, place).await
    }

    /// A store with one connection, whose statements a test can record.
    pub(super) async fn postgres_with_one_connection() -> Self {
        let (url, place) = postgres_place().await;
        Self::open_with(StoreSettings { postgres_pool_size: 1, ..settings(&url) }, place).await
    }

    async fn open(url: String, place: Place) -> Self {
        Self::open_with(settings(&url), place).await
    }

    async fn open_with(settings: StoreSettings, place: Place) -> Self {
        let (store, closer) = Store::open(&settings).await.expect("the store opens");
        let url = settings.url;
        Self { store, url, closer, entropy: Entropy::system(), _place: place }
    }

    /// Closes the store before the database is removed. Every clone must be dropped before.
    pub(super) async fn close(self) {
        let Self { store, closer, _place, .. } = self;
        drop(store);
        tokio::time::timeout(Duration::from_secs(30), closer.close()).await.expect("nobody holds a clone");
    }

    pub(super) fn uuid(&self) -> Uuid {
        self.entropy.uuid(now())
    }

    /// Adds a partner.
    pub(super) async fn partner(&self) -> Uuid {
        let id = self.uuid();
        let partner = Partner::new(id, format!("Partner {id}"), now());
        let secret = WebhookSecret::generate(id, &self.entropy, now());
        assert!(self.store.add_partner(partner, secret).await.expect("the partner is added"));
        id
    }

    /// Returns a card of a partner that is not stored.
    pub(super) fn card(&self, partner_id: Uuid, dossier: &str) -> Card {
        Card {
            id: self.uuid(),
            partner_id,
            external_dossier_id: dossier.to_owned(),
            created_at: now(),
            updated_at: now(),
            ..Card::default()
        }
    }

    pub(super) fn event(&self, topic: Topic) -> EventDraft {
        EventDraft { id: self.uuid(), topic, actor: Actor::Partner, changed_fields: vec![] }
    }

    /// Returns the input to create a card of a partner.
    pub(super) fn new_card(&self, partner_id: Uuid, dossier: &str, claim: Option<IdempotencyClaim>) -> NewCard {
        NewCard { card: self.card(partner_id, dossier), event: self.event(Topic::CardsCreate), claim }
    }

    /// Creates a card.
    pub(super) async fn created(&self, partner_id: Uuid, dossier: &str) -> Card {
        let created = self.store.create_card(self.new_card(partner_id, dossier, None)).await;
        Arc::unwrap_or_clone(created.expect("the card is created"))
    }

    /// Returns an invitee that is not stored; adding it sets the card.
    pub(super) fn invitee(&self, name: &str, email: Option<&str>) -> Invitee {
        Invitee {
            id: self.uuid(),
            card_id: Uuid::nil(),
            name: name.to_owned(),
            email: email.map(str::to_owned),
            token: self.entropy.unguessable(),
            created_at: now(),
            mail_count: 0,
            last_mail_at: None,
            seen_at: None,
        }
    }

    pub(super) fn theme(&self, handle: &str, position: i64) -> Theme {
        Theme {
            id: self.uuid(),
            number: 0,
            handle: handle.to_owned(),
            title: handle.to_owned(),
            description: String::new(),
            images: vec![],
            videos: vec![],
            demo_url: None,
            position,
        }
    }

    pub(super) fn subscription(&self, partner_id: Uuid, topic: Topic, address: &str) -> WebhookSubscription {
        WebhookSubscription {
            id: self.uuid(),
            partner_id,
            topic,
            callback_url: crate::base::HttpUrl::trusted(address),
            api_version: "2026-10".to_owned(),
            test: false,
            created_at: now(),
            updated_at: now(),
            name: None,
            health: SubscriptionHealth::default(),
        }
    }

    /// Counts the rows of `SELECT ... FROM {from}`.
    pub(super) async fn count(&self, from: &str) -> i64 {
        let query = diesel::sql_query(format!("SELECT COUNT(*) AS n FROM {from}"));
        let row: Count = match &self.store.database {
            Database::Sqlite(db) => {
                db.read(&self.store.context, async |c| Ok(diesel::RunQueryDsl::get_result(query, c)?)).await
            }
            Database::Postgres(db) => {
                let mut connection = db.connection().await.expect("a connection");
                query.get_result(&mut *connection).await.map_err(StoreError::from)
            }
        }
        .expect("the rows are counted");
        row.n
    }

    /// Runs SQL.
    pub(super) async fn run(&self, sql: &'static str) -> Result<(), StoreError> {
        match &self.store.database {
            Database::Sqlite(db) => db.run_unit(Unit::Transaction, async move |c| Ok(c.batch_execute(sql)?)).await,
            Database::Postgres(db) => Ok(db.connection().await?.batch_execute(sql).await?),
        }
    }
}

#[derive(diesel::QueryableByName)]
struct Count {
    #[diesel(sql_type = BigInt)]
    n: i64,
}

/// The time of the tests.
pub(super) fn now() -> Timestamp {
    Timestamp::from_millis(1_790_000_000_123).expect("within the calendar")
}

pub(super) fn later(seconds: i64) -> Timestamp {
    now().plus(chrono::Duration::seconds(seconds))
}

pub(super) fn settings(url: &str) -> StoreSettings {
    let public_base = "https://kaarten.example".to_owned();
    StoreSettings {
        url: url.to_owned(),
        postgres_pool_size: 8,
        public_base,
        create: true,
        examine: true,
        clock: Clock::system(),
    }
}

/// Returns the address of a SQLite file that does not exist yet, and its folder.
pub(super) fn sqlite_place() -> (String, Place) {
    let folder = tempfile::tempdir().expect("a folder for the database");
    (format!("sqlite://{}/test.db", folder.path().display()), Place::Folder(folder))
}

/// Creates an empty database on the server of the tests.
#[allow(clippy::disallowed_methods)] // the tests get the address from the environment
pub(super) async fn postgres_place() -> (String, Place) {
    let server = std::env::var("TEST_POSTGRES_URL").unwrap_or_else(|_| {
        panic!(
            "TEST_POSTGRES_URL is not set. Start a server with `.ci/postgres start /tmp/card-service-pg` and hand its \
             url to the tests: TEST_POSTGRES_URL=$(.ci/postgres start /tmp/card-service-pg) cargo test"
        )
    });
    let name = format!("card_service_{}", Entropy::system().uuid(Clock::system().now()).simple());
    let mut connection = AsyncPgConnection::establish(&server).await.expect("TEST_POSTGRES_URL names a server");
    connection.batch_execute(&format!("CREATE DATABASE {name}")).await.expect("a database is made");
    let mut url = Url::parse(&server).expect("TEST_POSTGRES_URL is a url");
    url.set_path(&name);
    (url.into(), Place::Server(ServerDatabase { server, name }))
}

pub(super) struct ServerDatabase {
    server: String,
    name: String,
}

impl Drop for ServerDatabase {
    fn drop(&mut self) {
        let (server, name) = (self.server.clone(), self.name.clone());
        let remove = move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
            runtime.block_on(async {
                let mut connection = AsyncPgConnection::establish(&server).await?;
                Ok(connection.batch_execute(&format!("DROP DATABASE IF EXISTS {name} WITH (FORCE)")).await?)
            })
        };
        // In another thread, because `block_on` cannot run inside the runtime of the test.
        let removed: Result<(), Box<dyn std::error::Error + Send + Sync>> =
            std::thread::spawn(remove).join().expect("removing a database does not panic");
        if let Err(error) = removed {
            eprintln!("the database {} is left behind: {error}", self.name);
        }
    }
}

//! Starts the server of a test in this process, on a free port.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::net::SocketAddr;
use std::panic::Location;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use card_service::app::{Server, Settings};
use card_service::base::{Clock, Entropy, FrontLimits, Timestamp};
use card_service::media::DecoderProgram;
use card_service::outbound::Names;
use card_service::services::Services;
use card_service::store::Store;
use chrono::Duration;

use super::{Answer, FreshDatabase, MockServer, tamper};

/// The public address of the service, which is not the one it listens on.
pub const PUBLIC_BASE: &str = "https://kaarten.example";

/// 10 November 2026, 09:30 in the Netherlands: the start of every test's clock.
const START_MS: i64 = 1_794_299_400_000;

/// A rate that no test exceeds; the manual clock refills no bucket.
pub const ENDLESS_RATE: (&str, &str) = ("RATE_LIMIT_POINTS", "1000000000");

/// A running server with its services; cheap to clone.
#[derive(Clone)]
pub struct TestApp(Arc<Inner>);

struct Inner {
    services: Arc<Services>,
    metrics: Option<SocketAddr>,
    admin: Option<SocketAddr>,
    clock: Clock,
    mock_server: MockServer,
    base: String,
    folder: PathBuf,
    database_url: String,
}

impl TestApp {
    /// Starts the server on `database`; `name` seeds its randomness.
    pub async fn start(database: &FreshDatabase, name: &str) -> Self {
        Self::start_with(database, name, &[]).await
    }

    /// Starts the server with additional environment variables.
    pub async fn start_with(database: &FreshDatabase, name: &str, variables: &[(&str, &str)]) -> Self {
        Self::start_within(database, name, variables, FrontLimits::default()).await
    }

    /// Starts the server with connection limits short enough for a test.
    pub async fn start_within(
        database: &FreshDatabase,
        name: &str,
        variables: &[(&str, &str)],
        front: FrontLimits,
    ) -> Self {
        let mock_server = MockServer::start().await;
        let root = database.folder.path().join("far-side.pem");
        std::fs::write(&root, &mock_server.root).expect("the data folder can be written");
        let allow = format!("127.0.0.1:{},127.0.0.1:{}", mock_server.http.port(), mock_server.https.port());
        let mut settings = Settings::from_env(|variable| {
            if let Some((_, value)) = variables.iter().find(|(known, _)| *known == variable) {
                return Some((*value).to_owned());
            }
            Some(match variable {
                "DATABASE_URL" => database.url.clone(),
                "DATA_DIR" => database.folder.path().display().to_string(),
                "LISTEN" => "127.0.0.1:0".to_owned(),
                "PUBLIC_BASE_URL" => PUBLIC_BASE.to_owned(),
                "EGRESS_ALLOW" => allow.clone(),
                "METRICS_LISTEN" | "ADMIN_LISTEN" => "127.0.0.1:0".to_owned(),
                "EGRESS_CA" => root.display().to_string(),
                other => [ENDLESS_RATE].iter().find(|(known, _)| *known == other)?.1.to_owned(),
            })
        })
        .expect("the test's settings are right");
        settings.policy.front = front;
        settings.create_database = true;
        settings.decoder = DecoderProgram::new(env!("CARGO_BIN_EXE_card-service"));
        let clock = Clock::manual(Timestamp::from_millis(START_MS).expect("a moment of this century"));
        let server = Server::start(&settings, clock.clone(), Entropy::seeded(seed(name)), names())
            .await
            .expect("the server starts");
        let base = format!("http://{}", server.address());
        let (metrics, admin) = (server.metrics_address(), server.admin_address());
        let services = Arc::clone(server.services());
        database.keep(server);
        Self(Arc::new(Inner {
            services,
            metrics,
            admin,
            clock,
            mock_server,
            base,
            folder: database.folder.path().to_owned(),
            database_url: database.url.clone(),
        }))
    }

    /// Returns the URL of a path on the operator's listener.
    pub fn metrics_url(&self, path: &str) -> String {
        let address = self.0.metrics.expect("the test named an address");
        format!("http://{address}{path}")
    }

    /// Returns the URL of a path on the listener of the administration.
    pub fn admin_url(&self, path: &str) -> String {
        format!("http://{}{path}", self.0.admin.expect("the test named an address"))
    }

    /// Returns the text of `/metrics`.
    pub async fn figures(&self) -> String {
        let answer = self.metrics_get("/metrics").await;
        assert_eq!(answer.status, 200);
        answer.text()
    }

    pub fn services(&self) -> &Arc<Services> {
        &self.0.services
    }

    pub fn store(&self) -> &Store {
        &self.services().store
    }

    pub fn mock_server(&self) -> &MockServer {
        &self.0.mock_server
    }

    /// The server's data folder.
    pub fn folder(&self) -> &Path {
        &self.0.folder
    }

    /// The address of the server, as `host:port`.
    pub fn address(&self) -> &str {
        self.0.base.strip_prefix("http://").expect("http")
    }

    /// The address of the database.
    pub fn database_url(&self) -> &str {
        &self.0.database_url
    }

    /// The time of the test's clock.
    pub fn now(&self) -> Timestamp {
        self.0.clock.now()
    }

    /// Advances the test's clock.
    pub fn pass(&self, time: Duration) {
        self.0.clock.advance(time);
        // Workers that wait for a moment wait in real time; the test's time has come at once.
        self.store().signals().notify_all();
    }

    /// Advances the test's clock to the system's, which the operator's commands have.
    pub fn catch_up(&self) {
        let behind = Clock::system().now().millis() - self.now().millis();
        self.pass(Duration::milliseconds(behind.max(0)));
    }

    /// Returns the URL of a path on the server.
    pub fn url(&self, path: &str) -> String {
        format!("{}{path}", self.0.base)
    }

    /// Requests a path, following no redirect.
    pub async fn get(&self, path: &str) -> Answer {
        self.send_request("GET", path, &[]).await
    }

    /// Requests a path with a method and headers.
    pub async fn send_request(&self, method: &str, path: &str, headers: &[(&str, &str)]) -> Answer {
        let request = self.http().request(method.parse().expect("a method"), self.url(path));
        let request = headers.iter().fold(request, |request, (name, value)| request.header(*name, *value));
        Answer::read(request.send().await.expect("the server answers")).await
    }

    /// Requests a path on the operator's listener.
    pub async fn metrics_get(&self, path: &str) -> Answer {
        Answer::read(self.http().get(self.metrics_url(path)).send().await.expect("an answer")).await
    }

    /// An HTTP client that follows no redirect and keeps no connection.
    pub fn http(&self) -> &'static reqwest::Client {
        http_client()
    }
}

impl TestApp {
    /// Waits until the server has stored a response under its idempotency key, which is after it was sent, and has released
    /// the key.
    pub async fn response_is_stored(&self) {
        let is_stored = || async {
            let sql = "UPDATE idempotency_keys SET key = key WHERE response IS NOT NULL";
            (tamper(self.database_url(), sql).await > 0).then_some(())
        };
        wait_for("the response is stored", is_stored).await;
        // The key is released just after that.
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
}

/// Keeps no connections, because a connection belongs to the runtime of one test.
pub fn http_client() -> &'static reqwest::Client {
    static CLIENT: OnceLock<reqwest::Client> = OnceLock::new();
    CLIENT.get_or_init(|| client_builder().pool_max_idle_per_host(0).build().expect("a client can be made"))
}

/// Keeps its connections for the next request.
pub fn keeping_client() -> reqwest::Client {
    client_builder().build().expect("a client can be made")
}

fn client_builder() -> reqwest::ClientBuilder {
    let _ = rustls::crypto::ring::default_provider().install_default();
    reqwest::Client::builder().redirect(reqwest::redirect::Policy::none()).no_proxy()
}

/// The names that the service can resolve; every other name is unknown.
fn names() -> Names {
    let address = |text: &str| text.parse().expect("an address");
    Names::table([
        ("photos.example", vec![address("127.0.0.1")]),
        (PUBLIC_BASE.strip_prefix("https://").expect("https"), vec![address("93.184.215.14")]),
        // The mock server under a name that its certificate does not have.
        ("elsewhere.example", vec![address("127.0.0.1")]),
        ("hooks.example", vec![address("93.184.215.14")]),
        ("other.example", vec![address("93.184.215.15"), address("2606:4700:4700::1111")]),
        ("inside.example", vec![address("10.0.0.1")]),
        ("half.example", vec![address("93.184.215.14"), address("10.0.0.1")]),
        ("mapped.example", vec![address("::ffff:169.254.169.254")]),
    ])
}

fn seed(name: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    name.hash(&mut hasher);
    hasher.finish()
}

/// How long a test waits for what another task or process does, on a busy machine.
const PATIENCE: std::time::Duration = std::time::Duration::from_secs(120);

/// Waits until `look` finds something.
#[track_caller]
pub fn wait_for<T, F: Future<Output = Option<T>>>(what: &str, mut look: impl FnMut() -> F) -> impl Future<Output = T> {
    let place = Location::caller();
    async move {
        let end = tokio::time::Instant::now() + PATIENCE;
        loop {
            if let Some(found) = look().await {
                return found;
            }
            assert!(tokio::time::Instant::now() < end, "{place}: {what}");
            tokio::time::sleep(std::time::Duration::from_millis(10)).await;
        }
    }
}

//! Services for a unit test of an operation: a real store and a manual clock.

use std::sync::Arc;

use tempfile::TempDir;

use crate::base::{Clock, Entropy, Policy, Timestamp};
use crate::mail::Mailer;
use crate::media::{MediaStore, Renderer};
use crate::model::CardActivation;
use crate::outbound::{EgressPolicy, Names, Outbound, install_tls_provider};
use crate::services::Services;
use crate::store::{Store, StoreSettings};

/// 2026-10-15T12:00:00Z.
const NOW_MS: i64 = 1_792_065_600_000;

/// The public base URL.
const PUBLIC_BASE: &str = "https://kaarten.example";

/// Services on an empty database with a manual clock.
pub(crate) struct Fixture {
    pub services: Arc<Services>,
    _folder: TempDir,
}

impl Fixture {
    pub(crate) async fn new() -> Self {
        install_tls_provider();
        let folder = tempfile::tempdir().expect("a temporary folder");
        let url = format!("sqlite://{}", folder.path().join("test.db").display());
        let public_base = PUBLIC_BASE.to_owned();
        let settings = StoreSettings { url, postgres_pool_size: 1, public_base, create: true };
        let opened = Store::open(&settings).await;
        let (store, _closer) = opened.expect("the store opens");
        let outbound = Outbound::new(EgressPolicy::default(), Names::table::<String>([]), None).expect("a client");
        let services = Arc::new(Services {
            store,
            clock: Clock::manual(Timestamp::from_millis(NOW_MS).expect("within the calendar")),
            entropy: Entropy::seeded(1),
            outbound,
            media: MediaStore::local(&folder.path().join("media")).expect("an object store"),
            renderer: Renderer::in_this_process(),
            mailer: Mailer::folder(folder.path().join("mail"), "post@kaarten.example").expect("a folder for mails"),
            public_base: PUBLIC_BASE.to_owned(),
            activation: CardActivation::Automatic,
            data_dir: folder.path().to_owned(),
            usage: Arc::default(),
            metrics: Arc::default(),
            certificate: Arc::default(),
            policy: Policy::default(),
        });
        Self { services, _folder: folder }
    }

    pub(crate) fn wait(&self) {
        self.services.clock.advance(chrono::Duration::seconds(1));
    }
}

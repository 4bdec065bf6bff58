//! Services for a unit test: a real store, a manual clock and a photo server on the loopback.
//!
//! For the tests of operations and resolvers.

use std::net::SocketAddr;
use std::sync::Arc;

use tempfile::TempDir;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;

use super::card::{self, CardInput, CreateCard, DeceasedInput, FamilyContactInput};
use super::{Caller, IdempotencyBinding, OperationError, Services};

use crate::base::{Clock, Entropy, Patch, Policy, Timestamp};
use crate::mail::Mailer;
use crate::media::{MediaStore, Renderer};
use crate::model::{Card, CardActivation, KeyMode, Partner, Theme};
use crate::outbound::{EgressPolicy, Names, Outbound, install_tls_provider};
use crate::services::{CertificateExpiry, Metrics, UsageCounts};
use crate::store::{CreatedCard, IdempotencyKey, Store, StoreSettings};

/// 2026-10-15T12:00:00Z.
const NOW_MS: i64 = 1_792_065_600_000;

/// A GIF of one pixel.
pub(crate) const PHOTO: &[u8] = b"GIF89a\x01\0\x01\0\x80\0\0\0\0\0\xff\xff\xff,\0\0\0\0\x01\0\x01\0\0\x02\x02D\x01\0;";

/// The public base URL.
const PUBLIC_BASE: &str = "https://kaarten.example";

/// Services on an empty database with a manual clock, and one partner.
pub(crate) struct Fixture {
    pub services: Arc<Services>,
    pub caller: Caller,
    pub photos: PhotoServer,
    _folder: TempDir,
}

impl Fixture {
    pub(crate) async fn new() -> Self {
        install_tls_provider();
        let folder = tempfile::tempdir().expect("a temporary folder");
        let url = format!("sqlite://{}", folder.path().join("test.db").display());
        let public_base = PUBLIC_BASE.to_owned();
        let opened = Store::open(&StoreSettings { url, postgres_pool_size: 1, public_base, create: true }).await;
        let (store, _closer) = opened.expect("the store opens");
        let photos = PhotoServer::start().await;
        let allow = format!("127.0.0.1:{}", photos.address.port());
        let policy = EgressPolicy::parse(&allow).expect("a policy");
        let names = Names::table([("hooks.voorbeeld.nl", vec!["93.184.215.14".parse().expect("an address")])]);
        let services = Arc::new(Services {
            store,
            clock: Clock::manual(Timestamp::from_millis(NOW_MS).expect("within the calendar")),
            entropy: Entropy::seeded(1),
            outbound: Outbound::new(policy, names, None).expect("a client"),
            media: MediaStore::local(&folder.path().join("media")).expect("an object store"),
            renderer: Renderer::in_this_process(),
            mailer: Mailer::folder(folder.path().join("mail"), "post@kaarten.example").expect("a folder for mails"),
            public_base: PUBLIC_BASE.to_owned(),
            activation: CardActivation::Automatic,
            graphiql: folder.path().join("graphiql"),
            usage: UsageCounts::default(),
            metrics: Metrics::default(),
            certificate: CertificateExpiry::default(),
            policy: Policy::default(),
        });
        let caller = Self::partner(&services, "een").await;
        Self { services, caller, photos, _folder: folder }
    }

    /// A caller of a new partner.
    pub(crate) async fn partner(services: &Services, name: &str) -> Caller {
        let now = services.clock.now();
        let partner = Partner::new(services.entropy.uuid(now), name, now);
        let partner_id = partner.id;
        assert!(services.store.add_partner(partner).await.expect("the store works"));
        Caller {
            partner_id,
            key_id: services.entropy.uuid(now),
            mode: KeyMode::Live,
            version: "2026-10",
            request_id: "req_test".to_owned(),
            idempotency: None,
        }
    }

    pub(crate) async fn theme(&self, handle: &str) -> Theme {
        let theme = Theme {
            id: self.services.entropy.uuid(self.services.clock.now()),
            number: 0,
            handle: handle.to_owned(),
            title: handle.to_owned(),
            description: String::new(),
            images: Vec::new(),
            videos: Vec::new(),
            demo_url: None,
            position: 1,
        };
        self.services.store.put_theme(theme).await.expect("the store works")
    }

    pub(crate) async fn create(&self, dossier: &str, fields: CardInput) -> Result<CreatedCard, OperationError> {
        let input = CreateCard { external_dossier_id: dossier.to_owned(), fields };
        card::create(&self.services, &self.caller, input, 0).await
    }

    /// A new card with these fields.
    pub(crate) async fn card(&self, dossier: &str, fields: CardInput) -> Card {
        match self.create(dossier, fields).await.expect("the input is right") {
            CreatedCard::Fresh(card) => card,
            CreatedCard::Bound(_) => panic!("the card is there already"),
        }
    }

    /// A new card with everything that an order needs.
    pub(crate) async fn complete_card(&self, dossier: &str) -> Card {
        let text = |text: &str| Patch::Value(text.to_owned());
        let theme = self.theme(&format!("thema-{dossier}")).await;
        let deceased = DeceasedInput { first_name: text("Johanna"), ..DeceasedInput::default() };
        let contact = FamilyContactInput { email: text("pieter@voorbeeld.nl"), ..FamilyContactInput::default() };
        let fields = CardInput {
            theme_id: text(&theme.number.to_string()),
            deceased: Patch::Value(deceased),
            family_contact: Patch::Value(contact),
            ..CardInput::default()
        };
        self.card(dossier, fields).await
    }

    pub(crate) fn wait(&self) {
        self.services.clock.advance(chrono::Duration::seconds(1));
    }

    /// Gives the caller an idempotency key.
    pub(crate) fn under_key(&mut self, key: &str, fingerprint: u8) {
        let Caller { partner_id, mode, .. } = self.caller;
        let key = IdempotencyKey { partner_id, mode, text: key.to_owned() };
        self.caller.idempotency = Some(IdempotencyBinding { key, fingerprint: [fingerprint; 32], recorded: true });
    }
}

/// Serves `/photo` and `/other` as photos, and `/text` as something else.
pub(crate) struct PhotoServer {
    address: SocketAddr,
}

impl PhotoServer {
    async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = listener.local_addr().expect("an address");
        tokio::spawn(async move {
            while let Ok((mut connection, _)) = listener.accept().await {
                let mut request = [0; 1024];
                let read = connection.read(&mut request).await.unwrap_or(0);
                let path = String::from_utf8_lossy(&request[..read]);
                let (status, body) = match path.split(' ').nth(1) {
                    Some("/photo" | "/other") => ("200 OK", PHOTO),
                    Some("/text") => ("200 OK", &b"geen foto"[..]),
                    _ => ("404 Not Found", &b""[..]),
                };
                let length = body.len();
                let head = format!("HTTP/1.1 {status}\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n");
                let _ = connection.write_all(&[head.as_bytes(), body].concat()).await;
            }
        });
        Self { address }
    }

    /// The URL of a path on this server.
    pub(crate) fn address_of(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }
}

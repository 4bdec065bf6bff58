//! Builds the services from the settings.
//!
//! Called by the server and by every command that touches the database.

use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{fs, io};

use tokio::time::Instant;

use super::settings::Settings;
use crate::base::{Clock, Entropy, limits, private};
use crate::http::{HttpServer, ListenError, TlsError, Versions};
use crate::mail::{Mailer, MailerError};
use crate::media::{MediaError, MediaStore, Renderer};
use crate::outbound::{EgressAllowError, EgressPolicy, Names, Outbound, OutboundError};
use crate::services::{Metrics, Services};
use crate::store::{FILE_SUFFIXES, Store, StoreCloser, StoreError, StoreSettings};
use crate::worker::upkeep;

/// Why the service cannot start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    #[error("the data folder {folder} cannot be made: as root, run `install -d -m 0700 -o <user of the service> {folder}`", folder = .0.display())]
    DataDir(PathBuf, #[source] io::Error),
    #[error("the database cannot be opened")]
    Store(#[from] StoreError),
    #[error("the object store cannot be opened")]
    Media(#[from] MediaError),
    #[error("mails cannot be sent")]
    Mailer(#[from] MailerError),
    #[error("EGRESS_ALLOW cannot be used")]
    EgressAllow(#[from] EgressAllowError),
    #[error("the outbound client cannot be made")]
    Outbound(#[from] OutboundError),
    #[error("the server cannot speak TLS")]
    Tls(#[from] TlsError),
    #[error("the server does not listen")]
    Listen(#[from] ListenError),
}

/// Opens the object store of the settings. A missing folder is created.
pub fn media_store(settings: &Settings) -> Result<MediaStore, MediaError> {
    match &settings.media_url {
        Some(url) => media_store_at(settings, url),
        None => MediaStore::local(&settings.data_dir.join("media")),
    }
}

/// Opens the object store at an address, with the credentials of the settings, or in a folder.
pub fn media_store_at(settings: &Settings, place: &str) -> Result<MediaStore, MediaError> {
    match place.contains("://") {
        true => MediaStore::from_url(place, settings.media_access.iter().map(|(name, value)| (name, value))),
        false => MediaStore::local(Path::new(place)),
    }
}

/// Opens the database and builds the other services. Migrates the database and creates it if the settings allow that.
pub async fn services(
    settings: &Settings,
    clock: Clock,
    entropy: Entropy,
    names: Names,
) -> Result<(Arc<Services>, StoreCloser), StartError> {
    // The database is opened last, after the checks that cost less.
    if !settings.create_database {
        Store::require(&settings.database_url)?; // before the folders of a wrong path are created
    }
    let folder = &settings.data_dir;
    private::create_folder(folder).map_err(|error| StartError::DataDir(folder.clone(), error))?;
    let metrics = Arc::<Metrics>::default();
    let media = media_store(settings)?.with_observer(metrics.media_observer());
    let renderer = Renderer::new(settings.decoder.clone());
    let mailer = match &settings.smtp_url {
        Some(url) => Mailer::smtp(url, settings.egress_ca.as_deref(), &settings.mail_from)?,
        None => Mailer::folder(folder.join("mail"), &settings.mail_from)?,
    };
    let policy = EgressPolicy::parse(&settings.egress_allow)?;
    let outbound = Outbound::new(policy, names, settings.egress_ca.as_deref())?;
    let public_base = settings.public_base_url.clone();
    let activation = settings.card_activation;
    let store = StoreSettings {
        url: settings.database_url.clone(),
        postgres_pool_size: settings.postgres_pool_size,
        public_base: public_base.clone(),
        create: settings.create_database,
        examine: settings.examine_database,
        clock: clock.clone(),
    };
    let (store, closer) = match settings.migrate_database {
        true => Store::open(&store).await?,
        false => Store::open_migrated(&store).await?,
    };
    let services = Services {
        store,
        clock,
        entropy,
        outbound,
        media,
        renderer,
        mailer,
        public_base,
        activation,
        data_dir: folder.clone(),
        usage: Arc::default(),
        metrics,
        certificate: Arc::default(),
        policy: settings.policy.clone(),
    };
    Ok((Arc::new(services), closer))
}

/// The running server, on a free port of the loopback.
pub struct LocalServer {
    services: Arc<Services>,
    http: HttpServer,
    versions: Arc<Versions>,
    closer: StoreCloser,
}

impl LocalServer {
    /// Opens the database of the settings and accepts connections. Mails would be written into the data folder.
    pub async fn open(settings: &Settings) -> Result<Self, StartError> {
        let settings = Settings { smtp_url: None, egress_allow: String::new(), ..settings.clone() };
        let opened = services(&settings, Clock::system(), Entropy::system(), Names::system()).await;
        let (services, closer) = opened?;
        let versions = Arc::new(Versions::new(&services.public_base));
        upkeep::apply_versions(&services, &versions).await?;
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
        let http = HttpServer::start(address, None, None, Arc::clone(&services), Arc::clone(&versions)).await?;
        Ok(Self { services, http, versions, closer })
    }

    /// Returns the address it listens on.
    pub fn address(&self) -> SocketAddr {
        self.http.address()
    }

    /// Returns the services of its requests.
    pub fn services(&self) -> &Services {
        &self.services
    }

    /// Returns the newest version of the API that live keys can call.
    pub fn version(&self) -> Option<&'static str> {
        self.versions.available().last().copied()
    }

    /// Stops accepting, and closes the database.
    pub async fn close(self) {
        let Self { services, http, versions: _, closer } = self;
        let drained = Instant::now() + limits::DRAIN;
        http.drain();
        http.stop(drained).await;
        drop(services);
        // An aborted request must not keep the command from ending.
        let _ = tokio::time::timeout_at(drained + limits::CLOSE, closer.close()).await;
    }
}

/// Removes the access of other users to the database, the mails and the pictures.
pub(super) fn restrict_access(settings: &Settings) {
    let mails = settings.data_dir.join("mail");
    let pictures = match settings.media_url.as_deref() {
        None => Some(settings.data_dir.join("media")),
        Some(address) => address.strip_prefix("file://").map(PathBuf::from),
    };
    let database = settings.database_url.strip_prefix("sqlite://");
    let database = database.into_iter().flat_map(|path| FILE_SUFFIXES.map(|end| PathBuf::from(format!("{path}{end}"))));
    let files = fs::read_dir(&mails).into_iter().flatten().filter_map(|entry| Some(entry.ok()?.path()));
    let files: Vec<_> = files.collect();
    database.chain([mails]).chain(pictures).chain(files).for_each(|path| close_one(&path));
    warn_of_folder(&settings.data_dir);
}

fn close_one(path: &Path) {
    match private::close_to_others(path) {
        Ok(None) => {}
        Ok(Some(before)) => {
            let mode = format!("{before:04o}");
            tracing::info!(path = %path.display(), mode, "other users could read this; it was closed to them");
        }
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
        Err(error) => {
            tracing::warn!(path = %path.display(), %error, "other users may be able to read this: its mode cannot be changed");
        }
    }
}

/// Logs a warning only: the data folder may contain other files, so its mode is not changed.
fn warn_of_folder(folder: &Path) {
    if fs::metadata(folder).is_ok_and(|found| private::open_to_others(&found) != 0) {
        let path = folder.display().to_string();
        tracing::warn!(path, "other users can look into the data folder: chmod 700 closes it to them");
    }
}

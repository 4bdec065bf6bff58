//! Builds the services from the settings.
//!
//! Called by the server and by every command that touches the database.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::settings::Settings;
use crate::base::{Clock, Entropy, private};
use crate::http::{ListenError, TlsError};
use crate::mail::{Mailer, MailerError};
use crate::media::{MediaError, MediaStore, Renderer};
use crate::outbound::{EgressAllowError, EgressPolicy, Names, Outbound, OutboundError};
use crate::services::{Metrics, Services};
use crate::store::{Store, StoreCloser, StoreError, StoreSettings};

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
    let media = media_store(settings)?.observed(metrics.media_observer());
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

//! The HTTP server on a copy of the database, without its workers: nothing is sent, activated or deleted.
//!
//! Used by `backup drill`, which reads a card through it.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;

use tokio::time::Instant;

use super::assembly::{self, StartError};
use super::settings::Settings;
use crate::base::{Clock, Entropy, limits};
use crate::http::{HttpServer, Versions};
use crate::outbound::Names;
use crate::services::Services;
use crate::store::StoreCloser;
use crate::worker::version;

/// The running server, on a free port of the loopback.
pub struct FrontDoor {
    services: Arc<Services>,
    http: HttpServer,
    versions: Arc<Versions>,
    closer: StoreCloser,
}

impl FrontDoor {
    /// Opens the database of the settings and accepts connections. Mails would be written into the data folder.
    pub async fn open(settings: &Settings) -> Result<Self, StartError> {
        let settings = Settings { smtp_url: None, egress_allow: String::new(), ..settings.clone() };
        let opened = assembly::services(&settings, Clock::system(), Entropy::system(), Names::system()).await;
        let (services, closer) = opened?;
        let versions = Arc::new(Versions::new(&services.public_base));
        version::step(&services, &versions).await?;
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

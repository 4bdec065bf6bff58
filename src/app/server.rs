//! The whole service, running: what `serve` starts, and every test that knocks at the front door.

use std::net::SocketAddr;
use std::sync::Arc;

use tokio::task::JoinHandle;
use tokio::time::Instant;

use super::assembly::{self, StartError};
use super::exposed;
use super::settings::Settings;
use crate::base::{Clock, Entropy, ErrorChain, Wake, limits};
use crate::http::{HttpServer, MetricsServer, Tls, Versions};
use crate::operation::Services;
use crate::outbound::Names;
use crate::services::health_warnings;
use crate::store::StoreCloser;
use crate::worker::webhook::Webhooks;
use crate::worker::{Worker, activation, certificate, housekeeping, mail, rendering, usage, version};

/// A running service.
pub struct Server {
    services: Arc<Services>,
    http: HttpServer,
    /// Makes it look at its certificate, where it has one.
    certificate: Option<Wake>,
    metrics: Option<MetricsServer>,
    /// Everything that runs by itself.
    workers: Vec<Worker>,
    webhooks: Webhooks,
    /// Hears what other replicas have for the workers.
    listening: JoinHandle<()>,
    closer: StoreCloser,
}

impl Server {
    /// Starts the service: its database is migrated, and it accepts connections, when this returns.
    pub async fn start(settings: &Settings, clock: Clock, entropy: Entropy, names: Names) -> Result<Self, StartError> {
        let tls = settings.tls.clone().map(Tls::open).transpose()?.map(Arc::new);
        let (services, closer) = assembly::services(settings, clock, entropy, names).await?;
        exposed::close(settings);
        if let Some(tls) = &tls {
            services.certificate.set(tls.not_after());
        }
        log_health_warnings(&services).await?;
        let versions = Versions::new(&services.public_base, services.policy.root_mutation_fields_max);
        let versions = Arc::new(versions);
        version::step(&services, &versions).await?;
        let http =
            HttpServer::start(settings.listen, tls.clone(), Arc::clone(&services), Arc::clone(&versions)).await?;
        let metrics = match settings.metrics_listen {
            Some(address) => Some(MetricsServer::start(address, Arc::clone(&services), http.health()).await?),
            None => None,
        };
        let certificate = tls.is_some().then(Wake::default);
        let mut workers = vec![
            housekeeping::start(&services),
            mail::start(&services),
            rendering::start(&services),
            activation::start(&services),
            usage::start(&services),
            version::start(&services, &versions),
        ];
        workers
            .extend(tls.as_ref().zip(certificate.as_ref()).map(|(tls, wake)| certificate::start(&services, tls, wake)));
        let webhooks = Webhooks::start(&services);
        let store = services.store.clone();
        let listening = tokio::spawn(async move { store.listen().await });
        Ok(Self { services, http, certificate, metrics, workers, webhooks, listening, closer })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.http.address()
    }

    /// `http`, or `https` where it has a certificate.
    pub fn scheme(&self) -> &'static str {
        if self.certificate.is_some() { "https" } else { "http" }
    }

    /// The word that makes it look at its certificate, where it has one.
    pub fn certificate_wake(&self) -> Option<Wake> {
        self.certificate.clone()
    }

    /// Where its figures can be read, if they can.
    pub fn metrics_address(&self) -> Option<SocketAddr> {
        self.metrics.as_ref().map(MetricsServer::address)
    }

    /// What its operations work with.
    pub fn services(&self) -> &Arc<Services> {
        &self.services
    }

    /// Stops in order: no new connections, what runs comes to its end, the database is closed. Whatever does not end, it is
    /// over after DRAIN and CLOSE.
    pub async fn stop(self) {
        let Self { services, http, certificate: _, metrics, workers, webhooks, listening, closer } = self;
        // Side by side: each has most of the time that a host gives. What requests still commit goes out after the start.
        let drained = Instant::now() + limits::DRAIN;
        let workers = futures_util::future::join_all(workers.into_iter().map(|worker| worker.stop(drained)));
        tokio::join!(http.stop(), webhooks.stop(drained), workers);
        drop(metrics);
        listening.abort();
        let _ = listening.await;
        let closed = Instant::now() + limits::CLOSE;
        write_usage(&services, closed - limits::CLOSE / 2).await;
        drop(services);
        // What was broken off, or a caller that still holds the services, must not hold up the end of the process.
        if tokio::time::timeout_at(closed, closer.close()).await.is_err() {
            tracing::warn!("the database was still in use when the time for stopping was over");
        }
    }
}

/// The last minute's counts, which no worker writes any more.
async fn write_usage(services: &Services, end: Instant) {
    match tokio::time::timeout_at(end, usage::step(services)).await {
        Ok(Ok(_)) => {}
        Ok(Err(error)) => tracing::warn!(error = %ErrorChain(&error), "the last counts of use were not written"),
        Err(_) => tracing::warn!("the last counts of use were not written: the database took too long"),
    }
}

/// Says loudly what is right on a developer's machine and wrong anywhere else.
async fn log_health_warnings(services: &Services) -> Result<(), StartError> {
    if services.mailer.is_folder() {
        tracing::warn!("SMTP_URL is not set: no mail is sent; mails are written into the folder mail of DATA_DIR");
    }
    for warning in health_warnings(services).await.map_err(|error| StartError::Look(error.into()))? {
        let allowed = services.outbound.is_open().then(|| services.outbound.allow_list());
        tracing::warn!(public_base = services.public_base, allowed, "{}", warning.sentence());
    }
    Ok(())
}

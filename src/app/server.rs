//! The running service, started by `serve`, `demo` and the tests.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Notify;
use tokio::task::JoinHandle;
use tokio::time::Instant;

use super::assembly::restrict_access;
use super::assembly::{self, StartError};
use super::settings::Settings;
use crate::base::{Clock, Entropy, ErrorChain, limits};
use crate::http::{AdminServer, HttpServer, MetricsServer, Tls, Versions};
use crate::outbound::Names;
use crate::services::{Checks, Services};
use crate::store::StoreCloser;
use crate::web::Graphiql;
use crate::worker::delivery::Webhooks;
use crate::worker::{Worker, activation, certificate, housekeeping, mail, upkeep};

/// A running service.
pub struct Server {
    services: Arc<Services>,
    http: HttpServer,
    /// Triggers a check of the certificate; `None` without TLS.
    certificate: Option<Arc<Notify>>,
    metrics: Option<MetricsServer>,
    admin: Option<AdminServer>,
    /// All workers except the webhook worker.
    workers: Vec<Worker>,
    webhooks: Webhooks,
    /// Receives the notifications of other replicas.
    listening: JoinHandle<()>,
    closer: StoreCloser,
    drain_delay: Duration,
}

impl Server {
    /// Starts the service. When this returns, the database is migrated and connections are accepted.
    pub async fn start(settings: &Settings, clock: Clock, entropy: Entropy, names: Names) -> Result<Self, StartError> {
        let tls = settings.tls.clone().map(Tls::open).transpose()?.map(Arc::new);
        let (services, closer) = assembly::services(settings, clock, entropy, names).await?;
        restrict_access(settings);
        if let Some(tls) = &tls {
            services.certificate.set(tls.not_after());
        }
        log_problems(&services).await;
        let versions = Versions::new(&services.public_base);
        let versions = Arc::new(versions);
        upkeep::apply_versions(&services, &versions).await?;
        let http = HttpServer::start(
            settings.listen,
            settings.inherited.as_deref(),
            tls.clone(),
            Arc::clone(&services),
            Arc::clone(&versions),
        )
        .await?;
        let metrics = match settings.metrics_listen {
            Some(address) => Some(MetricsServer::start(address, Arc::clone(&services), http.health()).await?),
            None => None,
        };
        let admin = match settings.admin_listen {
            Some(address) => Some(AdminServer::start(address, tls.clone(), Arc::clone(&services)).await?),
            None => None,
        };
        let certificate = tls.is_some().then(Arc::<Notify>::default);
        let mut workers = vec![
            housekeeping::start(&services),
            mail::start(&services),
            upkeep::start_rendering(&services),
            upkeep::start_retention(&services),
            activation::start(&services),
            upkeep::start_usage(&services),
            upkeep::start_versions(&services, &versions),
        ];
        workers
            .extend(tls.as_ref().zip(certificate.as_ref()).map(|(tls, wake)| certificate::start(&services, tls, wake)));
        let webhooks = Webhooks::start(&services);
        let store = services.store.clone();
        let listening = tokio::spawn(async move { store.listen().await });
        Ok(Self {
            services,
            http,
            certificate,
            metrics,
            admin,
            workers,
            webhooks,
            listening,
            closer,
            drain_delay: settings.drain_delay,
        })
    }

    /// Returns the address it listens on.
    pub fn address(&self) -> SocketAddr {
        self.http.address()
    }

    /// Returns the function with which a demo has GraphiQL served.
    pub(crate) fn graphiql(&self) -> impl FnOnce(Graphiql) + Send + use<> {
        self.http.graphiql()
    }

    /// Returns `https` if it has a certificate, otherwise `http`.
    pub fn scheme(&self) -> &'static str {
        if self.certificate.is_some() { "https" } else { "http" }
    }

    /// Returns the handle that triggers a check of the certificate; `None` without TLS.
    pub fn certificate_wake(&self) -> Option<Arc<Notify>> {
        self.certificate.clone()
    }

    /// Returns the address of `/metrics`, if it is enabled.
    pub fn metrics_address(&self) -> Option<SocketAddr> {
        self.metrics.as_ref().map(MetricsServer::address)
    }

    /// Returns the address of the administration, if it is enabled.
    pub fn admin_address(&self) -> Option<SocketAddr> {
        self.admin.as_ref().map(AdminServer::address)
    }

    /// Returns the services of its operations.
    pub fn services(&self) -> &Arc<Services> {
        &self.services
    }

    /// Reports for the time of the setting `DRAIN_DELAY` that it is not ready, while it serves requests. Then it stops
    /// accepting connections, waits for running requests and workers, and closes the database. Takes at most the time of
    /// [`limits::DRAIN`] and [`limits::CLOSE`].
    pub async fn stop(self) {
        let Self { services, http, certificate: _, metrics, admin, workers, webhooks, listening, closer, drain_delay } =
            self;
        let drained = Instant::now() + limits::DRAIN;
        http.drain();
        tokio::time::sleep(drain_delay).await;
        // Concurrently, so that each has the whole time. Deliveries that the last requests commit are sent after the next start.
        let workers = futures_util::future::join_all(workers.into_iter().map(|worker| worker.stop(drained)));
        let admin = async {
            if let Some(admin) = admin {
                admin.stop(drained).await;
            }
        };
        tokio::join!(http.stop(drained), admin, webhooks.stop(drained), workers);
        drop(metrics);
        listening.abort();
        let _ = listening.await;
        let closed = Instant::now() + limits::CLOSE;
        write_usage(&services, closed - limits::CLOSE / 2).await;
        drop(services);
        // An aborted task, or a caller that still holds the services, must not delay the end of the process.
        if tokio::time::timeout_at(closed, closer.close()).await.is_err() {
            tracing::warn!("the database was still in use when the time for stopping was over");
        }
    }
}

/// Writes the usage counts of the last minute, after the worker has stopped.
async fn write_usage(services: &Services, end: Instant) {
    match tokio::time::timeout_at(end, upkeep::write_usage(services)).await {
        Ok(Ok(_)) => {}
        Ok(Err(error)) => tracing::warn!(error = %ErrorChain(&error), "the last usage counts were not written"),
        Err(_) => tracing::warn!("the last usage counts were not written: the database took too long"),
    }
}

/// Logs the settings and states that are dangerous in production: the failures of the checks that ask no other machine.
async fn log_problems(services: &Arc<Services>) {
    if services.store.is_served_twice() {
        tracing::warn!(
            "another server uses the same SQLite file: both work, but a second one is no spare; replicas share a PostgreSQL"
        );
    }
    if services.mailer.is_folder() {
        tracing::warn!("SMTP_URL is not set: no mail is sent; mails are written into the folder mail of DATA_DIR");
    }
    for (check, outcome) in Checks::new(Arc::clone(services)).local().await {
        let Some(problem) = outcome.problem() else { continue };
        let allowed = services.outbound.is_open().then(|| services.outbound.allow_list());
        tracing::warn!(check = check.name, public_base = services.public_base, allowed, "{problem}");
    }
}

//! `serve`: runs the server until it is stopped.

use std::convert::Infallible;
use std::io;
use std::net::TcpListener;
use std::sync::Arc;

use listenfd::ListenFd;
use sd_notify::NotifyState;
use serde_json::{Map, json};
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::Notify;

use super::failure::{CliError, CliFailure};
use super::output::{Output, Table};
use super::sources::{Sources, environment};
use crate::app::{Server, Settings, Watchdog, notify_manager};
use crate::base::{Clock, Entropy};
use crate::model::ADMIN_PATH;
use crate::outbound::Names;
use crate::store::database_name;

/// `serve --print-config`: every setting, valid or not, so that a mistake can be seen.
pub(super) fn print_config(sources: &Sources, output: Output) -> Result<(), CliFailure> {
    let shown = Settings::describe(environment, &sources.file);
    let object = shown
        .iter()
        .map(|setting| (setting.name.to_owned(), json!({ "value": setting.value, "origin": setting.origin })));
    output.show(&json!({ "settings": object.collect::<Map<_, _>>() }), || {
        let mut table = Table::new(&["setting", "value", "from"]);
        for setting in &shown {
            let value = setting.value.clone().unwrap_or_default();
            table.row([setting.name.to_owned(), value, setting.origin.to_owned()]);
        }
        table.render()
    })?;
    sources.settings(|name| sources.get(name)).map(|_| ())
}

pub(super) async fn run(sources: &Sources, create: bool, output: Output) -> Result<(), CliFailure> {
    // Before the server can be known to run.
    let hangups = signal(SignalKind::hangup())?;
    let mut settings = sources.settings(|name| sources.get(name))?;
    settings.create_database = create;
    settings.examine_database = true;
    settings.inherited = inherited_listener()?;
    let Some((server, stops)) = start(&settings).await? else { return Ok(()) };
    let address = format!("{}://{}", server.scheme(), server.address());
    let metrics = server.metrics_address().map(|address| format!("http://{address}/metrics"));
    let admin = settings.admin_base().zip(server.admin_address());
    let admin = admin.map(|(base, address)| administration(&base, address.port()));
    let database = database_name(&settings.database_url);
    tracing::info!(database, "the server listens");
    output.show(&json!({ "listening": address, "metrics": metrics, "admin": admin, "database": database }), || {
        format!("listening on {address}")
    })?;
    notify_manager(NotifyState::Ready);
    let certificate = server.certificate_wake();
    tokio::select! {
        stopped = until_stopped(server, stops) => stopped,
        never = follow(hangups, certificate) => match never {},
    }
}

/// Returns the address of the administration, with the port that the system chose for port 0.
fn administration(base: &str, port: u16) -> String {
    let host = base.rsplit_once(':').map_or(base, |(host, _)| host);
    format!("{host}:{port}{ADMIN_PATH}")
}

/// Returns the first socket that a service manager passes (sd_listen_fds(3)), on which the server listens instead of
/// LISTEN. The manager keeps it open, so that connections wait while the server is started again.
fn inherited_listener() -> io::Result<Option<Arc<TcpListener>>> {
    Ok(ListenFd::from_env().take_tcp_listener(0)?.map(Arc::new))
}

/// Starts a server with the system's clock, randomness and DNS; `None` if it is stopped before it has started.
pub(super) async fn start(settings: &Settings) -> Result<Option<(Server, StopSignals)>, CliFailure> {
    // Before anything answers. Process 1 of a container does not get a signal that it does not handle.
    let mut stops = StopSignals::listen()?;
    tokio::select! {
        server = Server::start(settings, Clock::system(), Entropy::system(), Names::system()) => Ok(Some((server?, stops))),
        () = stops.stop() => Ok(None),
    }
}

/// Reads the certificate again at every SIGHUP. A server without one ignores the signal.
async fn follow(mut hangups: Signal, certificate: Option<Arc<Notify>>) -> Infallible {
    loop {
        hangups.recv().await;
        match &certificate {
            Some(certificate) => certificate.notify_one(),
            None => tracing::info!("SIGHUP: there is no certificate to read again, and settings need a restart"),
        }
    }
}

/// SIGTERM and Ctrl-C.
pub(super) struct StopSignals {
    terminate: Signal,
    interrupt: Signal,
}

impl StopSignals {
    fn listen() -> io::Result<Self> {
        Ok(Self { terminate: signal(SignalKind::terminate())?, interrupt: signal(SignalKind::interrupt())? })
    }

    /// Waits for SIGTERM or Ctrl-C.
    async fn stop(&mut self) {
        tokio::select! {
            _ = self.terminate.recv() => {}
            _ = self.interrupt.recv() => {}
        }
    }
}

/// Waits for SIGTERM or Ctrl-C, then lets running requests finish. A second signal stops at once.
pub(super) async fn until_stopped(server: Server, mut stops: StopSignals) -> Result<(), CliFailure> {
    let _watchdog = Watchdog::start();
    stops.stop().await;
    tracing::info!("stopping");
    notify_manager(NotifyState::Stopping);
    tokio::select! {
        () = server.stop() => Ok(()),
        () = stops.stop() => Err(CliError::Hurried.into()),
    }
}

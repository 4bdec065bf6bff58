//! `serve`: the server, until it is told to stop.

use serde_json::json;
use tokio::signal::unix::{SignalKind, signal};

use super::failure::CliFailure;
use super::run;
use super::stdout::Stdout;
use crate::app::{Server, Settings, StartError};
use crate::base::{Clock, Entropy};
use crate::outbound::Names;

pub(super) async fn run(stdout: Stdout) -> Result<(), CliFailure> {
    let server = start(&run::settings(run::environment)?).await?;
    let address = format!("http://{}", server.address());
    stdout.show(&json!({ "listening": address }), || format!("listening on {address}"))?;
    until_stopped(server).await
}

/// Starts a server of the machine's time, randomness and names.
pub(super) async fn start(settings: &Settings) -> Result<Server, StartError> {
    Server::start(settings, Clock::system(), Entropy::system(), Names::system()).await
}

/// Waits for SIGTERM or Ctrl-C, then lets the requests under way finish. A second signal does not wait for them.
pub(super) async fn until_stopped(server: Server) -> Result<(), CliFailure> {
    let (mut terminate, mut interrupt) = (signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?);
    tokio::select! {
        _ = terminate.recv() => {}
        _ = interrupt.recv() => {}
    }
    tracing::info!("stopping: no new requests are taken");
    tokio::select! {
        () = server.stop() => Ok(()),
        _ = terminate.recv() => Err(CliFailure::Hurried),
        _ = interrupt.recv() => Err(CliFailure::Hurried),
    }
}

//! The command: reads what is new, posts it, and prints a line for each notification.

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use bytes::Bytes;
use clap::Args;
use clap::builder::PossibleValuesParser;
use http::Request;
use serde_json::{Value, json};

use super::cursor::Cursor;
use super::service::{Listed, Service, ServiceError};
use crate::base::limits::{DELIVERY_TOTAL, LISTEN_OVERLAP, LISTEN_POLL};
use crate::base::{Clock, Entropy, ErrorChain, GlobalId, HttpUrl, Kind, is_loopback};
use crate::cli::duration::{Since, since};
use crate::cli::failure::CliFailure;
use crate::cli::output::Output;
use crate::cli::serve::StopSignals;
use crate::cli::sources::{Sources, environment};
use crate::cli::table::escaped;
use crate::cli::webhook::SECRET_VARIABLE;
use crate::model::{AccessToken, KeyMode, SigningSecret, Topic, event_id};
use crate::operation::webhook::secret::fingerprint;
use crate::outbound::DirectClient;
use crate::webhook::request::{self, Head};

#[derive(Debug, Args)]
pub(in crate::cli) struct Listen {
    /// Where to post the notifications, such as http://localhost:3000/webhooks
    #[arg(long, value_name = "URL", value_parser = address)]
    pub forward_to: HttpUrl,
    /// The address of the service; by default the environment variable SERVICE_URL
    #[arg(long, value_name = "URL", value_parser = service_address)]
    pub service: Option<HttpUrl>,
    /// Only this topic; may be given again
    #[arg(long, value_parser = PossibleValuesParser::new(Topic::ALL.map(Topic::as_str)))]
    pub topic: Vec<String>,
    /// Begin with the events since a time, such as 2026-11-21T08:00:00Z, or 90m, 24h or 7d ago; by default with the next event
    #[arg(long, value_name = "MOMENT", value_parser = since)]
    pub since: Option<Since>,
    /// Keep in this file what was forwarded, and go on from there at the next start
    #[arg(long, value_name = "FILE")]
    pub state: Option<PathBuf>,
}

/// The environment variables of the address and the token, as the samples of the guide have them.
const SERVICE_VARIABLE: &str = "SERVICE_URL";
const TOKEN_VARIABLE: &str = "TOKEN";

fn address(text: &str) -> Result<HttpUrl, String> {
    let url = HttpUrl::parse(text).filter(|url| !url.has_credentials());
    url.ok_or_else(|| "an address such as http://localhost:3000/webhooks, without user name and password".to_owned())
}

/// The token is sent there, so only TLS or this machine will do.
fn service_address(text: &str) -> Result<HttpUrl, String> {
    let safe = |url: &HttpUrl| url.url().scheme() == "https" || is_loopback(&url.url());
    address(text)
        .ok()
        .filter(safe)
        .ok_or_else(|| "an https address, or http on this machine: a token is sent there".to_owned())
}

/// What the command works with.
struct Forwarder {
    service: Service,
    to: HttpUrl,
    secret: SigningSecret,
    cursor: Cursor,
    state: Option<PathBuf>,
    output: Output,
}

/// Forwards notifications until it is stopped.
pub(in crate::cli) async fn run(command: Listen, sources: &Sources, output: Output) -> Result<(), CliFailure> {
    let mut stops = StopSignals::listen()?;
    let own = environment(SECRET_VARIABLE).filter(|text| !text.is_empty());
    let secret = match &own {
        Some(text) => SigningSecret::parse(text.trim()).map_err(CliFailure::ListenSecret)?,
        None => SigningSecret::generate(&Entropy::system()),
    };
    let roots = sources.get("EGRESS_CA").map(PathBuf::from);
    let service = service(&command, roots.as_deref())?;
    let is_made = own.is_none();
    let listen = async {
        let cursor = begin(&service, &command).await?;
        let mut forwarder = Forwarder { service, to: command.forward_to, secret, cursor, state: command.state, output };
        forwarder.introduce(is_made)?;
        forwarder.forward().await
    };
    tokio::select! {
        done = listen => done,
        () = stops.stop() => Ok(()),
    }
}

fn service(command: &Listen, roots: Option<&Path>) -> Result<Service, CliFailure> {
    let named = || environment(SERVICE_VARIABLE).filter(|text| !text.is_empty()).ok_or(CliFailure::ListenNoService);
    let address = match &command.service {
        Some(address) => address.clone(),
        None => service_address(&named()?).map_err(|expected| CliFailure::ListenService { expected })?,
    };
    let token = environment(TOKEN_VARIABLE).filter(|text| !text.is_empty()).ok_or(CliFailure::ListenNoToken)?;
    let token = AccessToken::parse(token.trim()).ok_or(CliFailure::ListenToken)?;
    if token.mode() == KeyMode::Live {
        return Err(CliFailure::ListenLiveToken);
    }
    let topics = Topic::ALL.map(Topic::as_str).into_iter().filter(|topic| command.topic.iter().any(|own| own == topic));
    let client = DirectClient::new(roots, DELIVERY_TOTAL).map_err(CliFailure::ListenClient)?;
    Ok(Service { client, address, token, topics: topics.collect() })
}

/// Returns where to begin; what is listed now is forwarded already, unless the command says otherwise.
async fn begin(service: &Service, command: &Listen) -> Result<Cursor, CliFailure> {
    if !service.is_subscribed().await? {
        return Err(CliFailure::ListenNoSubscription);
    }
    if let Some(cursor) = command.state.as_deref().map(Cursor::read).transpose()?.flatten() {
        return Ok(cursor);
    }
    if let Some(since) = command.since {
        return Ok(Cursor::since_time(since.timestamp(Clock::system().now())));
    }
    let mut cursor = Cursor::default();
    if let Some(newest) = service.newest().await? {
        let since = newest.created_at.before(LISTEN_OVERLAP);
        service.deliveries(Some(since)).await?.iter().for_each(|listed| cursor.record(listed));
    }
    Ok(cursor)
}

impl Forwarder {
    /// Says what is forwarded, and how it is signed; shows the secret if it was made for this run.
    fn introduce(&self, is_made: bool) -> Result<(), CliFailure> {
        let (from, to, fingerprint) = (self.service.address.as_str(), self.to.as_str(), fingerprint(&self.secret));
        let secret = is_made.then(|| self.secret.reveal());
        let object = json!({ "listening": from, "forwardTo": to, "secret": secret, "fingerprint": fingerprint });
        self.output.show(&object, || {
            let signed = match &secret {
                Some(secret) => {
                    format!("They are signed with a secret of this run alone; give it to your receiver: {secret}")
                }
                None => {
                    format!("They are signed with the secret in {SECRET_VARIABLE}, with fingerprint {fingerprint}.")
                }
            };
            format!("Notifications of test cards at {from} go to {to}. Stop with Ctrl-C.\n{signed}")
        })
    }

    /// Reads and forwards, for ever. A service that is away or busy is asked again.
    async fn forward(&mut self) -> Result<(), CliFailure> {
        self.keep()?;
        let mut is_away = false;
        loop {
            let pause = match self.service.deliveries(self.cursor.since()).await {
                Ok(deliveries) => {
                    self.post_new(deliveries).await?;
                    is_away = false;
                    LISTEN_POLL
                }
                Err(error) => {
                    let pause = self.wait_after(error, is_away)?;
                    is_away = true;
                    pause
                }
            };
            tokio::time::sleep(pause).await;
        }
    }

    /// Returns how long to wait after an error, and prints the first one of a series on stderr.
    fn wait_after(&self, error: ServiceError, is_away: bool) -> Result<Duration, CliFailure> {
        let Some(pause) = error.pause() else { return Err(error.into()) };
        if !is_away {
            // A closed stderr loses the line.
            let _ = writeln!(io::stderr(), "Asking again: {}.", escaped(&ErrorChain(&error).to_string()));
        }
        Ok(pause)
    }

    async fn post_new(&mut self, deliveries: Vec<Listed>) -> Result<(), CliFailure> {
        for listed in deliveries {
            if self.cursor.is_new(&listed) {
                let line = self.post(&listed).await;
                self.cursor.record(&listed);
                self.keep()?;
                self.output.show(&line, || text(&line))?;
            }
        }
        Ok(())
    }

    fn keep(&self) -> Result<(), CliFailure> {
        self.state.as_deref().map_or(Ok(()), |path| self.cursor.write(path))
    }

    /// Posts a notification once, and returns what is printed about it.
    async fn post(&self, listed: &Listed) -> Value {
        let body = listed.body.clone().unwrap_or_default();
        let read: Value = serde_json::from_str(&body).unwrap_or_default();
        let began = Instant::now();
        let posted = match self.request(listed, &body, &read) {
            Some(request) => self.service.client.send(request).await,
            None => Err("its card was deleted, so there is nothing to send".into()),
        };
        json!({
            "id": listed.event_id,
            "topic": listed.topic,
            "sequence": read["sequence"],
            "card": read["data"]["card"]["id"],
            "externalDossierId": read["data"]["card"]["externalDossierId"],
            "status": posted.as_ref().ok().map(|answer| answer.status().as_u16()),
            "error": posted.as_ref().err().map(|error| ErrorChain(&**error).to_string()),
            "durationMs": began.elapsed().as_millis() as u64,
        })
    }

    /// Returns the signed request; `None` without a body.
    fn request(&self, listed: &Listed, body: &str, read: &Value) -> Option<Request<Bytes>> {
        let head = Head {
            event_id: event_id(&listed.event_id)?,
            subscription_id: GlobalId::uuid_of(&listed.subscription_id, Kind::WebhookSubscription)?,
            topic: Topic::parse(&listed.topic)?,
            test: read["test"].as_bool()?,
            api_version: read["apiVersion"].as_str()?,
            attempt: 1,
        };
        let secrets = std::slice::from_ref(&self.secret);
        let signed = request::signed(head, Bytes::from(body.to_owned()), secrets, Clock::system().now());
        let mut request = Request::post(self.to.as_str()).body(signed.body).ok()?;
        *request.headers_mut() = signed.headers;
        Some(request)
    }
}

fn text(line: &Value) -> String {
    let outcome = match line["error"].as_str() {
        None => format!("{} in {} ms", line["status"], line["durationMs"]),
        Some(error) => format!("not received: {error}"),
    };
    let dossier = line["externalDossierId"].as_str().unwrap_or("-");
    let (topic, id) = (line["topic"].as_str().unwrap_or("-"), line["id"].as_str().unwrap_or("-"));
    format!("{topic} {} of dossier {dossier}: {outcome} ({id})", line["sequence"])
}

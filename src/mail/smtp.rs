//! The SMTP client, configured by `SMTP_URL` (`smtp_url.rs`). If the certificate is not trusted (by the system's roots and
//! `EGRESS_CA`) or names another host, the attempt fails before the mail is transmitted.
//!
//! The commands are sent one by one, because the stage at which a server refuses decides whose fault it is (`fault.rs`).

use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use lettre::Message;
use lettre::address::Envelope;
use lettre::transport::smtp::Error as SmtpError;
use lettre::transport::smtp::authentication::{Credentials, DEFAULT_MECHANISMS};
use lettre::transport::smtp::client::{AsyncSmtpConnection, Certificate, Tls, TlsParameters};
use lettre::transport::smtp::commands::{Data, Mail, Rcpt};
use lettre::transport::smtp::extension::{ClientId, Extension, MailBodyParameter, MailParameter};
use tokio::time::timeout;
use url::{Host, Url};

use super::email::format;
use super::fault::{Fault, Stage, fault};
use super::smtp_url::{Protection, SmtpUrl};
use super::{MailError, MailerError, ServerAnswer};
use crate::base::limits;

const NO_STARTTLS: &str = "the mail server offers no STARTTLS: with smtps:// TLS begins at once, often on port 465";
const NO_LOGIN: &str = "the mail server offers no way to log in that this service knows (AUTH PLAIN, AUTH LOGIN)";

/// A mail server, and the connections to it that wait for their next mail.
pub(super) struct Smtp {
    host: String,
    port: u16,
    tls: Tls,
    login: Option<Credentials>,
    hello: ClientId,
    idle: Mutex<Vec<AsyncSmtpConnection>>,
}

/// Opens the mail server of `SMTP_URL`. In EHLO the service is the host of `public_base`.
pub(super) fn open(url: &str, extra_roots: Option<&Path>, public_base: &str) -> Result<Smtp, MailerError> {
    let SmtpUrl { host, port, protection, credentials } =
        SmtpUrl::parse(url).map_err(|reason| MailerError::Smtp(reason.into()))?;
    let parameters = |host: &str| tls_parameters(host, extra_roots);
    let tls = match protection {
        Protection::Never => Tls::None,
        Protection::Opportunistic => Tls::Opportunistic(parameters(&host)?),
        Protection::Required => Tls::Required(parameters(&host)?),
        Protection::Implicit => Tls::Wrapper(parameters(&host)?),
    };
    let login = credentials.map(|(user, password)| Credentials::new(user, password));
    Ok(Smtp { host, port, tls, login, hello: hello(public_base), idle: Mutex::default() })
}

/// Returns the TLS settings for a host, with additional trusted roots.
fn tls_parameters(host: &str, extra_roots: Option<&Path>) -> Result<TlsParameters, MailerError> {
    let builder = TlsParameters::builder(host.to_owned());
    let Some(path) = extra_roots else {
        return builder.build_rustls().map_err(|error| MailerError::Smtp(error.into()));
    };
    let wrong = |cause| MailerError::Roots(path.to_owned(), cause);
    let pem = std::fs::read(path).map_err(|error| wrong(error.into()))?;
    let roots = Certificate::from_pem(&pem).map_err(|error| wrong(error.into()))?;
    builder.add_root_certificate(roots).build_rustls().map_err(|error| wrong(error.into()))
}

/// Returns the name of the service in EHLO: a domain, or an address literal (RFC 5321, section 4.1.4).
fn hello(public_base: &str) -> ClientId {
    match Url::parse(public_base).ok().as_ref().and_then(Url::host) {
        Some(Host::Domain(name)) if name.contains('.') => ClientId::Domain(name.trim_end_matches('.').to_owned()),
        Some(Host::Ipv4(address)) => ClientId::Ipv4(address),
        Some(Host::Ipv6(address)) => ClientId::Ipv6(address),
        Some(Host::Domain(_)) | None => ClientId::default(), // servers refuse a name without a dot, such as localhost
    }
}

/// Sends a mail. Returns after the server has taken it.
pub(super) async fn send(smtp: &Smtp, message: &Message) -> Result<(), MailError> {
    let mut stage = Stage::Connection;
    let sent = timeout(limits::MAIL_SEND, smtp.send(message, &mut stage)).await;
    sent.unwrap_or(Err(MailError::TimeOut { taken_perhaps: stage == Stage::Content }))
}

/// Returns an error if the server does not accept a connection and the password soon.
pub(super) async fn check(smtp: &Smtp) -> Result<(), MailError> {
    let asked = timeout(limits::MAIL_SERVER_CHECK, smtp.connect()).await;
    quit(asked.unwrap_or(Err(MailError::TimeOut { taken_perhaps: false }))?).await;
    Ok(())
}

/// Closes a connection. A server that does not answer is not waited for.
async fn quit(mut connection: AsyncSmtpConnection) {
    let _ = timeout(limits::MAIL_QUIT, connection.abort()).await;
}

impl Smtp {
    fn idle(&self) -> MutexGuard<'_, Vec<AsyncSmtpConnection>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Closes the connections that wait for a mail.
    pub(super) async fn close_idle(&self) {
        let idle = std::mem::take(&mut *self.idle());
        for connection in idle {
            quit(connection).await;
        }
    }

    async fn send(&self, message: &Message, stage: &mut Stage) -> Result<(), MailError> {
        let mut connection = self.connection().await?;
        match transfer(&mut connection, message.envelope(), &format(message), stage).await {
            Ok(()) => {
                self.idle().push(connection);
                Ok(())
            }
            Err(error) => {
                quit(connection).await;
                Err(error)
            }
        }
    }

    /// Returns a connection of an earlier mail if the server has not closed it, or else a new one.
    async fn connection(&self) -> Result<AsyncSmtpConnection, MailError> {
        loop {
            let idle = self.idle().pop();
            let Some(mut connection) = idle else { return self.connect().await };
            if connection.test_connected().await {
                return Ok(connection);
            }
        }
    }

    /// Connects, turns to TLS, and logs in.
    async fn connect(&self) -> Result<AsyncSmtpConnection, MailError> {
        let failed = |error| mail_error(Stage::Connection, error);
        let wrapper = match &self.tls {
            Tls::Wrapper(parameters) => Some(parameters.clone()),
            _ => None,
        };
        let server = (self.host.as_str(), self.port);
        let connecting =
            AsyncSmtpConnection::connect_tokio1(server, Some(limits::MAIL_SEND), &self.hello, wrapper, None);
        let mut connection = connecting.await.map_err(failed)?;
        match &self.tls {
            Tls::Required(parameters) | Tls::Opportunistic(parameters) if connection.can_starttls() => {
                connection.starttls(parameters.clone(), &self.hello).await.map_err(failed)?;
            }
            Tls::Required(_) => return Err(MailError::Lacks(NO_STARTTLS)),
            _ => {}
        }
        if let Some(login) = &self.login {
            if connection.server_info().get_auth_mechanism(DEFAULT_MECHANISMS).is_none() {
                return Err(MailError::Lacks(NO_LOGIN));
            }
            connection.auth(DEFAULT_MECHANISMS, login).await.map_err(failed)?;
        }
        Ok(connection)
    }
}

/// Makes one mail transaction. `stage` is the stage that it has reached, also when the caller stops waiting.
async fn transfer(
    connection: &mut AsyncSmtpConnection,
    envelope: &Envelope,
    message: &[u8],
    stage: &mut Stage,
) -> Result<(), MailError> {
    let mut options = Vec::new();
    if !message.is_ascii() && connection.server_info().supports_feature(Extension::EightBitMime) {
        options.push(MailParameter::Body(MailBodyParameter::EightBitMime));
    }
    *stage = Stage::Sender;
    let mail = Mail::new(envelope.from().cloned(), options);
    connection.command(mail).await.map_err(|error| mail_error(*stage, error))?;
    *stage = Stage::Recipient;
    for address in envelope.to() {
        let recipient = Rcpt::new(address.clone(), Vec::new());
        connection.command(recipient).await.map_err(|error| mail_error(*stage, error))?;
    }
    *stage = Stage::Content;
    connection.command(Data).await.map_err(|error| mail_error(*stage, error))?;
    connection.message(message).await.map_err(|error| mail_error(*stage, error))?;
    Ok(())
}

fn mail_error(stage: Stage, error: SmtpError) -> MailError {
    let text = std::error::Error::source(&error).map_or_else(String::new, ToString::to_string);
    match error.status().map(u16::from) {
        Some(code) => {
            let answer = ServerAnswer { code, text };
            match fault(stage, &answer) {
                Fault::Final => MailError::Refused(answer),
                Fault::Recipient => MailError::Deferred(answer),
                Fault::Server => MailError::Declined(answer),
            }
        }
        None if stage != Stage::Connection => {
            MailError::Unanswered { taken_perhaps: stage == Stage::Content, source: error.into() }
        }
        None if error.is_timeout() => MailError::TimeOut { taken_perhaps: false },
        None => MailError::Unreachable(error.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ehlo_is_a_domain_or_an_address_literal() {
        // RFC 5321, sections 4.1.3 and 4.1.4.
        for (public_base, name) in [
            ("https://kaarten.example", "kaarten.example"),
            ("https://kaarten.example:8443", "kaarten.example"),
            ("https://kaarten.example.", "kaarten.example"),
            ("https://kärten.example", "xn--krten-gra.example"),
            ("http://localhost:8080", "[127.0.0.1]"),
            ("http://192.0.2.7:8080", "[192.0.2.7]"),
            ("http://[2001:db8::7]:8080", "[IPv6:2001:db8::7]"),
        ] {
            assert_eq!(hello(public_base).to_string(), name, "{public_base}");
        }
    }
}

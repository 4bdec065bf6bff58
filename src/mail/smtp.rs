//! The SMTP client, configured by `SMTP_URL`: `smtp://` or `smtps://`, with or without user and password.
//!
//! TLS is always used with `smtps://`. With `smtp://` it follows `?tls=required` or `?tls=opportunistic`; the default is
//! `required` with a password, none on the loopback, and `opportunistic` otherwise. If the certificate is not trusted (by the
//! system's roots and `EGRESS_CA`) or names another host, the attempt fails before the mail is transmitted.
//!
//! The commands are sent one by one, because the stage at which a server refuses decides whose fault it is (`fault.rs`).

use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use lettre::Message;
use lettre::address::{Address, Envelope};
use lettre::transport::smtp::Error as SmtpError;
use lettre::transport::smtp::authentication::{Credentials, DEFAULT_MECHANISMS};
use lettre::transport::smtp::client::{AsyncSmtpConnection, Certificate, Tls, TlsParameters};
use lettre::transport::smtp::commands::{Data, Mail, Rcpt};
use lettre::transport::smtp::extension::{ClientId, Extension, MailBodyParameter, MailParameter};
use tokio::time::timeout;
use url::{Host, Url, form_urlencoded};

use super::fault::{Fault, Stage, fault};
use super::{MailError, MailerError, ServerAnswer};
use crate::base::{is_loopback, limits};

/// The ports of SMTP, of submission, and of submission over TLS (RFC 6409, RFC 8314).
const PORTS: [u16; 3] = [25, 587, 465];

const NO_STARTTLS: &str = "the mail server offers no STARTTLS: with smtps:// TLS begins at once, often on port 465";
const NO_LOGIN: &str = "the mail server offers no way to log in that this service knows (AUTH PLAIN, AUTH LOGIN)";
const NO_UTF8_SENDER: &str = "the mail server takes no sender with letters outside ASCII (SMTPUTF8): change MAIL_FROM";

/// A mail server, and the connections to it that wait for their next mail.
pub(super) struct Smtp {
    host: String,
    port: u16,
    tls: Tls,
    login: Option<Credentials>,
    hello: ClientId,
    idle: Mutex<Vec<AsyncSmtpConnection>>,
}

/// Reads the address of the mail server. In EHLO the service calls itself by the path of this address, and without one by the
/// host of `public_base`.
pub(super) fn open(url: &str, extra_roots: Option<&Path>, public_base: &str) -> Result<Smtp, MailerError> {
    let url = Url::parse(url).map_err(|error| MailerError::Smtp(error.into()))?;
    let host = match url.host() {
        Some(Host::Ipv6(address)) => address.to_string(),
        Some(host) => host.to_string(),
        None => return Err(MailerError::Smtp("it names no host".into())),
    };
    let mode = TlsMode::of(&url)?;
    let [plain, submission, submission_over_tls] = PORTS;
    let parameters = |host: &str| tls_parameters(host, extra_roots);
    let (tls, port) = match mode {
        TlsMode::None => (Tls::None, plain),
        TlsMode::Opportunistic => (Tls::Opportunistic(parameters(&host)?), submission),
        TlsMode::Required => (Tls::Required(parameters(&host)?), submission),
        TlsMode::Implicit => (Tls::Wrapper(parameters(&host)?), submission_over_tls),
    };
    let login = url.password().map(|password| Credentials::new(decode(url.username()), decode(password)));
    let (port, hello) = (url.port().unwrap_or(port), hello(&url, public_base));
    Ok(Smtp { host, port, tls, login, hello, idle: Mutex::default() })
}

/// When a connection uses TLS.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TlsMode {
    None,
    Opportunistic,
    Required,
    Implicit,
}

impl TlsMode {
    fn of(url: &Url) -> Result<Self, MailerError> {
        let asked = url.query_pairs().find(|(name, _)| name == "tls").map(|(_, value)| value.into_owned());
        match (url.scheme(), asked.as_deref()) {
            ("smtps", _) => Ok(TlsMode::Implicit),
            (_, Some("required")) => Ok(TlsMode::Required),
            (_, Some("opportunistic")) => Ok(TlsMode::Opportunistic),
            (_, Some(_)) => Err(MailerError::Smtp("tls= is required or opportunistic".into())),
            (_, None) if is_loopback(url) => Ok(TlsMode::None),
            (_, None) if url.password().is_some() => Ok(TlsMode::Required),
            (_, None) => Ok(TlsMode::Opportunistic),
        }
    }
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
fn hello(url: &Url, public_base: &str) -> ClientId {
    let name = url.path().trim_matches('/');
    if !name.is_empty() {
        return ClientId::Domain(name.to_owned());
    }
    match Url::parse(public_base).ok().as_ref().and_then(Url::host) {
        Some(Host::Domain(name)) if name.contains('.') => ClientId::Domain(name.trim_end_matches('.').to_owned()),
        Some(Host::Ipv4(address)) => ClientId::Ipv4(address),
        Some(Host::Ipv6(address)) => ClientId::Ipv6(address),
        Some(Host::Domain(_)) | None => ClientId::default(), // servers refuse a name without a dot, such as localhost
    }
}

/// Decodes the user or the password of an address.
fn decode(part: &str) -> String {
    let form = part.replace('+', "%2B").replace('&', "%26");
    let pair = format!("v={form}");
    form_urlencoded::parse(pair.as_bytes()).next().map(|(_, value)| value.into_owned()).unwrap_or_default()
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
        match transfer(&mut connection, message.envelope(), &message.formatted(), stage).await {
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
    let is_foreign = |address: &Address| !AsRef::<str>::as_ref(address).is_ascii();
    let (from_foreign, to_foreign) = (envelope.from().is_some_and(is_foreign), envelope.to().iter().any(is_foreign));
    let mut options = Vec::new();
    if from_foreign || to_foreign {
        // RFC 6531, section 3.2: such an address is sent only to a server that offers this.
        if !connection.server_info().supports_feature(Extension::SmtpUtfEight) {
            return Err(if from_foreign { MailError::Lacks(NO_UTF8_SENDER) } else { MailError::ForeignAddress });
        }
        options.push(MailParameter::SmtpUtfEight);
    }
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
    fn password_requires_tls_except_on_the_loopback() {
        for (url, tls) in [
            ("smtps://u:p@mail.example", Some(TlsMode::Implicit)),
            ("smtp://u:p@mail.example", Some(TlsMode::Required)),
            ("smtp://mail.example:25", Some(TlsMode::Opportunistic)),
            ("smtp://mail.example?tls=required", Some(TlsMode::Required)),
            ("smtp://127.0.0.1:2525", Some(TlsMode::None)),
            ("smtp://localhost:2525", Some(TlsMode::None)),
            ("smtp://[::1]:2525", Some(TlsMode::None)),
            ("smtp://u:p@localhost", Some(TlsMode::None)),
            ("smtp://10.0.0.1", Some(TlsMode::Opportunistic)),
            ("smtp://mail.example?tls=yes", None),
        ] {
            assert_eq!(TlsMode::of(&Url::parse(url).expect(url)).ok(), tls, "{url}");
        }
    }

    #[test]
    fn ehlo_is_a_domain_or_an_address_literal() {
        // RFC 5321, sections 4.1.3 and 4.1.4.
        for (public_base, smtp, name) in [
            ("https://kaarten.example", "smtp://mail.example", "kaarten.example"),
            ("https://kaarten.example:8443", "smtp://mail.example", "kaarten.example"),
            ("https://kaarten.example.", "smtp://mail.example", "kaarten.example"),
            ("https://kärten.example", "smtp://mail.example", "xn--krten-gra.example"),
            ("http://localhost:8080", "smtp://mail.example", "[127.0.0.1]"),
            ("http://192.0.2.7:8080", "smtp://mail.example", "[192.0.2.7]"),
            ("http://[2001:db8::7]:8080", "smtp://mail.example", "[IPv6:2001:db8::7]"),
            ("https://kaarten.example", "smtp://mail.example/post.kaarten.example", "post.kaarten.example"),
        ] {
            let hello = hello(&Url::parse(smtp).expect(smtp), public_base);
            assert_eq!(hello.to_string(), name, "{public_base}, {smtp}");
        }
    }

    #[test]
    fn user_and_password_are_decoded() {
        for (url, user, password) in [
            ("smtp://u:p@mail.example", "u", "p"),
            ("smtp://a%40b.example:p%2F%2B%25@mail.example", "a@b.example", "p/+%"),
            ("smtp://u:a+b&c=d;e~@mail.example", "u", "a+b&c=d;e~"),
        ] {
            let url = Url::parse(url).expect(url);
            let decoded = (decode(url.username()), url.password().map(decode));
            assert_eq!(decoded, (user.to_owned(), Some(password.to_owned())), "{url}");
        }
    }
}

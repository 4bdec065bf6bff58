//! The SMTP client, configured by `SMTP_URL` (`smtp_url.rs`). If the certificate is not trusted (by the system's roots and
//! `EGRESS_CA`) or names another host, the attempt fails before the mail is transmitted.

use std::path::Path;
use std::time::Duration;

use lettre::transport::smtp::Error as SmtpError;
use lettre::transport::smtp::authentication::Credentials;
use lettre::transport::smtp::client::{Certificate, Tls, TlsParameters};
use lettre::{AsyncSmtpTransport, AsyncTransport as _, Message, Tokio1Executor};

use super::smtp_url::{Protection, SmtpUrl};
use super::{MailError, MailerError, ServerAnswer};
use crate::base::limits;

pub(super) type Smtp = AsyncSmtpTransport<Tokio1Executor>;

/// The time limit for each response of the server.
const RESPONSE: Duration = Duration::from_secs(20);

pub(super) fn open(url: &str, extra_roots: Option<&Path>) -> Result<Smtp, MailerError> {
    let SmtpUrl { host, port, protection, credentials } =
        SmtpUrl::parse(url).map_err(|reason| MailerError::Smtp(reason.into()))?;
    let builder = Smtp::builder_dangerous(&host).port(port).timeout(Some(RESPONSE));
    let builder = match protection {
        Protection::Never => builder.tls(Tls::None),
        Protection::Opportunistic => builder.tls(Tls::Opportunistic(trusting(host, extra_roots)?)),
        Protection::Required => builder.tls(Tls::Required(trusting(host, extra_roots)?)),
        Protection::Implicit => builder.tls(Tls::Wrapper(trusting(host, extra_roots)?)),
    };
    let builder = match credentials {
        Some((user, password)) => builder.credentials(Credentials::new(user, password)),
        None => builder,
    };
    Ok(builder.build())
}

/// Returns the TLS parameters for a host: the roots of the system, and additional ones.
fn trusting(host: String, extra_roots: Option<&Path>) -> Result<TlsParameters, MailerError> {
    let builder = TlsParameters::builder(host);
    let Some(path) = extra_roots else {
        return builder.build_rustls().map_err(|error| MailerError::Smtp(error.into()));
    };
    let wrong = |cause| MailerError::Roots(path.to_owned(), cause);
    let pem = std::fs::read(path).map_err(|error| wrong(error.into()))?;
    let roots = Certificate::from_pem(&pem).map_err(|error| wrong(error.into()))?;
    builder.add_root_certificate(roots).build_rustls().map_err(|error| wrong(error.into()))
}

pub(super) async fn send(smtp: &Smtp, message: Message) -> Result<(), MailError> {
    match tokio::time::timeout(limits::MAIL_SEND, smtp.send(message)).await {
        Ok(Ok(_)) => Ok(()),
        Ok(Err(error)) => Err(mail_error(smtp, error).await),
        Err(_) => Err(MailError::TimeOut),
    }
}

/// Converts an SMTP error. A 5xx response is final and a 4xx response is not (RFC 5321, section 4.2.1), unless the server
/// refuses the connection or the password: then it has not seen the mail, and a retry may succeed.
async fn mail_error(smtp: &Smtp, error: SmtpError) -> MailError {
    let text = std::error::Error::source(&error).map_or_else(String::new, ToString::to_string);
    match error.status().map(u16::from) {
        Some(code) if error.is_permanent() && is_open(smtp).await => {
            MailError::Refused(Some(ServerAnswer { code, text }))
        }
        Some(code) => MailError::Answered(ServerAnswer { code, text }),
        None if error.is_timeout() => MailError::TimeOut,
        None => MailError::Unreachable(error.into()),
    }
}

/// Returns an error if the server does not accept a connection and the password soon.
pub(super) async fn check(smtp: &Smtp) -> Result<(), MailError> {
    match tokio::time::timeout(limits::MAIL_SERVER_CHECK, smtp.test_connection()).await {
        Ok(Ok(true)) => Ok(()),
        Ok(Ok(false)) | Err(_) => Err(MailError::TimeOut),
        Ok(Err(error)) => Err(MailError::Unreachable(error.into())),
    }
}

/// Whether the server accepts a connection and the password.
async fn is_open(smtp: &Smtp) -> bool {
    matches!(tokio::time::timeout(RESPONSE, smtp.test_connection()).await, Ok(Ok(true)))
}

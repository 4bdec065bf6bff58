//! The SMTP client, configured by `SMTP_URL`: `smtp://` or `smtps://`, with or without user and password.
//!
//! TLS is always used with `smtps://`. With `smtp://` it follows `?tls=required` or `?tls=opportunistic`; the default is
//! `required` with a password, none on the loopback, and `opportunistic` otherwise. If the certificate is not trusted (by the
//! system's roots and `EGRESS_CA`) or names another host, the attempt fails before the mail is transmitted.

use std::path::Path;
use std::time::Duration;

use lettre::transport::smtp::Error as SmtpError;
use lettre::transport::smtp::client::{Certificate, Tls, TlsParameters};
use lettre::{AsyncSmtpTransport, AsyncTransport as _, Message, Tokio1Executor};
use url::Url;

use super::{MailError, MailerError, ServerAnswer};
use crate::base::{is_loopback, limits};

pub(super) type Smtp = AsyncSmtpTransport<Tokio1Executor>;

/// The time limit for each response of the server.
const RESPONSE: Duration = Duration::from_secs(20);

pub(super) fn open(url: &str, extra_roots: Option<&Path>) -> Result<Smtp, MailerError> {
    let url = with_tls(url)?;
    let builder = Smtp::from_url(url.as_str()).map_err(|error| MailerError::Smtp(error.into()))?;
    let builder = match extra_roots {
        Some(path) => builder.tls(trusting(&url, path)?),
        None => builder,
    };
    Ok(builder.timeout(Some(RESPONSE)).build())
}

/// Returns the TLS settings of the URL with additional trusted roots.
fn trusting(url: &Url, extra_roots: &Path) -> Result<Tls, MailerError> {
    let wrong = |cause| MailerError::Roots(extra_roots.to_owned(), cause);
    let pem = std::fs::read(extra_roots).map_err(|error| wrong(error.into()))?;
    let roots = Certificate::from_pem(&pem).map_err(|error| wrong(error.into()))?;
    let host = url.host_str().unwrap_or_default().to_owned();
    let parameters = TlsParameters::builder(host).add_root_certificate(roots).build_rustls();
    let parameters = parameters.map_err(|error| wrong(error.into()))?;
    let asked = url.query_pairs().find(|(name, _)| name == "tls").map(|(_, value)| value.into_owned());
    Ok(match (url.scheme(), asked.as_deref()) {
        ("smtps", _) => Tls::Wrapper(parameters),
        (_, Some("required")) => Tls::Required(parameters),
        (_, Some("opportunistic")) => Tls::Opportunistic(parameters),
        _ => Tls::None,
    })
}

fn with_tls(url: &str) -> Result<Url, MailerError> {
    let mut url = Url::parse(url).map_err(|error| MailerError::Smtp(error.into()))?;
    if url.scheme() == "smtp" && !url.query_pairs().any(|(name, _)| name == "tls") {
        match (url.password().is_some(), is_loopback(&url)) {
            (_, true) => {}
            (true, false) => drop(url.query_pairs_mut().append_pair("tls", "required")),
            (false, false) => drop(url.query_pairs_mut().append_pair("tls", "opportunistic")),
        }
    }
    Ok(url)
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

#[cfg(test)]
mod tests {
    use super::with_tls;

    #[test]
    fn password_requires_tls_except_on_the_loopback() {
        for (url, tls) in [
            ("smtps://u:p@mail.example", None),
            ("smtp://u:p@mail.example", Some("required")),
            ("smtp://mail.example:25", Some("opportunistic")),
            ("smtp://mail.example?tls=required", Some("required")),
            ("smtp://127.0.0.1:2525", None),
            ("smtp://localhost:2525", None),
            ("smtp://[::1]:2525", None),
            ("smtp://u:p@localhost", None),
            ("smtp://10.0.0.1", Some("opportunistic")),
        ] {
            let found = with_tls(url).expect(url);
            let found = found.query_pairs().find(|(name, _)| name == "tls").map(|(_, value)| value.into_owned());
            assert_eq!(found.as_deref(), tls, "{url}");
        }
    }
}

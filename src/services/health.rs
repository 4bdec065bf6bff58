//! Health warnings: settings and states that are acceptable in development and dangerous in production.
//!
//! `app` logs them at start; the readiness check of the operator lists them.

use url::Url;

use super::Services;
use crate::base::{is_loopback, limits};
use crate::store::StoreError;

/// A dangerous setting or state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HealthWarning {
    /// Links are sent over plain HTTP, so that others can read them.
    PublicBaseIsHttp,
    /// The service may fetch from private addresses.
    EgressIsOpen,
    /// The same, while live keys exist.
    EgressIsOpenWithLiveKeys,
    /// The connection to the database is not encrypted.
    DatabaseIsReadable,
    /// The server's certificate expires within [`limits::CERTIFICATE_ENDS_SOON`].
    CertificateEndsSoon,
    /// The server's certificate has expired.
    CertificateHasEnded,
    /// A partner has reached its daily limit of invitations.
    InvitationsUsedUp,
    /// No mail server is configured while live keys exist.
    MailIsNotSent,
    /// A mail has been pending for longer than [`limits::MAIL_WAITS_TOO_LONG`].
    MailWaits,
    /// A mail failed for good within [`limits::MAIL_LOST_SHOWN`].
    MailLost,
}

impl HealthWarning {
    /// Returns the text for the operator.
    pub const fn sentence(self) -> &'static str {
        match self {
            HealthWarning::PublicBaseIsHttp => {
                "PUBLIC_BASE_URL is http: links of the service can be read on their way; use https"
            }
            HealthWarning::EgressIsOpen => {
                "EGRESS_ALLOW is set: the service fetches from addresses that are not public; never use it in production"
            }
            HealthWarning::EgressIsOpenWithLiveKeys => {
                "EGRESS_ALLOW is set while live keys exist: partners can make the service reach your own network; unset it"
            }
            HealthWarning::DatabaseIsReadable => {
                "DATABASE_URL says sslmode=disable for a PostgreSQL on another machine: the connection can be read and \
                 changed on its way; use require or verify-full"
            }
            HealthWarning::CertificateEndsSoon => {
                "the certificate of TLS_CERTIFICATE ends within 14 days: renew it; the server reads it by itself"
            }
            HealthWarning::CertificateHasEnded => {
                "the certificate of TLS_CERTIFICATE has ended, and clients refuse it: renew it; the server reads it by itself"
            }
            HealthWarning::MailIsNotSent => {
                "SMTP_URL is not set while live keys exist: mails to families and invitees are written into the data folder and \
                 not sent; set it"
            }
            HealthWarning::MailWaits => {
                "a mail has waited for more than 15 minutes: the log says why the mail server does not take it; it is tried again \
                 for a day and a half"
            }
            HealthWarning::MailLost => {
                "in the last 24 hours a mail was given up, or one to the address of an order was refused: the log names the \
                 card; tell its partner"
            }
            HealthWarning::InvitationsUsedUp => {
                "a partner has sent as many invitations today as INVITATIONS_PER_DAY allows, and can send no more: the log \
                 names partner and card; check whether they are abused"
            }
        }
    }
}

/// Returns the current warnings.
pub async fn health_warnings(services: &Services) -> Result<Vec<HealthWarning>, StoreError> {
    let mut warnings = Vec::new();
    if is_exposed(&services.public_base) {
        warnings.push(HealthWarning::PublicBaseIsHttp);
    }
    if services.store.is_exposed() {
        warnings.push(HealthWarning::DatabaseIsReadable);
    }
    warnings.extend(certificate_warning(services));
    if services.outbound.is_open() {
        let live = services.store.live_key_exists(services.clock.now()).await?;
        warnings.push(if live { HealthWarning::EgressIsOpenWithLiveKeys } else { HealthWarning::EgressIsOpen });
    }
    let invitations_max = services.policy.invitations_per_partner_and_day;
    if services.store.invitations_used_up(services.clock.today(), invitations_max).await? {
        warnings.push(HealthWarning::InvitationsUsedUp);
    }
    let now = services.clock.now();
    if services.mailer.is_folder() && services.store.live_key_exists(now).await? {
        warnings.push(HealthWarning::MailIsNotSent);
    }
    let waiting_since = services.store.mail_backlog().await?.waiting_since;
    if waiting_since.is_some_and(|since| since.after(limits::MAIL_WAITS_TOO_LONG) <= now) {
        warnings.push(HealthWarning::MailWaits);
    }
    if services.store.mail_lost_since(now.before(limits::MAIL_LOST_SHOWN)).await? {
        warnings.push(HealthWarning::MailLost);
    }
    Ok(warnings)
}

/// Returns a warning if the server's certificate expires soon or has expired.
pub fn certificate_warning(services: &Services) -> Option<HealthWarning> {
    let (not_after, now) = (services.certificate.not_after()?, services.clock.now());
    if not_after <= now {
        Some(HealthWarning::CertificateHasEnded)
    } else if not_after <= now.after(limits::CERTIFICATE_ENDS_SOON) {
        Some(HealthWarning::CertificateEndsSoon)
    } else {
        None
    }
}

/// Whether an address is plain HTTP and not on the loopback.
fn is_exposed(address: &str) -> bool {
    let Ok(url) = Url::parse(address) else { return true };
    url.scheme() == "http" && !is_loopback(&url)
}

#[cfg(test)]
mod tests {
    use super::{HealthWarning, is_exposed};
    use crate::base::limits;

    #[test]
    fn sentence_of_a_certificate_that_ends_soon_states_the_limit() {
        let days = limits::CERTIFICATE_ENDS_SOON.as_secs() / (24 * 60 * 60);
        assert!(HealthWarning::CertificateEndsSoon.sentence().contains(&format!("within {days} days")));
    }

    #[test]
    fn sentences_about_mail_state_the_limits() {
        let minutes = limits::MAIL_WAITS_TOO_LONG.as_secs() / 60;
        assert!(HealthWarning::MailWaits.sentence().contains(&format!("more than {minutes} minutes")));
        let hours = limits::MAIL_LOST_SHOWN.as_secs() / (60 * 60);
        assert!(HealthWarning::MailLost.sentence().contains(&format!("last {hours} hours")));
    }

    #[test]
    fn address_is_exposed_only_over_http_to_other_machines() {
        for (address, exposed) in [
            ("https://kaarten.example", false),
            ("http://kaarten.example", true),
            ("http://10.0.0.1:8080", true),
            ("http://localhost:8080", false),
            ("http://[::1]:8080", false),
            ("http://127.0.0.1:8080", false),
        ] {
            assert_eq!(is_exposed(address), exposed, "{address}");
        }
    }
}

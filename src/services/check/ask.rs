//! The questions of the checks.
//!
//! Called through the register. Each returns within a few seconds. A problem holds no personal data and no secret, and
//! mostly no number, so that it stays the same while it lasts.

use std::fs;
use std::path::Path;

use url::Url;

use super::super::Services;
use super::Outcome;
use crate::base::{ErrorChain, disk_free_bytes, is_loopback, limits, private};
use crate::media::MediaError;
use crate::model::BACKUP_DRILL;
use crate::store::{CardFilter, StoreError};

pub(super) async fn database(services: &Services) -> Outcome {
    if let Err(error) = services.store.ping().await {
        tracing::warn!(error = %ErrorChain(&error), "the database does not answer");
        return Outcome::fail(NO_ANSWER);
    }
    match services.store.check_writes().await {
        Ok(()) => Outcome::Ok,
        Err(error) => {
            tracing::warn!(error = %ErrorChain(&error), "the database takes no writes");
            Outcome::Impaired("answers, but takes no writes".to_owned())
        }
    }
}

pub(super) async fn object_store(services: &Services) -> Outcome {
    let Err(error) = services.media.check(services.clock.now()).await else { return Outcome::Ok };
    let problem = match &error {
        MediaError::NoBucket(_) => "its bucket does not exist",
        MediaError::Trial(_) => "answers, but stores no objects",
        _ => NO_ANSWER,
    };
    tracing::warn!(error = %ErrorChain(&error), "the object store fails");
    Outcome::fail(problem)
}

const NO_ANSWER: &str = "does not answer";

pub(super) async fn mail_server(services: &Services) -> Outcome {
    if services.mailer.is_folder() {
        return match services.store.live_key_exists(services.clock.now()).await {
            Ok(live) => Outcome::unless(
                !live,
                "SMTP_URL is not set while live keys exist: mails to families and invitees are written into the data \
                 folder and not sent; set it",
            ),
            Err(error) => unknown(&error),
        };
    }
    match services.mailer.check().await {
        Ok(()) => Outcome::Ok,
        Err(error) => {
            tracing::warn!(error = %ErrorChain(&error), "the mail server does not accept a connection");
            Outcome::fail("the mail server of SMTP_URL accepts no connection: the log says why")
        }
    }
}

pub(super) async fn mail_waiting(services: &Services) -> Outcome {
    match services.store.mail_backlog().await {
        Ok(backlog) => {
            let limit = services.clock.now().before(limits::MAIL_WAITS_TOO_LONG);
            let minutes = limits::MAIL_WAITS_TOO_LONG.as_secs() / 60;
            let problem = format!(
                "a mail has waited for more than {minutes} minutes: the log says why the mail server does not take it; \
                 it is tried again for a day and a half"
            );
            Outcome::unless(backlog.waiting_since.is_none_or(|since| since > limit), &problem)
        }
        Err(error) => unknown(&error),
    }
}

pub(super) async fn mail_lost(services: &Services) -> Outcome {
    match services.store.mail_lost_since(services.clock.now().before(limits::MAIL_LOST_SHOWN)).await {
        Ok(lost) => {
            let hours = limits::MAIL_LOST_SHOWN.as_secs() / (60 * 60);
            let problem = format!(
                "in the last {hours} hours a mail was given up, or one to the address of an order was refused: the log \
                 names the card; tell its partner"
            );
            Outcome::unless(!lost, &problem)
        }
        Err(error) => unknown(&error),
    }
}

pub(super) async fn notifications(services: &Services) -> Outcome {
    match services.store.outbox().await {
        Ok(outbox) => {
            let limit = services.clock.now().before(limits::DELIVERY_OVERDUE);
            let minutes = limits::DELIVERY_OVERDUE.as_secs() / 60;
            let problem = format!("a due notification has waited for its attempt for more than {minutes} minutes");
            Outcome::unless(outbox.due_since.is_none_or(|since| since > limit), &problem)
        }
        Err(error) => unknown(&error),
    }
}

pub(super) async fn workers(services: &Services) -> Outcome {
    let log = services.metrics.worker_log();
    if log.workers().is_empty() {
        return Outcome::skip("no worker runs in this process");
    }
    let silent = log.silent(tokio::time::Instant::now());
    Outcome::unless(silent.is_empty(), &format!("no step was completed for minutes by: {}", silent.join(", ")))
}

pub(super) async fn public_https(services: &Services) -> Outcome {
    let is_exposed = Url::parse(&services.public_base).is_ok_and(|url| url.scheme() == "http" && !is_loopback(&url));
    let problem = "PUBLIC_BASE_URL is http: links of the service can be read on their way; use https";
    Outcome::unless(!is_exposed, problem)
}

pub(super) async fn public_name(services: &Services) -> Outcome {
    let url = Url::parse(&services.public_base).ok();
    let Some(url::Host::Domain(name)) = url.as_ref().and_then(Url::host) else { return Outcome::Ok };
    let found = tokio::time::timeout(limits::NAME_CHECK, services.outbound.resolves(name)).await;
    Outcome::unless(matches!(found, Ok(true)), "the name in PUBLIC_BASE_URL does not resolve from this machine")
}

pub(super) async fn database_tls(services: &Services) -> Outcome {
    Outcome::unless(
        !services.store.is_exposed(),
        "DATABASE_URL says sslmode=disable for a PostgreSQL on another machine: the connection can be read and changed on \
         its way; use require or verify-full",
    )
}

pub(super) async fn egress(services: &Services) -> Outcome {
    if !services.outbound.is_open() {
        return Outcome::Ok;
    }
    match services.store.live_key_exists(services.clock.now()).await {
        Ok(true) => Outcome::fail(
            "EGRESS_ALLOW is set while live keys exist: partners can make the service reach your own network; unset it",
        ),
        Ok(false) => Outcome::fail(
            "EGRESS_ALLOW is set: the service fetches from addresses that are not public; never use it in production",
        ),
        Err(error) => unknown(&error),
    }
}

pub(super) async fn certificate(services: &Services) -> Outcome {
    match (services.certificate.not_after(), certificate_problem(services)) {
        (None, _) => Outcome::skip("this process serves no TLS"),
        (Some(_), None) => Outcome::Ok,
        (Some(_), Some(problem)) => Outcome::fail(problem),
    }
}

/// Returns the problem of the server's certificate: it expires soon, or has expired.
pub fn certificate_problem(services: &Services) -> Option<String> {
    let (not_after, now) = (services.certificate.not_after()?, services.clock.now());
    let problem = if not_after <= now {
        "has ended, and clients refuse it".to_owned()
    } else if not_after <= now.after(limits::CERTIFICATE_ENDS_SOON) {
        format!("ends within {} days", limits::CERTIFICATE_ENDS_SOON.as_secs() / (24 * 60 * 60))
    } else {
        return None;
    };
    Some(format!("the certificate of TLS_CERTIFICATE {problem}: renew it; the server reads it by itself"))
}

pub(super) async fn invitations(services: &Services) -> Outcome {
    let invitations_max = services.policy.invitations_per_partner_and_day;
    match services.store.invitations_used_up(services.clock.today(), invitations_max).await {
        Ok(used_up) => Outcome::unless(
            !used_up,
            "a partner has sent as many invitations today as INVITATIONS_PER_DAY allows, and can send no others: the log \
             names partner and card; check whether they are abused",
        ),
        Err(error) => unknown(&error),
    }
}

pub(super) async fn disk(services: &Services) -> Outcome {
    match disk_free_bytes(&services.data_dir) {
        Ok(free) => {
            let gigabytes = limits::DISK_FREE_BYTES_MIN / (1024 * 1024 * 1024);
            let problem = format!("less than {gigabytes} GiB is free on the disk of DATA_DIR");
            Outcome::unless(free >= limits::DISK_FREE_BYTES_MIN, &problem)
        }
        Err(error) => Outcome::fail(format!("the disk of DATA_DIR cannot be read: {error}")),
    }
}

pub(super) async fn permissions(services: &Services) -> Outcome {
    let database = services.store.file().map(Path::to_owned);
    let open = [services.data_dir.clone()].into_iter().chain(database).filter(|path| is_open_to_others(path));
    let open: Vec<_> = open.map(|path| path.display().to_string()).collect();
    Outcome::unless(open.is_empty(), &format!("other users of this machine can read {}", open.join(", ")))
}

fn is_open_to_others(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|found| private::open_to_others(&found) != 0)
}

pub(super) async fn clock(services: &Services) -> Outcome {
    let now = services.clock.now();
    let asked = async {
        let later = services.store.audit_since(now.after(limits::CLOCK_SKEW_MAX), 1).await?;
        let newest = services.store.latest_cards(CardFilter::default(), 1).await?;
        let is_later = newest.iter().any(|card| card.created_at > now.after(limits::CLOCK_SKEW_MAX));
        Ok::<_, StoreError>((later, is_later, services.store.server_time().await?))
    };
    match asked.await {
        Ok((later, ..)) if !later.is_empty() => {
            Outcome::fail("the audit holds a record from the future: the clock of this machine was wrong, or is")
        }
        Ok((_, true, _)) => {
            Outcome::fail("the newest card is from the future: the clock of this machine was wrong, or is")
        }
        Ok((.., Some(server))) if (server.millis() - now.millis()).unsigned_abs() > skew_max_ms() => {
            Outcome::fail("the clocks of this machine and of the database's differ: synchronise both (NTP)")
        }
        Ok(_) => Outcome::Ok,
        Err(error) => unknown(&error),
    }
}

fn skew_max_ms() -> u64 {
    u64::try_from(limits::CLOCK_SKEW_MAX.as_millis()).unwrap_or(u64::MAX)
}

pub(super) async fn backup(services: &Services) -> Outcome {
    let now = services.clock.now();
    let asked = async {
        let last = services.store.last_backup().await?;
        Ok::<_, StoreError>((last.map(|record| record.at), services.store.live_key_exists(now).await?))
    };
    match asked.await {
        Ok((None, false)) => Outcome::skip("no backup was recorded, and there is no live key"),
        Ok((None, true)) => Outcome::fail("there are live keys, and no backup was ever recorded"),
        Ok((Some(last), _)) => {
            let hours = limits::BACKUP_AGE_MAX.as_secs() / (60 * 60);
            let problem = format!("the last recorded backup is older than {hours} hours");
            Outcome::unless(last > now.before(limits::BACKUP_AGE_MAX), &problem)
        }
        Err(error) => unknown(&error),
    }
}

pub(super) async fn backup_drill(services: &Services) -> Outcome {
    let now = services.clock.now();
    let asked = async {
        let drilled = services.store.last_audited(BACKUP_DRILL).await?;
        Ok::<_, StoreError>((drilled, services.store.live_key_exists(now).await?))
    };
    match asked.await {
        Ok((None, false)) => Outcome::skip("no drill was recorded, and there is no live key"),
        Ok((drilled, _)) => {
            let days = limits::BACKUP_DRILL_AGE_MAX.as_secs() / (24 * 60 * 60);
            let problem = format!("no backup was restored and read by a drill for {days} days, or ever");
            Outcome::unless(
                drilled.is_some_and(|record| record.at > now.before(limits::BACKUP_DRILL_AGE_MAX)),
                &problem,
            )
        }
        Err(error) => unknown(&error),
    }
}

/// The database did not answer a question: the check `database` reports that.
fn unknown(_: &StoreError) -> Outcome {
    Outcome::skip("the database does not answer")
}

//! The register of all checks: the question, the alert and what to do.

use std::time::Duration;

use futures_util::future::BoxFuture;

use super::{Outcome, ask};
use crate::base::limits;
use crate::services::Services;

/// A check.
pub struct Check {
    /// The name in `card_service_check{name}` and in JSON.
    pub name: &'static str,
    /// The question, whose answer is yes while the service is healthy.
    pub question: &'static str,
    /// How urgent a failure is.
    pub severity: Severity,
    /// Who may know the result.
    pub audience: Audience,
    /// The alert that a failure raises.
    pub alert: &'static str,
    /// How many minutes the check has to fail before the alert.
    pub alert_after_minutes: u32,
    /// Instructions for the operator after a failure.
    pub action: &'static str,
    /// How long a result is cached. Zero for a check that asks nothing outside this process and its database.
    pub(super) kept: Duration,
    pub(super) ask: fn(&Services) -> BoxFuture<'_, Outcome>,
}

/// How urgent a failure is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// A person is called at once.
    Page,
    /// Work for the next day.
    Ticket,
}

/// Who may know the result of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Audience {
    /// Everyone; a failure makes the replica not ready.
    Readiness,
    /// Everyone; a failure does not affect readiness.
    Everyone,
    /// The operator: by `doctor`, and at METRICS_LISTEN.
    Operator,
}

impl Severity {
    /// Returns the value of the label `severity` of the alert.
    pub fn as_str(self) -> &'static str {
        match self {
            Severity::Page => "page",
            Severity::Ticket => "ticket",
        }
    }
}

/// Defines the register. A check may be followed by its audience and the time for which its result is cached.
macro_rules! checks {
    ($($name:ident: $question:literal, $severity:ident, $alert:ident after $minutes:literal min,
       $audience:ident for $kept:expr, $action:literal;)*) => {
        /// All checks, in the order in which they are shown.
        pub static CHECKS: &[Check] = &[$(Check {
            name: stringify!($name),
            question: $question,
            severity: Severity::$severity,
            audience: Audience::$audience,
            alert: stringify!($alert),
            alert_after_minutes: $minutes,
            action: $action,
            kept: $kept,
            ask: |services| Box::pin(ask::$name(services)),
        }),*];
    };
}

checks! {
    database:
        "Does the database answer, and does it take writes?",
        Page, CardServiceDatabaseDown after 1 min, Readiness for limits::READINESS_KEPT,
        "*Does not answer*: `/health/ready` is 503 and requests get 503. The log names the cause: PostgreSQL is gone, its disk or the \
         disk of SQLite fails, or the file of SQLite was moved or replaced (\"was moved, or replaced by another one\": stop the server, \
         and do what the log says). *Answers, but takes no writes*: reads work, mutations and forms get 503, `/health/ready` stays 200. \
         PostgreSQL is read-only (a standby, or `default_transaction_read_only`), the disk is full, or another program locks the file of \
         SQLite. Repair the cause: except for a replaced file the service recovers by itself. The check writes a row of 64 KiB at most \
         every 10 s.";
    object_store:
        "Does the object store keep objects?",
        Page, CardServiceObjectStoreDown after 5 min, Everyone for limits::READINESS_KEPT,
        "The log has the cause: credentials that may not read, write or delete, the network, a bucket that does not exist, or the folder \
         of pictures. Requests with a portrait get 503 and pages have no pictures until it answers; everything else works. Once a \
         minute the check stores, reads and deletes an object below `check/`; in between it asks for one that is not there. A bucket \
         with versions needs a lifecycle rule that deletes old ones.";
    workers:
        "Has every worker of the replica completed a step lately?",
        Page, CardServiceWorkerSilent after 1 min, Operator for Duration::ZERO,
        "`card_service_worker_last_step_timestamp_seconds` names the worker, and the log says \"a step of a worker failed\" \
         with the cause. Without such a line the worker hangs: keep the log and restart the replica.";
    notifications:
        "Is every due notification attempted in time?",
        Page, CardServiceOutboxOverdue after 5 min, Operator for Duration::ZERO,
        "The log says \"notifications wait\" for a partner that is blocked or has no secret: `webhook secret issue`; \
         otherwise look at the check `workers`.";
    mail_server:
        "Does SMTP_URL name a mail server that accepts a connection?",
        Page, CardServiceMailServerDown after 15 min, Operator for limits::REMOTE_CHECK_KEPT,
        "A service with live keys needs an SMTP_URL. Where it is set, `card-service mail test <address>` reports an error in its name, \
         port, certificate or password. Mails wait and are tried again for a day and a half.";
    mail_waiting:
        "Does the mail server take every mail?",
        Page, CardServiceMailWaits after 5 min, Operator for Duration::ZERO,
        "The log says why (\"a mail could not be sent\"), `mail list` shows which. What waits goes by itself once the cause \
         is gone.";
    mail_lost:
        "Was no mail to a family given up or refused in the last day?",
        Page, CardServiceMailLost after 0 min, Operator for Duration::ZERO,
        "The log names the card and the answer's number (\"was given up\", \"refused a mail\"), `mail list --state refused` \
         (or `given-up`) shows the reply of the mail server. Once the cause is gone: `mail resend <id>`. If the address is \
         wrong, inform the partner, who can give the family a new link: the family reads that on its page, too. The alert \
         ends a day after the mail.";
    disk:
        "Has the disk of DATA_DIR room?",
        Page, CardServiceDiskFull after 5 min, Operator for Duration::ZERO,
        "Free space or enlarge the disk. A full disk under SQLite answers writes with 503; nothing that was acknowledged is \
         lost, and the service recovers by itself.";
    certificate:
        "Is the TLS certificate of the replica valid for two more weeks?",
        Ticket, CardServiceCertificateEnds after 15 min, Operator for Duration::ZERO,
        "Renew it; the files are read again automatically. Renewed already: the log says why the new one \"cannot be used\".";
    public_https:
        "Is PUBLIC_BASE_URL https?",
        Ticket, CardServicePublicHttp after 15 min, Operator for Duration::ZERO,
        "Links in mails and notifications begin with this address, and can be read on their way. Correct the setting.";
    public_name:
        "Does the name in PUBLIC_BASE_URL resolve?",
        Ticket, CardServicePublicName after 15 min, Operator for limits::REMOTE_CHECK_KEPT,
        "Links in mails and notifications lead to this name. Correct the setting, or the DNS record.";
    database_tls:
        "Is the connection to a database on another machine encrypted?",
        Ticket, CardServiceDatabaseReadable after 15 min, Operator for Duration::ZERO,
        "Set `sslmode=verify-full` in DATABASE_URL (operating.md, \"PostgreSQL on another machine\").";
    egress:
        "Is EGRESS_ALLOW empty?",
        Ticket, CardServiceEgressOpen after 15 min, Operator for Duration::ZERO,
        "Unset it in production: with it, partners can make the service reach your own network.";
    permissions:
        "Are the data folder and the database closed to other users?",
        Ticket, CardServiceFilesReadable after 15 min, Operator for Duration::ZERO,
        "`chmod 700` the folder and `chmod 600` the file. They hold personal data and signing secrets.";
    clock:
        "Is the clock right?",
        Ticket, CardServiceClockWrong after 10 min, Operator for Duration::ZERO,
        "Synchronise the clocks of the machines by NTP. The check compares the clock of PostgreSQL, the times of the audit \
         log, and the newest card. A record from the future fails it until that time comes; `audit list` and `card list` show it.";
    invitations:
        "Has every partner invitations left today?",
        Ticket, CardServiceInvitationsUsedUp after 0 min, Operator for Duration::ZERO,
        "The log names partner and card. If they are not abused, raise INVITATIONS_PER_DAY.";
    backup:
        "Is the last recorded backup recent?",
        Ticket, CardServiceBackupOld after 60 min, Operator for Duration::ZERO,
        "Look at `card-service-backup.timer`, and run `card-service backup` by hand. Asked once there is a live key. Backups by other \
         tools are recorded by `backup manifest`.";
    backup_drill:
        "Was a backup restored and read by a drill lately?",
        Ticket, CardServiceBackupNotDrilled after 60 min, Operator for Duration::ZERO,
        "Run `card-service backup drill` on the newest backup by hand: it says what fails. Look at the timer, the disk of the \
         backups, and the room in DATA_DIR.";
}

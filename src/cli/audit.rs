//! The audit log of the operator's commands: `audit list`, and the record of every change.
//!
//! A record names the user, the time, the command, its subject and the fields it sets. The store writes it once,
//! in the first transaction of the change. Commands that only read leave none, except `card export` and `backup`, which take
//! personal data out.

use std::sync::Arc;

use clap::Subcommand;
use serde_json::json;

use super::duration::day;
use super::failure::CliFailure;
use super::output::{Output, render_table};
use super::system_user::actor;
use crate::app::{self, Settings};
use crate::base::{Clock, Entropy, Timestamp};
use crate::model::{AuditRecord, AuditWords};
use crate::operation::Failure;
use crate::outbound::Names;
use crate::services::Services;
use crate::store::StoreCloser;

/// The contents of the audit record of a command.
pub(super) struct Audited {
    words: AuditWords,
    subject: String,
}

impl Audited {
    /// The record of a command that changes something; `Some`, so that `audit_entry` can return it as it is.
    pub(super) fn new(
        command: &'static str,
        subject: impl Into<String>,
        fields: &'static [&'static str],
    ) -> Option<Self> {
        Self::with_words(AuditWords { command, fields }, subject)
    }

    /// The same, for a change that the administration makes too.
    pub(super) fn with_words(words: AuditWords, subject: impl Into<String>) -> Option<Self> {
        Some(Self { words, subject: subject.into() })
    }
}

/// Opens the services, whose first write adds this audit record.
pub(super) async fn open_services(
    settings: &Settings,
    audited: Option<Audited>,
) -> Result<(Arc<Services>, StoreCloser), CliFailure> {
    let (services, closer) = app::services(settings, Clock::system(), Entropy::system(), Names::system()).await?;
    let services = match audited {
        Some(audited) => Arc::new(services.with_audit(actor(), audited.words, audited.subject)),
        None => services,
    };
    Ok((services, closer))
}

/// Opens the database of these settings as a server does, which migrates it, and adds this audit record.
pub(super) async fn record_in(settings: &Settings, audited: Option<Audited>) -> Result<(), CliFailure> {
    let is_audited = audited.is_some();
    let (services, closer) = open_services(settings, audited).await?;
    if is_audited {
        services.store.record_command().await.map_err(Failure::from)?;
    }
    drop(services);
    closer.close().await;
    Ok(())
}

#[derive(Debug, Subcommand)]
pub(super) enum AuditCommand {
    /// List the recorded changes, newest first
    List {
        /// Only since this day, such as 2026-01-31
        #[arg(long, value_name = "DAY", value_parser = day)]
        since: Option<Timestamp>,
        /// At most so many
        #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..))]
        limit: u32,
    },
}

pub(super) async fn run(services: &Services, command: AuditCommand, output: Output) -> Result<(), CliFailure> {
    let AuditCommand::List { since, limit } = command;
    let since = since.or_else(|| Timestamp::from_millis(0)).unwrap_or_else(|| services.clock.now());
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    let records = services.store.audit_since(since, limit).await.map_err(Failure::from)?;
    let view = |record: &AuditRecord| {
        json!({
            "at": record.at.to_string(),
            "actor": record.actor,
            "command": record.command,
            "subject": record.subject,
            "fields": record.fields,
        })
    };
    let views: Vec<_> = records.iter().map(view).collect();
    let columns = "moment: at | who: actor | command | subject | fields";
    output.show(&json!({ "audit": views }), || render_table(columns, &views))
}

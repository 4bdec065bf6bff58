//! Usage counts of the schema: written by a worker every minute, and read by the operator (`usage show`, and before
//! a version is retired).
//!
//! An operation is counted when it begins to run. A refused request and the repeated response of an idempotency key are not
//! counted.

use std::collections::{BTreeMap, HashMap};

use chrono::NaiveDate;
use uuid::Uuid;

use crate::base::{Timestamp, limits};
use crate::model::{KeyMode, Usage};
use crate::operation::Failure;
use crate::services::Services;

/// Writes the counts of this replica. Counts that cannot be written are kept for the next time. A count may be added twice
/// only if the result of a commit is unknown.
pub(crate) async fn write(services: &Services) -> Result<(), Failure> {
    let mut drained = services.usage.drained.lock().await;
    let dropped = services.usage.drain(&mut drained);
    if dropped > 0 {
        tracing::warn!(
            operations = dropped,
            "the table of usage counts is full: the operations of further partners were not counted"
        );
    }
    loop {
        let counted = drained.first(limits::USAGE_WRITTEN_AT_ONCE);
        let count = counted.len();
        if count == 0 {
            return Ok(());
        }
        services.store.add_usage(counted).await?;
        drained.remove_first(count);
    }
}

/// The counts of the last days.
#[derive(Clone, Debug)]
pub(crate) struct Report {
    /// The first day with any count. Earlier days are unknown, not unused.
    pub from: NaiveDate,
    /// Today.
    pub to: NaiveDate,
    /// Each with the name of its partner.
    pub uses: Vec<(String, Usage)>,
}

/// A partner that used a version with a live key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LiveUse {
    pub partner: String,
    pub last: NaiveDate,
}

/// Returns the counts from this day on, of one version or of all.
pub(crate) async fn report(services: &Services, from: NaiveDate, version: Option<&str>) -> Result<Report, Failure> {
    let to = day(services.clock.now());
    let from = services.store.usage_since().await?.map_or(to, |since| since.clamp(from, to));
    let names = names(services).await?;
    let uses = services.store.usage_from(from, version).await?;
    let named = uses.into_iter().map(|usage| (name(&names, usage.partner_id), usage));
    Ok(Report { from, to, uses: named.collect() })
}

/// The partners that used a version with a live key since `from`, with the last day, by name.
pub(crate) async fn last_live_uses(
    services: &Services,
    version: &str,
    from: NaiveDate,
) -> Result<Vec<LiveUse>, Failure> {
    let names = names(services).await?;
    let mut last: BTreeMap<String, NaiveDate> = BTreeMap::new();
    for usage in services.store.usage_from(from, Some(version)).await? {
        if usage.mode == KeyMode::Live {
            let day = last.entry(name(&names, usage.partner_id)).or_insert(usage.day);
            *day = usage.day.max(*day);
        }
    }
    Ok(last.into_iter().map(|(partner, last)| LiveUse { partner, last }).collect())
}

/// The day of a timestamp, in UTC.
pub(crate) fn day(now: Timestamp) -> NaiveDate {
    now.utc().date_naive()
}

async fn names(services: &Services) -> Result<HashMap<Uuid, String>, Failure> {
    let partners = services.store.partners().await?;
    Ok(partners.into_iter().map(|partner| (partner.id, partner.name)).collect())
}

/// The name of a partner; its id if the account is deleted.
fn name(names: &HashMap<Uuid, String>, id: Uuid) -> String {
    names.get(&id).cloned().unwrap_or_else(|| id.to_string())
}

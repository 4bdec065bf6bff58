//! The operator deprecates, retires and restores versions of the API (decisions H2, H3).
//!
//! A decision is a row that every replica follows within seconds, without a release. Called by the operator's commands,
//! which know the released versions.

use chrono::{Days, NaiveDate};

use super::Failure;
use super::usage::{self, LiveUse};
use crate::base::HttpUrl;
use crate::base::limits::USAGE_RECENT_DAYS;
use crate::model::{VersionError, VersionLife, VersionNotice};
use crate::services::Services;
use crate::store::{Queue, StoreError};

/// Why no version was changed.
#[derive(Debug, thiserror::Error)]
pub enum DecideVersionError {
    #[error("There is no version {0}. Versions: {1}.")]
    Unknown(String, String),
    #[error("\"{0}\" is no http or https address.")]
    Link(String),
    #[error("There is no decision about {0}: its release applies.")]
    Undecided(String),
    #[error(transparent)]
    Stage(#[from] VersionError),
    /// Partners may still rely on the version.
    #[error("{version} is not retired:\n{}\nTo retire it all the same, say --force.", list_doubts(.doubts))]
    Doubts { version: &'static str, doubts: Vec<Doubt> },
    #[error("The decision was not stored.")]
    Failed(#[source] Failure),
}

/// Why a version should not be retired.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Doubt {
    /// Partners were promised service until then.
    SunsetAhead(NaiveDate),
    Used(LiveUse),
    /// Usage is known from this day on only. Missing data about earlier days does not mean no use.
    CountedSince(NaiveDate),
}

fn list_doubts(doubts: &[Doubt]) -> String {
    let lines = doubts.iter().map(|doubt| match doubt {
        Doubt::SunsetAhead(day) => format!("  partners were promised that it answers until {day}"),
        Doubt::Used(LiveUse { partner, last }) => format!("  {partner} used it with a live key, last on {last}"),
        Doubt::CountedSince(day) => {
            format!("  its use was counted since {day} only, not for all of the last {USAGE_RECENT_DAYS} days")
        }
    });
    lines.collect::<Vec<_>>().join("\n")
}

impl From<StoreError> for DecideVersionError {
    fn from(error: StoreError) -> Self {
        DecideVersionError::Failed(error.into())
    }
}

/// Every version with its state, and its recent users with live keys.
pub async fn list(
    services: &Services,
    released: Vec<VersionLife>,
) -> Result<Vec<(VersionLife, Vec<LiveUse>)>, Failure> {
    let notices = services.store.version_notices().await?;
    let from = recent(services);
    let mut listed = Vec::new();
    for life in released {
        let uses = usage::last_live_uses(services, life.name, from).await?;
        listed.push((life.with_notices(&notices), uses));
    }
    Ok(listed)
}

/// Deprecates a version until `sunset`; `link` is a page with more information.
pub async fn deprecate(
    services: &Services,
    released: Vec<VersionLife>,
    version: &str,
    sunset: NaiveDate,
    link: Option<&str>,
) -> Result<VersionLife, DecideVersionError> {
    let read = |text: &str| {
        let address = HttpUrl::parse(text).filter(|address| address.as_str().is_ascii());
        address.ok_or_else(|| DecideVersionError::Link(text.to_owned()))
    };
    let link = link.map(read).transpose()?;
    let life = find(services, released, version).await?;
    let notice = life.deprecate(usage::day(services.clock.now()), sunset, link)?;
    decide(services, life, notice).await
}

/// Retires a version. Refused while partners may rely on it, unless `force`.
pub async fn retire(
    services: &Services,
    released: Vec<VersionLife>,
    version: &str,
    force: bool,
) -> Result<VersionLife, DecideVersionError> {
    let life = find(services, released, version).await?;
    let notice = life.retire(services.clock.now())?;
    let doubts = doubts(services, &life).await.map_err(DecideVersionError::Failed)?;
    if !doubts.is_empty() && !force {
        return Err(DecideVersionError::Doubts { version: life.name, doubts });
    }
    decide(services, life, notice).await
}

/// Removes the operator's decision about a version, so that its release applies again.
pub async fn restore(
    services: &Services,
    released: Vec<VersionLife>,
    version: &str,
) -> Result<VersionLife, DecideVersionError> {
    let life = find_released(released, version)?;
    if !services.store.delete_version_notice(version.to_owned()).await? {
        return Err(DecideVersionError::Undecided(version.to_owned()));
    }
    services.store.notify(Queue::Versions);
    Ok(life)
}

async fn decide(
    services: &Services,
    life: VersionLife,
    notice: VersionNotice,
) -> Result<VersionLife, DecideVersionError> {
    services.store.put_version_notice(notice.clone()).await?;
    services.store.notify(Queue::Versions);
    Ok(life.with_notices(&[notice]))
}

async fn doubts(services: &Services, life: &VersionLife) -> Result<Vec<Doubt>, Failure> {
    let (today, from) = (usage::day(services.clock.now()), recent(services));
    let mut doubts: Vec<_> = life.sunset.filter(|sunset| *sunset > today).map(Doubt::SunsetAhead).into_iter().collect();
    doubts.extend(usage::last_live_uses(services, life.name, from).await?.into_iter().map(Doubt::Used));
    let since = services.store.usage_since().await?.unwrap_or(today);
    doubts.extend((since > from).then_some(Doubt::CountedSince(since)));
    Ok(doubts)
}

/// The first day whose usage counts against a removal.
fn recent(services: &Services) -> NaiveDate {
    let today = usage::day(services.clock.now());
    today.checked_sub_days(Days::new(USAGE_RECENT_DAYS.into())).unwrap_or(today)
}

async fn find(
    services: &Services,
    released: Vec<VersionLife>,
    version: &str,
) -> Result<VersionLife, DecideVersionError> {
    let notices = services.store.version_notices().await?;
    Ok(find_released(released, version)?.with_notices(&notices))
}

fn find_released(released: Vec<VersionLife>, version: &str) -> Result<VersionLife, DecideVersionError> {
    let names = released.iter().map(|life| life.name).collect::<Vec<_>>().join(", ");
    let found = released.into_iter().find(|life| life.name == version);
    found.ok_or_else(|| DecideVersionError::Unknown(version.to_owned(), names))
}

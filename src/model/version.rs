//! The life cycle of an API version: its release, the decisions of the operator, and the rules of the transitions.

use chrono::{Months, NaiveDate};
use dated_graphql_schema::VersionStatus;
use uuid::Uuid;

use super::KeyMode;
use crate::base::limits::VERSION_NOTICE_MONTHS;
use crate::base::{HttpUrl, Timestamp};

/// The current state of a version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VersionLife {
    pub name: &'static str,
    pub stage: VersionStatus,
    pub published: Option<NaiveDate>,
    pub deprecated: Option<NaiveDate>,
    /// The day on which it is retired, if decided.
    pub sunset: Option<NaiveDate>,
    /// A page about its end.
    pub link: Option<HttpUrl>,
    pub retired_at: Option<Timestamp>,
}

/// Why the operator cannot change a version.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum VersionError {
    #[error("{0} is a candidate, which no partner relies on: take its file out of schema/ instead.")]
    Candidate(&'static str),
    #[error("{0} is retired. To let it answer again: card-service version deprecate {0} --undo")]
    Retired(&'static str),
    #[error(
        "{version} cannot end on {sunset}: partners were promised at least {VERSION_NOTICE_MONTHS} months after its \
         deprecation, so the first day is {earliest}."
    )]
    SunsetTooEarly { version: &'static str, sunset: NaiveDate, earliest: NaiveDate },
    #[error("{0} is not deprecated: tell partners first, with card-service version deprecate {0} --sunset <date>")]
    NotDeprecated(&'static str),
}

impl VersionLife {
    /// Applies the operator's decisions, which override the release.
    #[must_use]
    pub fn with_notices(self, notices: &[VersionNotice]) -> Self {
        let Some(notice) = notices.iter().find(|notice| notice.version == self.name) else { return self };
        Self {
            stage: if notice.retired_at.is_some() { VersionStatus::Retired } else { VersionStatus::Deprecated },
            deprecated: Some(notice.deprecated),
            sunset: Some(notice.sunset),
            link: notice.link.clone(),
            retired_at: notice.retired_at,
            ..self
        }
    }

    /// Deprecates the version until `sunset`. Repeated, it changes the day or the page.
    pub fn deprecate(
        &self,
        today: NaiveDate,
        sunset: NaiveDate,
        link: Option<HttpUrl>,
    ) -> Result<VersionNotice, VersionError> {
        match self.stage {
            VersionStatus::Candidate => return Err(VersionError::Candidate(self.name)),
            VersionStatus::Retired => return Err(VersionError::Retired(self.name)),
            VersionStatus::Current | VersionStatus::Deprecated => {}
        }
        let deprecated = self.deprecated.unwrap_or(today);
        let earliest = deprecated.checked_add_months(Months::new(VERSION_NOTICE_MONTHS)).unwrap_or(NaiveDate::MAX);
        let earliest = earliest.max(today);
        if sunset < earliest {
            return Err(VersionError::SunsetTooEarly { version: self.name, sunset, earliest });
        }
        Ok(VersionNotice {
            version: self.name.to_owned(),
            deprecated,
            sunset,
            link: link.or_else(|| self.link.clone()),
            retired_at: None,
        })
    }

    /// Retires the version. The caller checks that its sunset has passed and that no partner uses it.
    pub fn retire(&self, now: Timestamp) -> Result<VersionNotice, VersionError> {
        let today = now.utc().date_naive();
        match (self.stage, self.deprecated) {
            (VersionStatus::Candidate, _) => Err(VersionError::Candidate(self.name)),
            (VersionStatus::Retired, _) => Err(VersionError::Retired(self.name)),
            (VersionStatus::Deprecated, Some(deprecated)) => Ok(VersionNotice {
                version: self.name.to_owned(),
                deprecated,
                sunset: self.sunset.unwrap_or(today),
                link: self.link.clone(),
                retired_at: Some(now),
            }),
            (VersionStatus::Current | VersionStatus::Deprecated, _) => Err(VersionError::NotDeprecated(self.name)),
        }
    }
}

/// A version is deprecated or retired.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VersionNotice {
    /// The version, such as `2026-10`.
    pub version: String,
    /// The day of its deprecation.
    pub deprecated: NaiveDate,
    /// The day on which it ends.
    pub sunset: NaiveDate,
    /// A page with more information.
    pub link: Option<HttpUrl>,
    /// When it was retired.
    pub retired_at: Option<Timestamp>,
}

/// The number of operations of a partner that used a coordinate of a version on a day.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Usage {
    /// In UTC.
    pub day: NaiveDate,
    pub version: String,
    pub partner_id: Uuid,
    pub mode: KeyMode,
    /// Such as `Card.status`.
    pub coordinate: String,
    pub count: i64,
}

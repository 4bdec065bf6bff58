//! The versions of the API: the one a path names, the list of all, and the text of each schema.
//!
//! Called by the router and by the walk of a partner request; a worker of `delivery` tells it what the operator decides.
//! Source: specification, sections 7.3 and 9; decisions H2, H3, H9.

use std::sync::{Arc, OnceLock};

use arc_swap::ArcSwap;
use chrono::{DateTime, NaiveDate, NaiveTime, Utc};
use http::header::{CACHE_CONTROL, ETAG, LINK};
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use serde::Serialize;
use sha2::{Digest as _, Sha256};

use super::answer::Answer;
use super::api_error::ApiError;
use crate::base::lower_hex;
use crate::generated::{self, VersionInfo};
use crate::graphql::{AnyEngine, Limits};
use crate::model::{KeyMode, VersionLife, VersionNotice, VersionStatus};
use crate::resolver::Context;
use crate::web::is_known_to_caller;

/// Where the versions lie.
const API: &str = "/partner/api";

const API_VERSION: HeaderName = HeaderName::from_static("x-service-api-version");
const DEPRECATION: HeaderName = HeaderName::from_static("deprecation");
const SUNSET: HeaderName = HeaderName::from_static("sunset");

/// Every version of the release, oldest first.
pub struct Versions {
    released: Vec<Version>,
    /// Where the world reaches the service.
    public_base: String,
}

/// A version of the release.
pub struct Version {
    pub name: &'static str,
    pub engine: Arc<dyn AnyEngine<Context>>,
    /// What its release says.
    released: VersionLife,
    /// How it stands; changes when the operator decides something.
    now: ArcSwap<Now>,
    digest: OnceLock<Digest>,
}

/// The SHA-256 of a schema, and the entity tag that is made of it.
struct Digest {
    sha256: String,
    etag: HeaderValue,
}

/// How a version stands.
struct Now {
    life: VersionLife,
    /// What every answer of this version carries (decisions H2).
    headers: Vec<(HeaderName, HeaderValue)>,
}

/// What the release says of every version, oldest first.
pub fn released() -> Vec<VersionLife> {
    let day = |day: Option<&str>| day.map(|day| day.parse().expect("the build lets days alone through"));
    let life = |info: &VersionInfo| VersionLife {
        name: info.name,
        stage: info.status,
        published: day(info.published),
        deprecated: day(info.deprecated),
        sunset: day(info.sunset),
        link: None,
        retired_at: None,
    };
    generated::VERSIONS.iter().map(life).collect()
}

impl Versions {
    /// Makes the engines of all versions; `public_base` is where the world reaches them.
    pub fn new(public_base: &str, root_mutation_fields_max: usize) -> Self {
        Self::of(public_base, root_mutation_fields_max, released())
    }

    fn of(public_base: &str, root_mutation_fields_max: usize, lives: Vec<VersionLife>) -> Self {
        let engines = generated::engines(Limits { root_mutation_fields_max, ..Limits::default() });
        let versions = lives.into_iter().zip(engines).map(|(life, engine)| Version {
            name: life.name,
            engine,
            now: ArcSwap::from_pointee(Now { life: life.clone(), headers: vec![] }),
            released: life,
            digest: OnceLock::new(),
        });
        let versions = Self { released: versions.collect(), public_base: public_base.to_owned() };
        versions.follow(&[]);
        // What most partners ask next is ready before they do; the others wait some milliseconds, once.
        if let Some(latest) = versions.available().last().and_then(|name| versions.find(name).ok()) {
            latest.engine.warm();
        }
        versions
    }

    /// Every version as it was released, with its SDL.
    pub fn sdls(&self) -> Vec<(VersionLife, &'static str)> {
        self.released.iter().map(|version| (version.released.clone(), version.engine.sdl())).collect()
    }

    /// Lets every version stand as the operator decided.
    pub fn follow(&self, notices: &[VersionNotice]) {
        let lives: Vec<_> = self.released.iter().map(|version| version.released.clone().under(notices)).collect();
        for (at, (version, life)) in self.released.iter().zip(&lives).enumerate() {
            let successor = lives[at + 1..].iter().find(|next| is_published(next)).map(|next| next.name);
            let headers = headers(life, successor, &self.public_base);
            version.now.store(Arc::new(Now { life: life.clone(), headers }));
        }
    }

    /// The version that a path names (decisions H3).
    pub fn find(&self, name: &str) -> Result<&Version, ApiError> {
        let version = self.released.iter().find(|version| version.name == name).ok_or_else(|| self.unknown(name))?;
        match version.now.load().life.retired_at {
            None => Ok(version),
            Some(moment) => Err(ApiError::version_retired(version.name, moment, self.available())),
        }
    }

    /// Lets a key use a version: to a live key a candidate is a version that does not exist.
    pub fn admit(&self, version: &Version, mode: KeyMode) -> Result<(), ApiError> {
        let is_candidate = version.released.stage == VersionStatus::Candidate;
        if is_candidate && mode == KeyMode::Live { Err(self.unknown(version.name)) } else { Ok(()) }
    }

    fn unknown(&self, name: &str) -> ApiError {
        ApiError::version_not_found(name, self.available())
    }

    /// The versions that everybody may use.
    fn available(&self) -> Vec<&'static str> {
        let published = self.released.iter().filter(|version| is_published(&version.now.load().life));
        published.map(|version| version.name).collect()
    }

    /// `GET /partner/api/versions`.
    pub fn list(&self) -> Answer {
        let versions =
            self.released.iter().map(|version| listed(version, &format!("{}{API}", self.public_base))).collect();
        let list = List { latest: self.available().last().copied(), versions };
        let list = serde_json::to_vec(&list).expect("texts can be written");
        Answer::new(StatusCode::OK, "application/json; charset=utf-8", list)
    }
}

/// Whether a version is served to everybody.
fn is_published(life: &VersionLife) -> bool {
    matches!(life.stage, VersionStatus::Current | VersionStatus::Deprecated)
}

/// The list of all versions, in the order in which a person reads it.
#[derive(Serialize)]
struct List {
    latest: Option<&'static str>,
    versions: Vec<Listed>,
}

#[derive(Serialize)]
struct Listed {
    name: &'static str,
    status: &'static str,
    published: Option<String>,
    deprecated: Option<String>,
    sunset: Option<String>,
    endpoint: String,
    schema: ListedSchema,
}

#[derive(Serialize)]
struct ListedSchema {
    url: String,
    sha256: String,
}

fn listed(version: &Version, base: &str) -> Listed {
    let (name, now) = (version.name, version.now.load());
    let day = |day: Option<NaiveDate>| day.map(|day| day.to_string());
    Listed {
        name,
        status: now.life.stage.as_str(),
        published: day(now.life.published),
        deprecated: day(now.life.deprecated),
        sunset: day(now.life.sunset),
        endpoint: format!("{base}/{name}/graphql"),
        schema: ListedSchema { url: format!("{base}/{name}/schema.graphql"), sha256: version.digest().sha256.clone() },
    }
}

impl Version {
    /// `GET /partner/api/<version>/schema.graphql`: the file itself (decisions H9).
    pub fn schema(&self, headers: &HeaderMap) -> Answer {
        let etag = &self.digest().etag;
        let answer = if is_known_to_caller(headers, etag) {
            Answer::not_modified()
        } else {
            Answer::new(StatusCode::OK, "text/plain; charset=utf-8", self.engine.sdl())
        };
        // To be kept, and asked for again by its tag: `no-store` would make the tag useless.
        answer.with(ETAG, etag.clone()).with(CACHE_CONTROL, HeaderValue::from_static("no-cache"))
    }

    /// Worked out when it is first asked for: that reads the whole schema, which nobody may need.
    fn digest(&self) -> &Digest {
        self.digest.get_or_init(|| {
            let sha256 = lower_hex(&Sha256::digest(self.engine.sdl()));
            Digest { etag: visible(format!("\"{sha256}\"")), sha256 }
        })
    }

    /// Says which version answered, and that it ends where that is so.
    pub fn sign(&self, headers: &mut HeaderMap) {
        headers.extend(self.now.load().headers.iter().map(|(name, value)| (Some(name.clone()), value.clone())));
    }
}

/// RFC 9745 for `Deprecation`, RFC 8594 for `Sunset`, RFC 8288 for `Link`.
fn headers(life: &VersionLife, successor: Option<&str>, public_base: &str) -> Vec<(HeaderName, HeaderValue)> {
    let mut headers = vec![(API_VERSION, HeaderValue::from_static(life.name))];
    let Some(deprecated) = life.deprecated else { return headers };
    headers.push((DEPRECATION, visible(format!("@{}", midnight(deprecated).timestamp()))));
    let page = life.link.as_ref().map_or_else(|| format!("{public_base}/docs/{}", life.name), ToString::to_string);
    let mut links = vec![format!("<{page}>; rel=\"deprecation\"")];
    if let Some(sunset) = life.sunset {
        headers.push((SUNSET, visible(midnight(sunset).format("%a, %d %b %Y %H:%M:%S GMT").to_string())));
        links.push(format!("<{page}>; rel=\"sunset\""));
    }
    links.extend(successor.map(|next| format!("<{public_base}{API}/{next}/graphql>; rel=\"successor-version\"")));
    headers.push((LINK, visible(links.join(", "))));
    headers
}

/// The start of a day, in UTC.
fn midnight(day: NaiveDate) -> DateTime<Utc> {
    day.and_time(NaiveTime::MIN).and_utc()
}

/// A header value of the service's own making.
fn visible(text: String) -> HeaderValue {
    HeaderValue::try_from(text).expect("versions, days and the public address are visible ASCII")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn life(name: &'static str, stage: VersionStatus) -> VersionLife {
        let none = None;
        VersionLife { name, stage, published: none, deprecated: none, sunset: none, link: None, retired_at: None }
    }

    #[test]
    fn candidate_does_not_exist_for_a_live_key() {
        let versions = |stage| Versions::of("https://kaarten.example", 5, vec![life("2026-10", stage)]);
        let admitted =
            |versions: &Versions, mode| versions.admit(&versions.released[0], mode).map_err(|p| format!("{p:?}"));
        let published = versions(VersionStatus::Current);
        assert!(admitted(&published, KeyMode::Live).is_ok() && admitted(&published, KeyMode::Test).is_ok());
        let candidate = versions(VersionStatus::Candidate);
        assert!(admitted(&candidate, KeyMode::Test).is_ok());
        let refused = admitted(&candidate, KeyMode::Live).expect_err("it is no version yet");
        assert!(refused.contains("VERSION_NOT_FOUND"), "{refused}");
        // Nor is it named among those that there are.
        assert!(refused.contains("available: []"), "{refused}");
    }

    #[test]
    fn deprecated_version_says_since_when_until_when_and_what_then() {
        let day = |text: &str| Some(text.parse().expect("a day"));
        let deprecated = VersionLife {
            deprecated: day("2027-10-01"),
            sunset: day("2028-10-01"),
            ..life("2026-10", VersionStatus::Deprecated)
        };
        let headers = headers(&deprecated, Some("2027-01"), "https://kaarten.example");
        let shown: Vec<_> =
            headers.iter().map(|(name, value)| format!("{name}: {}", value.to_str().unwrap())).collect();
        assert_eq!(
            shown,
            [
                "x-service-api-version: 2026-10",
                "deprecation: @1822348800",
                "sunset: Sun, 01 Oct 2028 00:00:00 GMT",
                "link: <https://kaarten.example/docs/2026-10>; rel=\"deprecation\", \
                 <https://kaarten.example/docs/2026-10>; rel=\"sunset\", \
                 <https://kaarten.example/partner/api/2027-01/graphql>; rel=\"successor-version\"",
            ]
        );
    }
}

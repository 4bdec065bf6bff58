//! The versions of the API: finds the version of a path, lists all, and serves the SDL of each.
//!
//! Called by the router and by the handler of partner requests. A worker updates the status of the versions.
//! Source: specification, sections 7.3 and 9; decisions H2, H3, H9.

use std::sync::{Arc, OnceLock, PoisonError, RwLock};

use chrono::{DateTime, NaiveDate, NaiveTime, Utc};
use dated_graphql::{AnyEngine, Limits};
use http::header::{CACHE_CONTROL, ETAG, LINK};
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use serde::Serialize;
use sha2::{Digest as _, Sha256};

use super::api_error::ApiError;
use crate::base::lower_hex;
use crate::generated::{self, VersionInfo};
use crate::model::{KeyMode, VersionLife, VersionNotice, VersionStatus, path};
use crate::resolver::Context;
use crate::response::{self, Response, ResponseExt as _, is_known_to_caller};

const API_VERSION: HeaderName = HeaderName::from_static("x-service-api-version");
const DEPRECATION: HeaderName = HeaderName::from_static("deprecation");
const SUNSET: HeaderName = HeaderName::from_static("sunset");

/// Every version of the release, oldest first.
pub struct Versions {
    released: Vec<Version>,
    /// The address of the service, without a slash at its end.
    public_base: String,
}

/// A version of the release.
pub struct Version {
    pub name: &'static str,
    pub engine: Arc<dyn AnyEngine<Context>>,
    /// Its status in the release.
    released: VersionLife,
    /// Its current status, which the operator can change.
    now: RwLock<Arc<Now>>,
    digest: OnceLock<Digest>,
}

/// The SHA-256 of an SDL, and the entity tag made from it.
struct Digest {
    sha256: String,
    etag: HeaderValue,
}

/// The current status of a version.
struct Now {
    life: VersionLife,
    /// The headers of every response of this version.
    headers: Vec<(HeaderName, HeaderValue)>,
}

/// Returns the status of every version in the release, oldest first.
pub fn version_lives() -> Vec<VersionLife> {
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
    /// Makes the engines of all versions. `public_base` is the address of the service.
    pub fn new(public_base: &str) -> Self {
        Self::with_lives(public_base, version_lives())
    }

    fn with_lives(public_base: &str, lives: Vec<VersionLife>) -> Self {
        let engines = generated::engines(Limits::default());
        let versions = lives.into_iter().zip(engines).map(|(life, engine)| Version {
            name: life.name,
            engine,
            now: RwLock::new(Arc::new(Now { life: life.clone(), headers: vec![] })),
            released: life,
            digest: OnceLock::new(),
        });
        let versions = Self { released: versions.collect(), public_base: public_base.to_owned() };
        versions.follow(&[]);
        versions
    }

    /// Returns every version of the release with its SDL.
    pub fn sdls(&self) -> Vec<(VersionLife, &'static str)> {
        self.released.iter().map(|version| (version.released.clone(), version.engine.sdl())).collect()
    }

    /// Updates the status of every version from the notices of the operator.
    pub fn follow(&self, notices: &[VersionNotice]) {
        let lives: Vec<_> =
            self.released.iter().map(|version| version.released.clone().with_notices(notices)).collect();
        for (at, (version, life)) in self.released.iter().zip(&lives).enumerate() {
            let successor = lives[at + 1..].iter().find(|next| is_published(next)).map(|next| next.name);
            let headers = headers(life, successor, &self.public_base);
            *version.now.write().unwrap_or_else(PoisonError::into_inner) =
                Arc::new(Now { life: life.clone(), headers });
        }
    }

    /// Returns the version with this name.
    ///
    /// # Errors
    /// 404 if the version is unknown or retired.
    pub fn find(&self, name: &str) -> Result<&Version, ApiError> {
        let version = self.released.iter().find(|version| version.name == name).ok_or_else(|| self.unknown(name))?;
        match version.now().life.retired_at {
            None => Ok(version),
            Some(timestamp) => Err(ApiError::version_retired(version.name, timestamp, self.available())),
        }
    }

    /// Checks that a caller may use a version. `mode` is the mode of its key, if it has a valid one.
    ///
    /// # Errors
    /// 404 for a candidate, which answers test keys only.
    pub fn require_visible(&self, version: &Version, mode: Option<KeyMode>) -> Result<(), ApiError> {
        let is_candidate = version.released.stage == VersionStatus::Candidate;
        match is_candidate && mode != Some(KeyMode::Test) {
            true => Err(ApiError::version_is_candidate(version.name, self.available())),
            false => Ok(()),
        }
    }

    fn unknown(&self, name: &str) -> ApiError {
        ApiError::version_not_found(name, self.available())
    }

    /// The names of the published versions, oldest first.
    pub fn available(&self) -> Vec<&'static str> {
        let published = self.released.iter().filter(|version| is_published(&version.now().life));
        published.map(|version| version.name).collect()
    }

    /// `GET /partner/api/versions`.
    pub fn list(&self) -> Response {
        let versions = self.released.iter().map(|version| describe(version, &self.public_base)).collect();
        let list = List { latest: self.available().last().copied(), versions };
        let list = serde_json::to_vec(&list).expect("texts can be written");
        response::new(StatusCode::OK, "application/json; charset=utf-8", list)
    }
}

/// Whether a version is open to live keys.
fn is_published(life: &VersionLife) -> bool {
    matches!(life.stage, VersionStatus::Current | VersionStatus::Deprecated)
}

/// The list of all versions. Fields are written in this order.
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

fn describe(version: &Version, base: &str) -> Listed {
    let (name, now) = (version.name, version.now());
    let day = |day: Option<NaiveDate>| day.map(|day| day.to_string());
    Listed {
        name,
        status: now.life.stage.as_str(),
        published: day(now.life.published),
        deprecated: day(now.life.deprecated),
        sunset: day(now.life.sunset),
        endpoint: [base, &path::graphql(name)].concat(),
        schema: ListedSchema { url: [base, &path::schema(name)].concat(), sha256: version.digest().sha256.clone() },
    }
}

impl Version {
    fn now(&self) -> Arc<Now> {
        Arc::clone(&self.now.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// `GET /partner/api/<version>/schema.graphql`: the file itself.
    pub fn schema(&self, headers: &HeaderMap) -> Response {
        let etag = &self.digest().etag;
        let response = if is_known_to_caller(headers, etag) {
            response::empty(StatusCode::NOT_MODIFIED)
        } else {
            response::new(StatusCode::OK, "text/plain; charset=utf-8", self.engine.sdl())
        };
        // May be cached if it is revalidated: `no-store` would make the tag useless.
        response.with(ETAG, etag.clone()).with(CACHE_CONTROL, HeaderValue::from_static("no-cache"))
    }

    /// The digest, computed at its first use.
    fn digest(&self) -> &Digest {
        self.digest.get_or_init(|| {
            let sha256 = lower_hex(&Sha256::digest(self.engine.sdl()));
            Digest { etag: header_value(format!("\"{sha256}\"")), sha256 }
        })
    }

    /// Adds the name of the version, and its deprecation and sunset if it has them.
    pub fn add_headers(&self, headers: &mut HeaderMap) {
        headers.extend(self.now().headers.iter().map(|(name, value)| (Some(name.clone()), value.clone())));
    }
}

/// RFC 9745 for `Deprecation`, RFC 8594 for `Sunset`, RFC 8288 for `Link`.
fn headers(life: &VersionLife, successor: Option<&str>, public_base: &str) -> Vec<(HeaderName, HeaderValue)> {
    let mut headers = vec![(API_VERSION, HeaderValue::from_static(life.name))];
    let Some(deprecated) = life.deprecated else { return headers };
    headers.push((DEPRECATION, header_value(format!("@{}", midnight(deprecated).timestamp()))));
    let page =
        life.link.as_ref().map_or_else(|| [public_base, &path::reference(life.name)].concat(), ToString::to_string);
    let mut links = vec![format!("<{page}>; rel=\"deprecation\"")];
    if let Some(sunset) = life.sunset {
        headers.push((SUNSET, header_value(midnight(sunset).format("%a, %d %b %Y %H:%M:%S GMT").to_string())));
        links.push(format!("<{page}>; rel=\"sunset\""));
    }
    links.extend(successor.map(|next| format!("<{public_base}{}>; rel=\"successor-version\"", path::graphql(next))));
    headers.push((LINK, header_value(links.join(", "))));
    headers
}

/// The start of a day, in UTC.
fn midnight(day: NaiveDate) -> DateTime<Utc> {
    day.and_time(NaiveTime::MIN).and_utc()
}

fn header_value(text: String) -> HeaderValue {
    HeaderValue::try_from(text).expect("versions, days and the public address are visible ASCII")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::limits;

    fn life(name: &'static str, stage: VersionStatus) -> VersionLife {
        let none = None;
        VersionLife { name, stage, published: none, deprecated: none, sunset: none, link: None, retired_at: None }
    }

    #[test]
    fn notice_is_the_same_for_the_release_and_for_the_operator() {
        let file: toml::Table = include_str!("../../schema/versions.toml").parse().expect("TOML");
        let months = file.get("notice_months").and_then(toml::Value::as_integer).unwrap_or(6);
        assert_eq!(months, i64::from(limits::VERSION_NOTICE_MONTHS));
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

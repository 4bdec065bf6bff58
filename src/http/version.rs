//! The versions of the API: the one a path names, the list of all, and the text of each schema.
//!
//! Called by the router and by the walk of a partner request. Source: specification, sections 7.3 and 9; decisions H2,
//! H3, H9.

use std::fmt::Write as _;
use std::sync::Arc;

use bytes::Bytes;
use chrono::{DateTime, NaiveDate, NaiveTime, Utc};
use http::header::{CACHE_CONTROL, ETAG, LINK};
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use serde::Serialize;
use sha2::{Digest as _, Sha256};

use super::answer::{self, Answer};
use super::problem::Problem;
use crate::generated::{self, VersionInfo, VersionStatus};
use crate::graphql::{AnyEngine, Limits};
use crate::model::KeyMode;
use crate::resolver::Context;

const API_VERSION: HeaderName = HeaderName::from_static("x-service-api-version");
const DEPRECATION: HeaderName = HeaderName::from_static("deprecation");
const SUNSET: HeaderName = HeaderName::from_static("sunset");

/// Every version that is served, oldest first.
pub struct Versions {
    served: Vec<Version>,
    /// The body of the list, which never changes while the process runs.
    list: Bytes,
}

/// A version that is served.
pub struct Version {
    pub name: &'static str,
    pub engine: Arc<dyn AnyEngine<Context>>,
    /// Not published yet: only test keys see it.
    candidate: bool,
    /// What every answer of this version carries (decisions H2).
    headers: Vec<(HeaderName, HeaderValue)>,
    /// Of the schema: its SHA-256.
    etag: HeaderValue,
}

impl Versions {
    /// Makes the engines of all versions; `public_base` is where the world reaches them.
    pub fn new(public_base: &str) -> Self {
        let base = format!("{public_base}/partner/api");
        let (infos, engines) = (generated::VERSIONS, generated::engines(Limits::default()));
        let mut served = Vec::new();
        let mut versions = Vec::new();
        for (at, (info, engine)) in infos.iter().zip(engines).enumerate() {
            let sha256 = hex(&Sha256::digest(engine.sdl()));
            let successor = infos.get(at + 1).filter(|next| !is_candidate(next)).map(|next| next.name);
            let headers = headers(info, successor, &base);
            let etag = visible(format!("\"{sha256}\""));
            versions.push(listed(info, sha256, &base));
            served.push(Version { name: info.name, engine, candidate: is_candidate(info), headers, etag });
        }
        let latest = infos.iter().rfind(|info| !is_candidate(info)).map(|info| info.name);
        let list = List { latest, versions };
        let list = serde_json::to_vec(&list).expect("texts can be written").into();
        Self { served, list }
    }

    /// The version that a path names (decisions H3).
    pub fn find(&self, name: &str) -> Result<&Version, Problem> {
        self.served.iter().find(|version| version.name == name).ok_or_else(|| self.unknown(name))
    }

    /// Lets a key use a version: to a live key a candidate is a version that does not exist.
    pub fn admit(&self, version: &Version, mode: KeyMode) -> Result<(), Problem> {
        if version.candidate && mode == KeyMode::Live { Err(self.unknown(version.name)) } else { Ok(()) }
    }

    fn unknown(&self, name: &str) -> Problem {
        let published = self.served.iter().filter(|version| !version.candidate);
        Problem::version_not_found(name, published.map(|version| version.name).collect())
    }

    /// `GET /partner/api/versions`.
    pub fn list(&self) -> Answer {
        Answer::new(StatusCode::OK, "application/json; charset=utf-8", self.list.clone())
    }
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
    published: Option<&'static str>,
    deprecated: Option<&'static str>,
    sunset: Option<&'static str>,
    endpoint: String,
    schema: ListedSchema,
}

#[derive(Serialize)]
struct ListedSchema {
    url: String,
    sha256: String,
}

fn listed(info: &VersionInfo, sha256: String, base: &str) -> Listed {
    Listed {
        name: info.name,
        status: match info.status {
            VersionStatus::Candidate => "candidate",
            VersionStatus::Current => "current",
            VersionStatus::Deprecated => "deprecated",
        },
        published: info.published,
        deprecated: info.deprecated,
        sunset: info.sunset,
        endpoint: format!("{base}/{}/graphql", info.name),
        schema: ListedSchema { url: format!("{base}/{}/schema.graphql", info.name), sha256 },
    }
}

fn is_candidate(info: &VersionInfo) -> bool {
    info.status == VersionStatus::Candidate
}

impl Version {
    /// `GET /partner/api/<version>/schema.graphql`: the file itself (decisions H9).
    pub fn schema(&self, headers: &HeaderMap) -> Answer {
        let answer = if answer::is_known_to_caller(headers, &self.etag) {
            Answer::not_modified()
        } else {
            Answer::new(StatusCode::OK, "text/plain; charset=utf-8", self.engine.sdl())
        };
        // To be kept, and asked for again by its tag: `no-store` would make the tag useless.
        answer.with(ETAG, self.etag.clone()).with(CACHE_CONTROL, HeaderValue::from_static("no-cache"))
    }

    /// Says which version answered, and that it ends where that is so.
    pub fn sign(&self, headers: &mut HeaderMap) {
        headers.extend(self.headers.iter().map(|(name, value)| (Some(name.clone()), value.clone())));
    }
}

/// RFC 9745 for `Deprecation`, RFC 8594 for `Sunset`, RFC 8288 for `Link`.
fn headers(info: &VersionInfo, successor: Option<&str>, base: &str) -> Vec<(HeaderName, HeaderValue)> {
    let mut headers = vec![(API_VERSION, HeaderValue::from_static(info.name))];
    let Some(deprecated) = info.deprecated else { return headers };
    headers.push((DEPRECATION, visible(format!("@{}", midnight(deprecated).timestamp()))));
    let mut links = vec![format!("<{base}/versions>; rel=\"deprecation\"")];
    if let Some(sunset) = info.sunset {
        headers.push((SUNSET, visible(midnight(sunset).format("%a, %d %b %Y %H:%M:%S GMT").to_string())));
        links.push(format!("<{base}/versions>; rel=\"sunset\""));
    }
    links.extend(successor.map(|next| format!("<{base}/{next}/graphql>; rel=\"successor-version\"")));
    headers.push((LINK, visible(links.join(", "))));
    headers
}

/// The start of a day, in UTC.
fn midnight(day: &str) -> DateTime<Utc> {
    let day: NaiveDate = day.parse().expect("the build lets days alone through");
    day.and_time(NaiveTime::MIN).and_utc()
}

/// A header value of the service's own making.
fn visible(text: String) -> HeaderValue {
    HeaderValue::try_from(text).expect("versions, days and the public address are visible ASCII")
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        write!(text, "{byte:02x}").expect("a string takes all");
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn candidate_does_not_exist_for_a_live_key() {
        let mut versions = Versions::new("https://kaarten.example");
        let published = &versions.served[0];
        assert!(versions.admit(published, KeyMode::Live).is_ok() && versions.admit(published, KeyMode::Test).is_ok());
        versions.served[0].candidate = true;
        let candidate = &versions.served[0];
        assert!(versions.admit(candidate, KeyMode::Test).is_ok());
        let refused = format!("{:?}", versions.admit(candidate, KeyMode::Live).expect_err("it is no version yet"));
        assert!(refused.contains("VERSION_NOT_FOUND"), "{refused}");
        // Nor is it named among those that there are.
        assert!(refused.contains("available: []"), "{refused}");
    }

    #[test]
    fn deprecated_version_says_since_when_until_when_and_what_then() {
        let info = VersionInfo {
            name: "2026-10",
            status: VersionStatus::Deprecated,
            published: Some("2026-10-01"),
            deprecated: Some("2027-10-01"),
            sunset: Some("2028-10-01"),
        };
        let headers = headers(&info, Some("2027-01"), "https://kaarten.example/partner/api");
        let shown: Vec<_> =
            headers.iter().map(|(name, value)| format!("{name}: {}", value.to_str().unwrap())).collect();
        assert_eq!(
            shown,
            [
                "x-service-api-version: 2026-10",
                "deprecation: @1822348800",
                "sunset: Sun, 01 Oct 2028 00:00:00 GMT",
                "link: <https://kaarten.example/partner/api/versions>; rel=\"deprecation\", \
                 <https://kaarten.example/partner/api/versions>; rel=\"sunset\", \
                 <https://kaarten.example/partner/api/2027-01/graphql>; rel=\"successor-version\"",
            ]
        );
    }
}

//! The versions of the API: the one a path names, the list of all, and the text of each schema.
//!
//! Called by the router and by the walk of a partner request. Source: specification, sections 7.3 and 9; decisions H2,
//! H3, H9.

use std::fmt::Write as _;
use std::sync::Arc;

use bytes::Bytes;
use http::header::{CACHE_CONTROL, ETAG};
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use serde_json::json;
use sha2::{Digest as _, Sha256};

use super::answer::{self, Answer};
use super::problem::Problem;
use crate::generated::{self, VersionInfo, VersionStatus};
use crate::graphql::{AnyEngine, Limits};
use crate::resolver::Context;

const API_VERSION: HeaderName = HeaderName::from_static("x-service-api-version");

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
    /// Of the schema: its SHA-256.
    etag: HeaderValue,
}

impl Versions {
    /// Makes the engines of all versions; `public_base` is where the world reaches them.
    pub fn new(public_base: &str) -> Self {
        let engines = generated::engines(Limits::default());
        let (served, listed): (Vec<_>, Vec<_>) = generated::VERSIONS
            .iter()
            .zip(engines)
            .map(|(info, engine)| {
                let sha256 = hex(&Sha256::digest(engine.sdl()));
                let listed = listed(info, &sha256, public_base);
                let etag = HeaderValue::try_from(format!("\"{sha256}\"")).expect("digits are visible ASCII");
                (Version { name: info.name, engine, etag }, listed)
            })
            .unzip();
        let latest = generated::VERSIONS.last().map(|info| info.name);
        let list = json!({ "latest": latest, "versions": listed }).to_string().into();
        Self { served, list }
    }

    /// The version that a path names (decisions H3).
    pub fn find(&self, name: &str) -> Result<&Version, Problem> {
        self.served.iter().find(|version| version.name == name).ok_or_else(|| {
            let available = self.served.iter().map(|version| version.name).collect();
            Problem::version_not_found(name, available)
        })
    }

    /// `GET /partner/api/versions`.
    pub fn list(&self) -> Answer {
        Answer::new(StatusCode::OK, "application/json; charset=utf-8", self.list.clone())
    }
}

/// A version in the list of all.
fn listed(info: &VersionInfo, sha256: &str, public_base: &str) -> serde_json::Value {
    let base = format!("{public_base}/partner/api/{}", info.name);
    let status = match info.status {
        VersionStatus::Current => "current",
        VersionStatus::Deprecated => "deprecated",
    };
    json!({
        "name": info.name,
        "status": status,
        "published": info.published,
        "endpoint": format!("{base}/graphql"),
        "schema": { "url": format!("{base}/schema.graphql"), "sha256": sha256 },
    })
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

    /// Says which version answered (decisions H2).
    pub fn sign(&self, headers: &mut HeaderMap) {
        headers.insert(API_VERSION, HeaderValue::from_static(self.name));
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        write!(text, "{byte:02x}").expect("a string takes all");
        text
    })
}

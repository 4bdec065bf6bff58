//! What the hand-written server reads of a request, and how it writes the answers.

use base64::Engine as _;
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use uuid::Uuid;

use crate::database::PUBLIC_BASE;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RequestBody<'a> {
    pub operation_name: &'a str,
    #[serde(borrow)]
    pub variables: Variables<'a>,
}

#[derive(Deserialize)]
pub(crate) struct Variables<'a> {
    id: Option<&'a str>,
    first: Option<i64>,
    input: Option<CreateInput>,
}

impl Variables<'_> {
    pub(crate) fn card_id(self) -> Uuid {
        let id = self.id.expect("an id").strip_prefix("gid://service/Card/").expect("the id of a card");
        Uuid::parse_str(id).expect("an id")
    }

    pub(crate) fn first(self) -> i64 {
        self.first.expect("a page size")
    }

    pub(crate) fn input(self) -> CreateInput {
        self.input.expect("an input")
    }
}

#[derive(Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CreateInput {
    pub external_dossier_id: String,
    pub deceased: CreateDeceased,
}

#[derive(Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CreateDeceased {
    pub first_name: String,
    pub last_name: String,
    pub date_of_birth: chrono::NaiveDate,
}

/// A card to create.
pub(crate) struct NewCard {
    pub id: Uuid,
    pub event_id: Uuid,
    pub at: DateTime<Utc>,
    pub input: CreateInput,
    pub key: Option<Key>,
}

/// The idempotency key of a request, its fingerprint, and the digest of its input.
#[derive(Clone)]
pub(crate) struct Key {
    pub text: String,
    pub fingerprint: [u8; 32],
    pub input: [u8; 32],
}

impl NewCard {
    pub(crate) fn new(input: CreateInput, key: Option<String>, body: &[u8]) -> Self {
        let ms = std::time::UNIX_EPOCH.elapsed().expect("after 1970").as_millis();
        let ms = i64::try_from(ms).expect("in range");
        let random = || {
            let mut bytes = [0; 10];
            getrandom::fill(&mut bytes).expect("random bytes");
            uuid::Builder::from_unix_timestamp_millis(u64::try_from(ms).expect("after 1970"), &bytes).into_uuid()
        };
        let key = key.map(|text| Key {
            text,
            fingerprint: Sha256::digest(body).into(),
            input: Sha256::digest(serde_json::to_vec(&input).expect("JSON")).into(),
        });
        let at = DateTime::from_timestamp_millis(ms).expect("in range");
        Self { id: random(), event_id: random(), at, input, key }
    }

    pub(crate) fn answer(&self) -> Vec<u8> {
        let mut json = Json::new();
        json.raw(r#"{"data":{"cardCreate":{"card":{"id":"gid://service/Card/"#).display(self.id);
        json.raw(r#"","externalDossierId":"#).value(&self.input.external_dossier_id);
        json.raw(r#","status":"DRAFT","test":false,"createdAt":"#).time(self.at).raw(r#"},"userErrors":[]}}}"#);
        json.0
    }
}

/// The columns of a card that the answer holds.
pub(crate) struct Card<'a> {
    pub id: Uuid,
    pub external_dossier_id: &'a str,
    pub external_funeral_director_id: Option<&'a str>,
    pub first_name: Option<&'a str>,
    pub last_name: Option<&'a str>,
    pub date_of_birth: Option<&'a str>,
    pub date_of_death: Option<&'a str>,
    pub livestream_url: Option<&'a str>,
    pub family_name: Option<&'a str>,
    pub family_email: Option<&'a str>,
    pub status: &'a str,
    pub test: bool,
    pub created_at: DateTime<Utc>,
    pub updated_at: DateTime<Utc>,
}

impl Card<'_> {
    /// `cardUrl` is null: the workload creates drafts.
    pub(crate) fn answer(&self) -> Vec<u8> {
        let mut json = Json::new();
        json.raw(r#"{"data":{"card":{"id":"gid://service/Card/"#).display(self.id);
        json.raw(r#"","externalDossierId":"#).value(self.external_dossier_id);
        json.raw(r#","externalFuneralDirectorId":"#).value(self.external_funeral_director_id);
        json.raw(r#","deceased":{"firstName":"#).value(self.first_name);
        json.raw(r#","lastName":"#).value(self.last_name);
        json.raw(r#","dateOfBirth":"#).value(self.date_of_birth);
        json.raw(r#","dateOfDeath":"#).value(self.date_of_death);
        json.raw(r#"},"livestreamUrl":"#).value(self.livestream_url);
        json.raw(r#","familyContact":{"name":"#).value(self.family_name);
        json.raw(r#","email":"#).value(self.family_email);
        json.raw(r#"},"status":"#).value(self.status);
        json.raw(r#","cardUrl":null,"test":"#).value(self.test);
        json.raw(r#","createdAt":"#).time(self.created_at);
        json.raw(r#","updatedAt":"#).time(self.updated_at).raw("}}}");
        json.0
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Image<'a> {
    key: &'a str,
    alt_text: Option<&'a str>,
}

/// The answer with a page of themes, written row by row.
pub(crate) struct Themes {
    json: Json,
    first: i64,
    count: i64,
    /// Position and number of the last theme.
    last: Option<(i64, i64)>,
    has_next: bool,
}

/// The columns of a theme that the answer holds.
pub(crate) struct Theme<'a> {
    pub id: Uuid,
    pub number: i64,
    pub handle: &'a str,
    pub title: &'a str,
    pub images: &'a str,
    pub position: i64,
}

impl Themes {
    pub(crate) fn new(first: i64) -> Self {
        let mut json = Json::new();
        json.raw(r#"{"data":{"themes":{"nodes":["#);
        Self { json, first, count: 0, last: None, has_next: false }
    }

    pub(crate) fn add(&mut self, theme: &Theme<'_>) {
        if self.count == self.first {
            self.has_next = true;
            return;
        }
        let comma = |n: usize| if n == 0 { "" } else { "," };
        self.json.raw(comma(self.count as usize)).raw(r#"{"id":"gid://service/Theme/"#).display(theme.id);
        self.json
            .raw(r#"","title":"#)
            .value(theme.title)
            .raw(r#","handle":"#)
            .value(theme.handle)
            .raw(r#","images":["#);
        let images: Vec<Image<'_>> = serde_json::from_str(theme.images).expect("JSON");
        for (n, image) in images.iter().enumerate() {
            self.json.raw(comma(n)).raw(r#"{"url":""#).raw(PUBLIC_BASE).raw("/media/theme/").raw(image.key);
            self.json.raw(r#"","altText":"#).value(image.alt_text).raw("}");
        }
        self.json.raw("]}");
        self.count += 1;
        self.last = Some((theme.position, theme.number));
    }

    pub(crate) fn answer(mut self) -> Vec<u8> {
        let cursor = self.last.map(|(position, number)| {
            let bytes = [&[1, b't'][..], &position.to_be_bytes(), &number.to_be_bytes()].concat();
            base64::engine::general_purpose::URL_SAFE_NO_PAD.encode(bytes)
        });
        self.json.raw(r#"],"pageInfo":{"hasNextPage":"#).value(self.has_next);
        self.json.raw(r#","endCursor":"#).value(cursor).raw("}}}}");
        self.json.0
    }
}

/// JSON that is being written.
struct Json(Vec<u8>);

impl Json {
    fn new() -> Self {
        Self(Vec::with_capacity(1024))
    }

    fn raw(&mut self, text: &str) -> &mut Self {
        self.0.extend_from_slice(text.as_bytes());
        self
    }

    fn value(&mut self, value: impl Serialize) -> &mut Self {
        serde_json::to_writer(&mut self.0, &value).expect("memory");
        self
    }

    fn display(&mut self, value: impl std::fmt::Display) -> &mut Self {
        std::io::Write::write_fmt(&mut self.0, format_args!("{value}")).expect("memory");
        self
    }

    fn time(&mut self, at: DateTime<Utc>) -> &mut Self {
        self.raw("\"").display(at.format("%Y-%m-%dT%H:%M:%S%.3fZ")).raw("\"")
    }
}

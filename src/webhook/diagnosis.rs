//! Finds out why a signature does not match: repeats the common mistakes of receivers, and reports those that make it match.
//!
//! Called by `webhook verify`. It finds an old timestamp, a secret that was not decoded, a line break at the end of the body,
//! JSON that was serialised again, an id or timestamp of another request, and a malformed header.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;

use super::body_variants::bodies;
use super::signature::{ID_HEADER, SIGNATURE_HEADER, SignatureError, SignedRequest, TIMESTAMP_HEADER};
use super::signature::{check_age, is_same, mac};
use crate::base::limits::{SIGNATURE_SEARCH, SIGNATURE_SEARCH_BODY_BYTES_MAX};
use crate::base::text_enum;
use crate::model::SigningSecret;

/// The part of a signed notification that is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The signing secret, or its decoding.
    Secret,
    /// `webhook-id`.
    Id,
    /// `webhook-timestamp`.
    Timestamp,
    /// The bytes that were signed.
    Body,
    /// The form of `webhook-signature`.
    Header,
    /// The secret or the body.
    Unknown,
}

// The names in the JSON of `webhook verify`.
text_enum!(Part {
    Secret => "secret",
    Id => "id",
    Timestamp => "timestamp",
    Body => "body",
    Header => "header",
    Unknown => "unknown",
});

/// Something that is wrong, for the receiver's developer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The part that is wrong.
    pub part: Part,
    /// What is wrong and how to mend it, in English sentences.
    pub message: String,
}

impl Finding {
    pub(super) fn new(part: Part, message: impl Into<String>) -> Self {
        Self { part, message: message.into() }
    }
}

/// A value to try, and what is wrong if it makes the signature match; `None` for the given value.
pub(super) type Try<T> = (T, Option<Finding>);

const NO_SCHEME: &str = "A signature begins with v1, and a comma: this one does not.";

/// Returns what is wrong with a notification; nothing if it is genuine. Without `now_seconds`, its age is not checked.
pub fn inspect(secret: &SigningSecret, request: &SignedRequest<'_>, now_seconds: Option<i64>) -> Vec<Finding> {
    let (signatures, mut findings) = signatures_in(request.signature);
    for (name, value) in [(ID_HEADER, request.id), (TIMESTAMP_HEADER, request.timestamp)] {
        if value.is_empty() {
            findings.push(Finding::new(Part::Header, format!("{name} is empty.")));
        }
    }
    if !signatures.is_empty() {
        findings.extend(diagnose(secret, request, &signatures).unwrap_or_else(|| vec![unknown(request.body)]));
    }
    let age = now_seconds.and_then(|now| check_age(request.timestamp, now).err());
    findings.extend(age.filter(|_| !request.timestamp.is_empty()).map(age_finding));
    findings
}

/// Returns what is wrong with a signature that the receiver's own code computed; nothing if it is right.
pub fn inspect_computed(secret: &SigningSecret, request: &SignedRequest<'_>, computed: &str) -> Vec<Finding> {
    let (signatures, mut findings) = signatures_in(computed);
    if signatures.is_empty() {
        return findings;
    }
    // Code that computes a signature may leave out the scheme.
    findings.retain(|finding| finding.message != NO_SCHEME);
    findings.extend(diagnose(secret, request, &signatures).unwrap_or_else(|| {
        let message = "Your code signs something else, in a way that is not known here. It should be HMAC-SHA256 under the \
                       decoded secret, over webhook-id, a dot, webhook-timestamp, a dot, and the raw body.";
        vec![Finding::new(Part::Unknown, message)]
    }));
    findings
}

/// Returns the signatures of a header, and what is wrong with its form.
fn signatures_in(header: &str) -> (Vec<Vec<u8>>, Vec<Finding>) {
    let (mut signatures, mut messages) = (Vec::new(), Vec::new());
    if header.trim().is_empty() {
        messages.push(format!("{SIGNATURE_HEADER} is empty."));
    }
    for part in header.split_whitespace() {
        let encoded = match part.split_once(',') {
            Some(("v1", encoded)) => encoded,
            Some((scheme, _)) if scheme.starts_with('v') => continue,
            _ => {
                messages.push(NO_SCHEME.to_owned());
                part
            }
        };
        match STANDARD.decode(encoded) {
            Ok(bytes) if bytes.len() == 32 => signatures.push(bytes),
            _ => messages.push(
                "The signature is cut off, or is not in base64: 32 bytes are 44 characters, and end in =.".to_owned(),
            ),
        }
    }
    if signatures.is_empty() && messages.is_empty() {
        messages.push(format!("{SIGNATURE_HEADER} holds only signatures of another scheme than v1."));
    }
    messages.dedup();
    (signatures, messages.into_iter().map(|message| Finding::new(Part::Header, message)).collect())
}

/// Returns the fewest mistakes that make one of `signatures` match: none if it matches as it is, and `None` if no known
/// mistake does.
fn diagnose(secret: &SigningSecret, request: &SignedRequest<'_>, signatures: &[Vec<u8>]) -> Option<Vec<Finding>> {
    let matches = |key: &[u8], id: &str, timestamp: &str, body: &[u8]| {
        let own = mac(key, &[id, ".", timestamp, "."], body);
        signatures.iter().any(|signature| is_same(signature, &own))
    };
    let text = secret.reveal();
    let (keys, bodies) = (keys(secret, &text), bodies(request.body));
    let mut fewest: Option<Vec<Finding>> = None;
    for (id, id_finding) in ids(request) {
        for (timestamp, timestamp_finding) in timestamps(request.timestamp) {
            for (key, key_finding) in &keys {
                for (body, body_finding) in &bodies {
                    let findings = [&id_finding, &timestamp_finding, key_finding, body_finding];
                    let findings: Vec<_> = findings.into_iter().flatten().cloned().collect();
                    let is_better = fewest.as_ref().is_none_or(|fewest| findings.len() < fewest.len());
                    if is_better && matches(key, &id, &timestamp, body) {
                        fewest = Some(findings);
                    }
                }
            }
        }
    }
    fewest.or_else(|| {
        let is_signed = |seconds: &i64| matches(secret.key(), request.id, &seconds.to_string(), request.body);
        let nearby = nearby(request.timestamp).filter(|_| request.body.len() <= SIGNATURE_SEARCH_BODY_BYTES_MAX);
        let seconds = nearby.into_iter().flatten().find(is_signed)?;
        let message = format!(
            "{TIMESTAMP_HEADER} is of another attempt: {seconds} was signed. The id of a notification stays the same when it \
             is sent again, and its timestamp does not; take all three headers from one request."
        );
        Some(vec![Finding::new(Part::Timestamp, message)])
    })
}

fn keys<'a>(secret: &'a SigningSecret, text: &'a str) -> [Try<&'a [u8]>; 3] {
    let length = secret.key().len();
    let message =
        format!("The key was the text of the secret. Decode what follows whsec_ from base64: {length} bytes.");
    let finding = Some(Finding::new(Part::Secret, message));
    let undecoded = text.strip_prefix("whsec_").unwrap_or(text);
    [(secret.key(), None), (text.as_bytes(), finding.clone()), (undecoded.as_bytes(), finding)]
}

fn ids(request: &SignedRequest<'_>) -> Vec<Try<String>> {
    let mut ids = vec![(request.id.to_owned(), None)];
    let body: Option<Value> = serde_json::from_slice(request.body).ok();
    if let Some(id) = body.as_ref().and_then(|body| body.get("id")?.as_str()).filter(|id| *id != request.id) {
        let message = format!("{ID_HEADER} is of another notification: the one that was signed is in the body, {id}.");
        ids.push((id.to_owned(), Some(Finding::new(Part::Id, message))));
    }
    ids
}

fn timestamps(given: &str) -> Vec<Try<String>> {
    let mut timestamps = vec![(given.to_owned(), None)];
    if let Ok(milliseconds) = given.parse::<i64>() {
        let seconds = milliseconds / 1_000;
        let message =
            format!("{TIMESTAMP_HEADER} is in milliseconds: {seconds} was signed. Use the header as it arrived.");
        timestamps.push((seconds.to_string(), Some(Finding::new(Part::Timestamp, message))));
    }
    timestamps
}

/// Returns the seconds around a timestamp, to find the one of another attempt.
fn nearby(timestamp: &str) -> Option<impl Iterator<Item = i64> + use<>> {
    let distance = i64::try_from(SIGNATURE_SEARCH.as_secs()).ok()?;
    let given: i64 = timestamp.parse().ok()?;
    Some(given.checked_sub(distance)?..=given.checked_add(distance)?)
}

fn unknown(body: &[u8]) -> Finding {
    if body.is_empty() {
        let message = "The body at hand is empty: something else had read the request before it was kept.";
        return Finding::new(Part::Body, message);
    }
    let message = "The secret is another one, or the body was changed. Compare the fingerprint of the secret with the one \
                   that the operator sees (webhook secret list), and keep the body byte for byte as it arrived, before \
                   anything parses it.";
    Finding::new(Part::Unknown, message)
}

fn age_finding(error: SignatureError) -> Finding {
    let message = match error {
        SignatureError::TooOld(seconds) => format!(
            "{TIMESTAMP_HEADER} is {} old, and a receiver should refuse what is older than 5 minutes: it may be \
             a replay. For a notification that you kept, use --ignore-age. For a fresh one, set your clock.",
            duration(seconds)
        ),
        SignatureError::FromTheFuture(seconds) => format!(
            "{TIMESTAMP_HEADER} lies {} ahead. It counts seconds since 1970; if it does, set your clock.",
            duration(seconds)
        ),
        _ => format!("{TIMESTAMP_HEADER} is not a number of seconds since 1970."),
    };
    Finding::new(Part::Timestamp, message)
}

/// Returns a duration in the largest unit of which there are at least two.
fn duration(seconds: u64) -> String {
    let units = [("days", 86_400), ("hours", 3_600), ("minutes", 60)];
    let unit = units.into_iter().find(|(_, length)| seconds >= 2 * length);
    unit.map_or_else(|| format!("{seconds} seconds"), |(name, length)| format!("{} {name}", seconds / length))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Entropy;
    use crate::webhook::body_variants::{Order, Ordered};
    use crate::webhook::signature::{sign, verify};

    const ID: &str = "evt_01JD0000000000000000000000";
    const SIGNED_AT: i64 = 1_732_044_535;
    const TIMESTAMP: &str = "1732044535";
    /// Contains what JSON libraries write in different ways: a slash, a letter beyond ASCII, fields that are not sorted.
    const BODY: &str = concat!(
        r#"{"id":"evt_01JD0000000000000000000000","type":"cards/ordered","test":false,"sequence":3,"changedFields":["status"],"#,
        r#""data":{"card":{"id":"gid://service/Card/1","externalDossierId":"Één d'A","cardUrl":null}}}"#
    );

    fn secret() -> SigningSecret {
        SigningSecret::parse("whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=").expect("the vector is valid")
    }

    fn genuine() -> String {
        sign(&[secret()], ID, SIGNED_AT, BODY.as_bytes())
    }

    fn request(signature: &str) -> SignedRequest<'_> {
        SignedRequest { id: ID, timestamp: TIMESTAMP, signature, body: BODY.as_bytes() }
    }

    /// Asserts that the only finding is of this part, and that the plain check fails too.
    #[track_caller]
    fn assert_finding(request: SignedRequest<'_>, part: Part, text: &str) {
        assert!(verify(&[secret()], &request, SIGNED_AT).is_err(), "it matches: {request:?}");
        let findings = inspect(&secret(), &request, None);
        assert!(matches!(&findings[..], [found] if found.part == part && found.message.contains(text)), "{findings:?}");
    }

    #[test]
    fn genuine_notification_has_no_findings() {
        let signature = genuine();
        assert_eq!(inspect(&secret(), &request(&signature), Some(SIGNED_AT)), []);
        for computed in [signature.as_str(), signature.trim_start_matches("v1,")] {
            assert_eq!(inspect_computed(&secret(), &request(&signature), computed), []);
        }
    }

    #[test]
    fn changed_body_is_recognised() {
        let signature = genuine();
        let value: Value = serde_json::from_str(BODY).expect("JSON");
        let spaced = BODY.replace(',', ", ");
        let sorted = serde_json::to_string(&Ordered { value: &value, order: Order::Alphabetical }).expect("JSON");
        let escaped = BODY.replace('/', "\\/").replace('É', "\\u00c9").replace('é', "\\u00e9");
        for (body, text) in [
            (format!("{BODY}\n"), "line break"),
            (format!("{BODY}\r\n"), "line break"),
            (spaced, "written again"),
            (sorted, "written again"),
            (escaped, "written again"),
        ] {
            assert_finding(SignedRequest { body: body.as_bytes(), ..request(&signature) }, Part::Body, text);
        }
    }

    #[test]
    fn header_of_another_request_is_recognised() {
        let signature = genuine();
        let whole = request(&signature);
        assert_finding(SignedRequest { id: "evt_01JD0000000000000000000009", ..whole }, Part::Id, ID);
        assert_finding(SignedRequest { timestamp: "1732044535000", ..whole }, Part::Timestamp, "milliseconds");
        assert_finding(SignedRequest { timestamp: "1732041000", ..whole }, Part::Timestamp, TIMESTAMP);
    }

    #[test]
    fn several_mistakes_are_all_found() {
        let (signature, body) = (genuine(), format!("{BODY}\n"));
        let request =
            SignedRequest { id: "evt_1", timestamp: "1732044535000", signature: &signature, body: body.as_bytes() };
        let parts: Vec<_> = inspect(&secret(), &request, Some(SIGNED_AT)).into_iter().map(|found| found.part).collect();
        assert_eq!(parts, [Part::Id, Part::Timestamp, Part::Body, Part::Timestamp]);
    }

    #[test]
    fn mistake_of_the_receivers_own_code_is_recognised() {
        let signature = genuine();
        let (key, text) = (secret().key().to_vec(), secret().reveal());
        let value: Value = serde_json::from_str(BODY).expect("JSON");
        let pretty = serde_json::to_string_pretty(&Ordered { value: &value, order: Order::Documented }).expect("JSON");
        let computed = |key: &[u8], body: &str| STANDARD.encode(mac(key, &[ID, ".", TIMESTAMP, "."], body.as_bytes()));
        for (computed, part) in [
            (computed(text.as_bytes(), BODY), Part::Secret),
            (computed(&text.as_bytes()[6..], BODY), Part::Secret),
            (computed(&key, &format!("{BODY}\n")), Part::Body),
            (computed(&key, &pretty), Part::Body),
            (computed(&key, "something else"), Part::Unknown),
            ("hello".to_owned(), Part::Header),
        ] {
            let findings = inspect_computed(&secret(), &request(&signature), &computed);
            assert!(findings.iter().any(|found| found.part == part), "{part:?}: {findings:?}");
        }
    }

    #[test]
    fn other_secret_and_empty_body_are_reported() {
        let other = SigningSecret::generate(&Entropy::seeded(1));
        let signature = sign(&[other], ID, SIGNED_AT, BODY.as_bytes());
        assert_finding(request(&signature), Part::Unknown, "fingerprint");
        assert_finding(SignedRequest { body: b"", ..request(&signature) }, Part::Body, "empty");
    }

    #[test]
    fn age_is_reported_when_asked_for() {
        let signature = genuine();
        for (now, text) in [(SIGNED_AT + 7_200, "2 hours old"), (SIGNED_AT - 301, "5 minutes ahead")] {
            let findings = inspect(&secret(), &request(&signature), Some(now));
            assert!(matches!(&findings[..], [found] if found.message.contains(text)), "{findings:?}");
        }
        let findings = inspect(&secret(), &SignedRequest { timestamp: "soon", ..request(&signature) }, Some(SIGNED_AT));
        assert!(findings.iter().any(|found| found.part == Part::Timestamp), "{findings:?}");
    }

    #[test]
    fn malformed_signature_header_is_reported() {
        let signature = genuine();
        let bare = signature.trim_start_matches("v1,");
        for (header, text) in [
            (" ", "empty"),
            (bare, "begins with v1"),
            ("v1,AAAA", "cut off"),
            ("v1,EN9Fow2uZKqFckkISPMEpj5Thjw_ifYcgY3vwtzv4_w=", "base64"),
            ("v1a,AAAA", "another scheme"),
        ] {
            assert_finding(request(header), Part::Header, text);
        }
    }
}

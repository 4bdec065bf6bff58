//! Which part of a signature differs: what a receiver got wrong, found by trying what receivers get wrong.
//!
//! Called by `webhook verify`. A signature that does not fit says nothing by itself. But it fits again once the mistake
//! is made, or mended: this module makes the mistakes that are known, and names those that bring it to fit.

mod body;
mod header;
mod inspect;

use crate::base::limits::{SIGNATURE_SEARCH, SIGNATURE_SEARCH_BODY_BYTES_MAX};
use crate::model::SigningSecret;
use crate::webhook::signature::{ID_HEADER, SignedRequest, TIMESTAMP_HEADER, is_same, mac};
pub use body::BodyDifference;
pub use header::HeaderFault;
pub use inspect::{Finding, inspect, inspect_own};

/// The part of a signed notification in which something differs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    Secret,
    Id,
    Timestamp,
    Body,
    /// How the three are put together.
    Content,
    Header,
    /// The secret or the body: nothing tells which.
    Unknown,
}

impl Part {
    /// As it stands in the JSON of `webhook verify`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Part::Secret => "secret",
            Part::Id => "id",
            Part::Timestamp => "timestamp",
            Part::Body => "body",
            Part::Content => "content",
            Part::Header => "header",
            Part::Unknown => "unknown",
        }
    }
}

/// One way in which what was signed differs from what is at hand.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Difference {
    #[error(
        "The key was the text of the secret. It is what follows whsec_, decoded from base64: {} bytes.", .0
    )]
    SecretAsText(usize),
    #[error("The key was the text that follows whsec_. It has to be decoded from base64 first: {} bytes.", .0)]
    SecretUndecoded(usize),
    #[error("{ID_HEADER} has white space around it that was not signed.")]
    IdSpace,
    #[error("{ID_HEADER} is of another notification: the one that was signed is in the body, {0}.")]
    IdOfBody(String),
    #[error("{TIMESTAMP_HEADER} has white space around it that was not signed.")]
    TimestampSpace,
    #[error("{TIMESTAMP_HEADER} is in another unit: {0} was signed. It counts seconds, and is used as it arrived.")]
    TimestampUnit(i64),
    #[error(
        "{TIMESTAMP_HEADER} is of another attempt: {0} was signed. The id of a notification stays the same when it is \
         sent again, and its timestamp does not; take all three headers from one request."
    )]
    TimestampOther(i64),
    #[error("{0}")]
    Body(BodyDifference),
    #[error("{0} is missing from what was signed. Sign {ID_HEADER}, a dot, {TIMESTAMP_HEADER}, a dot, and the body.")]
    LeftOut(&'static str),
}

impl Difference {
    /// Where the difference lies.
    pub const fn part(&self) -> Part {
        match self {
            Difference::SecretAsText(_) | Difference::SecretUndecoded(_) => Part::Secret,
            Difference::IdSpace | Difference::IdOfBody(_) => Part::Id,
            Difference::TimestampSpace | Difference::TimestampUnit(_) | Difference::TimestampOther(_) => {
                Part::Timestamp
            }
            Difference::Body(_) => Part::Body,
            Difference::LeftOut(_) => Part::Content,
        }
    }
}

/// A value to try in a place, and how it differs from the given one.
struct Try<T> {
    value: T,
    difference: Option<Difference>,
}

impl<T> Try<T> {
    fn given(value: T) -> Self {
        Self { value, difference: None }
    }

    fn other(value: T, difference: Difference) -> Self {
        Self { value, difference: Some(difference) }
    }
}

/// The fewest differences with which one of `signatures` fits; none when it fits as it is, and `None` when nothing that
/// is known brings it to fit: then the secret is another one, or the body was changed.
fn diagnose(secret: &SigningSecret, received: &SignedRequest<'_>, signatures: &[Vec<u8>]) -> Option<Vec<Difference>> {
    let fits = |key: &[u8], before: &[&str], body: &[u8]| {
        let own = mac(key, before, body);
        signatures.iter().any(|signature| is_same(signature, &own))
    };
    let text = secret.reveal();
    let (keys, bodies) = (keys(secret, &text), bodies(received.body));
    let mut best: Option<Vec<Difference>> = None;
    for before in befores(received) {
        let parts: Vec<&str> = before.value.iter().map(String::as_str).collect();
        for key in &keys {
            for body in &bodies {
                let differences: Vec<_> =
                    before.differences.iter().chain(&key.difference).chain(body.difference.iter()).cloned().collect();
                let is_better = best.as_ref().is_none_or(|best| differences.len() < best.len());
                if is_better && fits(key.value, &parts, &body.value) {
                    best = Some(differences);
                }
            }
        }
    }
    best.or_else(|| {
        let body = received.body;
        let of_other_attempt = |seconds: &i64| fits(secret.key(), &[received.id, ".", &seconds.to_string(), "."], body);
        let found = nearby(received.timestamp).filter(|_| body.len() <= SIGNATURE_SEARCH_BODY_BYTES_MAX);
        found.into_iter().flatten().find(of_other_attempt).map(|seconds| vec![Difference::TimestampOther(seconds)])
    })
}

/// The keys that receivers make of a secret.
fn keys<'a>(secret: &'a SigningSecret, text: &'a str) -> Vec<Try<&'a [u8]>> {
    let length = secret.key().len();
    let undecoded = text.strip_prefix("whsec_").unwrap_or(text);
    vec![
        Try::given(secret.key()),
        Try::other(text.as_bytes(), Difference::SecretAsText(length)),
        Try::other(undecoded.as_bytes(), Difference::SecretUndecoded(length)),
    ]
}

/// The bodies that receivers make of one; of a large one, which is none of ours, only itself.
fn bodies(body: &[u8]) -> Vec<Try<std::borrow::Cow<'_, [u8]>>> {
    let mut all = vec![Try::given(body.into())];
    if body.len() <= SIGNATURE_SEARCH_BODY_BYTES_MAX {
        let others = body::rewritten(body).into_iter();
        all.extend(others.map(|(bytes, difference)| Try::other(bytes.into(), Difference::Body(difference))));
    }
    all
}

/// What stands before the body, and how it differs from what should.
struct Before {
    value: Vec<String>,
    differences: Vec<Difference>,
}

fn befores(received: &SignedRequest<'_>) -> Vec<Before> {
    let (ids, timestamps) = (ids(received), timestamps(received.timestamp));
    let dot = || ".".to_owned();
    let mut all = Vec::new();
    for id in &ids {
        for timestamp in &timestamps {
            let value = vec![id.value.clone(), dot(), timestamp.value.clone(), dot()];
            let differences = id.difference.iter().chain(&timestamp.difference).cloned().collect();
            all.push(Before { value, differences });
        }
    }
    let without = |value, name| Before { value, differences: vec![Difference::LeftOut(name)] };
    all.push(without(vec![received.timestamp.to_owned(), dot()], ID_HEADER));
    all.push(without(vec![received.id.to_owned(), dot()], TIMESTAMP_HEADER));
    all.push(without(vec![received.id.to_owned(), received.timestamp.to_owned()], "The dot between the parts"));
    all.push(without(Vec::new(), "All but the body"));
    all
}

fn ids(received: &SignedRequest<'_>) -> Vec<Try<String>> {
    let given = received.id;
    let mut all = vec![Try::given(given.to_owned())];
    if given.trim() != given {
        all.push(Try::other(given.trim().to_owned(), Difference::IdSpace));
    }
    if let Some(own) = body::id_in(received.body).filter(|own| own != given.trim()) {
        all.push(Try::other(own.clone(), Difference::IdOfBody(own)));
    }
    all
}

fn timestamps(given: &str) -> Vec<Try<String>> {
    let mut all = vec![Try::given(given.to_owned())];
    if given.trim() != given {
        all.push(Try::other(given.trim().to_owned(), Difference::TimestampSpace));
    }
    if let Ok(number) = given.trim().parse::<i64>() {
        for other in [Some(number / 1_000), number.checked_mul(1_000)].into_iter().flatten() {
            all.push(Try::other(other.to_string(), Difference::TimestampUnit(other)));
        }
    }
    all
}

/// The seconds around a timestamp, in which another attempt may have been made.
fn nearby(timestamp: &str) -> Option<impl Iterator<Item = i64> + use<>> {
    let reach = i64::try_from(SIGNATURE_SEARCH.as_secs()).ok()?;
    let given: i64 = timestamp.trim().parse().ok()?;
    Some(given.checked_sub(reach)?..=given.checked_add(reach)?)
}

#[cfg(test)]
mod tests;

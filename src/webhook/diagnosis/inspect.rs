//! What a receiver should think of a notification, or of a signature that its own code computed: all findings at once.

use super::header::{HeaderFault, read_header};
use super::{Difference, Part, diagnose};
use crate::model::SigningSecret;
use crate::webhook::signature::{ID_HEADER, SignatureError, SignedRequest, TIMESTAMP_HEADER, check_age};

/// Something that is wrong, in a sentence or a few.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    pub part: Part,
    pub message: String,
}

impl Finding {
    fn new(part: Part, message: impl Into<String>) -> Self {
        Self { part, message: message.into() }
    }

    fn header(fault: HeaderFault) -> Self {
        Self::new(Part::Header, fault.to_string())
    }

    fn difference(difference: &Difference) -> Self {
        Self::new(difference.part(), difference.to_string())
    }
}

/// What is wrong with a notification; nothing when it is genuine. `now_seconds` is when it arrived; without it its age
/// is not looked at.
pub fn inspect(secret: &SigningSecret, received: &SignedRequest<'_>, now_seconds: Option<i64>) -> Vec<Finding> {
    let (signatures, faults) = read_header(received.signature);
    let mut findings: Vec<_> = faults.into_iter().map(Finding::header).collect();
    for (name, value) in [(ID_HEADER, received.id), (TIMESTAMP_HEADER, received.timestamp)] {
        if value.is_empty() {
            findings.push(Finding::new(Part::Header, format!("{name} is empty.")));
        }
    }
    if !signatures.is_empty() {
        match diagnose(secret, received, &signatures) {
            Some(differences) => findings.extend(differences.iter().map(Finding::difference)),
            None => findings.push(unknown(received)),
        }
    }
    let aged = now_seconds.and_then(|now| check_age(received.timestamp.trim(), now).err());
    if let Some(error) = aged.filter(|_| !received.timestamp.is_empty()) {
        findings.push(age(error));
    }
    findings
}

/// What is wrong with a signature that the receiver's own code computed over a notification; nothing when it is right.
pub fn inspect_own(secret: &SigningSecret, received: &SignedRequest<'_>, own: &str) -> Vec<Finding> {
    let (signatures, faults) = read_header(own);
    // Code that compares may well leave the scheme out.
    let faults = faults.into_iter().filter(|fault| *fault != HeaderFault::NoScheme || signatures.is_empty());
    let mut findings: Vec<_> = faults.map(Finding::header).collect();
    if !signatures.is_empty() {
        match diagnose(secret, received, &signatures) {
            Some(differences) => findings.extend(differences.iter().map(Finding::difference)),
            None => findings.push(Finding::new(
                Part::Unknown,
                "Your code signs something else, in a way that is not known here. It should be HMAC-SHA256 under the \
                 decoded secret, over webhook-id, a dot, webhook-timestamp, a dot, and the raw body.",
            )),
        }
    }
    findings
}

fn unknown(received: &SignedRequest<'_>) -> Finding {
    let what = match received.body.is_empty() {
        true => "The body at hand is empty: something else had read the request before it was kept.",
        false => {
            "The secret is another one, or the body was changed. Compare the fingerprint of the secret with the one \
             that the operator sees (webhook secret list), and keep the body byte for byte as it arrived, before \
             anything parses it."
        }
    };
    let part = if received.body.is_empty() { Part::Body } else { Part::Unknown };
    Finding::new(part, what)
}

fn age(error: SignatureError) -> Finding {
    let message = match error {
        SignatureError::TooOld(seconds) => format!(
            "{TIMESTAMP_HEADER} is {} old, and a receiver should refuse what is older than 5 minutes: somebody may be \
             sending a copy again. For a notification that you kept, use --ignore-age. For a fresh one, set your clock.",
            span(seconds)
        ),
        SignatureError::FromTheFuture(seconds) => format!(
            "{TIMESTAMP_HEADER} lies {} ahead. It counts seconds since 1970; if it does, set your clock.",
            span(seconds)
        ),
        _ => format!("{TIMESTAMP_HEADER} is not a number of seconds since 1970."),
    };
    Finding::new(Part::Timestamp, message)
}

/// Seconds, in the largest unit of which there are two.
fn span(seconds: u64) -> String {
    let units = [("days", 86_400), ("hours", 3_600), ("minutes", 60)];
    let unit = units.into_iter().find(|(_, length)| seconds >= 2 * length);
    unit.map_or_else(|| format!("{seconds} seconds"), |(name, length)| format!("{} {name}", seconds / length))
}

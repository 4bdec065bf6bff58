//! The JSON of `webhook … --json`; see `cli/view.rs` for its rules.

use serde::Serialize;

use crate::base::Moment;
use crate::delivery::diagnosis::Finding;
use crate::model::{Partner, WebhookSecret};
use crate::operation::webhook::secret::fingerprint;

/// A secret, without what it is.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SecretView {
    pub id: String,
    /// The name of the partner.
    pub partner: String,
    pub fingerprint: String,
    /// `active`, `ended` (by a rotation) or `revoked`.
    pub state: &'static str,
    pub created_at: String,
    pub expires_at: Option<String>,
    pub revoked_at: Option<String>,
}

impl SecretView {
    pub fn new(partner: &Partner, secret: &WebhookSecret, now: Moment) -> Self {
        let state = match secret {
            WebhookSecret { revoked_at: Some(_), .. } => "revoked",
            secret if secret.is_active_at(now) => "active",
            _ => "ended",
        };
        Self {
            id: secret.id.to_string(),
            partner: partner.name.clone(),
            fingerprint: fingerprint(&secret.secret),
            state,
            created_at: secret.created_at.to_string(),
            expires_at: secret.expires_at.map(|moment| moment.to_string()),
            revoked_at: secret.revoked_at.map(|moment| moment.to_string()),
        }
    }
}

/// What `webhook verify` found.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct VerdictView {
    /// Whether the notification is genuine, and fresh where its age was looked at.
    pub genuine: bool,
    /// Whether the signature that the receiver's own code computed is right; null where none was given.
    pub computed_is_right: Option<bool>,
    /// Of the secret that was used.
    pub fingerprint: Option<String>,
    pub id: String,
    pub timestamp: String,
    pub body_bytes: usize,
    pub findings: Vec<FindingView>,
}

#[derive(Debug, Serialize)]
pub(super) struct FindingView {
    /// `secret`, `id`, `timestamp`, `body`, `content`, `header` or `unknown`.
    pub part: &'static str,
    pub message: String,
}

impl From<Finding> for FindingView {
    fn from(finding: Finding) -> Self {
        Self { part: finding.part.as_str(), message: finding.message }
    }
}

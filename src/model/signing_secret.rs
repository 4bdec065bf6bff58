//! Signing secrets of notifications: format and display (Standard Webhooks, section "Signature scheme"; decisions W2).
//!
//! A secret is stored as it is, unlike an access token, because the service signs with it.

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use uuid::Uuid;

use super::KeyMode;
use crate::base::limits::{SIGNING_SECRET_BYTES, SIGNING_SECRET_BYTES_MAX, SIGNING_SECRET_BYTES_MIN};
use crate::base::{Entropy, Timestamp};

const PREFIX: &str = "whsec_";

/// A secret shared with one partner. `Debug` prints nothing of it.
#[derive(Clone, PartialEq, Eq)]
pub struct SigningSecret(Vec<u8>);

/// Why a text is not a secret. The message does not repeat the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SigningSecretError {
    #[error("a secret starts with whsec_")]
    Prefix,
    #[error("the text after whsec_ is not base64 of the standard alphabet with its padding")]
    Base64,
    #[error(
        "the secret holds {0} bytes, where {SIGNING_SECRET_BYTES_MIN} to {SIGNING_SECRET_BYTES_MAX} are allowed: \
         part of it is missing, or it is the secret of something else"
    )]
    Length(usize),
}

impl SigningSecret {
    /// A new secret.
    pub fn generate(entropy: &Entropy) -> Self {
        Self(entropy.bytes::<SIGNING_SECRET_BYTES>().to_vec())
    }

    /// A secret from the database.
    pub(crate) fn trusted(key: Vec<u8>) -> Self {
        Self(key)
    }

    /// Parses the result of [`SigningSecret::reveal`].
    pub fn parse(text: &str) -> Result<Self, SigningSecretError> {
        let encoded = text.strip_prefix(PREFIX).ok_or(SigningSecretError::Prefix)?;
        let bytes = STANDARD.decode(encoded).map_err(|_| SigningSecretError::Base64)?;
        match bytes.len() {
            SIGNING_SECRET_BYTES_MIN..=SIGNING_SECRET_BYTES_MAX => Ok(Self(bytes)),
            length => Err(SigningSecretError::Length(length)),
        }
    }

    /// The secret as text, which is shown once, where it is made.
    pub fn reveal(&self) -> String {
        format!("{PREFIX}{}", STANDARD.encode(&self.0))
    }

    /// The key bytes.
    pub fn key(&self) -> &[u8] {
        &self.0
    }
}

impl fmt::Debug for SigningSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SigningSecret")
    }
}

/// A secret and its validity. While two are active, both sign.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WebhookSecret {
    pub id: Uuid,
    pub partner_id: Uuid,
    pub secret: SigningSecret,
    pub created_at: Timestamp,
    /// When the secret ends after a rotation by the operator.
    pub expires_at: Option<Timestamp>,
    pub revoked_at: Option<Timestamp>,
    /// When it ends for live subscriptions after a rotation by the partner; `created_at` if it never signs for them.
    pub live_ends_at: Option<Timestamp>,
    /// The same for test subscriptions.
    pub test_ends_at: Option<Timestamp>,
}

impl WebhookSecret {
    /// A new secret of a partner, active from `now` on.
    pub fn generate(partner_id: Uuid, entropy: &Entropy, now: Timestamp) -> Self {
        Self {
            id: entropy.uuid(now),
            partner_id,
            secret: SigningSecret::generate(entropy),
            created_at: now,
            expires_at: None,
            revoked_at: None,
            live_ends_at: None,
            test_ends_at: None,
        }
    }

    /// The end for the subscriptions of one mode after a rotation by the partner.
    pub fn end_of_mode(&mut self, mode: KeyMode) -> &mut Option<Timestamp> {
        match mode {
            KeyMode::Live => &mut self.live_ends_at,
            KeyMode::Test => &mut self.test_ends_at,
        }
    }

    /// Whether notifications of the subscriptions of this mode that are claimed for sending at `now` are signed with the secret.
    pub fn signs(&self, mode: KeyMode, now: Timestamp) -> bool {
        let end = match mode {
            KeyMode::Live => self.live_ends_at,
            KeyMode::Test => self.test_ends_at,
        };
        self.revoked_at.is_none() && [self.expires_at, end].into_iter().flatten().all(|end| now < end)
    }

    /// Whether the secret signs any notification at `now`.
    pub fn is_active_at(&self, now: Timestamp) -> bool {
        KeyMode::ALL.into_iter().any(|mode| self.signs(mode, now))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secret_of_the_decisions_is_read_and_written() {
        let text = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";
        let secret = SigningSecret::parse(text).expect("the vector is valid");
        assert_eq!(secret.key(), (0..32).collect::<Vec<u8>>());
        assert_eq!(secret.reveal(), text);
    }

    #[test]
    fn secret_of_24_to_64_bytes_is_read_and_no_other() {
        for (bytes, right) in [(23, false), (24, true), (32, true), (64, true), (65, false)] {
            let parsed = SigningSecret::parse(&format!("whsec_{}", STANDARD.encode(vec![7; bytes])));
            assert_eq!(parsed.is_ok(), right, "{bytes}");
            if !right {
                assert_eq!(parsed, Err(SigningSecretError::Length(bytes)));
            }
        }
    }

    #[test]
    fn text_that_is_no_secret_says_why() {
        for (text, why) in [
            ("", SigningSecretError::Prefix),
            ("AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=", SigningSecretError::Prefix),
            ("whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8", SigningSecretError::Base64),
            ("whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh-_", SigningSecretError::Base64),
            ("whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8= ", SigningSecretError::Base64),
            ("whsec_", SigningSecretError::Length(0)),
        ] {
            assert_eq!(SigningSecret::parse(text), Err(why), "{text:?}");
        }
    }

    #[test]
    fn generated_secret_is_its_own_and_debug_shows_nothing_of_it() {
        let entropy = Entropy::seeded(1);
        let (one, other) = (SigningSecret::generate(&entropy), SigningSecret::generate(&entropy));
        assert_ne!(one, other);
        assert_eq!(SigningSecret::parse(&one.reveal()), Ok(one.clone()));
        assert_eq!(format!("{one:?}"), "SigningSecret");
    }
}

//! Notifications as the service sends them (decisions W1, W2), made one by one and signed with its own signer.

use std::time::{SystemTime, UNIX_EPOCH};

use card_service::base::Entropy;
use card_service::delivery::signature::{self, ID_HEADER, SIGNATURE_HEADER, TIMESTAMP_HEADER};
use card_service::model::SigningSecret;

/// A signed request that is ready to be sent, or to be spoilt first.
#[derive(Clone, Debug)]
pub struct Notification {
    pub id: String,
    pub timestamp: i64,
    pub signature: String,
    pub body: String,
}

/// A new secret.
pub fn secret() -> SigningSecret {
    SigningSecret::generate(&Entropy::system())
}

/// The seconds of the machine's clock: receivers have no other.
pub fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).expect("the clock is past 1970");
    i64::try_from(since.as_secs()).expect("within the calendar")
}

impl Notification {
    /// Event `number` of the one card, signed now. The dossier has what libraries stumble over.
    pub fn new(secrets: &[SigningSecret], number: u32, sequence: u32, topic: &str, status: &str) -> Self {
        let id = format!("evt_01JD00000000000000000000{number:02}");
        let kind = topic.to_lowercase().replace('_', "/");
        let body = format!(
            "{{\"id\":\"{id}\",\"type\":\"{kind}\",\"topic\":\"{topic}\",\"apiVersion\":\"2026-10\",\
             \"timestamp\":\"2026-11-10T08:30:00.000Z\",\"test\":false,\"sequence\":{sequence},\"actor\":\"FAMILY\",\
             \"changedFields\":[\"status\"],\"data\":{{\"card\":{{\
             \"id\":\"gid://service/Card/0191d9a0-0000-7000-8000-000000000000\",\
             \"externalDossierId\":\"2026/één\",\"externalFuneralDirectorId\":null,\"status\":\"{status}\",\
             \"cardUrl\":null,\"test\":false,\"createdAt\":\"2026-11-10T08:00:00.000Z\",\
             \"updatedAt\":\"2026-11-10T08:30:00.000Z\"}}}}}}"
        );
        Self { id, timestamp: 0, signature: String::new(), body }.signed(secrets, now())
    }

    /// The same, signed at another moment or with other secrets: another attempt.
    pub fn signed(mut self, secrets: &[SigningSecret], timestamp: i64) -> Self {
        self.signature = signature::sign(secrets, &self.id, timestamp, self.body.as_bytes());
        self.timestamp = timestamp;
        self
    }

    /// The three headers.
    pub fn headers(&self) -> [(&'static str, String); 3] {
        [
            (ID_HEADER, self.id.clone()),
            (TIMESTAMP_HEADER, self.timestamp.to_string()),
            (SIGNATURE_HEADER, self.signature.clone()),
        ]
    }
}

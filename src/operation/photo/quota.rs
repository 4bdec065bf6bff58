//! Quotas of photos: stored bytes of a partner in a day, and photos of a browser session in an hour.
//!
//! The counts are in the database, so that they hold for all replicas.

use std::time::Duration;

use uuid::Uuid;

use crate::base::{Timestamp, limits};
use crate::model::KeyMode;
use crate::operation::Failure;
use crate::services::Services;

/// The bytes that a partner can store in a day, with keys of this mode and for their cards.
pub(super) const fn bytes_max(mode: KeyMode) -> i64 {
    match mode {
        KeyMode::Live => limits::PHOTO_BYTES_PER_DAY_LIVE,
        KeyMode::Test => limits::PHOTO_BYTES_PER_DAY_TEST,
    }
}

/// Takes bytes from a partner's quota. Returns the start of the next window if there are not enough.
pub(super) async fn take_bytes(
    services: &Services,
    partner_id: Uuid,
    mode: KeyMode,
    bytes: usize,
) -> Result<Option<Timestamp>, Failure> {
    let subject = format!("photo bytes:{}:{partner_id}", mode.as_str());
    let bytes = i64::try_from(bytes).unwrap_or(i64::MAX);
    take(services, subject, bytes, bytes_max(mode), limits::PHOTO_BYTES_WINDOW).await
}

/// Takes an upload from the quota of a browser session; returns the same.
pub(super) async fn take_upload(services: &Services, session: &[u8; 32]) -> Result<Option<Timestamp>, Failure> {
    use base64::Engine as _;
    use base64::engine::general_purpose::URL_SAFE_NO_PAD;
    let subject = format!("uploads:{}", URL_SAFE_NO_PAD.encode(session));
    take(services, subject, 1, limits::UPLOADS_PER_SESSION_HOUR, limits::UPLOADS_WINDOW).await
}

async fn take(
    services: &Services,
    subject: String,
    amount: i64,
    max: i64,
    window: Duration,
) -> Result<Option<Timestamp>, Failure> {
    let now = services.clock.now();
    let began = services.store.use_quota(subject, amount, max, now.before(window), now).await?;
    Ok(began.map(|began| began.after(window)))
}

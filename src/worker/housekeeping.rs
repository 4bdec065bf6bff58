//! Housekeeping: deletes expired idempotency claims, unused photos, old deliveries, mails, links, and usage counts.
//!
//! Started by `app`. Source: decisions, section 4 (24 hours), section 7 (photos) and W3 (30 days).

use std::sync::Arc;

use super::{Step, Worker};
use crate::base::{Timestamp, limits};
use crate::operation::{Failure, photo, usage};
use crate::services::Services;
use crate::store::{DeletedDeliveries, LastAttempts};

/// How many rows one round deleted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Removed {
    pub idempotency_claims: usize,
    pub photos: usize,
    pub deliveries: DeletedDeliveries,
    pub browser_sessions: usize,
    pub mails: usize,
    pub list_links: usize,
    pub invitation_days: usize,
    pub usage: usize,
    pub quotas: usize,
}

/// Starts the worker.
pub fn start(services: &Arc<Services>) -> Worker {
    Worker::start_with("housekeeping", services, Arc::default(), limits::HOUSEKEEPING_EVERY, |services| async move {
        let removed = step(&services).await?;
        tracing::debug!(?removed, "housekeeping was done");
        Ok::<_, Failure>(Step::Done)
    })
}

/// Runs one round. Replicas may run it concurrently: every deletion is idempotent.
pub async fn step(services: &Services) -> Result<Removed, Failure> {
    let now = services.clock.now();
    let idempotency_claims = services.store.delete_expired_claims(now.before(limits::IDEMPOTENCY_REMEMBERED)).await?;

    let browser_sessions =
        services.store.delete_expired_browser_sessions(now.before(limits::BROWSER_SESSION_TOTAL)).await?;
    let mails = services.store.delete_expired_mails(now.before(limits::MAIL_KEPT)).await?;
    let list_links = services.store.delete_expired_invitee_list_links(now.before(limits::MAIL_KEPT)).await?;

    let quotas = services.store.delete_expired_quotas(now.before(limits::PHOTO_BYTES_WINDOW)).await?;
    let invitation_days =
        services.store.delete_expired_invitation_days(usage::day(now.before(limits::INVITATION_DAYS_KEPT))).await?;

    let usage = services.store.delete_expired_usage(usage::day(now.before(limits::USAGE_KEPT))).await?;

    let last = last_attempts(services, now);
    let put_off = services.store.shorten_waits(now, last).await?;
    if put_off > 0 {
        tracing::warn!(
            count = put_off,
            "mails, activations or notifications waited for longer than they ever should, because a clock was ahead; they are due now"
        );
    }

    let deliveries = services.store.delete_expired_deliveries(now.before(limits::DELIVERY_HELD), now).await?;
    if deliveries.undelivered > 0 {
        tracing::warn!(
            count = deliveries.undelivered,
            "notifications that could not be delivered for 30 days were deleted"
        );
    }
    // Last, because an error of the object store ends the round.
    let mut photos = 0;
    for key in services.store.photos_unused(now.before(limits::PHOTO_UNUSED), limits::PHOTOS_DELETED_AT_ONCE).await? {
        photos += usize::from(photo::delete_unused(services, &key).await?);
    }
    Ok(Removed {
        idempotency_claims,
        photos,
        browser_sessions,
        mails,
        list_links,
        invitation_days,
        usage,
        quotas,
        deliveries,
    })
}

/// Returns the latest time for which an attempt is put off that fails at `now`.
fn last_attempts(services: &Services, now: Timestamp) -> LastAttempts {
    let retry = &services.policy.retry;
    let longest = retry.delays.iter().max().copied().unwrap_or_default().mul_f64(1.0 + retry.jitter);
    LastAttempts {
        mail: now.after(limits::MAIL_WAIT_MAX),
        activation: now.after(limits::ACTIVATION_RETRY_MAX),
        delivery: now.after(longest.max(limits::RETRY_AFTER_MAX)),
    }
}

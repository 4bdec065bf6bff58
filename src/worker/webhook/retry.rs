//! The retry schedule: what follows an attempt, and when (decisions W3; RFC 9110, section 10.2.3).

use std::time::Duration;

use chrono::DateTime;

use crate::base::{Entropy, RetrySchedule, Timestamp, limits};
use crate::model::AttemptOutcome;
use crate::store::Verdict;

/// Returns what follows an attempt that ended at `now` and was number `step` of its schedule, from 0.
pub(super) fn verdict(
    outcome: AttemptOutcome,
    step: i64,
    retry_after: Option<&str>,
    now: Timestamp,
    schedule: &RetrySchedule,
    entropy: &Entropy,
) -> Verdict {
    if outcome.is_success() {
        return Verdict::Delivered;
    }
    if outcome.is_gone() {
        // The subscription is paused with this attempt; the delivery is due when the operator resumes it.
        return Verdict::Retry { at: now };
    }
    let next = usize::try_from(step).unwrap_or(usize::MAX).saturating_add(1);
    let Some(delay) = schedule.delays.get(next) else { return Verdict::Exhausted };
    // `Retry-After` can lengthen a delay, not shorten it: short delays would use up the attempts too soon.
    let requested = retry_after.and_then(|text| retry_after_delay(text, now)).unwrap_or_default();
    let delay = jittered(*delay, schedule.jitter, entropy).max(requested.min(limits::RETRY_AFTER_MAX));
    Verdict::Retry { at: now.after(delay) }
}

/// Adds jitter, so that deliveries that failed together are not retried together.
fn jittered(delay: Duration, jitter: f64, entropy: &Entropy) -> Duration {
    let random = u32::from_be_bytes(entropy.bytes());
    let share = 2.0 * f64::from(random) / f64::from(u32::MAX) - 1.0;
    delay.mul_f64(1.0 + jitter * share)
}

/// Parses a `Retry-After` header: a number of seconds, or a date.
fn retry_after_delay(text: &str, now: Timestamp) -> Option<Duration> {
    let text = text.trim();
    if !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit()) {
        // A number that is too large still exceeds our limit.
        return Some(Duration::from_secs(text.parse().unwrap_or(u64::MAX)));
    }
    let date = DateTime::parse_from_rfc2822(text).ok()?;
    let ms = date.timestamp_millis().saturating_sub(now.millis());
    u64::try_from(ms).ok().map(Duration::from_millis)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Policy;

    /// 2026-10-15T12:00:00Z.
    fn now() -> Timestamp {
        Timestamp::from_millis(1_792_065_600_000).expect("within the calendar")
    }

    fn delay_of(step: i64, retry_after: Option<&str>, seed: u64) -> Option<f64> {
        match verdict(
            AttemptOutcome::Answered(503),
            step,
            retry_after,
            now(),
            &Policy::default().retry,
            &Entropy::seeded(seed),
        ) {
            Verdict::Retry { at } => Some((at.millis() - now().millis()) as f64 / 1_000.0),
            Verdict::Exhausted => None,
            Verdict::Delivered => panic!("503 is no success"),
        }
    }

    #[test]
    fn failures_follow_the_schedule_within_a_fifth_and_end_after_ten_attempts() {
        let hours = 3_600.0;
        let schedule =
            [5.0, 300.0, 1_800.0, 2.0 * hours, 5.0 * hours, 10.0 * hours, 14.0 * hours, 20.0 * hours, 24.0 * hours];
        let (mut shortest, mut longest) = (f64::MAX, f64::MIN);
        for seed in 0..200 {
            for (step, delay) in (0..).zip(schedule) {
                let share = delay_of(step, None, seed).expect("another attempt") / delay;
                (shortest, longest) = (shortest.min(share), longest.max(share));
            }
            assert_eq!(delay_of(9, None, seed), None, "the tenth attempt is the last");
        }
        assert!((0.8..0.82).contains(&shortest) && (1.18..=1.2).contains(&longest), "{shortest} {longest}");
    }

    #[test]
    fn retry_after_gives_more_time_and_never_less() {
        let jittered = delay_of(0, None, 1);
        for (asked, delay) in [
            ("120", Some(120.0)),
            (" 120 ", Some(120.0)),
            ("Thu, 15 Oct 2026 12:10:00 GMT", Some(600.0)),
            ("1", jittered),
            ("0", jittered),
            ("Thu, 15 Oct 2026 11:00:00 GMT", jittered),
            ("soon", jittered),
            ("-5", jittered),
            ("", jittered),
            ("86401", Some(86_400.0)),
            ("99999999999999999999999999", Some(86_400.0)),
            ("Thu, 15 Oct 2099 12:00:00 GMT", Some(86_400.0)),
        ] {
            assert_eq!(delay_of(0, Some(asked), 1), delay, "{asked:?}");
        }
    }

    #[test]
    fn success_ends_the_schedule_and_410_waits_for_the_operator() {
        let of = |status| {
            verdict(AttemptOutcome::Answered(status), 9, None, now(), &Policy::default().retry, &Entropy::seeded(1))
        };
        assert_eq!(of(204), Verdict::Delivered);
        assert_eq!(of(410), Verdict::Retry { at: now() });
        assert_eq!(of(302), Verdict::Exhausted);
    }

    #[test]
    fn schedule_of_the_operator_is_followed_without_jitter() {
        let seconds = std::time::Duration::from_secs;
        let schedule = RetrySchedule { delays: vec![seconds(0), seconds(7)], jitter: 0.0 };
        let of = |step| verdict(AttemptOutcome::TimeOut, step, None, now(), &schedule, &Entropy::seeded(1));
        assert_eq!(of(0), Verdict::Retry { at: now().after(seconds(7)) });
        assert_eq!(of(1), Verdict::Exhausted);
    }
}

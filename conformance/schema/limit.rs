//! The numbers in the descriptions of the schema are the limits that the service has (`base/limits`, `dated_graphql::Limits`).

use std::time::Duration;

use card_service::base::limits::*;
use dated_graphql::Limits;
use dated_graphql_schema::Sdl;
use dated_graphql_schema::numbers::numbers;
use dated_graphql_schema::walk::descriptions;

use super::versions;

#[test]
fn number_in_a_description_is_the_limit_of_its_name() {
    let mut checked = 0;
    for (version, source) in versions() {
        let sdl = Sdl::parse(&version, &version, &source).expect("the schema is right");
        for (coordinate, description) in descriptions(&sdl.schema) {
            // Code holds examples.
            let text: String = description.unwrap_or_default().split('`').step_by(2).collect();
            let value = |number: &str| number.replace(',', "").parse().expect("a whole number");
            let stated: Vec<u64> = numbers(&text).into_iter().map(value).collect();
            if stated.is_empty() {
                continue;
            }
            let limits = limits_of(&version, &coordinate);
            let limits =
                limits.unwrap_or_else(|| panic!("{version}: name the numbers of {coordinate} here: {stated:?}"));
            assert_eq!(stated, limits, "{version}: {coordinate}");
            checked += stated.len();
        }
    }
    assert!(checked > 40, "only {checked} numbers");
}

/// The numbers of a description, in its order. Where a limit differs between versions, an arm names the version.
fn limits_of(version: &str, coordinate: &str) -> Option<Vec<u64>> {
    let (parent, member) = coordinate.split_once('.').unwrap_or((coordinate, ""));
    Some(match (parent, member) {
        ("URL", _) => vec![count(URL_CHARS_MAX)],
        (_, "livestreamUrl" | "callbackUrl") if parent != "WebhookSubscriptionInput" => vec![count(URL_CHARS_MAX)],
        ("WebhookSubscriptionInput", "callbackUrl") => {
            let subscriptions = count(SUBSCRIPTIONS_PER_TOPIC_MAX);
            vec![count(URL_CHARS_MAX), subscriptions, subscriptions]
        }
        ("WebhookSubscriptionInput" | "WebhookSubscriptionUpdateInput", "name") => {
            vec![count(SUBSCRIPTION_NAME_CHARS_MAX)]
        }
        (_, "externalDossierId" | "cardByExternalDossierId(externalDossierId:)") => {
            vec![count(EXTERNAL_DOSSIER_ID_CHARS_MAX)]
        }
        (_, "externalFuneralDirectorId") => vec![count(EXTERNAL_FUNERAL_DIRECTOR_ID_CHARS_MAX)],
        ("DeceasedInput", "firstName" | "lastName") | ("FamilyContactInput", "name") => vec![count(NAME_CHARS_MAX)],
        ("FamilyContactInput", "email") => vec![count(EMAIL_CHARS_MAX)],
        ("DeceasedInput", "photoUrl") if version == "2026-10" => {
            vec![count(PHOTO_BYTES_MAX) >> 20, count(PHOTO_BYTES_MAX)]
        }
        ("DeceasedInput", "photoUrl") => {
            let gibibytes = |bytes: i64| bytes.unsigned_abs() >> 30;
            let pixels = [PHOTO_PIXELS_MAX, PHOTO_PIXELS_MAX_OTHER_FORMATS].map(|pixels| pixels / 1_000_000);
            vec![
                count(PHOTO_BYTES_MAX) >> 20,
                count(PHOTO_BYTES_MAX),
                pixels[0],
                pixels[1],
                PHOTO_SIDE_PIXELS_MAX.into(),
                hours(PHOTO_BYTES_WINDOW),
                gibibytes(PHOTO_BYTES_PER_DAY_LIVE),
                gibibytes(PHOTO_BYTES_PER_DAY_TEST),
                503, // the status
            ]
        }
        (_, page) if page.ends_with("(first:)") => {
            vec![0, count(Limits::DEFAULT.page_size_max), count(Limits::DEFAULT.page_size_default)]
        }
        (_, page) if page.ends_with("(last:)") => vec![0, count(Limits::DEFAULT.page_size_max)],
        ("Mutation", "cardCreate") => vec![1, count(IDEMPOTENCY_KEY_CHARS_MAX), hours(IDEMPOTENCY_REMEMBERED)],
        ("Mutation", "webhookSubscriptionSecretRotate") => vec![hours(SECRET_OVERLAP)],
        ("Mutation", "webhookDeliveriesRecover") => {
            vec![count(DELIVERIES_RECOVERED_AT_ONCE) / RECOVERY_PAUSE.as_secs()] // a second
        }
        ("Mutation", "webhookSubscriptionTest") => vec![DELIVERY_TOTAL.as_secs()],
        ("Mutation", "webhookDeliveriesRecover(since:)" | "webhookSubscriptionUpdate")
        | ("WebhookSubscription" | "Query", "webhookDeliveries")
        | ("WebhookSubscriptionStatus", "PAUSED") => vec![hours(DELIVERY_HELD) / 24],
        ("WebhookSubscriptionSecretRotatePayload", "fingerprint") => vec![count(SECRET_FINGERPRINT_CHARS), 256],
        ("WebhookDelivery", "attempts") => vec![ATTEMPTS_SHOWN_MAX.unsigned_abs()],
        ("WebhookDelivery", "eventId") => vec![count(EVENT_ID_DIGITS)],
        ("WebhookDeliveryAttempt", "durationMs") => vec![DELIVERY_TOTAL.as_secs() * 1_000],
        ("WebhookDeliveryAttemptOutcome", "TIME_OUT") => {
            vec![OUTBOUND_CONNECT.as_secs(), DELIVERY_TOTAL.as_secs()]
        }
        // No limits: the numbers of standards, statuses of HTTP, and the first attempt.
        ("WebhookSubscriptionSecretRotatePayload", "secret") => vec![64],
        ("DateTime" | "Date", _) => vec![8601],
        ("WebhookDeliveryState" | "WebhookDeliveryAttemptOutcome", "DELIVERED") => vec![200, 299],
        ("WebhookSubscriptionPauseReason", "GONE") => vec![410],
        ("WebhookDeliveryAttempt", "number") => vec![1],
        _ => return None,
    })
}

/// A number of characters, bytes or items.
fn count(limit: usize) -> u64 {
    limit.try_into().expect("it fits")
}

fn hours(limit: Duration) -> u64 {
    limit.as_secs() / 3_600
}

//! What happened on each of the last days in the Netherlands, for the administration.

use chrono::{Days, NaiveDate};

use super::Failure;
use super::report::{dutch_day, start_of_day};
use crate::base::{Timestamp, limits};
use crate::model::Partner;
use crate::services::Services;
use crate::store::ActivityFilter;

/// What happened on each day, earliest first. Deleted cards are counted as orders alone.
pub(crate) struct Activity {
    pub days: Vec<NaiveDate>,
    pub created: Vec<usize>,
    pub ordered: Vec<usize>,
    pub online: Vec<usize>,
    /// Failed notifications, by the day of their event.
    pub failed_deliveries: Vec<usize>,
    /// Mails that wait, by the day on which they were queued.
    pub waiting_mails: Vec<usize>,
    /// Mails that were refused or given up, by the day on which that was.
    pub failed_mails: Vec<usize>,
}

/// Counts what happened to the live or the test cards of one partner or of all. Each day is counted alone, so that
/// other reads come in between; the mails, of which there are few, are read at once.
pub(crate) async fn count(services: &Services, partner: Option<&Partner>, test: bool) -> Result<Activity, Failure> {
    let store = &services.store;
    let today = dutch_day(services.clock.now());
    let days: Vec<_> =
        (0..limits::ACTIVITY_DAYS).rev().filter_map(|ago| today.checked_sub_days(Days::new(ago))).collect();
    let starts: Vec<_> =
        days.iter().chain(&today.checked_add_days(Days::new(1))).map(|day| start_of_day(*day)).collect();
    let partner_id = partner.map(|partner| partner.id);
    let within = |from, to| ActivityFilter { partner_id, test, from, to };
    let whole = within(starts[0], starts[starts.len() - 1]);

    let (mut created, mut ordered, mut online, mut failed_deliveries) = (vec![], vec![], vec![], vec![]);
    let subscriptions = store.subscription_ids(partner_id).await?;
    let number = |count: i64| usize::try_from(count).unwrap_or_default();
    for day in starts.windows(2) {
        let day = within(day[0], day[1]);
        let (cards, active) = store.count_cards(day).await?;
        created.push(number(cards));
        online.push(number(active));
        ordered.push(number(store.count_orders(day).await?));
        failed_deliveries.push(number(store.count_failed_deliveries(subscriptions.clone(), day).await?));
    }
    let per_day = |times: Vec<Timestamp>| {
        let mut counts = vec![0; days.len()];
        for time in times {
            // A replica whose clock is ahead may have written a row of tomorrow.
            if let Ok(nth) = days.binary_search(&dutch_day(time)) {
                counts[nth] += 1;
            }
        }
        counts
    };
    Ok(Activity {
        created,
        ordered,
        online,
        failed_deliveries,
        waiting_mails: per_day(store.waiting_mail_times(whole).await?),
        failed_mails: per_day(store.failed_mail_times(whole).await?),
        days,
    })
}

//! The one source of time. Tests hand in a clock that they move by hand.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{Instant, SystemTime};

use chrono::{Duration, NaiveDate};

use super::Timestamp;

/// Tells the time; cheap to clone.
#[derive(Clone, Debug)]
pub struct Clock(Source);

#[derive(Clone, Debug)]
enum Source {
    /// Since when the time that only goes forward is counted.
    System(Instant),
    /// Milliseconds since the Unix epoch.
    Manual(Arc<AtomicI64>),
}

impl Clock {
    /// The machine's clock.
    pub fn system() -> Self {
        Self(Source::System(Instant::now()))
    }

    /// A clock that stands still until it is moved with [`Clock::advance`].
    pub fn manual(start: Timestamp) -> Self {
        Self(Source::Manual(Arc::new(AtomicI64::new(start.millis()))))
    }

    /// The current moment.
    #[allow(clippy::disallowed_methods)] // the one owner of the machine's clock
    pub fn now(&self) -> Timestamp {
        match &self.0 {
            Source::System(_) => SystemTime::now().into(),
            Source::Manual(ms) => {
                Timestamp::from_millis(ms.load(Ordering::SeqCst)).expect("a manual clock stays within the calendar")
            }
        }
    }

    /// A time that only goes forward, from some start: for what must not be confused when the machine's clock is set.
    pub fn elapsed(&self) -> std::time::Duration {
        match &self.0 {
            Source::System(start) => start.elapsed(),
            Source::Manual(ms) => {
                std::time::Duration::from_millis(ms.load(Ordering::SeqCst).try_into().unwrap_or_default())
            }
        }
    }

    /// The current date in the Netherlands, where the families are (decisions V4).
    pub fn today(&self) -> NaiveDate {
        self.now().utc().with_timezone(&chrono_tz::Europe::Amsterdam).date_naive()
    }

    /// Moves a manual clock on.
    ///
    /// # Panics
    /// On the machine's clock, which nobody moves.
    pub fn advance(&self, by: Duration) {
        match &self.0 {
            Source::System(_) => panic!("the machine's clock cannot be moved"),
            Source::Manual(ms) => {
                ms.fetch_add(by.num_milliseconds(), Ordering::SeqCst);
            }
        }
    }
}

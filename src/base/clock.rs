//! The clock of the service. Tests use one that they advance.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{Instant, SystemTime};

use chrono::{Duration, NaiveDate};
use governor::nanos::Nanos;

use super::Timestamp;

/// A clock; cheap to clone.
#[derive(Clone, Debug)]
pub struct Clock(Source);

#[derive(Clone, Debug)]
enum Source {
    /// The start of the monotonic time.
    System(Instant),
    /// Milliseconds since the Unix epoch.
    Manual(Arc<AtomicI64>),
}

/// For rate limits.
impl governor::clock::Clock for Clock {
    type Instant = Nanos;

    fn now(&self) -> Nanos {
        self.elapsed().into()
    }
}

impl Clock {
    /// The system clock.
    pub fn system() -> Self {
        Self(Source::System(Instant::now()))
    }

    /// A clock that advances only with [`Clock::advance`].
    pub fn manual(start: Timestamp) -> Self {
        Self(Source::Manual(Arc::new(AtomicI64::new(start.millis()))))
    }

    /// The current time.
    #[allow(clippy::disallowed_methods)] // the owner of the system clock
    pub fn now(&self) -> Timestamp {
        match &self.0 {
            Source::System(_) => SystemTime::now().into(),
            Source::Manual(ms) => {
                Timestamp::from_millis(ms.load(Ordering::SeqCst)).expect("a manual clock stays within the calendar")
            }
        }
    }

    /// A monotonic time, for intervals that must not change when the system clock is set.
    pub fn elapsed(&self) -> std::time::Duration {
        match &self.0 {
            Source::System(start) => start.elapsed(),
            Source::Manual(ms) => {
                std::time::Duration::from_millis(ms.load(Ordering::SeqCst).try_into().unwrap_or_default())
            }
        }
    }

    /// The current date in the Netherlands, where the families live.
    pub fn today(&self) -> NaiveDate {
        self.now().utc().with_timezone(&chrono_tz::Europe::Amsterdam).date_naive()
    }

    /// Advances a manual clock.
    ///
    /// # Panics
    /// If this is the system clock.
    pub fn advance(&self, by: Duration) {
        match &self.0 {
            Source::System(_) => panic!("the machine's clock cannot be moved"),
            Source::Manual(ms) => {
                ms.fetch_add(by.num_milliseconds(), Ordering::SeqCst);
            }
        }
    }
}

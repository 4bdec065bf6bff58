//! The times in which a server stops (decisions, section 9; the numbers are ours).

use std::time::Duration;

/// How long a server drains under Kubernetes: it is not ready, so that no new requests are sent to it, and serves all
/// the same.
pub const DRAIN_DELAY: Duration = Duration::from_secs(5);
/// The longest such delay that the operator can set. It is a part of DRAIN, and leaves the rest to running requests.
pub const DRAIN_DELAY_SETTING_MAX: Duration = Duration::from_secs(15);
/// The time from the signal to the end of running requests: less than the 30 s after which most hosts kill.
pub const DRAIN: Duration = Duration::from_secs(20);
/// The time for the last writes after that.
pub const CLOSE: Duration = Duration::from_secs(5);
/// The time for blocking threads after that.
pub const THREADS_END: Duration = Duration::from_secs(1);
/// How long a connection that waited to be accepted at the shutdown has for its request (ours).
pub const LAST_REQUEST: Duration = Duration::from_secs(1);

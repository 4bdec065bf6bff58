//! Watchdog: ends the process when the runtime has stopped running tasks, so that its supervisor starts it again.
//!
//! Called by `serve` and `demo`. A task of the runtime increments a counter every [`limits::WATCHDOG_TICK`]; a separate thread
//! checks it. A runtime whose threads all hang (an endless loop, a deadlock) cannot handle SIGTERM or a health check, so nothing
//! else would end it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use sd_notify::NotifyState;
use tokio::task::JoinHandle;

use crate::base::limits;

/// EX_SOFTWARE of sysexits.h.
const EXIT_CODE: i32 = 70;

/// A running watchdog; it stops when it is dropped.
#[must_use = "the watchdog stops when this is dropped"]
pub struct Watchdog {
    ticking: JoinHandle<()>,
    stopped: Arc<AtomicBool>,
}

impl Watchdog {
    /// Watches the current runtime, and ends the process when no tick happened for [`limits::WATCHDOG_SILENCE`].
    /// Tells the service manager with each tick that the runtime is alive, for `WatchdogSec=`.
    pub fn start() -> Self {
        let missed_max = limits::WATCHDOG_SILENCE.as_secs() / limits::WATCHDOG_TICK.as_secs();
        Self::start_with(
            limits::WATCHDOG_TICK,
            missed_max,
            || notify_manager(NotifyState::Watchdog),
            || {
                let seconds = limits::WATCHDOG_SILENCE.as_secs();
                tracing::error!(
                    seconds,
                    "the runtime runs no tasks: the process ends, and its supervisor has to start it again"
                );
                std::process::exit(EXIT_CODE);
            },
        )
    }

    /// Calls `on_tick` with each tick, and `on_hang` after `missed_max` checks in a row without a tick.
    ///
    /// Checks are counted instead of time, so that a process that was suspended (SIGSTOP, a paused machine) misses one check
    /// only.
    fn start_with(
        tick: Duration,
        missed_max: u64,
        on_tick: impl Fn() + Send + 'static,
        on_hang: impl FnOnce() + Send + 'static,
    ) -> Self {
        let (ticks, stopped) = (Arc::new(AtomicU64::new(0)), Arc::new(AtomicBool::new(false)));
        let (counted, ended) = (Arc::clone(&ticks), Arc::clone(&stopped));
        let ticking = tokio::spawn(async move {
            loop {
                tokio::time::sleep(tick).await;
                counted.fetch_add(1, Ordering::Relaxed);
                on_tick();
            }
        });
        thread::spawn(move || {
            let (mut seen, mut missed) = (0, 0);
            while missed < missed_max {
                thread::sleep(tick);
                if ended.load(Ordering::Relaxed) {
                    return;
                }
                let now = ticks.load(Ordering::Relaxed);
                missed = if now == seen { missed + 1 } else { 0 };
                seen = now;
            }
            on_hang();
        });
        Self { ticking, stopped }
    }
}

impl Drop for Watchdog {
    fn drop(&mut self) {
        self.stopped.store(true, Ordering::Relaxed);
        self.ticking.abort();
    }
}

/// Sends a state to the service manager that started the process (sd_notify(3)); nothing without `NOTIFY_SOCKET`.
pub fn notify_manager(state: NotifyState<'_>) {
    if let Err(error) = sd_notify::notify(&[state]) {
        tracing::debug!(%error, "the service manager cannot be reached at NOTIFY_SOCKET");
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::{Receiver, channel};

    use super::*;

    const TICK: Duration = Duration::from_millis(20);
    const MISSED_MAX: u64 = 10;

    fn watchdog() -> (Watchdog, Receiver<()>) {
        let (hang, hung) = channel();
        let on_hang = move || hang.send(()).expect("the test listens");
        (Watchdog::start_with(TICK, MISSED_MAX, || {}, on_hang), hung)
    }

    #[tokio::test]
    async fn runtime_whose_thread_hangs_is_noticed() {
        let (_watchdog, hung) = watchdog();
        // The runtime of this test has one thread, which waits here.
        hung.recv_timeout(Duration::from_secs(20)).expect("the hang is noticed");
    }

    #[tokio::test]
    async fn runtime_that_ticks_or_has_no_watchdog_is_not_ended() {
        let (watchdog, hung) = watchdog();
        tokio::time::sleep(TICK * 3 * MISSED_MAX as u32).await;
        assert!(hung.try_recv().is_err(), "it ticks");
        drop(watchdog);
        assert!(hung.recv_timeout(TICK * 3 * MISSED_MAX as u32).is_err(), "the watchdog is dropped");
    }
}

//! The replicas of a test, running or killed.

use std::collections::HashSet;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use crate::app::{Program, Serving};

/// The time limit for a replica to start, on a busy machine and while its database is down.
const UP_WITHIN: Duration = Duration::from_secs(90);

/// Replica processes; cheap to clone.
#[derive(Clone)]
pub struct Fleet(Arc<Inner>);

struct Inner {
    slots: Mutex<Vec<Option<Serving>>>,
    killed: Mutex<HashSet<String>>,
}

impl Fleet {
    /// Starts all of them.
    pub async fn start(program: &Program, replicas: usize) -> Self {
        let slots = (0..replicas).map(|_| None).collect();
        let fleet = Self(Arc::new(Inner { slots: Mutex::new(slots), killed: Mutex::default() }));
        for slot in 0..replicas {
            fleet.raise(slot, program).await;
        }
        fleet
    }

    /// Returns the address of this replica, or of the next one that runs, as a balancer does.
    pub fn base(&self, wanted: usize) -> Option<String> {
        let slots = self.0.slots.lock().expect("nobody panics with it");
        let of = |slot: usize| slots[slot % slots.len()].as_ref().map(|serving| serving.base.clone());
        (wanted..wanted + slots.len()).find_map(of)
    }

    /// Returns the addresses of all running replicas.
    pub fn bases(&self) -> Vec<String> {
        let slots = self.0.slots.lock().expect("nobody panics with it");
        slots.iter().flatten().map(|serving| serving.base.clone()).collect()
    }

    /// Returns the process id of a replica.
    pub fn pid(&self, slot: usize) -> u32 {
        self.0.slots.lock().expect("nobody panics with it")[slot].as_ref().expect("it runs").pid()
    }

    /// Whether the replica at this address was killed: then a connection to it may break.
    pub fn was_killed(&self, base: &str) -> bool {
        self.0.killed.lock().expect("nobody panics with it").contains(base)
    }

    /// `kill -9`.
    pub async fn kill(&self, slot: usize) {
        let serving = self.0.slots.lock().expect("nobody panics with it")[slot].take();
        let Some(serving) = serving else { return };
        self.0.killed.lock().expect("nobody panics with it").insert(serving.base.clone());
        tokio::task::spawn_blocking(|| serving.kill()).await.expect("it is killed");
    }

    /// Starts a replica, and repeats that until it is up, as a service manager does.
    pub async fn raise(&self, slot: usize, program: &Program) {
        let (program, started) = (program.clone(), Instant::now());
        let serving = tokio::task::spawn_blocking(move || {
            loop {
                if let Some(serving) = program.try_serve() {
                    return serving;
                }
                assert!(started.elapsed() < UP_WITHIN, "replica {slot} does not come up");
                std::thread::sleep(Duration::from_millis(200));
            }
        });
        let serving = serving.await.expect("it comes up");
        self.0.slots.lock().expect("nobody panics with it")[slot] = Some(serving);
    }

    /// Stops all replicas; asserts that they exit with 0.
    pub fn terminate(&self) {
        for slot in &mut *self.0.slots.lock().expect("nobody panics with it") {
            assert!(slot.take().is_some_and(Serving::terminate), "a replica ends well");
        }
    }
}

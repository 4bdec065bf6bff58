//! Faults that a test asks for: a call of the store that fails, or that never returns, as if the process was killed.
//!
//! Set with [`Store::with_faults`](super::Store::with_faults) by the step simulator (`conformance/sim`); the feature `simulation`.

use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

use super::StoreError;
use super::database::CallContext;
use super::error::Outage;

/// A fault of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// It fails, and nothing is done.
    FailsBefore,
    /// It is done, and then fails: its answer is lost.
    FailsAfter,
    /// It never returns, and nothing is done.
    HangsBefore,
    /// It is done, and never returns.
    HangsAfter,
}

/// The fault of one future call.
#[derive(Debug, Default)]
pub struct Faults {
    state: Mutex<State>,
    hung: Notify,
    /// Held by the call that runs: calls run one after the other, so that a seed always meets its fault in the same call.
    running: tokio::sync::Mutex<()>,
}

#[derive(Debug, Default)]
struct State {
    /// The number of calls until it, and the fault.
    planned: Option<(usize, Fault)>,
    happened: bool,
}

impl Faults {
    /// Plans a fault for the call with this number, counted from 1.
    pub fn plan(&self, number: usize, fault: Fault) {
        *self.state() = State { planned: Some((number, fault)), happened: false };
    }

    /// Cancels a planned fault. Returns whether it has happened.
    pub fn clear(&self) -> bool {
        std::mem::take(&mut *self.state()).happened
    }

    /// Waits until a call hangs.
    pub async fn hung(&self) {
        self.hung.notified().await;
    }

    /// Returns the fault of a call that begins now.
    fn next(&self) -> Option<Fault> {
        let mut state = self.state();
        let (number, fault) = state.planned?;
        state.planned = (number > 1).then_some((number - 1, fault));
        state.happened = number == 1;
        (number == 1).then_some(fault)
    }

    async fn happen(&self, fault: Fault) -> StoreError {
        if matches!(fault, Fault::HangsBefore | Fault::HangsAfter) {
            self.hung.notify_one();
            std::future::pending::<()>().await;
        }
        Outage::Planned.into()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A call of the store that runs. Without planned faults it is empty.
pub(super) struct Call<'a>(Option<(&'a Faults, Option<Fault>, tokio::sync::MutexGuard<'a, ()>)>);

impl CallContext {
    /// Begins a call of the store.
    pub(super) async fn begin(&self) -> Result<Call<'_>, StoreError> {
        let Some(faults) = &self.faults else { return Ok(Call(None)) };
        let running = faults.running.lock().await;
        match faults.next() {
            Some(fault @ (Fault::FailsBefore | Fault::HangsBefore)) => Err(faults.happen(fault).await),
            after => Ok(Call(Some((faults, after, running)))),
        }
    }
}

impl Call<'_> {
    /// Ends the call, which meets its fault now.
    pub(super) async fn end(self) -> Result<(), StoreError> {
        match self.0 {
            Some((faults, Some(fault), _running)) => Err(faults.happen(fault).await),
            _ => Ok(()),
        }
    }
}

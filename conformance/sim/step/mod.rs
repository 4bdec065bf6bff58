//! The steps of a run, and the choice of the next one.

mod card;
mod create;
mod notification;
mod subscription;
mod worker;

use card_service::model::{KeyMode, UserError};
use card_service::operation::Caller;
use uuid::Uuid;

use self::create::Request;
use crate::model::Refusal;
use crate::network::Mood;
use crate::run::Sim;

/// The requests that partners have sent before, and repeat.
#[derive(Default)]
pub struct Memory {
    requests: Vec<Request>,
}

/// Makes a step.
type Step = fn(&mut Sim);

/// How many of each are remembered.
const REMEMBERED: usize = 8;

/// The addresses of receivers.
const RECEIVERS: [&str; 3] = ["https://hooks.example/a", "https://hooks.example/b", "https://hooks.example/c"];

impl Sim {
    /// Makes the next step.
    pub fn step(&mut self) {
        // Each with its weight.
        let steps: [(usize, Step); 14] = [
            (100, Self::create),
            (80, Self::update),
            (45, Self::order_card),
            (45, Self::activate_card),
            (40, Self::subscribe),
            (6, Self::unsubscribe),
            (12, Self::change_callback),
            (6, Self::pause),
            (12, Self::resume),
            (10, Self::resend),
            (6, Self::replay),
            (150, Self::webhook_worker),
            (40, Self::order_worker),
            (6, Self::housekeeping),
        ];
        if self.chance(15) {
            return self.world_changes();
        }
        let total = steps.iter().map(|(weight, _)| weight).sum();
        let mut at = self.random.below(total);
        let chosen = steps.into_iter().find(|(weight, _)| match at.checked_sub(*weight) {
            Some(rest) => {
                at = rest;
                false
            }
            None => true,
        });
        chosen.expect("the number is below the total").1(self);
    }

    /// The clock goes forward, a receiver changes its mood, or the process is killed.
    fn world_changes(&mut self) {
        let line = match self.random.below(100) {
            0..60 => {
                let seconds = *self.random.pick(&[1, 1, 2, 5, 10, 31, 60, 125, 600, 3_700, 7_300, 43_000, 90_000]);
                // A long time is rare, because most things end with it.
                let seconds = if self.chance(3) { *self.random.pick(&[440_000, 2_600_000]) } else { seconds };
                self.world.clock.advance(chrono::Duration::seconds(seconds));
                format!("{seconds} s pass")
            }
            60..95 => {
                use Mood::{Accepts, Busy, Fails, Gone, TimesOut};
                let url = *self.random.pick(&RECEIVERS);
                let mood = *self.random.pick(&[Accepts, Accepts, Accepts, Fails, Fails, Busy, Gone, TimesOut]);
                self.world.network.state().moods.insert(url.to_owned(), mood);
                format!("{url} {mood:?}")
            }
            _ => {
                self.restart();
                "killed".to_owned()
            }
        };
        self.note(line);
    }

    fn any_partner(&mut self) -> Uuid {
        self.random.pick(&self.model.partners).partner_id
    }

    /// A card, or rarely the id of none.
    fn any_card(&mut self) -> Uuid {
        let ids: Vec<Uuid> = self.model.cards.keys().copied().collect();
        if ids.is_empty() || self.chance(2) { Uuid::nil() } else { *self.random.pick(&ids) }
    }

    /// A subscription, if there is one.
    fn any_subscription(&mut self) -> Option<Uuid> {
        let ids: Vec<Uuid> = self.model.subscriptions.keys().copied().collect();
        (!ids.is_empty()).then(|| *self.random.pick(&ids))
    }

    fn caller(&self, partner_id: Uuid) -> Caller {
        let (mode, request_id) = (KeyMode::Live, "req_sim".to_owned());
        Caller { partner_id, key_id: Uuid::nil(), mode, version: "2026-10", request_id, claim: None, abandoned: None }
    }
}

/// Keeps the last few.
fn remember<T>(list: &mut Vec<T>, item: T) {
    if list.len() == REMEMBERED {
        list.remove(0);
    }
    list.push(item);
}

/// The codes and paths of user errors.
fn refusals(errors: &[UserError]) -> Vec<Refusal> {
    errors.iter().map(|error| (error.code, error.field.join("."))).collect()
}

//! The steps of a run, and the choice of the next one.

mod create;
mod family;
mod invitee;
mod notification;
mod operator;
mod partner;
mod photo;
mod query;
mod recovery;
mod subscription;
mod worker;

use card_service::model::{KeyMode, Price, SectionVersion, SessionTarget, UserError};
use card_service::operation::Caller;
use uuid::Uuid;

use self::create::Request;
use crate::model::Refusal;
use crate::network::{MailMood, Mood};
use crate::run::Sim;

/// What people have opened or sent before: forms become stale, and requests are repeated.
#[derive(Default)]
pub struct Memory {
    requests: Vec<Request>,
    forms: Vec<(Uuid, card_service::model::CardSection, SectionVersion)>,
    order_forms: Vec<(Uuid, SectionVersion, Price)>,
    /// The number of the browser session that uploads.
    upload_session: usize,
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
        let steps: [(usize, Step); 39] = [
            (90, Self::create),
            (75, Self::update),
            (20, Self::create_link),
            (40, Self::subscribe),
            (6, Self::unsubscribe),
            (12, Self::change_callback),
            (10, Self::redeliver),
            (12, Self::recover),
            (12, Self::send_test),
            (50, Self::query),
            (35, Self::open_form),
            (70, Self::submit_form),
            (30, Self::upload_portrait),
            (35, Self::open_order_form),
            (40, Self::submit_order_form),
            (25, Self::open_link),
            (10, Self::open_list_link),
            (20, Self::use_browser),
            (20, Self::add_invitee),
            (25, Self::invite),
            (6, Self::remove_invitee),
            (10, Self::operator_orders),
            (25, Self::operator_activates),
            (9, Self::delete_card),
            (10, Self::resume),
            (10, Self::resend),
            (6, Self::replay),
            (14, Self::change_secrets),
            (14, Self::change_partner),
            (5, Self::revoke_key),
            (5, Self::revoke_sessions),
            (5, Self::retire_theme),
            (130, Self::webhook_worker),
            (50, Self::mail_worker),
            (25, Self::activation_worker),
            (20, Self::recovery_worker),
            (5, Self::rendering_worker),
            (6, Self::housekeeping),
            (93, Self::world_changes),
        ];
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

    /// The clock goes forward, a receiver or the mail server changes its mood, or the process is killed.
    fn world_changes(&mut self) {
        let line = match self.random.below(100) {
            0..60 => {
                let seconds = *self.random.pick(&[1, 1, 2, 5, 10, 31, 60, 125, 600, 3_700, 7_300, 43_000, 90_000]);
                // A long time is rare, because most things end with it.
                let seconds = if self.chance(3) { *self.random.pick(&[440_000, 2_600_000]) } else { seconds };
                self.world.clock.advance(chrono::Duration::seconds(seconds));
                format!("{seconds} s pass")
            }
            60..85 => {
                use Mood::{Accepts, Busy, Fails, Gone, TimesOut};
                let url = *self.random.pick(&RECEIVERS);
                let mood = *self.random.pick(&[Accepts, Accepts, Accepts, Fails, Fails, Busy, Gone, TimesOut]);
                self.world.network.state().moods.insert(url.to_owned(), mood);
                format!("{url} {mood:?}")
            }
            85..95 => {
                use MailMood::{Accepts, Busy, Refuses};
                let mood = *self.random.pick(&[Accepts, Accepts, Busy, Refuses]);
                self.world.network.state().mail = mood;
                format!("the mail server {mood:?}")
            }
            _ => {
                self.restart();
                "killed".to_owned()
            }
        };
        self.note(line);
    }

    /// A partner and a mode.
    fn any_partner(&mut self) -> (Uuid, KeyMode) {
        let index = self.random.below(self.model.partners.len());
        let mode = if self.chance(35) { KeyMode::Test } else { KeyMode::Live };
        (self.model.partners[index].partner.id, mode)
    }

    /// A card, or rarely the id of none.
    fn any_card(&mut self) -> Uuid {
        let ids: Vec<Uuid> = self.model.cards.keys().copied().collect();
        let deleted: Vec<Uuid> = self.model.deleted.iter().copied().collect();
        match self.random.below(100) {
            0..4 if !deleted.is_empty() => *self.random.pick(&deleted),
            _ if ids.is_empty() => Uuid::nil(),
            _ => *self.random.pick(&ids),
        }
    }

    /// A subscription, if there is one.
    fn any_subscription(&mut self) -> Option<Uuid> {
        let ids: Vec<Uuid> = self.model.subscriptions.keys().copied().collect();
        (!ids.is_empty()).then(|| *self.random.pick(&ids))
    }

    fn any_target(&mut self) -> SessionTarget {
        *self.random.pick(&SessionTarget::ALL)
    }

    /// A caller with the current key of this partner and mode, or `None` while the partner is blocked.
    fn caller(&self, partner_id: Uuid, mode: KeyMode) -> Option<Caller> {
        let account = self.model.account(partner_id);
        let request_id = "req_sim".to_owned();
        let key_id = account.key(mode);
        let caller = Caller { partner_id, key_id, mode, version: "2026-10", request_id, idempotency: None };
        (!account.partner.blocked).then_some(caller)
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

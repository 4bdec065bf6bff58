//! Deliveries: enqueued, claimed, finished, sent again and deleted (decisions W3).

use super::{Conn, Db, LOCKS, Result, RunQueryDsl, any_subscription, insert_attempts, on_topics};

mod claim;
mod finish;
mod notification;
mod operator;
mod order_check;
mod ordering;
mod outbox;
mod recovery;
mod webhook_delivery;

pub(crate) use self::{
    claim::{claim_deliveries, subscriptions_due},
    finish::finish_deliveries,
    notification::*,
    operator::{
        attempts_of, body_of, delete_delivery_batch, deliveries_among, deliveries_in_state, delivery, delivery_count,
        end_pause, make_due_now_batch, pause_subscription, resend_batch, resend_delivery,
    },
    order_check::{check_order, delete_unfinished_batch, next_unfinished, order_cards},
    ordering::*,
    outbox::outbox,
    recovery::{recover_batch, recovering, start_recovery},
    webhook_delivery::{webhook_deliveries_page, webhook_delivery},
};

//! Deliveries: enqueued, claimed, finished, sent again and deleted (decisions W3).

use super::{Conn, Db, LOCKS, Result, RunQueryDsl, any_subscription, on_topics, write_successes};

mod attempt;
mod enqueue;
mod operator;
mod sequence;
mod webhook_delivery;

pub(crate) use self::attempt::*;
pub(crate) use self::enqueue::*;
pub(crate) use self::operator::*;
pub(crate) use self::sequence::*;
pub(crate) use self::webhook_delivery::*;

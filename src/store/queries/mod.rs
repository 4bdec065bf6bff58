//! Every query of the store, written once and compiled against each engine.
//!
//! `super` is the engine that includes this folder. It supplies `QueryConn`, `Db`, `RunQueryDsl`, `JOINS`, `LOCKS`,
//! `insert_attempts` and the macros `locked!`, `skip_locked!` and `among!`; the rest is plain diesel. No function here
//! opens a transaction: the methods of the store run each in one.

use super::{Db, JOINS, LOCKS, QueryConn as Conn, RunQueryDsl, insert_attempts};

/// Whether a row is within a scope: it belongs to the partner, and a test key reaches test rows only. Used for every
/// table whose rows a partner owns.
macro_rules! within {
    ($table:ident, $scope:expr) => {{
        let scope: crate::model::Scope = $scope;
        let reaches_live = diesel::IntoSql::into_sql::<diesel::sql_types::Bool>(scope.reaches_live());
        let of_mode = $table::test.eq(true).or(reaches_live);
        $table::partner_id.eq(crate::store::sql_type::Id(scope.partner_id)).and(of_mode)
    }};
}

mod access_key;
mod admin;
mod audit;
mod card;
mod deletion;
mod delivery;
mod event;
mod idempotency;
mod invitation;
mod invitee;
mod mail;
mod order;
mod partner;
mod photo;
mod quota;
mod retention;
mod schema_check;
mod session;
mod subscription;
mod theme;
mod usage;
mod version_notice;
mod webhook_secret;

pub(in crate::store) use self::{
    access_key::*, admin::*, audit::*, card::*, deletion::*, delivery::*, event::*, idempotency::*, invitation::*,
    invitee::*, mail::*, order::*, partner::*, photo::*, quota::*, retention::*, schema_check::*, session::*,
    subscription::*, theme::*, usage::*, version_notice::*, webhook_secret::*,
};

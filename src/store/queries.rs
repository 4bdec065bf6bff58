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

#[path = "queries/access_key.rs"]
mod access_key;
#[path = "queries/admin.rs"]
mod admin;
#[path = "audit/queries.rs"]
mod audit;
#[path = "card/queries.rs"]
mod card;
#[path = "card/deletion.rs"]
mod deletion;
#[path = "delivery/queries/mod.rs"]
mod delivery;
#[path = "queries/event.rs"]
mod event;
#[path = "idempotency/queries.rs"]
mod idempotency;
#[path = "queries/invitation.rs"]
mod invitation;
#[path = "invitee/queries.rs"]
mod invitee;
#[path = "mail/queries.rs"]
mod mail;
#[path = "order/queries.rs"]
mod order;
#[path = "partner/queries.rs"]
mod partner;
#[path = "photo/queries.rs"]
mod photo;
#[path = "queries/quota.rs"]
mod quota;
#[path = "queries/retention.rs"]
mod retention;
#[path = "queries/schema_check.rs"]
mod schema_check;
#[path = "session/queries.rs"]
mod session;
#[path = "subscription/queries.rs"]
mod subscription;
#[path = "theme/queries.rs"]
mod theme;
#[path = "queries/usage.rs"]
mod usage;
#[path = "queries/version_notice.rs"]
mod version_notice;
#[path = "queries/webhook_secret.rs"]
mod webhook_secret;

pub(in crate::store) use self::{
    access_key::*, admin::*, audit::*, card::*, deletion::*, delivery::*, event::*, idempotency::*, invitation::*,
    invitee::*, mail::*, order::*, partner::*, photo::*, quota::*, retention::*, schema_check::*, session::*,
    subscription::*, theme::*, usage::*, version_notice::*, webhook_secret::*,
};

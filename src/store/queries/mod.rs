//! Every query of the store, written once and compiled against each engine.
//!
//! `super` is the engine that includes this folder. It supplies `Conn`, `Db`, `RunQueryDsl`, `JOINS`, `LOCKS`, `insert_attempts` and
//! the macros `locked!`, `skip_locked!` and `among!`; the rest is plain diesel. No function here opens a transaction: the methods of
//! the store run each in one.

use super::{Conn, Db, JOINS, LOCKS, RunQueryDsl, insert_attempts};

/// Whether a row lies within a scope: it is the partner's, and a test key reaches only what is marked as test. The one
/// predicate for every table whose rows a caller can own.
macro_rules! within {
    ($table:ident, $scope:expr) => {{
        let scope: crate::model::Scope = $scope;
        let reaches_live = diesel::IntoSql::into_sql::<diesel::sql_types::Bool>(scope.reaches_live());
        let of_mode = $table::test.eq(true).or(reaches_live);
        $table::partner_id.eq(crate::store::sql_type::Id(scope.partner_id)).and(of_mode)
    }};
}

mod access_key;
mod audit;
mod card;
mod claim;
mod deletion;
mod delivery;
mod event;
mod finish;
mod idempotency;
mod invitation;
mod invitee;
mod invitee_list_link;
mod mail;
mod notification;
mod order;
mod outbox;
mod partner;
mod photo;
mod quota;
mod rendition;
mod schema_check;
mod session;
mod subscription;
mod survey;
mod theme;
mod turn;
mod usage;
mod version_notice;
mod webhook_delivery;
mod webhook_secret;

pub(in crate::store) use self::{
    access_key::{issue_key, key_by_digest, keys_of, live_key_exists, revoke_key, rotate_key, touch_key},
    audit::{audit_since, note_alone, noted},
    card::{any_card, card, card_by_dossier, card_by_slug, dossier_holder_is_test, insert_card, write_change},
    claim::{claim_deliveries, subscriptions_due},
    deletion::{delete_card, invitees_before, purge_invitees_of, purge_some_invitees_before, test_cards},
    delivery::{
        any_subscription, attempts_of, body_of, deliveries_in_state, delivery, delivery_count, drop_some_unfinished,
        end_pause, hasten_some, resend_delivery, resend_some, subscription_with_due, sweep_some_deliveries,
    },
    event::events_of,
    finish::finish_deliveries,
    idempotency::{bind_request, bound_card, forget_some_idempotency, idempotency_record},
    invitation::{forget_invitation_days, invitations_used_up, invite},
    invitee::{add_invitees, invitee, invitee_by_token, invitees_of, note_seen, remove_invitee},
    invitee_list_link::{add_invitee_list_link, forget_invitee_list_links, invitee_list_link},
    mail::{
        claim_mail, forget_mails, mail_backlog, mail_failed, mail_lost_since, mail_postponed, mail_sent, mails_of,
        queue_mail,
    },
    notification::sweep_some_bodies,
    order::{activations_due, drop_activation, order_of, postpone_activation},
    outbox::outbox,
    partner::{add_partner, change_partner, partner, partner_by_name, partners, set_partner_blocked},
    photo::{delete_photo, mark_photo_for_deletion, photo_is_there, photos_unused, put_photo},
    quota::{forget_quotas, use_quota},
    rendition::{claim_photo_to_render, photo_rendered, portrait, rendering_postponed},
    schema_check::{answer, check_schema},
    session::{
        end_sessions, forget_visits, open_session, open_sessions, open_visit, redeem_session, session_by_digest,
        session_key_is_revoked, touch_visit, visit,
    },
    subscription::{change_callback, create_subscription, delete_subscription, subscription, subscriptions_page},
    survey::{card_of_order, cards_of_dossier, order_lines},
    theme::{
        all_themes, put_theme, retire_theme, theme, theme_by_handle, theme_by_number, theme_is_retired, themes_page,
    },
    usage::{add_usage, forget_usage, usage_between, usage_since},
    version_notice::{drop_version_notice, put_version_notice, version_notices},
    webhook_delivery::{webhook_deliveries_page, webhook_delivery},
    webhook_secret::{
        issue_webhook_secret, revoke_webhook_secret, rotate_webhook_secret, webhook_secrets, webhook_secrets_of,
    },
};

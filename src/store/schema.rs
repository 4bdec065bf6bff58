//! The tables, for both engines. Their SQL is in `migrations/`.

/// Declares tables whose columns may have our own SQL types.
macro_rules! tables {
    ($($table:ident ($($key:ident),+) { $($column:ident -> $ty:ty,)+ })+) => {$(
        diesel::table! {
            use diesel::sql_types::*;
            use crate::store::sql_type::{MomentSql, UuidSql};
            $table ($($key),+) { $($column -> $ty,)+ }
        }
    )+
    diesel::allow_tables_to_appear_in_same_query!($($table),+);
    };
}

tables! {
    partners (id) {
        id -> UuidSql,
        name -> Text,
        test_address -> Nullable<Text>,
        refresh_address -> Nullable<Text>,
        price_cents -> BigInt,
        blocked -> Bool,
        created_at -> MomentSql,
        shown_name -> Nullable<Text>,
        phone -> Nullable<Text>,
        email -> Nullable<Text>,
        privacy_url -> Nullable<Text>,
        logo -> Nullable<Text>,
    }
    access_keys (id) {
        id -> UuidSql,
        partner_id -> UuidSql,
        mode -> Text,
        digest -> Binary,
        last_four -> Text,
        label -> Nullable<Text>,
        created_at -> MomentSql,
        expires_at -> Nullable<MomentSql>,
        revoked_at -> Nullable<MomentSql>,
        last_used_at -> Nullable<MomentSql>,
    }
    themes (id) {
        id -> UuidSql,
        number -> BigInt,
        handle -> Text,
        title -> Text,
        description -> Text,
        images -> Text,
        videos -> Text,
        demo_url -> Nullable<Text>,
        position -> BigInt,
        retired_at -> Nullable<MomentSql>,
    }
    photos (key) {
        key -> Text,
        bytes -> BigInt,
        created_at -> MomentSql,
        unused_since -> Nullable<MomentSql>,
        render_at -> Nullable<MomentSql>,
        render_attempts -> Integer,
        rendition_width -> Nullable<Integer>,
        rendition_height -> Nullable<Integer>,
    }
    invitees (id) {
        id -> UuidSql,
        card_id -> UuidSql,
        name -> Text,
        email -> Nullable<Text>,
        email_folded -> Nullable<Text>,
        token -> Text,
        created_at -> MomentSql,
        mail_count -> Integer,
        last_mail_at -> Nullable<MomentSql>,
        seen_at -> Nullable<MomentSql>,
    }
    invitation_counts (digest) {
        digest -> Binary,
        card_id -> UuidSql,
        sent -> Integer,
        last_at -> MomentSql,
    }
    invitation_days (owner_id, test, day) {
        owner_id -> UuidSql,
        test -> Bool,
        day -> Date,
        sent -> Integer,
    }
    mails (id) {
        id -> UuidSql,
        card_id -> UuidSql,
        kind -> Text,
        invitee_id -> Nullable<UuidSql>,
        created_at -> MomentSql,
        due_at -> Nullable<MomentSql>,
        attempts -> Integer,
        sent_at -> Nullable<MomentSql>,
        failed_at -> Nullable<MomentSql>,
        refused -> Bool,
        answer -> Nullable<Text>,
    }
    invitation_notes (card_id) {
        card_id -> UuidSql,
        note -> Text,
        answers -> Bool,
        changed_at -> MomentSql,
    }
    invitee_list_links (digest) {
        digest -> Binary,
        card_id -> UuidSql,
        created_at -> MomentSql,
        expires_at -> MomentSql,
    }
    cards (id) {
        id -> UuidSql,
        partner_id -> UuidSql,
        external_dossier_id -> Text,
        external_funeral_director_id -> Nullable<Text>,
        theme_id -> Nullable<UuidSql>,
        deceased_first_name -> Nullable<Text>,
        deceased_last_name -> Nullable<Text>,
        deceased_date_of_birth -> Nullable<Date>,
        deceased_date_of_death -> Nullable<Date>,
        deceased_photo_key -> Nullable<Text>,
        livestream_url -> Nullable<Text>,
        family_contact_name -> Nullable<Text>,
        family_contact_email -> Nullable<Text>,
        layout -> Text,
        visibility -> Text,
        memorial_text -> Nullable<Text>,
        status -> Text,
        slug -> Nullable<Text>,
        test -> Bool,
        created_at -> MomentSql,
        updated_at -> MomentSql,
        event_count -> BigInt,
        ordered_at -> Nullable<MomentSql>,
        activated_at -> Nullable<MomentSql>,
        offline_since -> Nullable<MomentSql>,
        farewell_date -> Nullable<Date>,
        farewell_time -> Nullable<Text>,
        farewell_until -> Nullable<Text>,
        farewell_place -> Nullable<Text>,
        farewell_address -> Nullable<Text>,
        farewell_note -> Nullable<Text>,
        deceased_photo_focal_point -> Nullable<Text>,
    }
    events (id) {
        id -> UuidSql,
        partner_id -> UuidSql,
        card_id -> UuidSql,
        topic -> Text,
        sequence -> BigInt,
        actor -> Text,
        changed_fields -> Text,
        test -> Bool,
        occurred_at -> MomentSql,
    }
    sessions (digest) {
        digest -> Binary,
        card_id -> UuidSql,
        target -> Text,
        created_at -> MomentSql,
        expires_at -> MomentSql,
        used_at -> Nullable<MomentSql>,
        key_id -> Nullable<UuidSql>,
    }
    visits (digest) {
        digest -> Binary,
        card_id -> UuidSql,
        target -> Text,
        created_at -> MomentSql,
        seen_at -> MomentSql,
        key_id -> Nullable<UuidSql>,
    }
    admin_sessions (id) {
        id -> UuidSql,
        link -> Binary,
        operator -> Text,
        created_at -> MomentSql,
        expires_at -> MomentSql,
        opened_at -> Nullable<MomentSql>,
        cookie -> Nullable<Binary>,
        seen_at -> Nullable<MomentSql>,
        ended_at -> Nullable<MomentSql>,
    }
    customers (id) {
        id -> UuidSql,
        partner_id -> UuidSql,
        email -> Text,
        name -> Nullable<Text>,
        test -> Bool,
        created_at -> MomentSql,
    }
    orders (id) {
        id -> UuidSql,
        card_id -> UuidSql,
        partner_id -> UuidSql,
        customer_id -> Nullable<UuidSql>,
        number -> Text,
        price_cents -> BigInt,
        actor -> Text,
        test -> Bool,
        ordered_at -> MomentSql,
    }
    activations (card_id) {
        card_id -> UuidSql,
        due_at -> MomentSql,
        attempts -> BigInt,
    }
    idempotency_keys (partner_id, mode, key, ordinal) {
        partner_id -> UuidSql,
        mode -> Text,
        key -> Text,
        ordinal -> Integer,
        input -> Binary,
        card_id -> UuidSql,
        request -> Nullable<Binary>,
        response -> Nullable<Text>,
        made_at -> MomentSql,
    }
    webhook_subscriptions (id) {
        id -> UuidSql,
        partner_id -> UuidSql,
        topic -> Text,
        callback_url -> Text,
        callback_url_digest -> Binary,
        api_version -> Text,
        test -> Bool,
        created_at -> MomentSql,
        updated_at -> MomentSql,
        paused_at -> Nullable<MomentSql>,
        pause_reason -> Nullable<Text>,
        failing_since -> Nullable<MomentSql>,
        failure_count -> BigInt,
        name -> Nullable<Text>,
        recover_after -> Nullable<UuidSql>,
    }
    deliveries (id) {
        id -> UuidSql,
        event_id -> UuidSql,
        subscription_id -> UuidSql,
        partner_id -> UuidSql,
        card_id -> UuidSql,
        topic -> Text,
        sequence -> BigInt,
        test -> Bool,
        api_version -> Text,
        state -> Text,
        attempt_count -> BigInt,
        schedule_step -> BigInt,
        due_at -> Nullable<MomentSql>,
        lease -> Nullable<UuidSql>,
        leased_until -> Nullable<MomentSql>,
        created_at -> MomentSql,
        finished_at -> Nullable<MomentSql>,
        success_started_at -> Nullable<MomentSql>,
        success_duration_ms -> Nullable<BigInt>,
        success_status -> Nullable<Integer>,
    }
    notifications (event_id, api_version) {
        event_id -> UuidSql,
        api_version -> Text,
        body -> Text,
    }
    attempts (delivery_id, number) {
        delivery_id -> UuidSql,
        number -> BigInt,
        started_at -> MomentSql,
        duration_ms -> BigInt,
        status -> Nullable<Integer>,
        failure -> Nullable<Text>,
    }
    audit (id) {
        id -> UuidSql,
        at -> MomentSql,
        actor -> Text,
        command -> Text,
        subject -> Text,
        fields -> Text,
    }
    webhook_secrets (id) {
        id -> UuidSql,
        partner_id -> UuidSql,
        secret -> Binary,
        created_at -> MomentSql,
        expires_at -> Nullable<MomentSql>,
        revoked_at -> Nullable<MomentSql>,
        live_ends_at -> Nullable<MomentSql>,
        test_ends_at -> Nullable<MomentSql>,
    }
    usage (day, version, partner_id, key_mode, coordinate) {
        day -> Date,
        version -> Text,
        partner_id -> UuidSql,
        key_mode -> Text,
        coordinate -> Text,
        count -> BigInt,
    }
    quotas (subject) {
        subject -> Text,
        started_at -> MomentSql,
        used -> BigInt,
    }
    heartbeats (id) {
        id -> Integer,
        written_at -> MomentSql,
        filler -> Binary,
    }
    version_notices (version) {
        version -> Text,
        deprecated -> Date,
        sunset -> Date,
        link -> Nullable<Text>,
        retired_at -> Nullable<MomentSql>,
    }
}

diesel::joinable!(access_keys -> partners (partner_id));

//! The tables, for both engines. Their SQL is in `migrations/`.

/// Declares tables whose columns may have our own SQL types.
macro_rules! tables {
    ($($table:ident ($($key:ident),+) { $($column:ident -> $ty:ty,)+ })+) => {$(
        diesel::table! {
            use diesel::sql_types::*;
            use crate::store::sql_type::{TimestampSql, UuidSql};
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
        created_at -> TimestampSql,
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
        created_at -> TimestampSql,
        expires_at -> Nullable<TimestampSql>,
        revoked_at -> Nullable<TimestampSql>,
        last_used_at -> Nullable<TimestampSql>,
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
        retired_at -> Nullable<TimestampSql>,
    }
    photos (key) {
        key -> Text,
        bytes -> BigInt,
        created_at -> TimestampSql,
        unused_since -> Nullable<TimestampSql>,
        render_at -> Nullable<TimestampSql>,
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
        created_at -> TimestampSql,
        mail_count -> Integer,
        last_mail_at -> Nullable<TimestampSql>,
        seen_at -> Nullable<TimestampSql>,
    }
    invitation_counts (digest) {
        digest -> Binary,
        card_id -> UuidSql,
        sent -> Integer,
        last_at -> TimestampSql,
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
        created_at -> TimestampSql,
        due_at -> Nullable<TimestampSql>,
        attempts -> Integer,
        sent_at -> Nullable<TimestampSql>,
        failed_at -> Nullable<TimestampSql>,
        refused -> Bool,
        answer -> Nullable<Text>,
        blocked_since -> Nullable<TimestampSql>,
    }
    invitation_notes (card_id) {
        card_id -> UuidSql,
        note -> Text,
        answers -> Bool,
        changed_at -> TimestampSql,
    }
    invitee_list_links (digest) {
        digest -> Binary,
        card_id -> UuidSql,
        created_at -> TimestampSql,
        expires_at -> TimestampSql,
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
        created_at -> TimestampSql,
        updated_at -> TimestampSql,
        event_count -> BigInt,
        ordered_at -> Nullable<TimestampSql>,
        activated_at -> Nullable<TimestampSql>,
        offline_since -> Nullable<TimestampSql>,
        farewell_date -> Nullable<Date>,
        farewell_time -> Nullable<Text>,
        farewell_until -> Nullable<Text>,
        farewell_place -> Nullable<Text>,
        farewell_address -> Nullable<Text>,
        farewell_note -> Nullable<Text>,
        deceased_photo_focal_point -> Nullable<Text>,
        lead_in -> Text,
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
        occurred_at -> TimestampSql,
    }
    sessions (digest) {
        digest -> Binary,
        card_id -> UuidSql,
        target -> Text,
        created_at -> TimestampSql,
        expires_at -> TimestampSql,
        used_at -> Nullable<TimestampSql>,
        key_id -> Nullable<UuidSql>,
    }
    visits (digest) {
        digest -> Binary,
        card_id -> UuidSql,
        target -> Text,
        created_at -> TimestampSql,
        seen_at -> TimestampSql,
        key_id -> Nullable<UuidSql>,
    }
    admin_sessions (id) {
        id -> UuidSql,
        link -> Binary,
        operator -> Text,
        created_at -> TimestampSql,
        expires_at -> TimestampSql,
        opened_at -> Nullable<TimestampSql>,
        cookie -> Nullable<Binary>,
        seen_at -> Nullable<TimestampSql>,
        ended_at -> Nullable<TimestampSql>,
    }
    customers (id) {
        id -> UuidSql,
        partner_id -> UuidSql,
        email -> Text,
        name -> Nullable<Text>,
        test -> Bool,
        created_at -> TimestampSql,
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
        ordered_at -> TimestampSql,
    }
    activations (card_id) {
        card_id -> UuidSql,
        due_at -> TimestampSql,
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
        made_at -> TimestampSql,
    }
    webhook_subscriptions (id) {
        id -> UuidSql,
        partner_id -> UuidSql,
        topic -> Text,
        callback_url -> Text,
        callback_url_digest -> Binary,
        api_version -> Text,
        test -> Bool,
        created_at -> TimestampSql,
        updated_at -> TimestampSql,
        paused_at -> Nullable<TimestampSql>,
        pause_reason -> Nullable<Text>,
        failing_since -> Nullable<TimestampSql>,
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
        due_at -> Nullable<TimestampSql>,
        lease -> Nullable<UuidSql>,
        leased_until -> Nullable<TimestampSql>,
        created_at -> TimestampSql,
        finished_at -> Nullable<TimestampSql>,
        success_started_at -> Nullable<TimestampSql>,
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
        started_at -> TimestampSql,
        duration_ms -> BigInt,
        status -> Nullable<Integer>,
        failure -> Nullable<Text>,
        cause -> Nullable<Text>,
    }
    audit (id) {
        id -> UuidSql,
        at -> TimestampSql,
        actor -> Text,
        command -> Text,
        subject -> Text,
        fields -> Text,
    }
    webhook_secrets (id) {
        id -> UuidSql,
        partner_id -> UuidSql,
        secret -> Binary,
        created_at -> TimestampSql,
        expires_at -> Nullable<TimestampSql>,
        revoked_at -> Nullable<TimestampSql>,
        live_ends_at -> Nullable<TimestampSql>,
        test_ends_at -> Nullable<TimestampSql>,
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
        started_at -> TimestampSql,
        used -> BigInt,
    }
    heartbeats (id) {
        id -> Integer,
        written_at -> TimestampSql,
        filler -> Binary,
    }
    version_notices (version) {
        version -> Text,
        deprecated -> Date,
        sunset -> Date,
        link -> Nullable<Text>,
        retired_at -> Nullable<TimestampSql>,
    }
}

diesel::joinable!(access_keys -> partners (partner_id));

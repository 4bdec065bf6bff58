-- The schema. Ids are UUIDv7, digests SHA-256. The same tables and names as for SQLite, whose file
-- describes them.
--
-- The tables that requests and deliveries write have no CHECK: PostgreSQL reads the text of each anew in every statement, which was
-- half of the work of a new card (docs/performance.md). SQLite has them.

CREATE TABLE partners (
    id              uuid        PRIMARY KEY,
    name            text        NOT NULL UNIQUE,
    test_address    text,
    refresh_address text, -- where a family asks for a new session link
    price_cents     bigint      NOT NULL DEFAULT 4950 CHECK (price_cents >= 0), -- including VAT
    blocked         boolean     NOT NULL,
    created_at      timestamptz NOT NULL,
    shown_name      text, -- from here on: the funeral organisation as families know it
    phone           text,
    email           text,
    privacy_url     text,
    logo            text -- its key below partner/ in the object store
);

CREATE TABLE access_keys (
    id           uuid        PRIMARY KEY,
    partner_id   uuid        NOT NULL REFERENCES partners (id),
    mode         text        NOT NULL CHECK (mode IN ('live', 'test')),
    digest       bytea       NOT NULL UNIQUE CHECK (length(digest) = 32),
    last_four    text        NOT NULL,
    label        text,
    created_at   timestamptz NOT NULL,
    expires_at   timestamptz,
    revoked_at   timestamptz,
    last_used_at timestamptz
);
CREATE INDEX access_keys_of_partner ON access_keys (partner_id, created_at, id);

CREATE TABLE themes (
    id          uuid        PRIMARY KEY,
    number      bigint      NOT NULL UNIQUE CHECK (number > 0),
    handle      text        NOT NULL UNIQUE,
    title       text        NOT NULL,
    description text        NOT NULL,
    images      text        NOT NULL, -- a JSON array of {"key", "altText"}
    videos      text        NOT NULL, -- a JSON array of addresses
    demo_url    text,
    position    bigint      NOT NULL,
    retired_at  timestamptz
);
CREATE INDEX themes_in_order ON themes (position, number);

CREATE TABLE photos (
    key              text        PRIMARY KEY,
    bytes            bigint      NOT NULL CHECK (bytes >= 0),
    created_at       timestamptz NOT NULL,
    unused_since     timestamptz,
    render_at        timestamptz,
    render_attempts  integer     NOT NULL DEFAULT 0,
    rendition_width  integer,
    rendition_height integer
);
CREATE INDEX photos_without_card ON photos (unused_since) WHERE unused_since IS NOT NULL;
CREATE INDEX photos_to_render ON photos (render_at) WHERE render_at IS NOT NULL;

CREATE TABLE quotas (
    subject    text        PRIMARY KEY,
    started_at timestamptz NOT NULL,
    used       bigint      NOT NULL CHECK (used >= 0)
);
CREATE INDEX quotas_by_start ON quotas (started_at);

CREATE TABLE cards (
    id                           uuid        PRIMARY KEY,
    partner_id                   uuid        NOT NULL,
    external_dossier_id          text        NOT NULL,
    external_funeral_director_id text,
    theme_id                     uuid,
    deceased_first_name          text,
    deceased_last_name           text,
    deceased_date_of_birth       date,
    deceased_date_of_death       date,
    deceased_photo_key           text        REFERENCES photos (key),
    livestream_url               text,
    family_contact_name          text,
    family_contact_email         text,
    layout                       text        NOT NULL DEFAULT 'PORTRAIT',
    visibility                   text        NOT NULL DEFAULT 'OPEN',
    memorial_text                text,
    status                       text        NOT NULL,
    slug                         text,
    test                         boolean     NOT NULL,
    created_at                   timestamptz NOT NULL,
    updated_at                   timestamptz NOT NULL,
    event_count                  bigint      NOT NULL,
    ordered_at                   timestamptz,
    activated_at                 timestamptz,
    offline_since                timestamptz, -- since when the operator keeps an ACTIVE card from being seen
    farewell_date                date,
    farewell_time                text, -- HH:MM in the Netherlands
    farewell_until               text,
    farewell_place               text,
    farewell_address             text,
    farewell_note                text,
    deceased_photo_focal_point   text, -- in tenths of width and height, such as 5,2: it stays visible where the portrait is cropped
    UNIQUE (partner_id, external_dossier_id)
);
CREATE UNIQUE INDEX cards_slug ON cards (slug) WHERE slug IS NOT NULL;
CREATE INDEX cards_with_photo ON cards (deceased_photo_key) WHERE deceased_photo_key IS NOT NULL;

CREATE TABLE events (
    id             uuid        PRIMARY KEY,
    partner_id     uuid        NOT NULL,
    card_id        uuid        NOT NULL,
    topic          text        NOT NULL,
    sequence       bigint      NOT NULL,
    actor          text        NOT NULL,
    changed_fields text        NOT NULL, -- a JSON array of paths in the schema
    test           boolean     NOT NULL,
    occurred_at    timestamptz NOT NULL,
    UNIQUE (card_id, sequence)
);

CREATE TABLE sessions (
    digest     bytea       PRIMARY KEY CHECK (length(digest) = 32),
    card_id    uuid        NOT NULL REFERENCES cards (id),
    target     text        NOT NULL CHECK (target IN ('CUSTOMIZER', 'INVITEE_LIST')),
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    used_at    timestamptz,
    key_id     uuid
);
CREATE INDEX sessions_of_card ON sessions (card_id);
CREATE INDEX sessions_of_key ON sessions (key_id, expires_at);
CREATE INDEX sessions_by_end ON sessions (expires_at);

CREATE TABLE visits (
    digest     bytea       PRIMARY KEY CHECK (length(digest) = 32),
    card_id    uuid        NOT NULL REFERENCES cards (id),
    target     text        NOT NULL CHECK (target IN ('CUSTOMIZER', 'INVITEE_LIST')),
    created_at timestamptz NOT NULL,
    seen_at    timestamptz NOT NULL,
    key_id     uuid
);
CREATE INDEX visits_by_age ON visits (created_at);
CREATE INDEX visits_of_key ON visits (key_id, created_at);
CREATE INDEX visits_of_card ON visits (card_id, created_at);

CREATE TABLE idempotency_keys (
    partner_id uuid        NOT NULL,
    mode       text        NOT NULL,
    key        text        NOT NULL,
    ordinal    integer     NOT NULL, -- of the cardCreate field in its request
    input      bytea       NOT NULL, -- SHA-256 of the field's input
    card_id    uuid        NOT NULL, -- no foreign key: the transaction that writes the row creates the card
    request    bytea, -- SHA-256 of the request that succeeded
    response   text, -- never one that holds a session link
    made_at    timestamptz NOT NULL,
    PRIMARY KEY (partner_id, mode, key, ordinal)
) WITH (fillfactor = 40); -- room on its page for the response, which no index has
CREATE INDEX idempotency_keys_by_age ON idempotency_keys USING brin (made_at); -- rows are written in its order

CREATE TABLE customers (
    id         uuid        PRIMARY KEY,
    partner_id uuid        NOT NULL REFERENCES partners (id),
    email      text        NOT NULL,
    name       text,
    test       boolean     NOT NULL,
    created_at timestamptz NOT NULL,
    UNIQUE (partner_id, email, test)
);

CREATE TABLE orders (
    id          uuid        PRIMARY KEY,
    card_id     uuid        NOT NULL UNIQUE,
    partner_id  uuid        NOT NULL REFERENCES partners (id),
    customer_id uuid        REFERENCES customers (id),
    number      text        NOT NULL UNIQUE,
    price_cents bigint      NOT NULL CHECK (price_cents >= 0), -- at the time of the order
    actor       text        NOT NULL CHECK (actor IN ('FAMILY', 'OPERATOR')),
    test        boolean     NOT NULL,
    ordered_at  timestamptz NOT NULL
);
CREATE INDEX orders_of_partner ON orders (partner_id, ordered_at);
CREATE INDEX orders_of_customer ON orders (customer_id);

CREATE TABLE activations (
    card_id  uuid        PRIMARY KEY REFERENCES cards (id),
    due_at   timestamptz NOT NULL,
    attempts bigint      NOT NULL CHECK (attempts >= 0)
);
CREATE INDEX activations_due ON activations (due_at);

CREATE TABLE invitees (
    id           uuid        PRIMARY KEY,
    card_id      uuid        NOT NULL REFERENCES cards (id),
    name         text        NOT NULL,
    email        text,
    email_folded text, -- in lower case: an address is on a list once
    token        text        NOT NULL UNIQUE, -- of the personal link, which the list shows again
    created_at   timestamptz NOT NULL,
    mail_count   integer     NOT NULL CHECK (mail_count >= 0),
    last_mail_at timestamptz,
    seen_at      timestamptz, -- when the personal link was first opened
    UNIQUE (card_id, email_folded),
    CHECK ((email IS NULL) = (email_folded IS NULL))
);
CREATE INDEX invitees_of_card ON invitees (card_id, created_at, id);

CREATE TABLE invitee_list_links (
    digest     bytea       PRIMARY KEY CHECK (length(digest) = 32),
    card_id    uuid        NOT NULL REFERENCES cards (id),
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL
);
CREATE INDEX invitee_list_links_by_end ON invitee_list_links (expires_at);
CREATE INDEX invitee_list_links_of_card ON invitee_list_links (card_id, expires_at);

CREATE TABLE invitation_notes (
    card_id    uuid        NOT NULL PRIMARY KEY REFERENCES cards (id) ON DELETE CASCADE,
    note       text        NOT NULL,
    answers    boolean     NOT NULL,
    changed_at timestamptz NOT NULL,
    CHECK (note <> '' OR answers)
);
CREATE INDEX invitation_notes_by_change ON invitation_notes (changed_at);

CREATE TABLE invitation_counts (
    digest  bytea       PRIMARY KEY CHECK (length(digest) = 32), -- of the card and the address
    card_id uuid        NOT NULL REFERENCES cards (id),
    sent    integer     NOT NULL CHECK (sent > 0),
    last_at timestamptz NOT NULL
);
CREATE INDEX invitation_counts_of_card ON invitation_counts (card_id);
CREATE INDEX invitation_counts_by_last ON invitation_counts (last_at);

CREATE TABLE invitation_days (
    owner_id uuid    NOT NULL,
    test     boolean NOT NULL,
    day      date    NOT NULL,
    sent     integer NOT NULL CHECK (sent >= 0),
    PRIMARY KEY (owner_id, test, day)
);
CREATE INDEX invitation_days_by_day ON invitation_days (day);

CREATE TABLE mails (
    id         uuid        PRIMARY KEY,
    card_id    uuid        NOT NULL REFERENCES cards (id),
    kind       text        NOT NULL CHECK (kind IN ('ORDER', 'CARD_ONLINE', 'INVITATION')),
    invitee_id uuid        REFERENCES invitees (id) ON DELETE CASCADE,
    created_at timestamptz NOT NULL,
    due_at     timestamptz,
    attempts   integer     NOT NULL CHECK (attempts >= 0),
    sent_at    timestamptz,
    failed_at  timestamptz,
    refused    boolean     NOT NULL DEFAULT false,
    answer     text,
    CHECK ((kind = 'INVITATION') = (invitee_id IS NOT NULL)),
    CHECK (num_nonnulls(due_at, sent_at, failed_at) = 1)
);
CREATE INDEX mails_due ON mails (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX mails_done ON mails (created_at) WHERE due_at IS NULL;
CREATE INDEX mails_of_card ON mails (card_id, created_at, id);
CREATE INDEX mails_of_invitee ON mails (invitee_id) WHERE invitee_id IS NOT NULL;
CREATE INDEX mails_failing ON mails (created_at) WHERE due_at IS NOT NULL AND answer IS NOT NULL;
CREATE INDEX mails_failed ON mails (failed_at) WHERE failed_at IS NOT NULL;

CREATE TABLE webhook_secrets (
    id           uuid        PRIMARY KEY,
    partner_id   uuid        NOT NULL REFERENCES partners (id),
    secret       bytea       NOT NULL CHECK (length(secret) BETWEEN 24 AND 64),
    created_at   timestamptz NOT NULL,
    expires_at   timestamptz,
    revoked_at   timestamptz,
    live_ends_at timestamptz, -- its end for the subscriptions of live keys, after the partner rotated it
    test_ends_at timestamptz -- likewise for those of test keys
);
CREATE INDEX webhook_secrets_of_partner ON webhook_secrets (partner_id, created_at, id);

CREATE TABLE webhook_subscriptions (
    id                  uuid        PRIMARY KEY,
    partner_id          uuid        NOT NULL REFERENCES partners (id),
    topic               text        NOT NULL
        CHECK (topic IN ('CARDS_CREATE', 'CARDS_UPDATE', 'CARDS_ORDERED', 'CARDS_ACTIVATED')),
    callback_url        text        NOT NULL,
    callback_url_digest bytea       NOT NULL CHECK (length(callback_url_digest) = 32), -- of its normalised form
    api_version         text        NOT NULL,
    test                boolean     NOT NULL DEFAULT false,
    created_at          timestamptz NOT NULL,
    updated_at          timestamptz NOT NULL,
    paused_at           timestamptz,
    pause_reason        text        CHECK (pause_reason IN ('FAILURES', 'GONE')),
    failing_since       timestamptz,
    failure_count       bigint      NOT NULL DEFAULT 0 CHECK (failure_count >= 0),
    name                text, -- the partner's own name for it
    recover_after       uuid, -- while failed deliveries are sent again: the last one that was
    UNIQUE (partner_id, topic, callback_url_digest)
);
CREATE INDEX webhook_subscriptions_page ON webhook_subscriptions (partner_id, id);
CREATE INDEX webhook_subscriptions_of_address ON webhook_subscriptions (partner_id, callback_url_digest);
CREATE INDEX webhook_subscriptions_recovering ON webhook_subscriptions (id) WHERE recover_after IS NOT NULL;

CREATE TABLE notifications (
    event_id    uuid NOT NULL,
    api_version text NOT NULL,
    body        text NOT NULL, -- the bytes that are signed, so no JSON type
    PRIMARY KEY (event_id, api_version)
);

CREATE TABLE deliveries (
    id              uuid        PRIMARY KEY, -- derived from event and subscription; sorts by the time of the event
    event_id        uuid        NOT NULL,
    subscription_id uuid        NOT NULL,
    partner_id      uuid        NOT NULL,
    card_id         uuid        NOT NULL,
    topic           text        NOT NULL,
    sequence        bigint      NOT NULL,
    test            boolean     NOT NULL,
    api_version     text        NOT NULL,
    state           text        NOT NULL,
    attempt_count   bigint      NOT NULL,
    schedule_step   bigint      NOT NULL,
    due_at          timestamptz, -- of the next attempt, or of the running one
    lease           uuid, -- the lease of the running attempt
    leased_until    timestamptz, -- the end of the lease; in no index, so that a claim moves none
    created_at      timestamptz NOT NULL,
    finished_at     timestamptz,
    -- The attempt that succeeded, number attempt_count. When the delivery is sent again, it is copied to attempts and cleared.
    success_started_at  timestamptz,
    success_duration_ms bigint,
    success_status      integer
) WITH (fillfactor = 50); -- room on its page for a lease
CREATE INDEX deliveries_due ON deliveries (subscription_id, due_at, id) WHERE due_at IS NOT NULL;
CREATE INDEX deliveries_in_turn ON deliveries (subscription_id, card_id, sequence) WHERE finished_at IS NULL;
CREATE INDEX deliveries_by_state ON deliveries (subscription_id, state, id);

-- The attempts of deliveries, without the success of a delivered one.
CREATE TABLE attempts (
    delivery_id uuid        NOT NULL,
    number      bigint      NOT NULL,
    started_at  timestamptz NOT NULL,
    duration_ms bigint      NOT NULL,
    status      integer,
    failure     text,
    PRIMARY KEY (delivery_id, number)
);

CREATE TABLE admin_sessions (
    id         uuid        NOT NULL PRIMARY KEY,
    link       bytea       NOT NULL UNIQUE CHECK (length(link) = 32),
    operator   text        NOT NULL, -- the actor of its audit records
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL, -- of the link
    opened_at  timestamptz,
    cookie     bytea       UNIQUE CHECK (length(cookie) = 32),
    seen_at    timestamptz,
    ended_at   timestamptz
);
CREATE INDEX admin_sessions_by_end ON admin_sessions (expires_at, id);

CREATE TABLE audit (
    id      uuid        PRIMARY KEY,
    at      timestamptz NOT NULL,
    actor   text        NOT NULL, -- the user of the operating system
    command text        NOT NULL,
    subject text        NOT NULL, -- as named on the command line: a partner, a key, a card
    fields  text        NOT NULL -- a JSON array of names; never a value
);
CREATE INDEX audit_by_moment ON audit (at, id);

CREATE TABLE usage (
    day        date   NOT NULL,
    version    text   NOT NULL,
    partner_id uuid   NOT NULL,
    key_mode   text   NOT NULL CHECK (key_mode IN ('live', 'test')),
    coordinate text   NOT NULL, -- such as Card.status
    count      bigint NOT NULL CHECK (count > 0),
    PRIMARY KEY (day, version, partner_id, key_mode, coordinate)
);

CREATE TABLE version_notices (
    version    text        PRIMARY KEY,
    deprecated date        NOT NULL,
    sunset     date        NOT NULL,
    link       text, -- where partners read more
    retired_at timestamptz
);

-- The first schema. Ids are UUIDv7; digests are SHA-256. The SQLite twin has the same tables and names.

CREATE TABLE partners (
    id           uuid        PRIMARY KEY,
    name         text        NOT NULL UNIQUE,
    test_address text,
    blocked      boolean     NOT NULL,
    created_at   timestamptz NOT NULL
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
    id          uuid   PRIMARY KEY,
    number      bigint NOT NULL UNIQUE CHECK (number > 0),
    handle      text   NOT NULL UNIQUE,
    title       text   NOT NULL,
    description text   NOT NULL,
    images      text   NOT NULL, -- a JSON array of {"key", "altText"}
    videos      text   NOT NULL, -- a JSON array of addresses
    demo_url    text,
    position    bigint NOT NULL
);
CREATE INDEX themes_in_order ON themes (position, number);

-- Portraits in the object store. unused_since is null while a card shows the portrait.
CREATE TABLE photos (
    key          text        PRIMARY KEY,
    bytes        bigint      NOT NULL CHECK (bytes >= 0),
    created_at   timestamptz NOT NULL,
    unused_since timestamptz
);
CREATE INDEX photos_without_card ON photos (unused_since) WHERE unused_since IS NOT NULL;

CREATE TABLE cards (
    id                           uuid        PRIMARY KEY,
    partner_id                   uuid        NOT NULL REFERENCES partners (id),
    external_dossier_id          text        NOT NULL,
    external_funeral_director_id text,
    theme_id                     uuid        REFERENCES themes (id),
    deceased_first_name          text,
    deceased_last_name           text,
    deceased_date_of_birth       date,
    deceased_date_of_death       date,
    deceased_photo_key           text        REFERENCES photos (key),
    livestream_url               text,
    family_contact_name          text,
    family_contact_email         text,
    status                       text        NOT NULL CHECK (status IN ('DRAFT', 'ORDERED', 'ACTIVE')),
    slug                         text        UNIQUE,
    test                         boolean     NOT NULL,
    created_at                   timestamptz NOT NULL,
    updated_at                   timestamptz NOT NULL,
    event_count                  bigint      NOT NULL CHECK (event_count >= 0),
    UNIQUE (partner_id, external_dossier_id),
    CHECK ((status = 'ACTIVE') = (slug IS NOT NULL))
);
CREATE INDEX cards_with_photo ON cards (deceased_photo_key) WHERE deceased_photo_key IS NOT NULL;

-- The outbox: one row for each thing that happened to a card, written in the transaction of its cause.
CREATE TABLE events (
    id             uuid        PRIMARY KEY,
    partner_id     uuid        NOT NULL,
    card_id        uuid        NOT NULL REFERENCES cards (id),
    topic          text        NOT NULL
        CHECK (topic IN ('CARDS_CREATE', 'CARDS_UPDATE', 'CARDS_ORDERED', 'CARDS_ACTIVATED')),
    sequence       bigint      NOT NULL CHECK (sequence > 0),
    actor          text        NOT NULL CHECK (actor IN ('PARTNER', 'FAMILY', 'OPERATOR', 'SERVICE')),
    changed_fields text        NOT NULL, -- a JSON array of paths in the schema
    test           boolean     NOT NULL,
    card           text        NOT NULL, -- the card right after the event, as JSON
    occurred_at    timestamptz NOT NULL,
    UNIQUE (card_id, sequence)
);

CREATE TABLE sessions (
    digest     bytea       PRIMARY KEY CHECK (length(digest) = 32),
    card_id    uuid        NOT NULL REFERENCES cards (id),
    target     text        NOT NULL CHECK (target IN ('CUSTOMIZER', 'INVITEE_LIST')),
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    used_at    timestamptz
);
CREATE INDEX sessions_of_card ON sessions (card_id);

-- A request that holds an Idempotency-Key, and its remembered answer.
CREATE TABLE idempotency_keys (
    partner_id  uuid        NOT NULL,
    key         text        NOT NULL,
    fingerprint bytea       NOT NULL CHECK (length(fingerprint) = 32),
    response    text,
    created_at  timestamptz NOT NULL,
    PRIMARY KEY (partner_id, key)
);
CREATE INDEX idempotency_keys_by_age ON idempotency_keys (created_at);

-- The cards that such a request created: ordinal counts its cardCreate fields.
CREATE TABLE idempotency_cards (
    partner_id uuid    NOT NULL,
    key        text    NOT NULL,
    ordinal    integer NOT NULL CHECK (ordinal >= 0),
    card_id    uuid    NOT NULL REFERENCES cards (id),
    PRIMARY KEY (partner_id, key, ordinal),
    FOREIGN KEY (partner_id, key) REFERENCES idempotency_keys (partner_id, key) ON DELETE CASCADE
);

CREATE TABLE webhook_subscriptions (
    id                  uuid        PRIMARY KEY,
    partner_id          uuid        NOT NULL REFERENCES partners (id),
    topic               text        NOT NULL
        CHECK (topic IN ('CARDS_CREATE', 'CARDS_UPDATE', 'CARDS_ORDERED', 'CARDS_ACTIVATED')),
    callback_url        text        NOT NULL,
    callback_url_digest bytea       NOT NULL CHECK (length(callback_url_digest) = 32), -- of its normalised form
    api_version         text        NOT NULL,
    created_at          timestamptz NOT NULL,
    updated_at          timestamptz NOT NULL,
    UNIQUE (partner_id, topic, callback_url_digest)
);
CREATE INDEX webhook_subscriptions_page ON webhook_subscriptions (partner_id, id);

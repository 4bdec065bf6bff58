-- The first schema. Ids are UUIDv7 in 16 bytes; moments are milliseconds since the epoch; digests are SHA-256.
-- The PostgreSQL twin has the same tables and names.

CREATE TABLE partners (
    id           BLOB    NOT NULL PRIMARY KEY,
    name         TEXT    NOT NULL UNIQUE,
    test_address TEXT,
    blocked      INTEGER NOT NULL CHECK (blocked IN (0, 1)),
    created_at   INTEGER NOT NULL
) STRICT;

CREATE TABLE access_keys (
    id           BLOB    NOT NULL PRIMARY KEY,
    partner_id   BLOB    NOT NULL REFERENCES partners (id),
    mode         TEXT    NOT NULL CHECK (mode IN ('live', 'test')),
    digest       BLOB    NOT NULL UNIQUE CHECK (length(digest) = 32),
    last_four    TEXT    NOT NULL,
    label        TEXT,
    created_at   INTEGER NOT NULL,
    expires_at   INTEGER,
    revoked_at   INTEGER,
    last_used_at INTEGER
) STRICT;
CREATE INDEX access_keys_of_partner ON access_keys (partner_id, created_at, id);

CREATE TABLE themes (
    id          BLOB    NOT NULL PRIMARY KEY,
    number      INTEGER NOT NULL UNIQUE CHECK (number > 0),
    handle      TEXT    NOT NULL UNIQUE,
    title       TEXT    NOT NULL,
    description TEXT    NOT NULL,
    images      TEXT    NOT NULL, -- a JSON array of {"key", "altText"}
    videos      TEXT    NOT NULL, -- a JSON array of addresses
    demo_url    TEXT,
    position    INTEGER NOT NULL
) STRICT;
CREATE INDEX themes_in_order ON themes (position, number);

-- Portraits in the object store. unused_since is null while a card shows the portrait.
CREATE TABLE photos (
    key          TEXT    NOT NULL PRIMARY KEY,
    bytes        INTEGER NOT NULL CHECK (bytes >= 0),
    created_at   INTEGER NOT NULL,
    unused_since INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX photos_without_card ON photos (unused_since) WHERE unused_since IS NOT NULL;

CREATE TABLE cards (
    id                           BLOB    NOT NULL PRIMARY KEY,
    partner_id                   BLOB    NOT NULL REFERENCES partners (id),
    external_dossier_id          TEXT    NOT NULL,
    external_funeral_director_id TEXT,
    theme_id                     BLOB    REFERENCES themes (id),
    deceased_first_name          TEXT,
    deceased_last_name           TEXT,
    deceased_date_of_birth       TEXT,
    deceased_date_of_death       TEXT,
    deceased_photo_key           TEXT    REFERENCES photos (key),
    livestream_url               TEXT,
    family_contact_name          TEXT,
    family_contact_email         TEXT,
    status                       TEXT    NOT NULL CHECK (status IN ('DRAFT', 'ORDERED', 'ACTIVE')),
    slug                         TEXT    UNIQUE,
    test                         INTEGER NOT NULL CHECK (test IN (0, 1)),
    created_at                   INTEGER NOT NULL,
    updated_at                   INTEGER NOT NULL,
    event_count                  INTEGER NOT NULL CHECK (event_count >= 0),
    UNIQUE (partner_id, external_dossier_id),
    CHECK ((status = 'ACTIVE') = (slug IS NOT NULL))
) STRICT;
CREATE INDEX cards_with_photo ON cards (deceased_photo_key) WHERE deceased_photo_key IS NOT NULL;

-- The outbox: one row for each thing that happened to a card, written in the transaction of its cause.
CREATE TABLE events (
    id             BLOB    NOT NULL PRIMARY KEY,
    partner_id     BLOB    NOT NULL,
    card_id        BLOB    NOT NULL REFERENCES cards (id),
    topic          TEXT    NOT NULL
        CHECK (topic IN ('CARDS_CREATE', 'CARDS_UPDATE', 'CARDS_ORDERED', 'CARDS_ACTIVATED')),
    sequence       INTEGER NOT NULL CHECK (sequence > 0),
    actor          TEXT    NOT NULL CHECK (actor IN ('PARTNER', 'FAMILY', 'OPERATOR', 'SERVICE')),
    changed_fields TEXT    NOT NULL, -- a JSON array of paths in the schema
    test           INTEGER NOT NULL CHECK (test IN (0, 1)),
    card           TEXT    NOT NULL, -- the card right after the event, as JSON
    occurred_at    INTEGER NOT NULL,
    UNIQUE (card_id, sequence)
) STRICT;

CREATE TABLE sessions (
    digest     BLOB    NOT NULL PRIMARY KEY CHECK (length(digest) = 32),
    card_id    BLOB    NOT NULL REFERENCES cards (id),
    target     TEXT    NOT NULL CHECK (target IN ('CUSTOMIZER', 'INVITEE_LIST')),
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    used_at    INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX sessions_of_card ON sessions (card_id);

-- A request that holds an Idempotency-Key, and its remembered answer.
CREATE TABLE idempotency_keys (
    partner_id  BLOB    NOT NULL,
    key         TEXT    NOT NULL,
    fingerprint BLOB    NOT NULL CHECK (length(fingerprint) = 32),
    response    TEXT,
    created_at  INTEGER NOT NULL,
    PRIMARY KEY (partner_id, key)
) STRICT;
CREATE INDEX idempotency_keys_by_age ON idempotency_keys (created_at);

-- The cards that such a request created: ordinal counts its cardCreate fields.
CREATE TABLE idempotency_cards (
    partner_id BLOB    NOT NULL,
    key        TEXT    NOT NULL,
    ordinal    INTEGER NOT NULL CHECK (ordinal >= 0),
    card_id    BLOB    NOT NULL REFERENCES cards (id),
    PRIMARY KEY (partner_id, key, ordinal),
    FOREIGN KEY (partner_id, key) REFERENCES idempotency_keys (partner_id, key) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE TABLE webhook_subscriptions (
    id                  BLOB    NOT NULL PRIMARY KEY,
    partner_id          BLOB    NOT NULL REFERENCES partners (id),
    topic               TEXT    NOT NULL
        CHECK (topic IN ('CARDS_CREATE', 'CARDS_UPDATE', 'CARDS_ORDERED', 'CARDS_ACTIVATED')),
    callback_url        TEXT    NOT NULL,
    callback_url_digest BLOB    NOT NULL CHECK (length(callback_url_digest) = 32), -- of its normalised form
    api_version         TEXT    NOT NULL,
    created_at          INTEGER NOT NULL,
    updated_at          INTEGER NOT NULL,
    UNIQUE (partner_id, topic, callback_url_digest)
) STRICT;
CREATE INDEX webhook_subscriptions_page ON webhook_subscriptions (partner_id, id);

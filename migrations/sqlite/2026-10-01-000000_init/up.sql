-- The schema. Ids are UUIDv7 in 16 bytes, timestamps milliseconds since the Unix epoch, dates YYYY-MM-DD, digests SHA-256. The
-- same tables and names as for PostgreSQL.
--
-- A CHECK of three or more values is a chain of OR: for IN, SQLite opens a temporary table for each written row.

-- Partners and their access keys.
CREATE TABLE partners (
    id              BLOB    NOT NULL PRIMARY KEY,
    name            TEXT    NOT NULL UNIQUE,
    test_address    TEXT,
    refresh_address TEXT, -- where a family asks for a new session link
    price_cents     INTEGER NOT NULL DEFAULT 4950 CHECK (price_cents >= 0), -- including VAT
    blocked         INTEGER NOT NULL CHECK (blocked IN (0, 1)),
    created_at      INTEGER NOT NULL,
    shown_name      TEXT, -- from here on: the funeral organisation as families know it
    phone           TEXT,
    email           TEXT,
    privacy_url     TEXT,
    logo            TEXT -- its key below partner/ in the object store
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

-- Themes. A retired theme cannot be chosen; cards that have it keep it.
CREATE TABLE themes (
    id          BLOB    NOT NULL PRIMARY KEY,
    number      INTEGER NOT NULL UNIQUE CHECK (number > 0),
    handle      TEXT    NOT NULL UNIQUE,
    title       TEXT    NOT NULL,
    description TEXT    NOT NULL,
    images      TEXT    NOT NULL, -- a JSON array of {"key", "altText"}
    videos      TEXT    NOT NULL, -- a JSON array of addresses
    demo_url    TEXT,
    position    INTEGER NOT NULL,
    retired_at  INTEGER
) STRICT;
CREATE INDEX themes_in_order ON themes (position, number);

-- Portraits in the object store. unused_since is null while a card shows the portrait. render_at is null when the renditions
-- are made or given up; width and height are those of the screen rendition.
CREATE TABLE photos (
    key              TEXT    NOT NULL PRIMARY KEY,
    bytes            INTEGER NOT NULL CHECK (bytes >= 0),
    created_at       INTEGER NOT NULL,
    unused_since     INTEGER,
    render_at        INTEGER,
    render_attempts  INTEGER NOT NULL DEFAULT 0,
    rendition_width  INTEGER,
    rendition_height INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX photos_without_card ON photos (unused_since) WHERE unused_since IS NOT NULL;
CREATE INDEX photos_to_render ON photos (render_at) WHERE render_at IS NOT NULL;

-- How much of a quota was used since its window began: photo bytes of a partner and key mode in a day, photos of a browser
-- session (by the digest of its cookie) in an hour. Rows of past windows are deleted.
CREATE TABLE quotas (
    subject    TEXT    NOT NULL PRIMARY KEY,
    started_at INTEGER NOT NULL,
    used       INTEGER NOT NULL CHECK (used >= 0)
) STRICT, WITHOUT ROWID;
CREATE INDEX quotas_by_start ON quotas (started_at);

-- No foreign keys to partners and themes, which are never deleted: their rows would be read, and locked by PostgreSQL, for each
-- new card.
CREATE TABLE cards (
    id                           BLOB    NOT NULL PRIMARY KEY,
    partner_id                   BLOB    NOT NULL,
    external_dossier_id          TEXT    NOT NULL,
    external_funeral_director_id TEXT,
    theme_id                     BLOB,
    deceased_first_name          TEXT,
    deceased_last_name           TEXT,
    deceased_date_of_birth       TEXT,
    deceased_date_of_death       TEXT,
    deceased_photo_key           TEXT    REFERENCES photos (key),
    livestream_url               TEXT,
    family_contact_name          TEXT,
    family_contact_email         TEXT,
    layout                       TEXT    NOT NULL DEFAULT 'PORTRAIT'
        CHECK (layout = 'PORTRAIT' OR layout = 'BESIDE' OR layout = 'TEXT'),
    visibility                   TEXT    NOT NULL DEFAULT 'OPEN' CHECK (visibility IN ('OPEN', 'INVITATION')),
    memorial_text                TEXT,
    status                       TEXT    NOT NULL CHECK (status = 'DRAFT' OR status = 'ORDERED' OR status = 'ACTIVE'),
    slug                         TEXT,
    test                         INTEGER NOT NULL CHECK (test IN (0, 1)),
    created_at                   INTEGER NOT NULL,
    updated_at                   INTEGER NOT NULL,
    event_count                  INTEGER NOT NULL CHECK (event_count >= 0),
    ordered_at                   INTEGER,
    activated_at                 INTEGER,
    offline_since                INTEGER, -- since when the operator keeps an ACTIVE card from being seen
    farewell_date                TEXT,
    farewell_time                TEXT, -- HH:MM in the Netherlands
    farewell_until               TEXT,
    farewell_place               TEXT,
    farewell_address             TEXT,
    farewell_note                TEXT,
    deceased_photo_focal_point   TEXT, -- in tenths of width and height, such as 5,2: it stays visible where the portrait is cropped
    UNIQUE (partner_id, external_dossier_id),
    CHECK ((status = 'ACTIVE') = (slug IS NOT NULL))
) STRICT;
CREATE UNIQUE INDEX cards_slug ON cards (slug) WHERE slug IS NOT NULL;
CREATE INDEX cards_with_photo ON cards (deceased_photo_key) WHERE deceased_photo_key IS NOT NULL;

-- The events of a card, each written in the transaction of its cause, and so without a foreign key.
CREATE TABLE events (
    id             BLOB    NOT NULL PRIMARY KEY,
    partner_id     BLOB    NOT NULL,
    card_id        BLOB    NOT NULL,
    topic          TEXT    NOT NULL
        CHECK (topic = 'CARDS_CREATE' OR topic = 'CARDS_UPDATE' OR topic = 'CARDS_ORDERED' OR topic = 'CARDS_ACTIVATED'),
    sequence       INTEGER NOT NULL CHECK (sequence > 0),
    actor          TEXT    NOT NULL
        CHECK (actor = 'PARTNER' OR actor = 'FAMILY' OR actor = 'OPERATOR' OR actor = 'SERVICE'),
    changed_fields TEXT    NOT NULL, -- a JSON array of paths in the schema
    test           INTEGER NOT NULL CHECK (test IN (0, 1)),
    occurred_at    INTEGER NOT NULL,
    UNIQUE (card_id, sequence)
) STRICT, WITHOUT ROWID;

-- A session link, which works once, and the browser session that it opened (by the digest of its cookie). Both end when the
-- key in key_id is revoked; it is null where no key made the link. No foreign key: access keys are never deleted.
CREATE TABLE sessions (
    digest     BLOB    NOT NULL PRIMARY KEY CHECK (length(digest) = 32),
    card_id    BLOB    NOT NULL REFERENCES cards (id),
    target     TEXT    NOT NULL CHECK (target IN ('CUSTOMIZER', 'INVITEE_LIST')),
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    used_at    INTEGER,
    key_id     BLOB
) STRICT, WITHOUT ROWID;
CREATE INDEX sessions_of_card ON sessions (card_id);
CREATE INDEX sessions_of_key ON sessions (key_id, expires_at);
CREATE INDEX sessions_by_end ON sessions (expires_at);

CREATE TABLE visits (
    digest     BLOB    NOT NULL PRIMARY KEY CHECK (length(digest) = 32),
    card_id    BLOB    NOT NULL REFERENCES cards (id),
    target     TEXT    NOT NULL CHECK (target IN ('CUSTOMIZER', 'INVITEE_LIST')),
    created_at INTEGER NOT NULL,
    seen_at    INTEGER NOT NULL,
    key_id     BLOB
) STRICT, WITHOUT ROWID;
CREATE INDEX visits_by_age ON visits (created_at);
CREATE INDEX visits_of_key ON visits (key_id, created_at);
CREATE INDEX visits_of_card ON visits (card_id, created_at);

-- The cards that were created under an idempotency key of a partner and mode, and, in the row of the first one, the outcome of
-- the request that succeeded as a whole. The row is written before its card, so that requests with one key wait for each other.
CREATE TABLE idempotency_keys (
    partner_id BLOB    NOT NULL,
    mode       TEXT    NOT NULL CHECK (mode IN ('live', 'test')),
    key        TEXT    NOT NULL,
    ordinal    INTEGER NOT NULL CHECK (ordinal >= 0), -- of the cardCreate field in its request
    input      BLOB    NOT NULL CHECK (length(input) = 32), -- SHA-256 of the field's input
    card_id    BLOB    NOT NULL, -- no foreign key: it would be checked by a scan of this table for each new card
    request    BLOB    CHECK (length(request) = 32), -- SHA-256 of the request that succeeded
    response   TEXT, -- never one that holds a session link
    made_at    INTEGER NOT NULL,
    PRIMARY KEY (key, partner_id, mode, ordinal), -- most comparisons of two rows end at the key
    CHECK ((request IS NULL) = (response IS NULL))
) STRICT;

-- Customers: one for each address of a partner, test and live apart.
CREATE TABLE customers (
    id         BLOB    NOT NULL PRIMARY KEY,
    partner_id BLOB    NOT NULL REFERENCES partners (id),
    email      TEXT    NOT NULL,
    name       TEXT,
    test       INTEGER NOT NULL CHECK (test IN (0, 1)),
    created_at INTEGER NOT NULL,
    UNIQUE (partner_id, email, test)
) STRICT;

-- Orders. The partner is invoiced for an order after its card was deleted, so card_id has no foreign key.
CREATE TABLE orders (
    id          BLOB    NOT NULL PRIMARY KEY,
    card_id     BLOB    NOT NULL UNIQUE,
    partner_id  BLOB    NOT NULL REFERENCES partners (id),
    customer_id BLOB    REFERENCES customers (id),
    number      TEXT    NOT NULL UNIQUE,
    price_cents INTEGER NOT NULL CHECK (price_cents >= 0), -- at the time of the order
    actor       TEXT    NOT NULL CHECK (actor IN ('FAMILY', 'OPERATOR')),
    test        INTEGER NOT NULL CHECK (test IN (0, 1)),
    ordered_at  INTEGER NOT NULL
) STRICT;
CREATE INDEX orders_of_partner ON orders (partner_id, ordered_at);
CREATE INDEX orders_of_customer ON orders (customer_id);

-- Ordered cards that are not online yet.
CREATE TABLE activations (
    card_id  BLOB    NOT NULL PRIMARY KEY REFERENCES cards (id),
    due_at   INTEGER NOT NULL,
    attempts INTEGER NOT NULL CHECK (attempts >= 0)
) STRICT, WITHOUT ROWID;
CREATE INDEX activations_due ON activations (due_at);

-- The invitees of a card.
CREATE TABLE invitees (
    id           BLOB    NOT NULL PRIMARY KEY,
    card_id      BLOB    NOT NULL REFERENCES cards (id),
    name         TEXT    NOT NULL,
    email        TEXT,
    email_folded TEXT, -- in lower case: an address is on a list once
    token        TEXT    NOT NULL UNIQUE, -- of the personal link, which the list shows again
    created_at   INTEGER NOT NULL,
    mail_count   INTEGER NOT NULL CHECK (mail_count >= 0),
    last_mail_at INTEGER,
    seen_at      INTEGER, -- when the personal link was first opened
    UNIQUE (card_id, email_folded),
    CHECK ((email IS NULL) = (email_folded IS NULL))
) STRICT;
CREATE INDEX invitees_of_card ON invitees (card_id, created_at, id);

-- The link to the invitee list in an order mail. It works more than once, until it expires.
CREATE TABLE invitee_list_links (
    digest     BLOB    NOT NULL PRIMARY KEY CHECK (length(digest) = 32),
    card_id    BLOB    NOT NULL REFERENCES cards (id),
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX invitee_list_links_by_end ON invitee_list_links (expires_at);
CREATE INDEX invitee_list_links_of_card ON invitee_list_links (card_id, expires_at);

-- The note of the family in the invitations of a card, and whether an answer goes to the family contact. It is deleted with the card.
CREATE TABLE invitation_notes (
    card_id    BLOB    NOT NULL PRIMARY KEY REFERENCES cards (id) ON DELETE CASCADE,
    note       TEXT    NOT NULL,
    answers    INTEGER NOT NULL CHECK (answers IN (0, 1)),
    changed_at INTEGER NOT NULL,
    CHECK (note <> '' OR answers = 1)
) STRICT;
CREATE INDEX invitation_notes_by_change ON invitation_notes (changed_at);

-- How many invitations were sent to an address for a card. The row stays when the invitee is deleted, and is deleted with
-- the card; it holds the address as a digest only.
CREATE TABLE invitation_counts (
    digest  BLOB    NOT NULL PRIMARY KEY CHECK (length(digest) = 32), -- of the card and the address
    card_id BLOB    NOT NULL REFERENCES cards (id),
    sent    INTEGER NOT NULL CHECK (sent > 0),
    last_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX invitation_counts_of_card ON invitation_counts (card_id);
CREATE INDEX invitation_counts_by_last ON invitation_counts (last_at);

-- How many invitations a card and a partner sent on a day (Europe/Amsterdam). owner_id is a card or a partner: no foreign
-- key.
CREATE TABLE invitation_days (
    owner_id BLOB    NOT NULL,
    test     INTEGER NOT NULL CHECK (test IN (0, 1)),
    day      TEXT    NOT NULL,
    sent     INTEGER NOT NULL CHECK (sent >= 0),
    PRIMARY KEY (owner_id, test, day)
) STRICT, WITHOUT ROWID;
CREATE INDEX invitation_days_by_day ON invitation_days (day);

-- The mail queue; a mail is written in the transaction of its cause. due_at is also the end of a worker's lease. A mail is
-- queued (due_at), sent (sent_at), refused by the mail server (failed_at and refused), or given up (failed_at alone). answer
-- is what the mail server said at the last failed attempt, or why there was none.
CREATE TABLE mails (
    id         BLOB    NOT NULL PRIMARY KEY,
    card_id    BLOB    NOT NULL REFERENCES cards (id),
    kind       TEXT    NOT NULL CHECK (kind = 'ORDER' OR kind = 'CARD_ONLINE' OR kind = 'INVITATION'),
    invitee_id BLOB    REFERENCES invitees (id) ON DELETE CASCADE,
    created_at INTEGER NOT NULL,
    due_at     INTEGER,
    attempts   INTEGER NOT NULL CHECK (attempts >= 0),
    sent_at    INTEGER,
    failed_at  INTEGER,
    refused    INTEGER NOT NULL DEFAULT 0 CHECK (refused IN (0, 1)),
    answer     TEXT,
    CHECK ((kind = 'INVITATION') = (invitee_id IS NOT NULL)),
    CHECK ((due_at IS NOT NULL) + (sent_at IS NOT NULL) + (failed_at IS NOT NULL) = 1)
) STRICT;
CREATE INDEX mails_due ON mails (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX mails_done ON mails (created_at) WHERE due_at IS NULL;
CREATE INDEX mails_of_card ON mails (card_id, created_at, id);
CREATE INDEX mails_of_invitee ON mails (invitee_id) WHERE invitee_id IS NOT NULL;
CREATE INDEX mails_failing ON mails (created_at) WHERE due_at IS NOT NULL AND answer IS NOT NULL;
CREATE INDEX mails_failed ON mails (failed_at) WHERE failed_at IS NOT NULL;

-- The signing secrets of a partner, stored as they are because the service signs with them. A secret is active until
-- expires_at (it was rotated) or revoked_at.
CREATE TABLE webhook_secrets (
    id           BLOB    NOT NULL PRIMARY KEY,
    partner_id   BLOB    NOT NULL REFERENCES partners (id),
    secret       BLOB    NOT NULL CHECK (length(secret) BETWEEN 24 AND 64),
    created_at   INTEGER NOT NULL,
    expires_at   INTEGER,
    revoked_at   INTEGER,
    live_ends_at INTEGER, -- its end for the subscriptions of live keys, after the partner rotated it
    test_ends_at INTEGER -- likewise for those of test keys
) STRICT;
CREATE INDEX webhook_secrets_of_partner ON webhook_secrets (partner_id, created_at, id);

-- Webhook subscriptions. One that a test key made gets notifications of test cards only.
CREATE TABLE webhook_subscriptions (
    id                  BLOB    NOT NULL PRIMARY KEY,
    partner_id          BLOB    NOT NULL REFERENCES partners (id),
    topic               TEXT    NOT NULL
        CHECK (topic = 'CARDS_CREATE' OR topic = 'CARDS_UPDATE' OR topic = 'CARDS_ORDERED' OR topic = 'CARDS_ACTIVATED'),
    callback_url        TEXT    NOT NULL,
    callback_url_digest BLOB    NOT NULL CHECK (length(callback_url_digest) = 32), -- of its normalised form
    api_version         TEXT    NOT NULL,
    test                INTEGER NOT NULL DEFAULT 0 CHECK (test IN (0, 1)),
    created_at          INTEGER NOT NULL,
    updated_at          INTEGER NOT NULL,
    paused_at           INTEGER,
    pause_reason        TEXT    CHECK (pause_reason IN ('FAILURES', 'GONE')),
    failing_since       INTEGER,
    failure_count       INTEGER NOT NULL DEFAULT 0 CHECK (failure_count >= 0),
    name                TEXT, -- the partner's own name for it
    recover_after       BLOB, -- while failed deliveries are sent again: the last one that was
    UNIQUE (partner_id, topic, callback_url_digest)
) STRICT;
CREATE INDEX webhook_subscriptions_page ON webhook_subscriptions (partner_id, id);
-- The subscriptions of a partner with one address, which share the order of deliveries.
CREATE INDEX webhook_subscriptions_of_address ON webhook_subscriptions (partner_id, callback_url_digest);
CREATE INDEX webhook_subscriptions_recovering ON webhook_subscriptions (id) WHERE recover_after IS NOT NULL;

-- The body of the notification about an event in one API version, shared by its deliveries.
CREATE TABLE notifications (
    event_id    BLOB NOT NULL,
    api_version TEXT NOT NULL,
    body        TEXT NOT NULL, -- the bytes that are signed, so no JSON type
    PRIMARY KEY (event_id, api_version)
) STRICT;

-- The deliveries of notifications to subscriptions. No foreign keys: a subscription is deleted at once, and its deliveries
-- in batches.
CREATE TABLE deliveries (
    id              BLOB    NOT NULL PRIMARY KEY, -- derived from event and subscription; sorts by the time of the event
    event_id        BLOB    NOT NULL,
    subscription_id BLOB    NOT NULL,
    partner_id      BLOB    NOT NULL,
    card_id         BLOB    NOT NULL,
    topic           TEXT    NOT NULL
        CHECK (topic = 'CARDS_CREATE' OR topic = 'CARDS_UPDATE' OR topic = 'CARDS_ORDERED' OR topic = 'CARDS_ACTIVATED'),
    sequence        INTEGER NOT NULL CHECK (sequence > 0),
    test            INTEGER NOT NULL CHECK (test IN (0, 1)),
    api_version     TEXT    NOT NULL,
    state           TEXT    NOT NULL
        CHECK (state = 'WAITING' OR state = 'DUE' OR state = 'DELIVERED' OR state = 'FAILED'),
    attempt_count   INTEGER NOT NULL CHECK (attempt_count >= 0),
    schedule_step   INTEGER NOT NULL CHECK (schedule_step >= 0),
    due_at          INTEGER, -- of the next attempt, or of the running one
    lease           BLOB, -- the lease of the running attempt
    leased_until    INTEGER, -- the end of the lease; in no index, so that a claim moves none
    created_at      INTEGER NOT NULL,
    finished_at     INTEGER,
    -- The attempt that succeeded, number attempt_count. When the delivery is sent again, it is copied to attempts and cleared.
    success_started_at  INTEGER,
    success_duration_ms INTEGER,
    success_status      INTEGER,
    CHECK ((state = 'DUE') = (due_at IS NOT NULL)),
    CHECK ((state IN ('DELIVERED', 'FAILED')) = (finished_at IS NOT NULL))
) STRICT;
-- Due deliveries by subscription: a subscription with a million pending deliveries is skipped in one step.
CREATE INDEX deliveries_due ON deliveries (subscription_id, due_at, id) WHERE due_at IS NOT NULL;
-- The unfinished deliveries of a card, in the order in which they are sent.
CREATE INDEX deliveries_in_turn ON deliveries (subscription_id, card_id, sequence) WHERE finished_at IS NULL;
CREATE INDEX deliveries_by_state ON deliveries (subscription_id, state, id);

-- The attempts of deliveries, without the success of a delivered one.
CREATE TABLE attempts (
    delivery_id BLOB    NOT NULL,
    number      INTEGER NOT NULL CHECK (number > 0),
    started_at  INTEGER NOT NULL,
    duration_ms INTEGER NOT NULL CHECK (duration_ms >= 0),
    status      INTEGER,
    failure     TEXT    CHECK (failure = 'NO_CONNECTION' OR failure = 'TIME_OUT' OR failure = 'REFUSED'),
    PRIMARY KEY (delivery_id, number),
    CHECK ((status IS NULL) <> (failure IS NULL))
) STRICT, WITHOUT ROWID;

-- A one-time link of an operator to the administration, and the session that it opened. Both by their digests.
CREATE TABLE admin_sessions (
    id         BLOB    NOT NULL PRIMARY KEY,
    link       BLOB    NOT NULL UNIQUE CHECK (length(link) = 32),
    operator   TEXT    NOT NULL, -- the actor of its audit records
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL, -- of the link
    opened_at  INTEGER,
    cookie     BLOB    UNIQUE CHECK (length(cookie) = 32),
    seen_at    INTEGER,
    ended_at   INTEGER
) STRICT;
CREATE INDEX admin_sessions_by_end ON admin_sessions (expires_at, id);

-- The audit log of operator commands.
CREATE TABLE audit (
    id      BLOB    NOT NULL PRIMARY KEY,
    at      INTEGER NOT NULL,
    actor   TEXT    NOT NULL, -- the user of the operating system
    command TEXT    NOT NULL,
    subject TEXT    NOT NULL, -- as named on the command line: a partner, a key, a card
    fields  TEXT    NOT NULL -- a JSON array of names; never a value
) STRICT;
CREATE INDEX audit_by_moment ON audit (at, id);

-- How many operations of a partner used a coordinate of a version on a day (UTC). No foreign key: counts are written even if
-- the partner was deleted meanwhile.
CREATE TABLE usage (
    day        TEXT    NOT NULL,
    version    TEXT    NOT NULL,
    partner_id BLOB    NOT NULL,
    key_mode   TEXT    NOT NULL CHECK (key_mode IN ('live', 'test')),
    coordinate TEXT    NOT NULL, -- such as Card.status
    count      INTEGER NOT NULL CHECK (count > 0),
    PRIMARY KEY (day, version, partner_id, key_mode, coordinate)
) STRICT, WITHOUT ROWID;

-- What the operator decided about a version after its release. Every replica follows within seconds.
CREATE TABLE version_notices (
    version    TEXT    NOT NULL PRIMARY KEY,
    deprecated TEXT    NOT NULL,
    sunset     TEXT    NOT NULL,
    link       TEXT, -- where partners read more
    retired_at INTEGER
) STRICT;

-- An idempotency key belongs to a partner and a mode, so that a live request is never answered with a test card. It is
-- bound to a request once one succeeds as a whole; until then the input of each card tells whether a resent field is the
-- same. SQLite changes a primary key by making the table again. The PostgreSQL twin has the same columns.
CREATE TABLE idempotency_keys_of_mode (
    partner_id  BLOB    NOT NULL,
    mode        TEXT    NOT NULL DEFAULT 'live' CHECK (mode IN ('live', 'test')),
    key         TEXT    NOT NULL,
    fingerprint BLOB    NOT NULL CHECK (length(fingerprint) = 32), -- of the request that it is bound to, or of the first
    bound       INTEGER NOT NULL DEFAULT 1 CHECK (bound IN (0, 1)),
    response    TEXT, -- never one that holds a session link
    created_at  INTEGER NOT NULL,
    PRIMARY KEY (partner_id, mode, key)
) STRICT;
CREATE TABLE idempotency_cards_of_mode (
    partner_id BLOB    NOT NULL,
    mode       TEXT    NOT NULL DEFAULT 'live',
    key        TEXT    NOT NULL,
    ordinal    INTEGER NOT NULL CHECK (ordinal >= 0),
    card_id    BLOB    NOT NULL REFERENCES cards (id),
    input      BLOB    CHECK (length(input) = 32), -- SHA-256 of the field's input; null before this migration
    PRIMARY KEY (partner_id, mode, key, ordinal),
    FOREIGN KEY (partner_id, mode, key) REFERENCES idempotency_keys_of_mode (partner_id, mode, key) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

INSERT INTO idempotency_keys_of_mode (partner_id, mode, key, fingerprint, response, created_at)
    SELECT k.partner_id,
        CASE WHEN EXISTS (
            SELECT 1 FROM idempotency_cards b JOIN cards c ON c.id = b.card_id
            WHERE b.partner_id = k.partner_id AND b.key = k.key AND c.test = 1
        ) THEN 'test' ELSE 'live' END,
        k.key, k.fingerprint, CASE WHEN k.response LIKE '%/s/%' THEN NULL ELSE k.response END, k.created_at
    FROM idempotency_keys k;
INSERT INTO idempotency_cards_of_mode (partner_id, mode, key, ordinal, card_id)
    SELECT b.partner_id, k.mode, b.key, b.ordinal, b.card_id
    FROM idempotency_cards b
    JOIN idempotency_keys_of_mode k ON k.partner_id = b.partner_id AND k.key = b.key;

DROP TABLE idempotency_cards;
DROP TABLE idempotency_keys;
ALTER TABLE idempotency_keys_of_mode RENAME TO idempotency_keys;
ALTER TABLE idempotency_cards_of_mode RENAME TO idempotency_cards;
CREATE INDEX idempotency_keys_by_age ON idempotency_keys (created_at);

CREATE TABLE idempotency_keys_of_partner (
    partner_id  BLOB    NOT NULL,
    key         TEXT    NOT NULL,
    fingerprint BLOB    NOT NULL CHECK (length(fingerprint) = 32),
    response    TEXT,
    created_at  INTEGER NOT NULL,
    PRIMARY KEY (partner_id, key)
) STRICT;
CREATE TABLE idempotency_cards_of_partner (
    partner_id BLOB    NOT NULL,
    key        TEXT    NOT NULL,
    ordinal    INTEGER NOT NULL CHECK (ordinal >= 0),
    card_id    BLOB    NOT NULL REFERENCES cards (id),
    PRIMARY KEY (partner_id, key, ordinal),
    FOREIGN KEY (partner_id, key) REFERENCES idempotency_keys_of_partner (partner_id, key) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

-- Of a key that both modes used, the live one stays.
INSERT INTO idempotency_keys_of_partner
    SELECT partner_id, key, fingerprint, response, created_at FROM idempotency_keys WHERE mode = 'live';
INSERT OR IGNORE INTO idempotency_keys_of_partner
    SELECT partner_id, key, fingerprint, response, created_at FROM idempotency_keys WHERE mode = 'test';
INSERT INTO idempotency_cards_of_partner
    SELECT partner_id, key, ordinal, card_id FROM idempotency_cards WHERE mode = 'live';
INSERT OR IGNORE INTO idempotency_cards_of_partner
    SELECT partner_id, key, ordinal, card_id FROM idempotency_cards WHERE mode = 'test';

DROP TABLE idempotency_cards;
DROP TABLE idempotency_keys;
ALTER TABLE idempotency_keys_of_partner RENAME TO idempotency_keys;
ALTER TABLE idempotency_cards_of_partner RENAME TO idempotency_cards;
CREATE INDEX idempotency_keys_by_age ON idempotency_keys (created_at);

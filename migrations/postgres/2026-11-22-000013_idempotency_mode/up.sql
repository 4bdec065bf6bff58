-- An idempotency key belongs to a partner and a mode, so that a live request is never answered with a test card. It is
-- bound to a request once one succeeds as a whole; until then the input of each card tells whether a resent field is the
-- same. The SQLite twin has the same columns.
ALTER TABLE idempotency_keys
    ADD COLUMN mode  text    NOT NULL DEFAULT 'live' CHECK (mode IN ('live', 'test')),
    ADD COLUMN bound boolean NOT NULL DEFAULT true;
ALTER TABLE idempotency_cards
    ADD COLUMN mode  text NOT NULL DEFAULT 'live',
    ADD COLUMN input bytea CHECK (length(input) = 32); -- SHA-256 of the field's input; null before this migration

ALTER TABLE idempotency_cards DROP CONSTRAINT idempotency_cards_partner_id_key_fkey;
ALTER TABLE idempotency_cards DROP CONSTRAINT idempotency_cards_pkey;
ALTER TABLE idempotency_keys DROP CONSTRAINT idempotency_keys_pkey;

UPDATE idempotency_keys k SET mode = 'test' WHERE EXISTS (
    SELECT 1 FROM idempotency_cards b JOIN cards c ON c.id = b.card_id
    WHERE b.partner_id = k.partner_id AND b.key = k.key AND c.test
);
UPDATE idempotency_cards b SET mode = k.mode FROM idempotency_keys k
    WHERE k.partner_id = b.partner_id AND k.key = b.key AND k.mode = 'test';
UPDATE idempotency_keys SET response = NULL WHERE response LIKE '%/s/%'; -- a session link is kept as a digest only

ALTER TABLE idempotency_keys ADD PRIMARY KEY (partner_id, mode, key);
ALTER TABLE idempotency_cards ADD PRIMARY KEY (partner_id, mode, key, ordinal);
ALTER TABLE idempotency_cards
    ADD FOREIGN KEY (partner_id, mode, key) REFERENCES idempotency_keys (partner_id, mode, key) ON DELETE CASCADE;

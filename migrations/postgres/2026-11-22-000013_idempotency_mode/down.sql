-- Of a key that both modes used, the live one stays.
DELETE FROM idempotency_keys t WHERE t.mode = 'test' AND EXISTS (
    SELECT 1 FROM idempotency_keys l WHERE l.partner_id = t.partner_id AND l.key = t.key AND l.mode = 'live'
);
ALTER TABLE idempotency_cards DROP CONSTRAINT idempotency_cards_partner_id_mode_key_fkey;
ALTER TABLE idempotency_cards DROP CONSTRAINT idempotency_cards_pkey;
ALTER TABLE idempotency_keys DROP CONSTRAINT idempotency_keys_pkey;
ALTER TABLE idempotency_keys DROP COLUMN mode, DROP COLUMN bound;
ALTER TABLE idempotency_cards DROP COLUMN mode, DROP COLUMN input;
ALTER TABLE idempotency_keys ADD PRIMARY KEY (partner_id, key);
ALTER TABLE idempotency_cards ADD PRIMARY KEY (partner_id, key, ordinal);
ALTER TABLE idempotency_cards
    ADD FOREIGN KEY (partner_id, key) REFERENCES idempotency_keys (partner_id, key) ON DELETE CASCADE;

-- Since when the operator keeps a card that is ACTIVE from being seen; null while it is online.
ALTER TABLE cards ADD COLUMN offline_since timestamptz;

-- lead_in is the words above the name (src/model/card.rs).
ALTER TABLE cards ADD COLUMN lead_in text NOT NULL DEFAULT 'IN_MEMORY';

-- lead_in is the words above the name (src/model/card.rs).
ALTER TABLE cards ADD COLUMN lead_in TEXT NOT NULL DEFAULT 'IN_MEMORY'
    CHECK (lead_in = 'IN_MEMORY' OR lead_in = 'REMEMBRANCE' OR lead_in = 'WITH_LOVE' OR lead_in = 'NAME_ALONE');

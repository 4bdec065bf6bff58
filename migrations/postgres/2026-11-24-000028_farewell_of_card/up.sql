-- The farewell, which the family fills in: its day, its time in the Netherlands (HH:MM), where, and a note.
ALTER TABLE cards ADD COLUMN farewell_date date;
ALTER TABLE cards ADD COLUMN farewell_time TEXT;
ALTER TABLE cards ADD COLUMN farewell_place TEXT;
ALTER TABLE cards ADD COLUMN farewell_address TEXT;
ALTER TABLE cards ADD COLUMN farewell_note TEXT;
